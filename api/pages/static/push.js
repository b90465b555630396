// Asks for a subscription on this device, and gives it to the house with the form's own fields.

const form = document.getElementById("push-form")
const can = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window

if (form && can) {
  document.getElementById("push-none").hidden = true
  form.hidden = false
  form.addEventListener("submit", async event => {
    event.preventDefault()
    const status = document.getElementById("push-status")
    try {
      if (await Notification.requestPermission() !== "granted") {
        status.textContent = form.dataset.refused
        return
      }
      await navigator.serviceWorker.register("/sw.js")
      const registration = await navigator.serviceWorker.ready
      const options = { userVisibleOnly: true, applicationServerKey: form.dataset.key }
      const { endpoint, keys } = (await registration.pushManager.subscribe(options)).toJSON()
      form.elements.endpoint.value = endpoint
      form.elements.p256dh.value = keys.p256dh
      form.elements.auth.value = keys.auth
      form.submit()
    } catch (error) {
      status.textContent = `${form.dataset.failed} ${error.message}`
    }
  })
}
