// Checks an exported match with docs/reference/format.md alone. It asks the service nothing: SHA-256 and HMAC are the
// browser's own. Read it, or keep a copy: the page that calls it is at hand to whoever may have something to hide.
//
// What is checked: the chain of hashes covers every byte of every event; what is shown now was fixed when the event was
// written; as far as the seed is open, salts, draws and deals come from it and from the players' own words; published
// heads are those of this log. The rules of the games are not known here.

const DOORS = ["page", "api", "bot", "clock", "operator"]
const NOTES = ["", "fallback", "hurried"]
const KEYS = ["v", "type", "at", "actor", "door", "command", "data", "seat", "trace", "deadlines", "note"]
const WORDS = { at: /^[0-9T:.-]{23}Z$/, actor: /^[\w.:@-]{1,64}$/, trace: /^[\w-]{0,64}$/, id: /^[\w.:~@+/=-]{1,160}$/ }
const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^"{}[\]:,]+/g

/** What is wrong, by a code that the page has a sentence for. */
export class Wrong extends Error {
  constructor(code, version = 0, detail = "") {
    super(`${code} at event ${version} ${detail}`)
    Object.assign(this, { code, version, detail })
  }
}

const bytesOf = (text) => new TextEncoder().encode(text)
const fromHex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16))
const toHex = (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("")
const digest = (...parts) => crypto.subtle.digest("SHA-256", joined(parts.map((one) => (typeof one === "string" ? bytesOf(one) : one))))

function joined(parts) {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

export const sha256 = async (...parts) => toHex(await digest(...parts))

async function hmac(key, text) {
  const algorithm = { name: "HMAC", hash: "SHA-256" }
  // Web Crypto takes no empty key; one zero byte is padded to the same block.
  const imported = await crypto.subtle.importKey("raw", key.length ? key : new Uint8Array(1), algorithm, false, ["sign"])
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, bytesOf(text)))
}

/** Parses JSON in which nothing can be read in two ways: no white space, no needless escape, no key twice. */
function parsed(text) {
  const value = JSON.parse(text)
  const keys = []
  let before = ""
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === "{" || token === "[") keys.push(new Set())
    else if (token === "}" || token === "]") keys.pop()
    else if (token === ":") {
      if (keys.at(-1).has(before)) throw new Wrong("file")
      keys.at(-1).add(before)
    } else if (token !== ",") {
      if (JSON.stringify(JSON.parse(token)) !== token) throw new Wrong("file")
      before = token
    }
  }
  return value
}

const byCodePoint = (one, other) => {
  const [a, b] = [[...one], [...other]]
  const at = a.findIndex((sign, place) => sign !== b[place])
  return at < 0 ? a.length - b.length : (a[at].codePointAt(0) ?? -1) - (b[at]?.codePointAt(0) ?? -1)
}

