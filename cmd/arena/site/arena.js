// The page of an arena: it starts the program, hands it frames and what the player presses, and
// shows what the program says. ?pilot has a pilot play.

const $ = (id) => document.getElementById(id);
const bits = {
  ArrowLeft: 1, KeyA: 1, ArrowRight: 2, KeyD: 2, ArrowUp: 4, KeyW: 4, ArrowDown: 8, KeyS: 8, Space: 16,
};
const sides = ["red", "blue"], goal = 10, ticks = 20; // as package arena has them
let held = 0;
let pilot = new URLSearchParams(location.search).has("pilot");

addEventListener("keydown", (event) => {
  if (event.code === "KeyP" && !event.repeat) pilot = !pilot;
  if (event.code === "KeyI" && !event.repeat) $("figures").hidden = !$("figures").hidden;
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

// pixels returns how many the canvas is to have.
function pixels() {
  const dense = Math.min(devicePixelRatio, 2);
  return [Math.round(innerWidth * dense), Math.round(innerHeight * dense)];
}

function resize() {
  const canvas = $("field"), [width, height] = pixels();
  if (canvas.width !== width || canvas.height !== height) arena.resize(width, height);
}

let last = { tick: 0, bytes: 0 }, rate = 0; // bytes per tick, of the last two seconds
function measure({ tick, bytes }) {
  if (tick - last.tick < 2 * ticks) return;
  rate = Math.max(0, bytes - last.bytes) / (tick - last.tick);
  last = { tick, bytes };
}

// show sets an element's content, if it is another one than before.
function show(element, html) {
  if (element.shown === html) return;
  element.innerHTML = element.shown = html;
}

// named returns a side's name, in its colour.
const named = (side) => `<b class="${sides[side]}">${sides[side]}</b>`;

// news returns what stands in the middle of the field: why nothing can be done now.
function news(now) {
  if (!(now.side >= 0)) return "Joining";
  if (now.lost) return "Connection lost: trying again";
  if (now.pause > 0)
    return `${named(now.red > now.blue ? 0 : 1)} wins. Next game in ${Math.ceil(now.pause / ticks)} s`;
  return now.armour ? "" : `Your tank is broken. Back in ${Math.ceil(now.wait / ticks)} s`;
}

function tell(now) {
  const text = news(now);
  if (text) show($("banner"), text);
  $("banner").hidden = !text;
  document.body.classList.toggle("lost", Boolean(now.lost) && now.side >= 0);
  if (!(now.side >= 0)) return $("goal").textContent = now.error ?? "loading";
  show($("goal"), `You are the ${named(now.side)} tank. Break ${named(1 - now.side)} ones: the first ` +
    `side to ${goal} wins. <span>Armour ${"●".repeat(now.armour)}${"○".repeat(3 - now.armour)}</span>`);
  show($("score"), `<b class="red">${now.red}</b> : <b class="blue">${now.blue}</b>`);
  $("figures").textContent = `sees ${now.sees} · tick ${now.tick} · ${rate.toFixed(0)} bytes a tick by ` +
    `${now.over} · tank ${now.own}${pilot ? " · pilot" : ""} ${now.error ?? ""}`;
}

function frame() {
  requestAnimationFrame(frame);
  resize();
  arena.frame(held, pilot);
  measure(arena.now);
  tell(arena.now);
}

// Servers that reveal all show an inspector, and a map of what that tells of actors, each with a
// place, a heading, what it is and a side. The frame is what the canvas shows.
async function map() {
  const on = $("reveal").firstChild.checked;
  $("all").hidden = !on;
  if (!on || arena.now.lost) return;
  const answer = await fetch("debug/ecs/api/rows?kind=actor&size=500");
  const pen = $("all").getContext("2d");
  pen.fillStyle = "#0b1020";
  pen.fillRect(0, 0, 300, 200);
  for (const { values: [[x, y], , [part], [side]] } of (await answer.json()).rows) {
    pen.fillStyle = ["#ff7a6b", "#7db8ff"][side];
    pen.fillRect(x / 5 - 2, y / 5 - 2, part ? 2 : 5, part ? 2 : 5);
  }
  pen.strokeStyle = "#fff";
  const { x, y, wide, high } = arena.now;
  pen.strokeRect((x - wide / 2) / 5, (y - high / 2) / 5, wide / 5, high / 5);
}
if (document.body.className === "reveal") setInterval(() => map().catch(() => {}), 200);

async function start() {
  const go = new Go();
  const { instance } = await WebAssembly.instantiateStreaming(fetch("arena.wasm"), go.importObject);
  go.run(instance);
  const canvas = $("field"), as = crypto.getRandomValues(new BigUint64Array(1))[0].toString(16);
  [canvas.width, canvas.height] = pixels();
  const hash = (done) => "WebTransport" in globalThis
    ? fetch("quic").then((r) => r.text()).catch(() => "").then(done) : done("");
  arena.join(canvas, goHeap(instance.exports.mem), `${location.origin}/play?as=${as}`, hash);
  frame();
}
start().catch((failure) => $("goal").textContent = String(failure));
