// The operator's pages: keys, and what changes while one looks. Without it the pages work, one loads them again.

const main = document.getElementById("main")
const seconds = +(main.dataset.refresh ?? 0)
const rows = () => [...document.querySelectorAll("[data-row]")].map((row) => row.querySelector("a") ?? row)

/** @param {number} step */
function move(step) {
  const all = rows()
  const at = all.indexOf(document.activeElement.closest("[data-row]")?.querySelector("a"))
  all[Math.min(all.length - 1, Math.max(0, at + step))]?.focus()
}

const keys = {
  j: () => move(1),
  k: () => move(-1),
  "/": () => document.querySelector("[data-search]")?.focus(),
  "?": () => location.assign("/ops/keys"),
}

addEventListener("keydown", (event) => {
  const { target, key } = event
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
  if (target.closest("input:not([type=checkbox], [type=radio]), select, textarea")) {
    if (key === "Escape") target.blur()
    return
  }
  if (!(key in keys)) return
  event.preventDefault()
  keys[key]()
})

/** Puts in the parts that differ; what is in use stays. */
async function refresh() {
  if (document.hidden) return
  const answer = await fetch(location.href).catch(() => null)
  if (!answer?.ok) return
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html")
  document.title = fresh.title
  for (const part of document.querySelectorAll(".part[id]")) {
    const newer = fresh.getElementById(part.id)
    const isUsed = part.contains(document.activeElement) || part.contains(getSelection().anchorNode) && String(getSelection())
    if (newer && newer.innerHTML !== part.innerHTML && !isUsed) part.replaceChildren(...newer.childNodes)
  }
}

if (seconds) {
  setInterval(refresh, seconds * 1000)
  addEventListener("visibilitychange", refresh)
}
