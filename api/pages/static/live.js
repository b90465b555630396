// Keeps a page up to date: posts its forms, fetches the parts that changed, follows one stream for the whole browser.

const main = document.querySelector("main")
const icon = document.querySelector("link[rel=icon]")
const { live, match, watch, offline } = main.dataset
const channel = new BroadcastChannel("tablee")
const shown = new Map()
let version = Number(main.dataset.version ?? 0)
let posting = false
let fetching = false
let again = false

for (const part of main.querySelectorAll("[role=status], .part")) shown.set(part.id, part.innerHTML)

/** Put the parts of an answer in their places. @param {string} html */
function show(html) {
  const fresh = new DOMParser().parseFromString(html, "text/html").body.firstElementChild
  if (!fresh?.dataset.title) return location.reload()
  if (Number(fresh.dataset.version ?? 0) < version) return
  version = Number(fresh.dataset.version ?? 0)
  document.title = fresh.dataset.title
  icon.href = icon.dataset["turn" in fresh.dataset ? "turn" : "calm"]
  for (const part of [...fresh.children]) replace(document.getElementById(part.id), part)
  document.dispatchEvent(new Event("shown"))
}

/** @param {HTMLElement | null} old @param {Element} part */
function replace(old, part) {
  if (!old || shown.get(part.id) === part.innerHTML) return
  shown.set(part.id, part.innerHTML)
  const focused = old.contains(document.activeElement) && old !== document.activeElement && document.activeElement
  const opened = [...old.querySelectorAll("details[id]")].map((one) => [one.id, one.open])
  old.replaceChildren(...part.childNodes)
  for (const [id, open] of opened) {
    const again = document.getElementById(id)
    if (again) again.open = open
  }
  if (!focused) return
  // A button that is gone must not take the focus with it; another one in its place must not be pressed by mistake.
  const same = focused.id && document.getElementById(focused.id)
  ;(same && same.value === focused.value ? same : old).focus({ preventScroll: true })
}

/** @param {Promise<Response>} asked */
async function take(asked) {
  const answer = await asked
  if (answer.status === 204) return
  if (answer.redirected) return location.assign(answer.url)
  if (answer.headers.get("content-type")?.startsWith("text/html")) show(await answer.text())
}

async function refresh(anew = false) {
  if (!live) return
  again = true
  if (fetching) return
  fetching = true
  while (again) {
    again = false
    const url = new URL(live, location.href)
    url.search = location.search
    url.searchParams.set("after", String(anew ? 0 : version))
    await take(fetch(url, { headers: { "X-Fragment": "1" } })).catch(() => {})
  }
  fetching = false
}

document.addEventListener("submit", async (event) => {
  const form = event.target
  if (!("live" in form.dataset)) return
  event.preventDefault()
  if (posting) return
  posting = true
  const body = new URLSearchParams(new FormData(form, event.submitter))
  if (location.search) history.replaceState(null, "", location.pathname)
  await take(fetch(form.action, { method: "POST", body, headers: { "X-Fragment": "1" } })).catch(() => {
    document.getElementById("status").textContent = offline
  })
  posting = false
})

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-live]")
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  history.pushState(null, "", link.href)
  refresh(true)
})

addEventListener("popstate", () => refresh(true))

// --- the stream: only a visible tab holds it, and only one of a browser where locks exist; it tells the others ---

let source = null
let leave = null
let waiting = null
let opened = false
const known = new Set([match])

/** @param {{match?: string, version?: number}} pointer */
function heard(pointer) {
  if (!pointer.match || !match || (pointer.match === match && pointer.version > version)) refresh()
}

function tell(pointer) {
  channel.postMessage(pointer)
  heard(pointer)
}

channel.onmessage = ({ data }) => {
  if (!data.join) return heard(data)
  // Another tab shows a table that is newer than this stream.
  if (!source || known.has(data.join)) return
  known.add(data.join)
  source.close()
  connect()
}

function connect() {
  const seen = match ? `?seen=${match}.${version}` : ""
  source = new EventSource(`/me/stream${seen}`)
  source.addEventListener("moved", (event) => tell(JSON.parse(event.data)))
  source.onopen = () => {
    if (opened) tell({})
    opened = true
  }
  source.onerror = () => {
    if (source?.readyState === EventSource.CLOSED) setTimeout(() => source && connect(), 5000)
  }
}

function join() {
  if (watch !== undefined || !navigator.locks) return connect()
  waiting = new AbortController()
  const held = () => new Promise((done) => ((leave = done), connect()))
  channel.postMessage({ join: match })
  navigator.locks.request("tablee", { signal: waiting.signal }, held).catch(() => {})
  setTimeout(() => source || refresh(), 1000)
}

function part() {
  source?.close()
  source = null
  waiting?.abort()
  leave?.()
}

if (live) {
  if (!document.hidden) join()
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return part()
    join()
    refresh()
  })
  addEventListener("pagehide", part)
  addEventListener("pageshow", (event) => event.persisted && (join(), refresh()))
}
