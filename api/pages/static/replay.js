// Steps through a match: the changes of all stops are fetched once, and the position stays in the address.

const byId = (id) => document.getElementById(id)
const main = byId("main")
// A page that somebody took along has everything in it, and no address to follow.
const along = byId("told")
const answer = along ? along.textContent : await (await fetch(main.dataset.changes)).text()
const { versions, rounds, lines, places, start, steps, faces } = JSON.parse(answer)
// One walk through the page: a table of eight has two hundred places.
const byName = {}
for (const spot of document.querySelectorAll("[data-place]")) (byName[spot.dataset.place] ??= []).push(spot)
const spots = places.map((name) => byName[name] ?? [])
const play = byId("play")
const slider = byId("slider")
const speed = byId("speed").querySelector("select")
const list = byId("steps")
const kept = byId("bookmark")
const coming = byId("coming")
const finding = byId("find-card")
const last = versions.length - 1
const live = main.dataset.live
const shown = []
let table = [...start]
let index = 0
let timer
let later
let marked = []
let asking

/** The place of a version among the stops. @param {number | undefined} version */
const stopOf = (version, otherwise = last) => {
  const found = versions.findIndex((one) => one >= version)
  return found < 0 ? otherwise : found
}
const ways = {
  first: () => 0,
  "round-back": () => stopOf(rounds.findLast((one) => one < versions[index]), 0),
  back: () => Math.max(0, index - 1),
  on: () => Math.min(last, index + 1),
  "round-on": () => stopOf(rounds.find((one) => one > versions[index])),
  last: () => last,
}
const addressOf = (version) => {
  const query = new URLSearchParams(location.search)
  query.set("at", version)
  return `${location.pathname}?${query}`
}

function seek(wanted) {
  if (wanted < index) {
    table = [...start]
    index = 0
  }
  while (index < wanted) for (const [place, content] of steps[index++]) table[place] = content
}

function goTo(wanted) {
  seek(wanted)
  table.forEach((content, place) => {
    if (shown[place] === content) return
    shown[place] = content
    for (const spot of spots[place]) {
      if (typeof content === "string") spot.textContent = content
      else spot.innerHTML = content.map((card) => faces[card]).join("")
    }
  })
  for (const spot of marked) spot.classList.remove("changed")
  marked = index ? steps[index - 1].flatMap(([place]) => (typeof table[place] === "string" ? [] : spots[place])) : []
  for (const spot of marked) spot.classList.add("changed")
  byId("line").textContent = lines[index]
  slider.value = byId("at").value = versions[index]
  for (const way in ways) byId(way).ariaDisabled = ways[way]() === index && !(live && way === "on")
  if (list.open) mark()
  if (index === last) stop()
}

/** What names the position follows it, and so does its address. */
function follow() {
  if (along) return
  const address = addressOf(versions[index])
  for (const field of document.querySelectorAll("input.at")) field.value = versions[index]
  byId("address").value = location.origin + address
  if (kept && versions[index] !== opened) kept.hidden = true
  const keep = byId("keep")
  keep.hidden = !kept || !kept.hidden
  keep.firstElementChild.href = `${address}#bookmark`
  if (!later) write()
  foresee()
}

/** What lay next on the pile is asked for while somebody wants to see it, once they rest at a position. */
function foresee() {
  if (!coming?.open) return
  clearTimeout(asking)
  asking = setTimeout(async () => {
    const version = versions[index]
    let told = coming.dataset.unreached
    try {
      const answer = await fetch(`${coming.dataset.from}?at=${version}`)
      if (answer.ok) told = await answer.text()
    } catch {}
    if (version === versions[index]) coming.lastElementChild.innerHTML = told
  }, 150)
}

/** The name of the card that was pressed on the table; nothing for what is no card. @param {Element} pressed */
function cardAt(pressed) {
  const drawing = pressed.closest("#board svg.card")
  const spot = drawing?.parentElement
  const cards = spot?.dataset.place && table[places.indexOf(spot.dataset.place)]
  const name = Array.isArray(cards) && String(cards[[...spot.children].indexOf(drawing)])
  return name && name !== "back" ? name : ""
}

