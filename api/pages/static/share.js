// Copies an address, or hands it to the device's share sheet. Without it, one selects and copies.

const byId = (id) => document.getElementById(id)

for (const button of document.querySelectorAll("[data-copies]")) {
  const field = byId(button.dataset.copies)
  const said = button.textContent
  button.hidden = false
  button.onclick = async () => {
    try {
      await navigator.clipboard.writeText(field.value)
      button.textContent = button.dataset.done
      setTimeout(() => (button.textContent = said), 2000)
    } catch {
      // Without HTTPS browsers let nobody write there: then it is selected, and the person copies.
      field.select()
    }
  }
}

for (const button of document.querySelectorAll("[data-shares]")) {
  button.hidden = !navigator.share
  button.onclick = () => {
    const { shares, title } = button.dataset
    // Whoever closes the sheet has changed their mind: nothing to tell.
    navigator.share({ title, url: byId(shares).value }).catch(() => {})
  }
}
