// The page of an arena: it starts the program, hands it frames and what the player presses, and
// shows what the program says. ?pilot has a pilot play.

const $ = (id) => document.getElementById(id);
const bits = {
  ArrowLeft: 1, KeyA: 1, ArrowRight: 2, KeyD: 2, ArrowUp: 4, KeyW: 4, ArrowDown: 8, KeyS: 8, Space: 16,
};
let held = 0;
let pilot = new URLSearchParams(location.search).has("pilot");

addEventListener("keydown", (event) => {
  if (event.code === "KeyP" && !event.repeat) pilot = !pilot;
  if (!(event.code in bits)) return;
  held |= bits[event.code];
  event.preventDefault();
});
addEventListener("keyup", (event) => held &= ~(bits[event.code] ?? 0));
addEventListener("blur", () => held = 0);
for (const button of document.querySelectorAll("#pad button")) {
  const bit = 1 << button.dataset.bit;
  button.addEventListener("pointerdown", () => held |= bit);
  for (const end of ["pointerup", "pointerleave", "pointercancel"])
    button.addEventListener(end, () => held &= ~bit);
}

function resize() {
  const canvas = $("field"), dense = Math.min(devicePixelRatio, 2);
  const [w, h] = [Math.round(innerWidth * dense), Math.round(innerHeight * dense)];
  if (canvas.width === w && canvas.height === h) return;
  [canvas.width, canvas.height] = [w, h];
  arena.resize(w, h);
}

let last = { tick: 0, bytes: 0 }, rate = 0; // bytes per tick, of the last two seconds
function measure({ tick, bytes }) {
  if (tick - last.tick < 40) return;
  rate = Math.max(0, bytes - last.bytes) / (tick - last.tick);
  last = { tick, bytes };
}

function frame() {
  requestAnimationFrame(frame);
  if (arena.now.joined) resize();
  arena.frame(held, pilot);
  const now = arena.now;
  measure(now);
  $("text").textContent = now.error ? now.error
    : now.side === undefined || now.side < 0 ? "joining"
    : `${["red", "blue"][now.side]} · armour ${now.armour} · sees ${now.sees} · tick ${now.tick}` +
      ` · ${rate.toFixed(0)} bytes a tick by ${now.over} · tank ${now.own}${pilot ? " · pilot" : ""}`;
}

async function start() {
  const go = new Go();
  const { instance } = await WebAssembly.instantiateStreaming(fetch("arena.wasm"), go.importObject);
  go.run(instance);
  const canvas = $("field"), as = crypto.getRandomValues(new BigUint64Array(1))[0].toString(16);
  [canvas.width, canvas.height] = [innerWidth, innerHeight];
  const hash = (done) => "WebTransport" in globalThis
    ? fetch("quic").then((r) => r.ok ? r.text() : "").catch(() => "").then(done) : done("");
  arena.join(canvas, goHeap(instance.exports.mem), `${location.origin}/play?as=${as}`, hash);
  frame();
}
start().catch((failure) => $("text").textContent = String(failure));
