// The page of proof: fetches the match's file and the published lists, has verify.js check them, and tells what it found.

import { check, compare, readDigest, Wrong } from "./verify.js"

const MOST_DIGESTS = 60
const byId = (id) => document.getElementById(id)
const proof = byId("proof")
const verdict = byId("verdict")
const compared = byId("compared")
let checked

const sentenceOf = (wrong) => byId("wrongs").content.querySelector(`[data-code="${wrong.code}"]`).textContent

async function fetched(address) {
  const answer = await fetch(address)
  if (!answer.ok) throw new TypeError(answer.statusText)
  return answer
}

/** Of a digest in pieces only the one is fetched that would have the match. */
async function digestNumbered(number) {
  return readDigest(await (await fetched(`${proof.dataset.digests}/${number}/${checked.heads[0]}`)).text())
}

/** Digests are made in order: the first one that was made after an instant is found by halving. */
async function firstAfter(instant, latest) {
  let [low, high] = [1, latest + 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((await digestNumbered(middle)).at > instant) high = middle
    else low = middle + 1
  }
  return low
}

async function comparePublished(match) {
  const { latest } = await (await fetched(proof.dataset.digests)).json()
  if (!latest) return 0
  const last = Math.min(latest, await firstAfter(match.ended, latest))
  const first = Math.max(last - MOST_DIGESTS, await firstAfter(match.begun, latest))
  let found = 0
  for (let number = first; number <= last; number++) found += await compare(match, await digestNumbered(number))
  return found
}

function show(match) {
  for (const output of document.querySelectorAll("[data-of]")) output.value = match[output.dataset.of] ?? 0
  byId("checked").hidden = false
  const words = match.words.length ? match.words : ["none"]
  for (const item of document.querySelectorAll("[data-seat]")) item.hidden = !words.some((seat) => `${seat}` === item.dataset.seat)
  byId("chance").hidden = Boolean(match.sealed && !match.right)
}

function tell(wrong) {
  verdict.textContent = wrong instanceof Wrong ? verdict.dataset.bad : verdict.dataset.unreached
  verdict.classList.add("danger")
  if (!(wrong instanceof Wrong)) return
  byId("wrong").hidden = false
  byId("wrong").firstElementChild.textContent = sentenceOf(wrong)
  byId("wrong-at").hidden = !wrong.version
  byId("wrong-at").lastElementChild.value = wrong.version
}

async function prove() {
  try {
    const text = await (await fetched(proof.dataset.file)).text()
    byId("progress").max = text.split("\n").length
    const pause = (done) => ((byId("progress").value = done), new Promise((go) => setTimeout(go)))
    ;[checked] = await check(text, pause)
    show(checked)
    const published = await comparePublished(checked)
    show({ ...checked, published })
    verdict.textContent = checked.complete ? verdict.dataset.good : verdict.dataset.open
    verdict.classList.add("good")
    byId("kept").hidden = false
  } catch (wrong) {
    tell(wrong)
  }
  byId("progress").hidden = true
  document.documentElement.dataset.ready = ""
}

/** Compares another file of the match, or a list that came as one: histories agree if one's history is the beginning of the other's. */
async function compareFile(file) {
  const text = await file.text()
  if (text.startsWith('{"kind":"digest"')) return compareList(text)
  const found = (await check(text)).find((one) => one.match === checked.match)
  if (!found) return "other"
  const shared = Math.min(found.heads.length, checked.heads.length) - 1
  return found.heads[shared] === checked.heads[shared] ? "good" : "differs"
}

/** Compares a kept list with the match, and with the list of the same number that the service gives out now. */
async function compareList(text) {
  // Mail programs and editors end lines in their own ways, and some forget the last.
  const kept = await readDigest(`${text.trim().replaceAll("\r\n", "\n")}\n`)
  const named = await compare(checked, kept)
  const now = await digestNumbered(kept.number).catch(() => null)
  if (now?.sha256 !== kept.sha256) return "differs"
  // Who kept no piece is vouched for by the hash: it is that of all pieces.
  return named || (await compare(checked, now)) ? "good" : "other"
}

byId("kept").onsubmit = async (event) => {
  event.preventDefault()
  const { match, digest } = event.target.elements
  try {
    const found = match.files.length ? await compareFile(match.files[0]) : ""
    const listed = digest.value.trim() ? await compareList(digest.value) : ""
    const all = [found, listed].filter(Boolean)
    compared.textContent = compared.dataset[["differs", "other", "good"].find((one) => all.includes(one)) ?? "nothing"]
  } catch (wrong) {
    compared.textContent = wrong instanceof Wrong ? sentenceOf(wrong) : verdict.dataset.unreached
  }
}

if (globalThis.crypto?.subtle) {
  proof.hidden = false
  await prove()
} else byId("unable").hidden = false
