// A time zone that nobody chose yet is guessed, and shown before it is kept.
const zone = document.getElementById("time-zone");
if (zone && !zone.value) zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone || "";
