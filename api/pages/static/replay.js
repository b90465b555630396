// Steps through a match: the changes of all stops are fetched once, and the position stays in the address.

const byId = (id) => document.getElementById(id)
const answer = await fetch(byId("main").dataset.changes)
const { versions, rounds, lines, places, start, steps, faces } = await answer.json()
const spots = places.map((name) => document.querySelectorAll(`[data-place="${name}"]`))
const play = byId("play")
const slider = byId("slider")
const last = versions.length - 1
const shown = []
let table = [...start]
let index = 0
let timer

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

function goTo(wanted) {
  if (wanted < index) {
    table = [...start]
    index = 0
  }
  while (index < wanted) for (const [place, content] of steps[index++]) table[place] = content
  table.forEach((content, place) => {
    if (shown[place] === content) return
    shown[place] = content
    for (const spot of spots[place]) {
      if (typeof content === "string") spot.textContent = content
      else spot.innerHTML = content.map((card) => faces[card]).join("")
    }
  })
  byId("line").textContent = lines[index]
  slider.value = byId("at").value = versions[index]
  for (const way in ways) byId(way).ariaDisabled = ways[way]() === index
  if (index === last) stop()
}

/** Browsers refuse to write the address when it is done too often: then it follows later. @param {number} wanted */
function step(wanted) {
  goTo(wanted)
  try {
    history.replaceState(0, 0, `?at=${versions[index]}`)
  } catch {
    setTimeout(() => step(index), 1000)
  }
}

function stop() {
  clearInterval(timer)
  timer = 0
  play.ariaPressed = "false"
}

function toggle() {
  if (timer) return stop()
  if (index === last) step(0)
  timer = setInterval(() => step(index + 1), 900)
  play.ariaPressed = "true"
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
  const way = keys[event.key] ?? event.target.closest(".ways a")?.id
  const isSpace = event.key === " " && !event.target.closest("a, button, input")
  if (event.ctrlKey || event.altKey || event.metaKey || (event.key && !keys[event.key] && !isSpace)) return
  if (isSpace) toggle()
  else if (way) step(ways[way]())
  else return
  event.preventDefault()
}
slider.oninput = () => step(stopOf(+slider.value))
play.onclick = toggle
play.hidden = false
byId("go").hidden = true
goTo(stopOf(+new URLSearchParams(location.search).get("at")))
document.documentElement.dataset.ready = ""
