// Keeps a page up to date: posts its forms, fetches the parts that changed, follows one stream for the whole browser.

const byId = (id) => document.getElementById(id)
const on = addEventListener
const main = byId("main")
const icon = byId("icon")
const { live, match, watch, offline } = main.dataset
const shown = new Map()
let version = +main.dataset.version
let posting, fetching, again, whole, later

for (const part of main.querySelectorAll(".part")) shown.set(part.id, part.innerHTML)

/** Put the parts of an answer in their places. @param {string} html */
function show(html) {
  const fresh = new DOMParser().parseFromString(html, "text/html").querySelector("[data-title]")
  if (!fresh) return location.reload()
  const { title, turn, calm, version: newer } = fresh.dataset
  if (newer < version) return
  // The house was upgraded under this page: it is loaded anew, once nothing on it is half done or to be read first.
  if (calm !== icon.dataset.calm && !fresh.querySelector(".notice") && !halfDone()) return location.reload()
  version = +newer
  document.title = title
  icon.href = icon.dataset[turn ?? "calm"]
  dispatchEvent(new Event("changing"))
  for (const part of [...fresh.children]) replace(byId(part.id), part)
  dispatchEvent(new Event("shown"))
}

/** Whether somebody writes something, has lifted a card, or looks at what lies over the page. */
const halfDone = () =>
  main.querySelector("#moves :checked, #moves [aria-pressed=true], :popover-open, .twice[open]") ||
  [...main.querySelectorAll("textarea, input:not([type])")].some((one) => one.value !== one.defaultValue)

/** @param {HTMLElement | null} old @param {Element} part */
function replace(old, part) {
  if (!old || shown.get(part.id) === part.innerHTML) return
  shown.set(part.id, part.innerHTML)
  const focused = document.activeElement
  // The first of two steps is not taken over: what it would do may be another thing now.
  const details = [...old.querySelectorAll("details[id]:not(.twice)")]
  const sheet = old.querySelector(":popover-open")?.id
  old.replaceChildren(...part.childNodes)
  for (const { id, open } of details) if (byId(id)) byId(id).open = open
  if (sheet) byId(sheet)?.showPopover()
  if (focused.isConnected) return
  // A button that is gone must not take the focus with it; another one in its place must not be pressed by mistake.
  const same = focused.id && byId(focused.id)
  ;(same && same.value === focused.value ? same : old).focus({ preventScroll: true })
}

/** @param {string | URL} url @param {RequestInit} [more] */
async function take(url, more) {
  // A service that hangs is one that does not answer: the form can be sent again, and is carried out once.
  const answer = await fetch(url, { ...more, headers: { "X-Fragment": "1" }, signal: AbortSignal.timeout(20000) })
  if (answer.status === 204) return
  const html = await answer.text()
  await pressed
  show(html)
}

/** A press whose button is replaced before it is let go would be lost, so what is new waits for that moment. */
let pressed, release
on("pointerdown", () => (pressed = new Promise((done) => setTimeout((release = done), 1000))), true)
on("pointerup", () => setTimeout(() => release?.()), true)
on("pointercancel", () => release?.(), true)

/** Fetch what is new, or all parts anew: what the address says is to be shown, though nothing has happened. */
async function refresh(anew) {
  again = true
  whole ||= anew
  if (fetching || posting) return
  fetching = true
  clearTimeout(later)
  while (again) {
    const all = whole
    again = whole = false
    const url = new URL(live + location.search, location)
    url.searchParams.set("after", all ? 0 : version)
    // One answer that got lost must not leave the page as it was until something else happens.
    await take(url).catch(() => (later = setTimeout(refresh, 5000, all)))
  }
  fetching = false
}

on("submit", async (event) => {
  const { target: form, submitter } = event
  if (!("live" in form.dataset)) return
  event.preventDefault()
  if (posting) return
  posting = true
  main.ariaBusy = "true"
  const body = new URLSearchParams(new FormData(form, submitter))
  if (location.search) history.replaceState(0, 0, location.pathname)
  // What was asked from the menu is answered at the table; a plan is kept in the menu.
  if (form.closest("#more") && !form.closest("#planning")) {
    byId("more").open = false
    byId("rail").matches(":popover-open") && byId("rail").hidePopover()
  }
  await take(form.action, { method: "POST", body }).then(() => lost(), unanswered)
  posting = false
  main.ariaBusy = null
  again && refresh()
})

