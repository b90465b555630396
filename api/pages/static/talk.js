// Keeps the talk of a table up to date, and posts what is said without loading the page again.

const talk = document.getElementById("talk")
const { address } = talk.dataset

/** @param {RequestInit} [more] */
async function take(more) {
  const answer = await fetch(address, { ...more, headers: { "X-Fragment": "1" } }).catch(() => {})
  if (!answer?.ok) return false
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").body
  const fold = talk.querySelector("#talk-fold")
  const half = talk.querySelector("#say")?.value ?? ""
  const focused = talk.contains(document.activeElement) && document.activeElement.id
  const newFold = fresh.querySelector("#talk-fold")
  if (fold && newFold) newFold.open = fold.open
  talk.replaceChildren(...fresh.childNodes)
  const input = talk.querySelector("#say")
  if (input && more === undefined) input.value = half
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true })
  return true
}

talk.addEventListener("submit", async (event) => {
  event.preventDefault()
  const { target: form, submitter } = event
  const body = new URLSearchParams(new FormData(form, submitter))
  if (!(await take({ method: "POST", body }))) talk.querySelector("#talk-said")?.removeAttribute("hidden")
})

addEventListener("talked", () => take())
