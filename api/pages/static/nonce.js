// A random word of the player's own goes into the match's chance: its hash when he sits, the word when he is ready.
// Only where the browser offers what it takes; without it one plays all the same.

const hex = (bytes) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("")
const keyOf = (form) => `nonce ${form.dataset.announce ?? form.dataset.nonce}`

document.querySelector("form[data-announce]")?.addEventListener("submit", async (event) => {
  const form = event.target
  if (form.dataset.sent) return event.preventDefault()
  if (!crypto.subtle) return
  event.preventDefault()
  form.dataset.sent = "1"
  try {
    const nonce = hex(crypto.getRandomValues(new Uint8Array(16)))
    localStorage.setItem(keyOf(form), nonce)
    form.elements.nonce_hash.value = hex(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(nonce)))
  } catch {
    form.elements.nonce_hash.value = ""
  }
  form.submit()
})

function fill() {
  const form = document.querySelector("form[data-nonce]")
  if (form) form.elements.nonce.value = localStorage.getItem(keyOf(form)) ?? ""
}

fill()
document.addEventListener("shown", fill)
