// Two presses for a move, for whoever wants that: the first marks the button and says so, the second does it.

const always = document.documentElement.dataset.confirm === "always"
const small = matchMedia("(max-width: 40rem), (pointer: coarse)")

addEventListener(
  "click",
  (event) => {
    const button = event.target.closest("#moves [name=move]")
    if (!button || button.closest(".twice") || !(always || small.matches) || button.ariaPressed) return
    event.preventDefault()
    for (const other of document.querySelectorAll("#moves [name=move][aria-pressed]")) other.ariaPressed = null
    button.ariaPressed = "true"
    document.getElementById("again").textContent = document.getElementById("main").dataset.again
  },
  true,
)
addEventListener("shown", () => {
  if (!document.querySelector("#moves [aria-pressed]")) document.getElementById("again").textContent = ""
})
