// Shows what is pushed, and leads to the table. Keeps styles, modules and shapes, and a page that says that there is no
// network; never a page of somebody's tables.

const OFFLINE = "/offline"

self.addEventListener("install", event => {
  self.skipWaiting()
  event.waitUntil(caches.open("offline").then(cache => cache.add(OFFLINE)))
})

self.addEventListener("fetch", event => {
  const { method, mode, url } = event.request
  const { origin, pathname } = new URL(url)
  if (method !== "GET" || origin !== self.location.origin) return
  if (pathname.startsWith("/static/")) event.respondWith(kept(event.request))
  else if (mode === "navigate") event.respondWith(fetch(event.request).catch(() => caches.match(OFFLINE)))
})

const folderOf = ({ url }) => new URL(url).pathname.split("/")[2]

async function kept(request) {
  const cache = await caches.open("static")
  const found = await cache.match(request)
  if (found) return found
  const answer = await fetch(request)
  // What is sent for an older address belongs to no release for long, and is not kept.
  if (answer.ok && answer.headers.get("Cache-Control").includes("immutable")) {
    for (const old of await cache.keys()) if (folderOf(old) !== folderOf(request)) await cache.delete(old)
    await cache.put(request, answer.clone())
  }
  return answer
}

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
