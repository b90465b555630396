// Cards move as cards do: from where they lay to where they lie. Nothing waits for it, and any press ends it.
// Only what the page showed before and shows now is compared; a face that was hidden is turned where it lies.

const still = matchMedia("(prefers-reduced-motion: reduce)")
const [quick, calm] = [120, 220]
const ease = "cubic-bezier(.2,.7,.3,1)"
const moving = new Set()

/** Where all cards lie, and what each seat says it holds. */
function look() {
  const cards = [...document.querySelectorAll(":is(#board, #moves) .card:not(.backs *)")].map((card) => {
    const zone = card.closest("[data-place], .hand")
    const face = card.getAttribute("class") + card.textContent
    return { card, face, zone: zone?.dataset.place ?? "mine", box: card.getBoundingClientRect() }
  })
  const held = [...document.querySelectorAll("[data-place^=size-]")].map((one) => [one.dataset.place, one.textContent])
  return { cards: cards.filter(({ box }) => box.width), held: new Map(held) }
}

function run(card, frames, delay = 0) {
  const animation = card.animate(frames, { duration: calm, delay, easing: ease, fill: "backwards" })
  moving.add(animation)
  animation.finished.catch(() => {}).finally(() => moving.delete(animation))
  return animation
}

const from = (box, to) =>
  `translate(${box.x + box.width / 2 - to.x - to.width / 2}px,${box.y + box.height / 2 - to.y - to.height / 2}px) scale(${box.width / to.width})`

const slide = ({ card, box }, old, delay) => run(card, [{ transform: from(old, box), zIndex: 3 }, { transform: "none", zIndex: 3 }], delay)
const turn = ({ card }) => run(card, [{ transform: "rotateY(90deg)" }, { transform: "none" }])

/** A card that is gone goes where it went, or fades. */
function leave({ card, box }, to) {
  const ghost = card.cloneNode(true)
  ghost.classList.add("ghost")
  ghost.ariaHidden = "true"
  Object.assign(ghost.style, { left: `${box.x}px`, top: `${box.y}px`, width: `${box.width}px` })
  document.body.append(ghost)
  const end = to ? { transform: from(to, box), opacity: 0.6 } : { transform: "scale(.6)", opacity: 0 }
  run(ghost, [{ transform: "none", opacity: 1 }, end]).finished.finally(() => ghost.remove()).catch(() => {})
}

const boxOf = (selector) => {
  const box = document.querySelector(selector)?.getBoundingClientRect()
  return box?.width ? box : undefined
}

/** The seat that holds another number of cards than before; it played or took. */
function whoActed(before, now) {
  const place = [...now.held].find(([name, text]) => before.held.has(name) && before.held.get(name) !== text)?.[0]
  const shown = place && [...document.querySelectorAll(`.opponent [data-place="${place}"]`)].find((one) => one.checkVisibility())
  return shown?.closest(".chip, .seat").getBoundingClientRect()
}

function move(before, now) {
  const old = [...before.cards]
  const take = (fits) => {
    const at = old.findIndex(fits)
    return at < 0 ? undefined : old.splice(at, 1)[0]
  }
  const fresh = now.cards.filter((one) => {
    const same = take(({ face, zone }) => face === one.face && zone === one.zone)
    if (same && Math.hypot(same.box.x - one.box.x, same.box.y - one.box.y) > 2) slide(one, same.box)
    return !same
  })
  const other = whoActed(before, now)
  const pile = boxOf(".pile .card")
  let dealt = 0
  for (const one of fresh) {
    const same = take(({ face }) => face === one.face)
    if (same) slide(one, same.box)
    else if (take(({ zone }) => zone === one.zone && zone !== "mine" && one.zone.startsWith("slot"))) turn(one)
    else if (one.zone !== "mine" && other) slide(one, other)
    else if (pile) slide(one, pile, Math.min(30 * dealt++, quick * 2))
  }
  if (old.length < 5) for (const one of old) leave(one, other)
}

let before
addEventListener("changing", () => {
  before = still.matches || document.hidden ? null : look()
})
addEventListener("shown", () => {
  // At the match's end the result lies where the cards were.
  if (!before?.cards.length || document.querySelector(".result")) return stop()
  stop()
  move(before, look())
  before = null
})

function stop() {
  for (const animation of moving) animation.finish()
}
for (const press of ["pointerdown", "keydown"]) addEventListener(press, stop, true)
