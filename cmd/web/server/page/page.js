// The page around a scene: it starts the program, hands it frames and what the player does, and
// shows what the program says of itself.

const $ = (id) => document.getElementById(id);
const query = new URLSearchParams(location.search);
let scenes = [];
let scene; // what is open
let options; // that it was opened with
let heap;
let compiled; // the program, for another future
let canvas;
let toldOfWebGL = false;

const hand = $("stage");

const toggles = ["pilot", "lines"]; // what a scene may have, and can be on

const calm = matchMedia("(prefers-reduced-motion: reduce)");

const largest = 1_000_000;

// Numbers of objects lie on the slider as their logarithms, rounded to two digits.
const countAt = (place) => {
  const n = 10 ** (1 + place / 100 * (Math.log10(largest) - 1));
  const unit = 10 ** Math.max(Math.floor(Math.log10(n)) - 1, 0);
  return Math.round(n / unit) * unit;
};
const placeOf = (count) =>
  Math.round((Math.log10(Math.max(count, 10)) - 1) / (Math.log10(largest) - 1) * 100);

const number = (n) => n.toLocaleString("en");
const size = (bytes) => bytes < 1e3 ? `${bytes} B` : bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB`
  : `${(bytes / 1e6).toFixed(1)} MB`;

function notice(text, broken = false) {
  $("notice").hidden = !text;
  $("notice").querySelector("span").textContent = text ?? "";
  $("notice").classList.toggle("broken", broken);
}

// load fetches the program. Some servers of files do not know what WebAssembly is.
async function load(imports) {
  const { program, integrity } = $("stage").dataset;
  const answer = await fetch(program, integrity ? { integrity } : {});
  if (!answer.ok) throw new Error(`${program}: ${answer.status} ${answer.statusText}`);
  if (answer.headers.get("Content-Type") === "application/wasm") {
    return WebAssembly.instantiateStreaming(answer, imports);
  }
  return WebAssembly.instantiate(await answer.arrayBuffer(), imports);
}

// start loads the program and opens the first scene.
async function start() {
  const go = new Go();
  const [{ instance, module }, first] = await Promise.all([
    load(go.importObject),
    fetch($("stage").dataset.start).then((answer) => answer.json()),
  ]);
  heap = goHeap(instance.exports.mem);
  compiled = module;
  go.run(instance).then(() => notice("The program has ended: reload the page.", true));
  scenes = flatecs.scenes();
  for (const [i, s] of scenes.entries()) {
    const tab = document.createElement("button");
    tab.textContent = s.name;
    tab.title = `${s.about} (${i + 1})`;
    tab.onclick = () => {
      choose(s.name);
      if (s.inputs.length > 0) toScene(); // its keys would press this button again
    };
    $("scenes").append(tab);
  }
  $("loading").remove();
  const wish = { ...first };
  for (const [name, value] of query) {
    wish[name] = ["count", "supers"].includes(name) ? Number(value) : value;
  }
  if (!open(wish)) choose(scenes[0].name);
  if (query.has("fork")) fork(Number(query.get("fork")));
  if (query.has("paused")) pause(true);
  else if (calm.matches) rest();
  requestAnimationFrame(frame);
}

// another starts a second program, for another future.
async function another() {
  const go = new Go(), instance = await WebAssembly.instantiate(compiled, go.importObject);
  const first = globalThis.flatecs;
  go.run(instance);
  const page = globalThis.flatecs;
  globalThis.flatecs = first;
  return { page, heap: goHeap(instance.exports.mem) };
}

const chance = 64; // an input that draws a random number more

// part begins another future where a step is taken in the past, if it can be seen.
function part() {
  const { steps, newest, aspect, webgl, seed } = flatecs.now, plays = scene.inputs.length > 0;
  if (steps === newest || !(aspect > 0) || !webgl || futures.parted()) return;
  futures.part(canvas, { ...options, seed }, flatecs.inputs(), plays, another);
  if (!plays) flatecs.step([chance]);
  resize();
}

// fork plays to a step and on from there for three seconds, goes back, and plays on otherwise: in a
// game nobody presses at last, and then somebody does.
function fork(at) {
  flatecs.pilot(true);
  flatecs.step(at + 60);
  flatecs.pilot(false);
  flatecs.step(120);
  flatecs.seek(at);
  if (scene.pilot) toggle("pilot");
}

function choose(name) {
  notice("");
  open({ scene: name });
  if (calm.matches) rest();
}

// rest lets a scene stand still that would move by itself, for those who asked for less motion. A
// game waits anyway.
function rest() {
  if (scene.inputs.length > 0) return;
  pause(true);
  notice("Your system asks for less motion, so the scene stands still: P lets it move, → takes a step.");
}

// open opens a scene on a new canvas: one that had a context of one kind never gets another.
function open(wish) {
  const element = document.createElement("canvas");
  const before = canvas;
  const plays = scenes.some((s) => s.name === wish.scene && s.inputs.length > 0);
  [element.width, element.height] = fit(element);
  futures.end();
  futures.watch(element);
  const problem = flatecs.open(element, heap, wish);
  if (problem) {
    notice(problem, true);
    return false;
  }
  canvas = element;
  before?.remove();
  $("stage").append(canvas);
  canvas.addEventListener("webglcontextlost", () =>
    element === canvas && notice("The graphics card was lost: reload the page.", true));
  scene = scenes.find((s) => s.name === wish.scene);
  options = { ...wish };
  $("stage").classList.toggle("input", plays);
  $("stage").classList.toggle("plane", flatecs.now.aspect > 0);
  if (!flatecs.now.webgl && !toldOfWebGL) {
    toldOfWebGL = true;
    notice("This browser has no WebGL2: the picture is drawn by the processor, and slower.");
  }
  showScene();
  resize();
  frameView();
  flatecs.pause($("pause").ariaPressed === "true");
  flatecs.speed(Number($("speed").value));
  for (const name of toggles) flatecs[name]($(name).ariaPressed === "true");
  times.length = 0;
  hashed = undefined;
  return true;
}

function showScene() {
  document.title = `flatecs · ${scene.name}`;
  for (const tab of $("scenes").children) {
    if (tab.textContent === scene.name) tab.ariaCurrent = "page";
    else tab.removeAttribute("aria-current");
  }
  const count = options.count ?? scene.count;
  $("counting").hidden = scene.count === 0;
  $("count").value = placeOf(count);
  $("counted").textContent = number(count);
  $("varying").hidden = scene.variants.length === 0;
  const variant = scene.variants.find((v) => v.name === options.variant) ?? scene.variants[0];
  $("variant").replaceChildren(...scene.variants.map((v) =>
    Object.assign(new Option(v.name, v.name, false, v === variant), { title: v.about })));
  $("seen").textContent = variant && variant !== scene.variants[0]
    ? `${scene.about} Here: ${variant.about}.` : scene.about;
  const plays = scene.inputs.length > 0;
  $("press").hidden = !plays;
  for (const name of toggles) {
    $(name).hidden = $("keys").querySelector(`.${name}`).hidden = !scene[name];
  }
  $("press").textContent = scene.inputs[0] ?? "";
  $("keys").querySelector(".input").hidden = !plays;
  $("keys").querySelector(".input td:last-child").textContent = scene.inputs[0] ?? "";
  for (const row of $("keys").querySelectorAll(".camera")) row.hidden = flatecs.now.aspect > 0;
}

// widthIn returns how wide a plane can be in a window.
const widthIn = (wide, high, aspect) => Math.min(wide, high * aspect);

// turns reports whether a plane lies on its side: in a high window it is larger so, and it has to
// be much larger. A game stays upright, for the words in it.
const turns = (wide, high, aspect) => scene?.inputs.length === 0 && !futures.parted() &&
  widthIn(high, wide, aspect) > 1.3 * widthIn(wide, high, aspect);

// fit returns how many pixels the canvas is seen with. A scene that is a plane keeps its shape.
function fit(element, aspect = 0) {
  let { clientWidth: wide, clientHeight: high } = $("stage");
  const turned = aspect > 0 && turns(wide, high, aspect);
  element.classList.toggle("turned", turned);
  if (turned) [wide, high] = [high, wide];
  if ($("stage").classList.contains("two")) wide > high ? wide /= 2 : high /= 2;
  const width = aspect ? widthIn(wide, high, aspect) : wide;
  const height = aspect ? width / aspect : high;
  element.style.width = `${width}px`;
  element.style.height = `${height}px`;
  const sharp = Math.min(devicePixelRatio || 1, 2);
  return [width, height].map((length) => Math.max(Math.round(length * sharp), 1));
}

function resize() {
  if (!canvas) return;
  const [width, height] = fit(canvas, flatecs.now.aspect);
  if (width !== canvas.width || height !== canvas.height) flatecs.resize(width, height);
}

// A swarm is wide: in a high window it is seen from nearer and from above, so that it is large there.
function frameView() {
  const { clientWidth: wide, clientHeight: high } = $("stage");
  const tall = Math.min(Math.max(high / wide, 1), 2) - 1;
  flatecs.turn(0, 0, 0);
  if (tall > 0 && scene.name === "heroes") flatecs.turn(0, .4 * tall, 1 + .75 * tall);
}

matchMedia("(orientation: portrait)").onchange = () => scene && frameView();

// A plane lies between the bars at the top and at the bottom, and no scene below the figures; these
// change their heights.
const bars = new ResizeObserver(() => {
  for (const [name, bar] of [["--head", "header"], ["--foot", "footer"], ["--figures", "aside"]]) {
    const height = document.querySelector(bar).offsetHeight;
    document.documentElement.style.setProperty(name, `${height ? height + 8 : 0}px`);
  }
});
for (const bar of ["header", "footer", "aside"]) bars.observe(document.querySelector(bar));

new ResizeObserver(resize).observe($("stage"));

// Frames.

const times = []; // of the last frames, milliseconds: between frames, in steps, drawing
let shown = 0, previous = 0, hashed, hashAgain = 0;

function frame(at) {
  requestAnimationFrame(frame);
  if (!paused()) part();
  flatecs.frame(at);
  const now = flatecs.now;
  futures.follow(now);
  times.push({ between: previous ? at - previous : 0, step: now.stepMs, draw: now.drawMs });
  previous = at;
  if (times.length > 124) times.shift();
  if (now.error) notice(now.error, true);
  if (at - shown > 200) {
    shown = at;
    show();
  }
}

const figures = [
  ["step", "step", (now) => number(now.steps)],
  ["objects", "objects", (now) => number(now.live)],
  ["world", "world", (now) => size(now.worldBytes)],
  ["drawCalls", "draw calls", (now) => number(now.drawCalls), "line"],
  ["instances", "instanced", (now) => `${number(now.instances)} in ${now.batches}`],
  ["singles", "one by one", (now) => number(now.singles)],
  ["lines", "lines", (now) => number(now.lines)],
  ["sprites", "sprites, texts", (now) => `${now.sprites}, ${now.texts}`],
  ["bytes", "bytes drawn", (now) => size(now.bytes)],
  ["digest", "digest", () => digest, "line digest"],
];
let digest = "";

for (const [name, label, , style = ""] of figures) {
  const term = document.createElement("dt"), value = document.createElement("dd");
  term.textContent = label;
  value.id = `figure-${name}`;
  term.className = value.className = style;
  $("figures").append(term, value);
}

// hash asks for the digest: of every step while the scene is paused, and else as often as takes a
// hundredth of the time.
function hash() {
  const now = flatecs.now, begin = performance.now();
  if (now.paused ? hashed === now.steps : begin < hashAgain) return;
  digest = flatecs.digest();
  hashed = now.steps;
  hashAgain = begin + Math.max(100 * (performance.now() - begin), 1000);
}

function show() {
  const now = flatecs.now;
  hash();
  for (const [name, , text] of figures) $(`figure-${name}`).textContent = text(now);
  $("timeline").hidden = now.newest === 0 || now.oldest === now.newest;
  $("timeline").classList.toggle("past", now.steps < now.newest);
  Object.assign($("past"), { min: now.oldest, max: now.newest });
  $("past").value = now.steps;
  $("moment").textContent = now.steps < now.newest
    ? `${((now.steps - now.newest) / 60).toFixed(1)} s` : "now";
  const mean = times.reduce((sum, t) => sum + t.between, 0) / Math.max(times.length, 1);
  $("rate").textContent = mean > 0 ? `${(1000 / mean).toFixed(mean > 100 ? 1 : 0)} fps` : "";
  if (!document.body.classList.contains("plain")) drawGraph();
}

const mostMillis = 20; // that the graph shows; a frame of a screen has 16.7

function drawGraph() {
  const graph = $("graph"), pen = graph.getContext("2d");
  const sharp = Math.min(devicePixelRatio || 1, 2);
  const wide = graph.clientWidth * sharp, high = graph.clientHeight * sharp;
  if (graph.width !== wide || graph.height !== high) [graph.width, graph.height] = [wide, high];
  pen.clearRect(0, 0, wide, high);
  const y = (ms) => high - Math.min(ms / mostMillis, 1) * high;
  const bar = wide / 124;
  times.forEach((t, i) => {
    pen.fillStyle = "#5b8cff";
    pen.fillRect(i * bar, y(t.step + t.draw), bar * .8, y(0) - y(t.step + t.draw));
    pen.fillStyle = "#ffb62e";
    pen.fillRect(i * bar, y(t.step), bar * .8, y(0) - y(t.step));
    pen.fillStyle = "#ff6b6b"; // longer than the graph is high
    if (t.step + t.draw > mostMillis) pen.fillRect(i * bar, 0, bar * .8, 3 * sharp);
  });
  pen.fillStyle = "#ffffff40";
  pen.fillRect(0, y(1000 / 60), wide, 1);
  pen.font = `${10 * sharp}px system-ui, sans-serif`;
  pen.fillStyle = "#0b1020c0";
  pen.fillRect(0, y(1000 / 60) + 1, 48 * sharp, 15 * sharp);
  pen.fillStyle = "#e8ecf8";
  pen.fillText("16.7 ms", 4 * sharp, y(1000 / 60) + 12 * sharp);
}

// What the player does.

// turn turns the view of a scene that is no plane.
const turn = (yaw, pitch, zoom) => { if (scene.inputs.length === 0) flatecs.turn(yaw, pitch, zoom); };

function pause(on) {
  $("pause").ariaPressed = String(on);
  $("pause").ariaLabel = on ? "Go on" : "Pause";
  if (!on && calm.matches) notice("");
  flatecs.pause(on);
}
const paused = () => $("pause").ariaPressed === "true";

function step() {
  if (!paused()) pause(true);
  part();
  flatecs.step(1);
  show();
}

function speed(by) {
  const list = $("speed"), next = list.selectedIndex + by;
  if (next < 0 || next >= list.length) return;
  list.selectedIndex = next;
  flatecs.speed(Number(list.value));
}

const again = () => open(options);
const press = (down) => { if (scene?.inputs.length > 0) flatecs.hold(1, down); };

function seek(to) {
  if (!paused()) pause(true);
  if (futures.parted()) {
    futures.end();
    resize();
  }
  flatecs.seek(to);
  show();
}

$("pause").onclick = () => pause(!paused());
$("step").onclick = step;
$("again").onclick = again;
$("speed").onchange = () => flatecs.speed(Number($("speed").value));
$("count").oninput = () => { $("counted").textContent = number(countAt(Number($("count").value))); };
$("count").onchange = () => open({ ...options, count: countAt(Number($("count").value)) });
$("variant").onchange = () => open({ ...options, variant: $("variant").value });
const toggleReport = () => {
  $("show-report").ariaExpanded = String(!document.body.classList.toggle("plain"));
};
$("show-report").onclick = toggleReport;
$("show-help").onclick = () => $("help").showModal();
function toggle(name) {
  if (!scene?.[name]) return;
  const on = $(name).ariaPressed !== "true";
  $(name).ariaPressed = String(on);
  flatecs[name](on);
}

$("notice").querySelector("button").onclick = () => notice("");
for (const name of toggles) $(name).onclick = () => toggle(name);
$("past").oninput = () => seek(Number($("past").value));
$("press").onpointerdown = (event) => { event.preventDefault(); press(true); };
$("press").onkeydown = (event) => {
  if ([" ", "Enter"].includes(event.key) && !event.repeat) press(true);
};
$("press").onkeyup = () => press(false);
for (const end of ["pointerup", "pointercancel", "blur"]) addEventListener(end, () => press(false));

// Where a bar was used by hand, the keys are the scene's again.
const toScene = () => hand.focus({ preventScroll: true });
let byHand = false;
addEventListener("pointerdown", () => { byHand = true; }, true);
addEventListener("keydown", () => { byHand = false; }, true);
for (const bar of document.querySelectorAll("header, footer")) {
  bar.addEventListener("click", (event) => {
    if (byHand && event.target.tagName !== "SELECT") toScene();
  });
  bar.addEventListener("change", () => byHand && toScene());
}

const keys = {
  " ": () => scene.inputs.length > 0 ? press(true) : pause(!paused()),
  ArrowUp: () => press(true),
  p: () => pause(!paused()),
  ArrowRight: step, ".": step,
  ArrowLeft: () => seek(flatecs.now.steps - 1), ",": () => seek(flatecs.now.steps - 1),
  "-": () => speed(-1), "+": () => speed(1), "=": () => speed(1),
  r: again, a: () => toggle("pilot"), l: () => toggle("lines"),
  f: toggleReport,
  "?": () => $("help").showModal(),
  0: frameView,
  "Shift+ArrowLeft": () => turn(-.1, 0, 1), "Shift+ArrowRight": () => turn(.1, 0, 1),
  "Shift+ArrowUp": () => turn(0, .1, 1), "Shift+ArrowDown": () => turn(0, -.1, 1),
  PageUp: () => turn(0, 0, 1.1), PageDown: () => turn(0, 0, 1 / 1.1),
};
const repeated = /^([.,]|Page.+|(Shift\+)?Arrow(Left|Right)|Shift\+Arrow(Up|Down))$/;

const keyOf = ({ key, shiftKey }) => key.length === 1 ? key.toLowerCase()
  : shiftKey && key.startsWith("Arrow") ? `Shift+${key}` : key;

// takesKey reports whether what has the focus does something of its own with a key: buttons are
// pressed, and sliders and lists are moved too.
const takesKey = (element, key) => element.closest?.("input, select")
  ? [" ", "PageUp", "PageDown"].includes(key) || key.startsWith("Arrow")
  : key === " " && element.closest?.("button, a");

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !scene || $("help").open) return;
  const key = keyOf(event);
  if (takesKey(event.target, event.key)) return;
  const other = scenes[Number(key) - 1];
  if (!keys[key] && !other) return;
  event.preventDefault();
  if (event.repeat && !repeated.test(key)) return;
  keys[key] ? keys[key]() : choose(other.name);
});

addEventListener("keyup", (event) => {
  if ([" ", "ArrowUp"].includes(event.key)) press(false);
});

// The pointer presses where a scene hears that, and turns the view elsewhere: two fingers come
// nearer.
const fingers = new Map();
const between = () => {
  const [a, b] = fingers.values();
  return Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
};
hand.addEventListener("pointerdown", (event) => {
  hand.focus({ preventScroll: true });
  if (!scene || event.button > 0) return;
  if (scene.inputs.length > 0) return press(true);
  hand.setPointerCapture(event.pointerId);
  fingers.set(event.pointerId, event);
});
hand.addEventListener("pointermove", (event) => {
  const last = fingers.get(event.pointerId);
  if (!last) return;
  const apart = fingers.size === 2 ? between() : 0;
  fingers.set(event.pointerId, event);
  if (apart > 0) return flatecs.turn(0, 0, between() / apart);
  flatecs.turn((last.clientX - event.clientX) * .005, (event.clientY - last.clientY) * .005, 1);
});
for (const end of ["pointerup", "pointercancel"]) {
  hand.addEventListener(end, (event) => fingers.delete(event.pointerId));
}
hand.addEventListener("wheel", (event) => {
  event.preventDefault();
  if (scene?.inputs.length === 0) flatecs.turn(0, 0, Math.exp(-event.deltaY * .0012));
}, { passive: false });
addEventListener("contextmenu", (event) => hand.contains(event.target) && event.preventDefault());

start().catch((problem) => {
  $("loading")?.remove();
  notice(typeof WebAssembly === "object" ? `The scene could not be started: ${problem.message}`
    : "This browser runs no WebAssembly: a newer one is needed.", true);
});
