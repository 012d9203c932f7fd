// Another future of a scene. Where time goes on from the past, a second program takes the steps
// that the first one took from there before, and what both draw otherwise is shown: in a game as a
// ghost over the picture, else side by side, with rings. Which sprites a frame draws is seen where
// the program calls WebGL.
"use strict";

globalThis.futures = (() => {
  const triangles = 4; // mode of drawArrays that begins a frame: the sky

  // watch has a canvas keep the sprites of its latest frame: where each is, and how it is turned. A
  // ghost's canvas has no sky, and leaves out what it hides.
  function watch(canvas, hides) {
    canvas.sprites = [];
    canvas.getContext = (kind, wish) => {
      const gl = HTMLCanvasElement.prototype.getContext.call(canvas, kind,
        hides ? { ...wish, alpha: true } : wish);
      if (kind === "webgl2" && gl) listen(gl, canvas, hides);
      return gl;
    };
  }

  function listen(gl, canvas, hides) {
    const names = new Map(), values = {};
    const wrap = (name, call) => {
      const own = gl[name].bind(gl);
      gl[name] = (...args) => call(own, ...args);
    };
    const keep = (own, at, ...value) => {
      values[names.get(at)] = value;
      own(at, ...value);
    };
    wrap("uniform2f", keep);
    wrap("uniform4f", keep);
    wrap("getUniformLocation", (own, program, name) => {
      const at = own(program, name);
      names.set(at, name);
      return at;
    });
    wrap("drawArrays", (own, mode, first, count) => {
      const { place, turn } = values;
      delete values.place;
      if (mode === triangles) {
        canvas.sprites = [];
        if (hides) return gl.clear(gl.COLOR_BUFFER_BIT);
      } else if (place) {
        const key = [...place, ...turn].join();
        canvas.sprites.push({ place, key });
        if (hides?.(key)) return undefined;
      }
      return own(mode, first, count);
    });
  }

  const keys = (canvas) => new Set(canvas.sprites.map((s) => s.key));

  let program; // the second one, kept for the next future
  let other; // nothing while there is one future

  // part begins another future beside that of a canvas: with these inputs of all its steps.
  async function part(first, wish, inputs, ghost, load) {
    end();
    const own = other = { first, inputs, ghost, against: new Set() };
    const stage = first.parentElement;
    stage.classList.toggle("two", !ghost);
    program ??= load();
    own.page = (await program).page;
    if (other !== own) return;
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [first.width, first.height];
    canvas.className = ghost ? "ghost" : "other";
    watch(canvas, ghost ? (key) => own.against.has(key) : undefined);
    if (own.page.open(canvas, (await program).heap, wish)) return end();
    own.canvas = canvas;
    own.rings = ghost ? [] : ["ANOTHER FUTURE", "PAST"].map((ariaLabel, i) => {
      const className = i === 0 ? "rings" : "rings other";
      return Object.assign(document.createElement("canvas"), { ariaLabel, className, role: "img" });
    });
    stage.append(canvas, ...own.rings);
  }

  // end leaves one future.
  function end() {
    other?.first.parentElement?.classList.remove("two");
    for (const canvas of [other?.canvas, ...other?.rings ?? []]) canvas?.remove();
    other = undefined;
  }

  // follow takes the other future to the step of the first one, and shows what differs. A ghost
  // stays where both said the same in words for the last time.
  function follow(now) {
    const own = other;
    if (!own?.canvas || own.stays) return;
    const { page, canvas, first, inputs } = own;
    if (canvas.width !== first.width || canvas.height !== first.height) {
      page.resize(first.width, first.height);
    }
    for (const c of [canvas, ...own.rings]) c.style.cssText = first.style.cssText;
    const at = page.now.steps, before = own.against;
    own.against = keys(first);
    if (now.steps <= at) return;
    page.step(Array.from({ length: now.steps - at }, (_, i) => inputs.charCodeAt(at + i) || 0));
    if (!own.ghost) return own.rings.forEach((c, i) => ring(c, ...[first, canvas, first].slice(i)));
    if (page.now.words !== now.words || now.steps >= inputs.length) {
      own.stays = true;
      own.against = before;
      page.seek(at);
    }
  }

  // ring names a canvas, and draws a ring around each sprite of it that another one does not have.
  function ring(on, canvas, others) {
    [on.width, on.height] = [canvas.width, canvas.height];
    const pen = on.getContext("2d"), has = keys(others), radius = .038 * on.width, done = [];
    pen.font = `600 ${1.2 * radius}px system-ui, sans-serif`;
    pen.lineWidth = radius / 8;
    pen.fillStyle = "#e8ecf8";
    pen.strokeText(on.ariaLabel, radius / 2, 1.5 * radius);
    pen.fillText(on.ariaLabel, radius / 2, 1.5 * radius);
    pen.strokeStyle = "#ffe65a";
    for (const { place: [x, y], key } of canvas.sprites) {
      if (has.has(key) || done.some(([a, b]) => Math.hypot(x - a, y - b) < radius)) continue;
      done.push([x, y]);
      pen.beginPath();
      pen.arc(x, y, radius, 0, 2 * Math.PI);
      pen.stroke();
    }
  }

  return { watch, part, end, follow, parted: () => other !== undefined };
})();
