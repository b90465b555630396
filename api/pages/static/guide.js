// Points at one part of the table after another, until its reader has seen all, or wants no more.

const PARTS = { mine: ".own .mine:not(:has(.slots)), .own .slots", middle: ".middle, .piles", others: ".opponents", moves: ".own .actions", rail: ".bar .menu, .rail" }
// What should be seen while one reads, and how much one misses it.
const HIDDEN = { ".opponents": 10, "#status": 3, ".own .mine": 3, ".own .actions": 2, ".middle": 1, ".own .plate": 1 }
const GAP = 8
const guide = document.getElementById("guide")
const form = guide.querySelector("form")
const next = guide.querySelector("[data-last]")
const skip = guide.querySelector("[data-skip]")
const steps = [...guide.querySelectorAll("li")]
let at = 0

function point() {
  document.querySelector(".pointed")?.classList.remove("pointed")
  if (!guide.isConnected) return
  // Nothing is to be pointed at before the cards are dealt.
  guide.hidden = !document.querySelector(".own")
  steps.forEach((step, number) => (step.hidden = number !== at))
  if (at === steps.length - 1) {
    next.textContent = next.dataset.last
    skip.hidden = true
  }
  const parts = [...document.querySelectorAll(PARTS[steps[at].dataset.points])]
  // Where it is somebody else's turn there may be no buttons: then at one's own place.
  const part = parts.find((one) => one.checkVisibility() && one.clientHeight) ?? document.querySelector(".own")
  if (guide.hidden || !part) return
  part.classList.add("pointed")
  guide.style.setProperty("--top", `${placeBeside(part)}px`)
}

// Returns how far from the top the guide hides least, on a screen that has no room beside the table.
function placeBeside(part) {
  const counted = [[part, 100], ...Object.entries(HIDDEN).map(([one, weight]) => [document.querySelector(one), weight])]
  const boxes = counted.filter(([one]) => one?.clientHeight).map(([one, weight]) => [one.getBoundingClientRect(), weight])
  const height = guide.offsetHeight
  const highest = document.querySelector(".bar").offsetHeight + GAP
  const lowest = Math.max(highest, innerHeight - height - GAP / 2)
  const hides = (top) => boxes.reduce((sum, [box, weight]) => sum + weight * Math.max(0, Math.min(top + height, box.bottom) - Math.max(top, box.top)), 0)
  const tried = [lowest, ...boxes.flatMap(([box]) => [box.bottom + GAP, box.top - height - GAP])]
  return tried.map((top) => Math.min(Math.max(top, highest), lowest)).reduce((best, top) => (hides(top) < hides(best) ? top : best))
}

function end() {
  const body = new URLSearchParams(new FormData(form))
  fetch(form.action, { method: "POST", body, redirect: "manual", keepalive: true }).catch(() => {})
  guide.remove()
  point()
  document.getElementById("moves").focus({ preventScroll: true })
}

next.hidden = false
next.onclick = () => {
  at += 1
  if (at === steps.length) return end()
  point()
}
form.onsubmit = (event) => {
  event.preventDefault()
  end()
}
guide.onkeydown = ({ key }) => {
  if (key === "Escape") end()
}
guide.classList.add("points")
addEventListener("shown", point)
addEventListener("resize", point)
point()
