// Steps through a match: the changes of all stops are fetched once, and the position stays in the address.

const data = await (await fetch(document.querySelector("main").dataset.changes)).json()
const { versions, rounds, lines, places, start, steps, faces } = data
const spots = places.map((name) => document.querySelectorAll(`[data-place="${name}"]`))
const byId = (id) => document.getElementById(id)
const ways = ["first", "round-back", "back", "on", "round-on", "last"]
const play = byId("play")
const slider = byId("slider")
const shown = []
let table = []
let index = -1
let timer = 0

const nearest = (version) => {
  const found = versions.findIndex((one) => one >= version)
  return found < 0 ? versions.length - 1 : found
}
const inAddress = () => nearest(Number(new URLSearchParams(location.search).get("at") ?? versions[0]))

function goTo(wanted) {
  const next = Math.max(0, Math.min(versions.length - 1, wanted))
  if (next < index || index < 0) {
    table = [...start]
    index = 0
  }
  while (index < next) for (const [place, content] of steps[index++]) table[place] = content
  table.forEach((content, place) => {
    if (shown[place] === content) return
    shown[place] = content
    for (const spot of spots[place]) {
      if (typeof content === "string") spot.textContent = content
      else spot.innerHTML = content.map((card) => faces[card]).join("")
    }
  })
  const version = versions[index]
  byId("line").textContent = lines[index]
  byId("at").value = version
  slider.value = version
  ways.forEach((way) => byId(way).setAttribute("aria-disabled", String(target(way) === index)))
  if (index === versions.length - 1) stop()
}

function target(way) {
  if (way === "first") return 0
  if (way === "last") return versions.length - 1
  if (way === "back") return Math.max(0, index - 1)
  if (way === "on") return Math.min(versions.length - 1, index + 1)
  const at = versions[index]
  const found = way === "round-on" ? rounds.find((one) => one > at) : rounds.findLast((one) => one < at)
  return found ? versions.indexOf(found) : way === "round-on" ? versions.length - 1 : 0
}

/** The address is written behind the step: browsers refuse it when it is done too often. */
function step(wanted) {
  goTo(wanted)
  try {
    history.replaceState(null, "", `?at=${versions[index]}`)
  } catch {
    setTimeout(() => step(index), 1000)
  }
}

function stop() {
  clearInterval(timer)
  timer = 0
  play.setAttribute("aria-pressed", "false")
}

function toggle() {
  if (timer) return stop()
  if (index === versions.length - 1) step(0)
  timer = setInterval(() => step(index + 1), 900)
  play.setAttribute("aria-pressed", "true")
}

const keys = { ArrowLeft: "back", ArrowRight: "on", ArrowUp: "round-back", ArrowDown: "round-on", Home: "first", End: "last" }

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return
  if (keys[event.key]) step(target(keys[event.key]))
  else if (event.key === " " && !event.target.closest("a, button, input")) toggle()
  else return
  event.preventDefault()
})
addEventListener("click", (event) => {
  const way = event.target.closest(".ways a")?.id
  if (!way || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  step(target(way))
})
addEventListener("popstate", () => goTo(inAddress()))
slider.addEventListener("input", () => step(nearest(Number(slider.value))))
play.addEventListener("click", toggle)
play.hidden = false
byId("go").hidden = true
goTo(inAddress())
document.documentElement.dataset.ready = "1"
