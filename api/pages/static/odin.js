// Odin: only cards that still make a legal combination can be chosen, only a legal one can be played.

function watch() {
  const form = document.querySelector("form[data-sets]")
  if (!form || form.dataset.watched) return
  form.dataset.watched = "1"
  const out = form.dataset.out
  const sets = [...form.dataset.sets.split(" "), out].filter(Boolean).map((cards) => cards.split(","))
  const play = form.querySelector("#play")
  const take = form.querySelector("[data-take]")
  const cards = [...form.querySelectorAll("[name=card]")]
  const update = () => {
    const chosen = cards.filter((card) => card.checked).map((card) => card.value)
    const fits = (more) => sets.some((set) => [...chosen, ...more].every((card) => set.includes(card)))
    for (const card of cards) card.disabled = !card.checked && !fits([card.value])
    const legal = chosen.length > 0 && sets.some((set) => set.length === chosen.length && fits([]) && set.every((card) => chosen.includes(card)))
    const goesOut = chosen.length === out.split(",").length && chosen.length === cards.length
    if (take) take.hidden = !legal || goesOut
    const ready = legal && (!take || take.hidden || form.querySelector("[name=take]:checked"))
    if (!play) return
    play.setAttribute("aria-disabled", String(!ready))
    play.querySelector("output").value = chosen.map((card) => card[1]).sort().reverse().join("")
  }
  form.addEventListener("change", update)
  form.addEventListener("submit", (event) => {
    if (event.submitter?.getAttribute("aria-disabled") !== "true") return
    event.preventDefault()
    event.stopImmediatePropagation()
  })
  update()
}

watch()
document.addEventListener("shown", watch)
