// Copies an address, or hands it to the device's share sheet. Without it, one selects and copies.
// The live page replaces its parts: so the page listens, not the button, and page.css shows what the device can do.

document.documentElement.classList.add("scripted")
if (navigator.share) document.documentElement.classList.add("shares")

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copies], [data-shares]")
  if (!button) return
  const { copies, shares, title } = button.dataset
  const field = document.getElementById(copies || shares)
  // Whoever closes the sheet has changed their mind: nothing to tell.
  if (shares) navigator.share({ title, url: field.value }).catch(() => {})
  else copy(button, field)
})

async function copy(button, field) {
  const said = button.textContent
  try {
    await navigator.clipboard.writeText(field.value)
    button.textContent = button.dataset.done
    setTimeout(() => (button.textContent = said), 2000)
  } catch {
    // Without HTTPS browsers let nobody write there: then it is selected, and the person copies.
    field.select()
  }
}
