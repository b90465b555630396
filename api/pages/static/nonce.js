// A random word of the player's own goes into the match's chance: its hash when he sits, the word when he is ready.
// Only where the browser offers what that takes; without it one plays all the same.

const hex = (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("")
const form = document.getElementById("sitting")
let sent

form?.addEventListener("submit", async (event) => {
  if (!crypto.subtle && !sent) return
  event.preventDefault()
  if (sent) return
  sent = true
  const word = hex(crypto.getRandomValues(new Uint8Array(16)))
  try {
    localStorage.setItem(form.dataset.match, word)
    form.elements.nonce_hash.value = hex(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(word)))
  } catch {}
  form.submit()
})

function fill() {
  const nonce = document.getElementById("nonce")
  if (nonce) nonce.value = localStorage.getItem(nonce.form.dataset.match) ?? ""
}

fill()
addEventListener("shown", fill)
