// The sheet of a round's end lies over the table: while it does, nothing beneath it can be reached.

function lay() {
  const sheet = document.querySelector("dialog[open]:not(:modal)")
  if (!sheet) return
  sheet.close()
  sheet.showModal()
  sheet.oncancel = (event) => {
    event.preventDefault()
    sheet.querySelector("#go-on").click()
  }
}

lay()
addEventListener("shown", lay)
