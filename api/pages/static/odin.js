// Odin: only cards that still make a legal combination can be chosen, only a legal one can be played.

function watch() {
  const form = document.querySelector("form[data-sets]")
  const play = form?.querySelector("#play")
  if (!play || form.onchange) return
  const { sets, out } = form.dataset
  const legal = [...sets.split(" "), out].filter(Boolean).map((set) => set.split(","))
  const take = form.querySelector("[data-take]")
  const cards = [...form.querySelectorAll("[name=card]")]
  form.onchange = () => {
    const chosen = cards.filter((card) => card.checked).map((card) => card.value)
    const fits = (...more) => legal.filter((set) => [...chosen, ...more].every((card) => set.includes(card)))
    for (const card of cards) card.disabled = !card.checked && !fits(card.value)[0]
    const whole = chosen[0] && fits().some((set) => set.length === chosen.length)
    if (take) take.hidden = !whole || chosen.length === cards.length
    // The focus is on a card, never on the button, when this changes.
    play.disabled = !whole || (take && !take.hidden && !take.querySelector(":checked"))
    play.querySelector("output").value = chosen.map((card) => card[1]).sort().reverse().join("")
  }
  form.onchange()
}

watch()
addEventListener("shown", watch)