export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (value === null || typeof value !== "object") return JSON.stringify(value)
  const keys = Object.keys(value).sort(byCodePoint)
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join()}}`
}

async function* draws({ seed, words }, purpose) {
  const key = await hmac(fromHex(seed), `tablee/chance/1\n${words.map((word) => `${word}\n`).join("")}${purpose}`)
  for (let block = 0n; ; block++) {
    const number = new Uint8Array(8)
    new DataView(number.buffer).setBigUint64(0, block)
    const view = new DataView(await digest(key, number))
    for (let at = 0; at < 32; at += 4) yield view.getUint32(at)
  }
}

async function below(numbers, bound) {
  const limit = 2 ** 32 - (2 ** 32 % bound)
  for (;;) {
    const { value } = await numbers.next()
    if (value < limit) return value % bound
  }
}

async function shuffled(cards, source, purpose) {
  const numbers = draws(source, purpose)
  const order = [...cards]
  for (let last = order.length - 1; last > 0; last--) {
    const chosen = await below(numbers, last + 1)
    ;[order[last], order[chosen]] = [order[chosen], order[last]]
  }
  return order
}

class Match {
  constructor(line, start) {
    if (!line.chance) throw new Wrong("undescribed")
    Object.assign(this, { line, head: start, heads: [start], version: 0, at: "", command: null, seed: "", inherited: null })
    Object.assign(this, { openings: 0, closed: 0, right: 0, sealed: 0, promised: {}, said: {}, bound: false, seats: 0 })
    this.places = new Map(line.chance.cards.map(([card], place) => [card, place]))
  }

  require(holds, code, detail) {
    if (!holds) throw new Wrong(code, this.version, detail)
  }

  async event(line) {
    this.version++
    const event = parsed(line.e)
    this.head = await sha256(fromHex(this.head), line.e)
    this.heads.push(this.head)
    this.require(line.h === this.head, "chain")
    this.require(line.version === this.version && event.v === this.version && event.at >= this.at, "order")
    this.at = event.at
    this.begun ??= event.at
    this.envelope(event)
    if (this.version === 1) await this.first(event.data, line.openings)
    const left = await this.open(event.data, line.openings)
    this.closed += left
    await this.chance(event.type, event.data, event.seat, Boolean(this.seed) && !left)
  }

  envelope(event) {
    const known = KEYS.filter((key) => key in event).join() === Object.keys(event).join()
    this.require(known && Object.keys(event.command).join() === "id,from,to", "envelope")
    this.require(DOORS.includes(event.door) && NOTES.includes(event.note ?? ""), "envelope")
    for (const key in WORDS) {
      this.require(WORDS[key].test(key === "id" ? event.command.id : (event[key] ?? "")), "envelope", key)
    }
    const { id, from, to } = event.command
    const [mark, version] = [`${id} ${from} ${to}`, this.version]
    this.require(version <= to && mark === (this.command ?? `${id} ${version} ${to}`), "torn")
    this.command = version < to ? mark : null
  }

  async first(data, openings) {
    const { game, rules, seats, table = 1 } = data.terms
    this.require(this.line.game === game && this.line.rules === rules, "another-game")
    // The chain covers the first event, and so the description of how the game deals.
    const said = data.chance ?? ""
    this.require(!said || said === (await sha256(canonical(this.line.chance))), "described")
    Object.assign(this, { bound: Boolean(said), seats, table })
    this.seed = openings.find((one) => one.field === "seed")?.value ?? ""
  }

  /** Puts what is open in the place of its commitment; returns how many stay closed. */
  async open(data, openings) {
    const sealed = new Map()
    const note = (name, part) => part && Object.keys(part).join() === "sealed" && sealed.set(name, part.sealed)
    for (const [name, part] of Object.entries(data)) {
      if (Array.isArray(part)) part.forEach((one, place) => note(`${name}/${place}`, one))
      else note(name, part)
    }
    for (const { field, salt, value, seats, ...more } of openings) {
      this.require(!Object.keys(more).length && (seats === undefined || Array.isArray(seats)), "opening", field)
      this.require(sealed.get(field) === (await sha256(fromHex(salt), canonical(value))), "opening", field)
      if (this.seed) {
        const right = toHex(await hmac(fromHex(this.seed), `${this.version}/${field}`))
        this.require(salt === right, "salt", field)
      }
      const [name, place] = field.split("/")
      if (place === undefined) data[name] = value
      else data[name][place] = value
      sealed.delete(field)
      this.openings++
    }
    return sealed.size
  }

  async chance(type, data, seat, isOpen) {
    if (type === "SeatTaken") [this.promised[seat], this.said[seat]] = [data.nonce_hash ?? "", ""]
    if (type === "NonceAnnounced") this.promised[seat] = data.nonce_hash
    if (type === "ReadinessVoided") for (const one of data.seats) this.promised[one] = this.said[one] = ""
    if (type === "SeatReady" || type === "NonceShown") {
      const word = (this.said[seat] = data.nonce ?? "")
      // Since number 3 of the table's rules people may be ready first, and show their word later.
      const later = this.table >= 3 && !word
      this.require(later || !this.promised[seat] || this.promised[seat] === (await sha256(word)), "word", seat)
    }
    if (type === "MatchForked" && isOpen && data.entropy.seed) {
      this.inherited = { seed: data.entropy.seed, words: data.entropy.nonces ?? [] }
    }
    const [shuffle, pick] = [this.line.chance.shuffles[type], this.line.chance.picks[type]]
    this[isOpen ? "right" : "sealed"] += Boolean(shuffle) + Boolean(pick)
    if (isOpen && pick) await this.picked(pick, data)
    if (isOpen && shuffle) await this.dealt(shuffle, data)
  }

  get source() {
    const own = Array.from({ length: this.seats }, (_, seat) => this.said[seat] ?? "")
    return this.inherited ?? { seed: this.seed, words: own }
  }

  async picked(pick, data) {
    const drawn = await below(draws(this.source, `pick/${pick.purpose}`), data[pick.below])
    this.require(drawn === data[pick.value], "drawn")
  }

  async dealt(shuffle, data) {
    const cards = shuffle.cards.flatMap((name) => data[name]).flat(Infinity)
    const listed = [...cards].sort((one, other) => this.places.get(one) - this.places.get(other))
    const all = this.line.chance.cards.flatMap(([card, count]) => Array(count).fill(card))
    this.require(!shuffle.whole || listed.join() === all.join(), "other-cards")
    const [round, number] = [data[shuffle.round], data[shuffle.number]]
    const again = await shuffled(listed, this.source, `shuffle/${round}/${number}`)
    this.require(again.join() === cards.join(), "dealt", round)
  }

  end(line, own) {
    const { match, events, head, complete } = this.line
    this.require(line.match === match && line.events === events && events === this.version, "missing")
    this.require(this.head === head && !this.command, "missing")
    this.require(own === line.sha256, "altered")
    this.require(!this.closed || !complete, "unopened")
    const words = Object.keys(this.said).filter((seat) => this.said[seat]).map(Number)
    const { heads, openings, closed, right, sealed, bound, begun, at } = this
    return { match, events, heads, complete, openings, closed, right, sealed, bound, words, begun, ended: at }
  }
}

/**
 * Checks the matches of a file.
 * @param {string} text The file: lines of JSON.
 * @param {(events: number) => unknown} progress Called now and then; what it returns is waited for.
 * @returns What was checked of each match. @throws {Wrong}
 */
export async function check(text, progress = () => 0) {
  const rows = text.split("\n")
  if (rows.pop() !== "") throw new Wrong("cut-off")
  const found = []
  let [match, bytes, since, ended] = [null, [], 0, false]
  for (const [number, row] of rows.entries()) {
    const line = lineOf(row, match)
    ended = false
    if (line.kind === "match" && !match) {
      if (line.export !== 1 || !/^[A-Za-z0-9_-]{1,64}$/.test(line.match)) throw new Wrong("format")
      match = new Match(line, await sha256(`tablee/1 ${line.match}`))
      bytes = [row, "\n"]
    } else if (line.kind === "end" && match) {
      found.push(match.end(line, await sha256(...bytes)))
      match = null
      since++
    } else if (line.kind === "file" && !match) {
      if (line.matches !== since) throw new Wrong("cut-off")
      since = 0
      ended = true
    } else {
      if (!match || line.kind) throw new Wrong("file")
      bytes.push(row, "\n")
      await match.event(line).catch((wrong) => {
        throw wrong instanceof Wrong ? Object.assign(wrong, { version: match.version }) : new Wrong("file", match.version)
      })
    }
    if (number % 200 === 0) await progress(number)
  }
  if (!ended) throw new Wrong("cut-off")
  return found
}

function lineOf(row, match) {
  try {
    const line = parsed(row)
    if (line && typeof line === "object") return line
  } catch {}
  throw new Wrong("file", match ? match.version + 1 : 0)
}

/** Reads a digest, which publishes heads: in one file, or in pieces, of which some may stand behind it. @throws {Wrong} */
export async function readDigest(text) {
  try {
    const rows = text.trimEnd().split("\n")
    const first = parsed(rows[0])
    const count = first.format === 2 ? first.pieces : 0
    const pieces = rows.slice(1, count + 1).map(parsed)
    const heads = rows.slice(count + 1).map(parsed)
    const named = pieces.reduce((sum, piece) => sum + piece.heads, count ? 0 : heads.length)
    const known = first.kind === "digest" && (first.format === 1 || (first.format === 2 && count > 0))
    if (known && pieces.length === count && named === first.heads) {
      await requireWhole(pieces, heads, rows.slice(count + 1))
      const own = count ? rows.slice(0, count + 1).join("\n") + "\n" : text
      return { number: first.digest, at: first.at, previous: first.previous, heads, sha256: await sha256(own) }
    }
  } catch {}
  throw new Wrong("digest")
}

/** The lines of a piece must be those of which the digest has the hash. A piece has the matches whose h(0) begins with its name. */
async function requireWhole(pieces, heads, rows) {
  if (!pieces.length) return
  const found = new Map()
  for (const [at, { match }] of heads.entries()) {
    const zero = match.startsWith("sha256:") ? match.slice(7) : await sha256("tablee/1 ", match)
    const { piece } = pieces.find((one) => zero.startsWith(one.piece))
    found.set(piece, `${found.get(piece) ?? ""}${rows[at]}\n`)
  }
  for (const { piece, sha256: hash } of pieces) {
    if (found.has(piece) && (await sha256(found.get(piece))) !== hash) throw new Wrong("digest")
  }
}

/** Compares a checked match with the heads that a digest names; returns how many it names. @throws {Wrong} */
export async function compare(match, published) {
  const hidden = `sha256:${match.heads[0]}`
  const named = published.heads.filter((one) => one.match === match.match || one.match === hidden)
  for (const { version, head } of named) {
    if (match.heads[version] !== head) throw new Wrong("head", version, published.number)
  }
  return named.length
}
