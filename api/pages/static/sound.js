// One sound, which means "my turn": two soft tones, made here. Browsers allow it after the first press on the page.

let context
let waits = document.querySelector("#status .turn.mine") !== null
const wake = () => (context ??= new AudioContext()).resume()
for (const press of ["pointerdown", "keydown"]) addEventListener(press, wake)

function ring() {
  for (const [at, pitch] of [[0, 523], [0.16, 784]]) {
    const [tone, volume] = [context.createOscillator(), context.createGain()]
    const begin = context.currentTime + at
    tone.frequency.value = pitch
    volume.gain.setValueAtTime(0, begin)
    volume.gain.linearRampToValueAtTime(0.15, begin + 0.02)
    volume.gain.exponentialRampToValueAtTime(0.001, begin + 0.5)
    tone.connect(volume).connect(context.destination)
    tone.start(begin)
    tone.stop(begin + 0.5)
  }
}

addEventListener("shown", () => {
  const now = document.querySelector("#status .turn.mine") !== null
  if (now && !waits && context) ring()
  waits = now
})
