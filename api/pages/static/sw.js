// Shows what is pushed, and leads to the table. It keeps nothing and answers no requests.

self.addEventListener("install", () => self.skipWaiting())

self.addEventListener("push", event => {
  let said = {}
  try {
    said = event.data.json()
  } catch {
    // A push that shows nothing costs the subscription: something is shown.
  }
  const options = {
    body: said.text || "",
    tag: said.tag || "tablee",
    renotify: true,
    lang: said.language || "",
    data: { address: said.address || "/" }
  }
  event.waitUntil(self.registration.showNotification(said.title || "Tablée", options))
})

self.addEventListener("notificationclick", event => {
  event.notification.close()
  const wanted = new URL(event.notification.data.address, self.location.origin)
  event.waitUntil(show(wanted.origin === self.location.origin ? wanted : new URL("/", self.location.origin)))
})

async function show(address) {
  for (const one of await self.clients.matchAll({ type: "window", includeUncontrolled: true })) {
    if (new URL(one.url).pathname === address.pathname) return one.focus()
  }
  return self.clients.openWindow(address.href)
}
