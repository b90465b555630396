// One match as its operator sees it: copying, and following it. Without it, one selects, and looks again.

const byId = (id) => document.getElementById(id)

for (const button of document.querySelectorAll("[data-copy]")) {
  button.hidden = false
  button.onclick = async () => {
    const text = byId(button.dataset.copy)
    const { textContent } = button
    try {
      await navigator.clipboard.writeText(text.textContent)
      button.textContent = button.dataset.done
      setTimeout(() => (button.textContent = textContent), 2000)
    } catch {
      // Without HTTPS browsers let nobody write there: then it is selected, and the person copies.
      getSelection().selectAllChildren(text)
    }
  }
}

const tail = byId("following")
const most = 500
let version, source, retry, fetching, again

/** Append what is new behind the last row. */
async function take() {
  again = true
  if (fetching) return
  fetching = true
  while (again && source) {
    again = false
    const answer = await fetch(`${tail.dataset.tail}/rows?after=${version}`).catch(() => null)
    if (answer?.status === 401) return location.reload()
    if (!answer?.ok || !source) byId("news").textContent = source ? byId("news").dataset.lost : ""
    else if (answer.status === 200) append(await answer.text())
  }
  fetching = false
}

/** @param {string} html */
function append(html) {
  const fresh = new DOMParser().parseFromString(html, "text/html").querySelector("table")
  const rows = [...fresh.querySelectorAll("tr")].filter((row) => +row.dataset.version > version)
  const { one, many } = byId("news").dataset
  const isAtEnd = innerHeight + scrollY >= document.body.offsetHeight - 80
  version = +fresh.dataset.version
  byId("rows").append(...rows)
  while (byId("rows").children.length > most && !byId("rows").firstElementChild.contains(document.activeElement))
    byId("rows").firstElementChild.remove()
  byId("news").textContent = rows.length === 1 ? one : many.replace("#", rows.length)
  // Who reads further up, or stands on a row, is left where he is.
  if (isAtEnd && !byId("rows").contains(document.activeElement)) scrollTo(0, document.body.scrollHeight)
}

function follow() {
  clearTimeout(retry)
  source = new EventSource(`${tail.dataset.tail}/stream?seen=${version}`)
  source.addEventListener("moved", take)
  source.onerror = () => {
    if (source?.readyState === 2) retry = setTimeout(() => source && follow(), 3000)
  }
}

function rest() {
  clearTimeout(retry)
  source?.close()
  source = null
}

if (tail) {
  version = +tail.dataset.version
  const pause = byId("pause")
  const isPaused = () => pause.ariaPressed === "true"
  pause.hidden = false
  byId("again").hidden = true
  pause.onclick = () => {
    pause.ariaPressed = String(!isPaused())
    isPaused() ? rest() : follow()
  }
  addEventListener("visibilitychange", () => {
    if (isPaused()) return
    document.hidden ? rest() : follow()
  })
  addEventListener("pagehide", rest)
  addEventListener("pageshow", (event) => event.persisted && !isPaused() && follow())
  if (!document.hidden) follow()
}
