// Has the device make a passkey, or prove one: asks the house for what it needs, and sends the answer with the form.
// Without it, or where the browser knows no passkeys, the form stays hidden and the other ways stay.

const form = document.querySelector("form[data-passkey]")

if (form && window.PublicKeyCredential && navigator.credentials) {
  for (const hidden of document.querySelectorAll("[data-with-passkeys]")) hidden.hidden = false
  for (const shown of document.querySelectorAll("[data-without-passkeys]")) shown.hidden = true
  const status = document.getElementById("passkey-status")
  const button = form.querySelector("button")
  form.addEventListener("submit", async event => {
    event.preventDefault()
    status.textContent = ""
    button.disabled = true
    try {
      const options = await optionsFor(form)
      const credential = form.dataset.passkey === "create"
        ? await navigator.credentials.create({ publicKey: options })
        : await navigator.credentials.get({ publicKey: options })
      form.elements.answer.value = JSON.stringify(written(credential))
      form.submit()
    } catch (error) {
      status.textContent = sentenceOf(error)
      button.disabled = false
    }
  })
  // Whoever comes back to this page by the browser's own button finds it as it was.
  window.addEventListener("pageshow", () => (button.disabled = false))

  function sentenceOf(error) {
    if (error.name === "InvalidStateError") return form.dataset.known
    if (error.name === "NotAllowedError" || error.name === "AbortError") return form.dataset.refused
    return `${form.dataset.failed} ${error.message}`
  }
}

async function optionsFor(form) {
  const body = new URLSearchParams({ form: form.elements.form.value })
  const answer = await fetch(form.dataset.options, { method: "POST", body })
  if (!answer.ok) throw new Error(form.dataset.away)
  return read(await answer.json())
}

function read(options) {
  options.challenge = bytesOf(options.challenge)
  if (options.user) options.user.id = bytesOf(options.user.id)
  for (const list of [options.excludeCredentials, options.allowCredentials]) {
    for (const one of list ?? []) one.id = bytesOf(one.id)
  }
  return options
}

function written(credential) {
  const { id, rawId, type, response } = credential
  const fields = ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"]
  const said = {}
  for (const name of fields) if (response[name]) said[name] = textOf(response[name])
  return { id, rawId: textOf(rawId), type, response: said }
}

function bytesOf(text) {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), letter => letter.charCodeAt(0))
}

function textOf(buffer) {
  const letters = Array.from(new Uint8Array(buffer), byte => String.fromCharCode(byte)).join("")
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")
}
