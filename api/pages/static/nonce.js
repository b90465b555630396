// A random word of the player's own goes into the match's chance: its hash when they sit, the word when they are ready.
// Only where the browser offers what that takes; without it one plays all the same, and the match says so.

const hex = (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("")
const form = document.getElementById("sitting")
let sent

// Returns the hash of a new word, and keeps the word for the moment at which it is shown.
async function promised(match) {
  const word = hex(crypto.getRandomValues(new Uint8Array(16)))
  localStorage.setItem(match, word)
  return hex(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(word)))
}

form?.addEventListener("submit", async (event) => {
  if (!crypto.subtle && !sent) return
  event.preventDefault()
  if (sent) return
  sent = true
  try {
    form.elements.nonce_hash.value = await promised(form.dataset.match)
  } catch {}
  form.submit()
})

// A change of seats has voided the word that was shown: a new one is promised before anybody shows theirs.
async function announce(ready) {
  const address = ready.dataset.announce
  if (!address || !crypto.subtle) return
  delete ready.dataset.announce
  try {
    const fields = new FormData(ready)
    fields.set("nonce_hash", await promised(ready.dataset.match))
    fields.set("key", `announce-${fields.get("key")}`)
    const answer = await fetch(address, { method: "POST", body: new URLSearchParams(fields) })
    if (answer.ok) ready.dataset.promised = ""
  } catch {}
}

async function fill() {
  const nonce = document.getElementById("nonce")
  if (!nonce) return
  await announce(nonce.form)
  // A word that was not promised in time would be refused.
  nonce.value = "promised" in nonce.form.dataset ? (localStorage.getItem(nonce.form.dataset.match) ?? "") : ""
}

fill()
addEventListener("shown", fill)
