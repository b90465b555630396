// Guesses the time zone for who has not said it; it is kept with the form, and can be changed there.

for (const field of document.querySelectorAll("[data-zone]")) {
  const guess = Intl.DateTimeFormat().resolvedOptions().timeZone
  if (!field.value && guess) field.value = guess
}