on("click", (event) => {
  const link = event.target.closest("a[data-live]")
  if (!link || event.ctrlKey) return
  event.preventDefault()
  history.pushState(0, 0, link.href)
  refresh(true)
})

// --- the stream: only a visible tab holds it, and only one of a browser where locks exist; it tells the others ---

const channel = new BroadcastChannel("tablee")
const known = new Set([match])
let source, leave, waiting, opened, counting, silence

/** @param {{match?: string, version?: number}} pointer */
function heard({ match: where, version: newer, talked }) {
  if (talked) return talked === match && dispatchEvent(new Event("talked"))
  if (!where || !match || (where === match && newer > version)) refresh()
  else if (where !== match) count()
}

/** Say anew how many other tables wait: something happened at one of them. */
function count() {
  clearTimeout(counting)
  counting = setTimeout(async () => {
    const answer = await fetch("/next/count?at=" + match).catch(() => {})
    if (!answer?.ok) return
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").body
    fresh.id = "next"
    replace(byId("next"), fresh)
    // A match that is over says whether it is played again.
    if (main.querySelector(".result")) refresh(true)
  }, 300)
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
  source = new EventSource("/me/stream" + (match ? `?seen=${match}.${version}` : ""))
  source.addEventListener("moved", (event) => tell(JSON.parse(event.data)))
  source.addEventListener("talked", (event) => tell({ talked: JSON.parse(event.data).match }))
  source.onopen = () => {
    if (opened) tell({})
    opened = true
    lost(false)
  }
  source.onerror = () => {
    lost(true)
    source?.readyState === 2 && setTimeout(() => source && connect(), 5000)
  }
}

/** A machine that slept hears nothing of its stream, not even that it is dead; its clock has leapt. */
let beat = Date.now()
function wake() {
  if (source && Date.now() - beat > 90000) {
    source.close()
    connect()
  }
  beat = Date.now()
}

/** Say that nothing comes any more, if that lasts; the page catches up by itself. */
function lost(away) {
  const line = byId("away")
  if (!line) return
  // A browser that tries again every two seconds must not put it off each time.
  if (away) return (silence ??= setTimeout(() => (line.textContent = main.dataset.away), 2000))
  silence = clearTimeout(silence)
  line.textContent = ""
}

/** Say that a press came to nothing: over the table where there is one, so that it moves nobody's cards. */
function unanswered() {
  const line = byId("away")
  silence = clearTimeout(silence)
  if (line) return (line.textContent = offline)
  byId("status").replaceChildren(Object.assign(document.createElement("p"), { className: "notice", textContent: offline }))
  shown.delete("status")
}

function join() {
  if (watch !== undefined || !navigator.locks) return connect()
  waiting = new AbortController()
  channel.postMessage({ join: match })
  const hold = () => new Promise((done) => ((leave = done), connect()))
  navigator.locks.request("tablee", waiting, hold).catch(() => {})
  setTimeout(() => source || refresh(), 1000)
}

function part() {
  source?.close()
  source = null
  waiting?.abort()
  leave?.()
}

function come() {
  join()
  refresh()
}

if (live) {
  if (!document.hidden) join()
  setInterval(wake, 10000)
  on("popstate", () => refresh(true))
  // Who wants to hear that it is their turn hears it from a hidden tab too.
  const stays = document.documentElement.dataset.sound
  on("visibilitychange", () => (stays && source ? refresh() : document.hidden ? part() : come()))
  on("offline", () => lost(true))
  on("online", () => (lost(false), refresh()))
  on("pagehide", part)
  on("pageshow", (event) => event.persisted && come())
}

// Under HTTPS the pages can be kept among a device's apps.
if (location.protocol === "https:") navigator.serviceWorker?.register("/sw.js")
