// A random word of the player's own goes into the match's chance: its hash is promised when they sit, the word shown once
// every seat is taken. Only where the browser offers what that takes; without it one plays all the same, and the match
// says so.

const hex = (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("")
const byId = (id) => document.getElementById(id)
const form = byId("sitting")
let sent

// Returns a new word, and its hash.
async function coined() {
  const word = hex(crypto.getRandomValues(new Uint8Array(16)))
  return [word, hex(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(word)))]
}

form?.addEventListener("submit", async (event) => {
  if (!crypto.subtle && !sent) return
  event.preventDefault()
  if (sent) return
  sent = true
  try {
    const [word, hash] = await coined()
    localStorage.setItem(form.dataset.match, word)
    form.elements.nonce_hash.value = hash
  } catch {}
  if (event.submitter?.name) form.append(pressed(event.submitter))
  form.submit()
})

// Which button it was: a form that is submitted from here does not say so.
function pressed({ name, value }) {
  const field = document.createElement("input")
  Object.assign(field, { type: "hidden", name, value })
  return field
}

// Sends the hidden form, once for each version of the table; tells whether it was accepted.
async function send(form, name, value) {
  delete form.dataset.does
  const fields = new FormData(form)
  fields.set(name, value)
  const body = new URLSearchParams(fields)
  return (await fetch(form.action, { method: "POST", body, headers: { "X-Fragment": "1" } })).ok
}

// A word is promised before anybody shows theirs, and shown when all sit: with being ready, or by itself.
async function act() {
  const hidden = byId("word")
  if (!hidden) return
  const { does, match } = hidden.dataset
  try {
    if (does === "announce") {
      const [word, hash] = await coined()
      // Not before: another window may have promised another one.
      if (await send(hidden, "nonce_hash", hash)) localStorage.setItem(match, word)
    }
    const kept = localStorage.getItem(match) ?? ""
    if (does === "hold") byId("nonce").value = kept
    if (does === "show" && kept) await send(hidden, "nonce", kept)
  } catch {}
}

act()
addEventListener("shown", act)
