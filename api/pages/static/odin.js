// Odin: says what the lifted cards are worth against the centre, or why they cannot be laid.

function judge() {
  const play = document.getElementById("play")
  const form = play?.form
  if (!form?.dataset.none) return
  const { sets, out, none, beats, low, count, mixed, take } = form.dataset
  const lifted = [...form.querySelectorAll("[name=card]:checked")].map((card) => card.value)
  const takes = document.querySelector("fieldset[data-take]")
  const is = (set) => set.length === lifted.length && lifted.every((card) => set.includes(card))
  const goesOut = is(out.split(","))
  const fits = goesOut || sets.split(" ").some((set) => is(set.split(",")))
  const wants = fits && !goesOut && takes && !takes.querySelector(":checked")
  const alike = (at) => lifted.every((card) => card[at] === lifted[0][at])
  let text = low
  if (!lifted.length) text = none
  else if (fits) text = wants ? take : beats
  else if (!alike(0) && !alike(1)) text = mixed
  else if (!form.dataset.sizes.split(" ").includes(`${lifted.length}`)) text = count
  const value = lifted.map((card) => card[1]).sort().reverse().join("")
  const output = form.querySelector("output")
  const said = text.replace("{value}", value)
  if (output.textContent !== said) output.textContent = said
  output.classList.toggle("good", fits)
  // The focus is on a card, never on the button, when this changes.
  play.disabled = !fits || wants
}

judge()
addEventListener("change", judge)
addEventListener("shown", judge)
