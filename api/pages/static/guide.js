// Points at one part of the table after another, until its reader has seen all, or wants no more.

const PARTS = { mine: ".own .mine:not(:has(.slots)), .own .slots", middle: ".middle, .piles", others: ".opponents", moves: ".own .actions", rail: ".bar .menu, .rail" }
const guide = document.getElementById("guide")
const form = guide.querySelector("form")
const next = guide.querySelector("[data-last]")
const steps = [...guide.querySelectorAll("li")]
let at = 0

function point() {
  document.querySelector(".pointed")?.classList.remove("pointed")
  if (!guide.isConnected) return
  // Nothing is to be pointed at before the cards are dealt.
  guide.hidden = !document.querySelector(".own")
  steps.forEach((step, number) => (step.hidden = number !== at))
  if (at === steps.length - 1) next.textContent = next.dataset.last
  const parts = [...document.querySelectorAll(PARTS[steps[at].dataset.points])]
  // Where it is somebody else's turn there may be no buttons: then at one's own place.
  const part = parts.find((one) => one.checkVisibility() && one.clientHeight) ?? document.querySelector(".own")
  if (guide.hidden || !part) return
  part.classList.add("pointed")
  const { top, bottom } = part.getBoundingClientRect()
  guide.classList.toggle("low", top + bottom < innerHeight)
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