/** Where its steps are listed. @param {string} name */
function addressOfCard(name) {
  const query = new URLSearchParams(new FormData(finding))
  query.set("card", name)
  return `${finding.action}?${query}#moved`
}

// The address is written at once, and then no oftener than browsers take it: they refuse, or say nothing and leave it as
// it was, when a held key changes it more than a hundred times in half a minute. The last position always gets there.
function write() {
  const address = addressOf(versions[index])
  later = 0
  if (location.pathname + location.search === address) return
  later = setTimeout(write, 350)
  try {
    history.replaceState(0, 0, address)
  } catch {
    // Refused: tried again until it is taken.
  }
}

/** @param {number} wanted */
function step(wanted) {
  goTo(wanted)
  follow()
}

function stop() {
  clearInterval(timer)
  timer = 0
  play.ariaPressed = "false"
}

function run() {
  clearInterval(timer)
  timer = setInterval(() => step(index + 1), +speed.value)
  play.ariaPressed = "true"
}

function toggle() {
  if (timer) return stop()
  if (index === last) step(0)
  run()
}

/** The list of all steps is made when somebody opens it: a long match has thousands. */
function unfold() {
  const rows = list.querySelector("ol")
  if (list.open && !rows.firstChild) {
    rows.append(
      ...lines.map((line, number) => {
        const row = document.createElement("li")
        const link = row.appendChild(document.createElement("a"))
        link.href = addressOf(versions[number])
        link.textContent = line || versions[number]
        link.dataset.stop = number
        return row
      }),
    )
  }
  if (list.open) mark()
}

function mark() {
  list.querySelector("[aria-current]")?.removeAttribute("aria-current")
  const link = list.querySelector(`[data-stop="${index}"]`)
  link.ariaCurrent = "step"
  link.scrollIntoView({ block: "nearest" })
}

const keys = {
  ArrowLeft: "back",
  ArrowRight: "on",
  ArrowUp: "round-back",
  ArrowDown: "round-on",
  Home: "first",
  End: "last",
}

onkeydown = onclick = (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return
  const number = event.key ? undefined : event.target.closest("[data-stop]")?.dataset.stop
  const keeping = !event.key && event.target.closest("#keep a")
  const there = along && !event.key && event.target.closest("#course a")
  const card = finding && !event.key && cardAt(event.target)
  const at = event.target.closest("input, select, textarea, #rail")
  const way = event.key ? !(at && at !== slider) && keys[event.key] : event.target.closest(".ways a")?.id
  const isSpace = event.key === " " && !event.target.closest("a, button, input, select, textarea, summary")
  if (isSpace) toggle()
  else if (keeping) {
    // Only what follows the # differs from where one is: without loading it anew nothing would happen.
    clearTimeout(later)
    history.replaceState(0, 0, keeping.href)
    location.reload()
  } else if (card) location.assign(addressOfCard(card))
  else if (number) step(+number)
  else if (there) step(stopOf(+new URLSearchParams(there.search).get("at")))
  else if (way === "on" && index === last && live) location.assign(live)
  else if (way) step(ways[way]())
  else return
  event.preventDefault()
}
const opened = versions[stopOf(+(along ? slider.value : new URLSearchParams(location.search).get("at")))]
slider.oninput = () => step(stopOf(+slider.value))
speed.onchange = () => timer && run()
play.onclick = toggle
list.ontoggle = unfold
if (coming) coming.ontoggle = foresee
play.hidden = byId("speed").hidden = list.hidden = false
if (byId("go")) byId("go").hidden = true
// What the page came with lies there already.
seek(stopOf(opened))
shown.push(...table)
goTo(index)
if (!along) byId("address").value = location.origin + addressOf(opened)
if (kept && location.hash === "#bookmark") {
  kept.open = true
  const rail = byId("rail")
  if (!rail.checkVisibility()) rail.showPopover()
}
document.documentElement.dataset.ready = ""
performance.mark("ready")
