// Counts down what is left of a short time, for eyes only: a screen reader reads the words beside it, which stay true.

let ends = 0
let counted = null

/** Begin anew from what the house has just said is left: this machine's own clock may be wrong. */
function begin() {
  const shown = document.querySelector("[data-left]")
  // Other parts of the page changed, and this one goes on.
  if (shown !== counted) ends = performance.now() + +(shown?.dataset.left ?? 0)
  counted = shown
  tick()
}

function tick() {
  const shown = document.querySelector("[data-left]")
  if (!shown) return
  const seconds = Math.max(0, Math.ceil((ends - performance.now()) / 1000))
  shown.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`
}

addEventListener("shown", begin)
setInterval(tick, 1000)
begin()
