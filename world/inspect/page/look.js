// ---- Live view: reading the column, and turning it ---------------------------------------------

async function look() {
  if (view.busy || place.view !== 'overview' || document.hidden || !byId('view-field').value)
    return;
  const started = performance.now();
  if (started < view.rests) return;
  view.busy = true;
  try {
    const [kind, field, part] = JSON.parse(byId('view-field').value),
      key = byId('view-field').value;
    const answer = await fetch(
      api +
        'column?' +
        new URLSearchParams({
          kind,
          field,
          part,
          rows: 'mounted',
          ...(timeline.at === undefined
            ? { after: view.key === key ? view.frame : '' }
            : { at: timeline.at }),
        }),
    );
    if (answer.status === 200) {
      const data = new Float32Array(await answer.arrayBuffer());
      view.lanes = Math.min(4, +answer.headers.get('X-Lanes'));
      view.frame = answer.headers.get('X-Frame');
      view.points = data.length / view.lanes;
      view.data = data;
      if (view.key !== key) view.skip = view.points > 1 << 18 ? 8 : 1;
      if (view.key !== key || !view.box || !view.held) fit(view.key !== key);
      const skip = view.skip;
      view.key = key;
      upload();
      draw();
      say(
        'view-text',
        count(view.points) +
          (+answer.headers.get('X-Rows-Total') > view.points
            ? ' of ' + count(+answer.headers.get('X-Rows-Total'))
            : '') +
          ' points' +
          (skip > 1 ? ', 1 in ' + skip + ' drawn' : '') +
          ' · ' +
          bytes(data.byteLength) +
          ' in ' +
          (performance.now() - started).toFixed(1) +
          ' ms' +
          (gl ? ', one draw call' : ', no WebGL'),
      );
    }
  } catch (failure) {
    /* the stream says that the server is gone */
  }
  view.rests = performance.now() + 2 * (performance.now() - started);
  view.busy = false;
}
function fit(anew) {
  const box = boxOf(view.data, view.points);
  view.flat =
    view.lanes < 3 ||
    box.high[2] - box.low[2] < 1e-3 * Math.max(box.high[0] - box.low[0], box.high[1] - box.low[1]);
  if (anew || !view.box) {
    view.box = box;
    frame();
    return;
  }
  const old = view.box,
    reach = radius(old);
  const ease = (from, to) =>
    Math.abs(from - to) < reach * 0.02 ? from : from + (to - from) * 0.15; // calm, while things move
  view.box = {
    low: old.low.map((value, axis) => ease(value, box.low[axis])),
    high: old.high.map((value, axis) => ease(value, box.high[axis])),
  };
}
// frame zooms so that the corners of the box are just inside.
function frame() {
  view.zoom = 1;
  if (!viewCanvas.clientWidth) return;
  for (let turns = 0; turns < 6; turns++) {
    const camera = matrix(viewCanvas.clientWidth / viewCanvas.clientHeight);
    let far = 0;
    for (let corner = 0; corner < 8; corner++) {
      const [x, y, z] = [0, 1, 2].map(
        axis => ((corner >> axis) & 1 ? view.box.high : view.box.low)[axis],
      );
      const depth = camera[3] * x + camera[7] * y + camera[11] * z + camera[15];
      for (const axis of [0, 1])
        far = Math.max(
          far,
          depth > 0
            ? Math.abs(
                camera[axis] * x + camera[axis + 4] * y + camera[axis + 8] * z + camera[axis + 12],
              ) / depth
            : 3,
        );
    }
    if (!(far > 0)) return;
    view.zoom = Math.max(0.3, Math.min(3, view.zoom * Math.pow(0.94 / far, 0.7)));
  }
}
setInterval(() => {
  if (byId('live').checked && (timeline.at === undefined || timeline.at === 'other')) look();
}, 100);

let drag = null,
  pressed = null;
viewCanvas.addEventListener('pointerdown', event => {
  drag = pressed = [event.clientX, event.clientY];
  viewCanvas.setPointerCapture(event.pointerId);
});
viewCanvas.addEventListener('pointerup', event => {
  drag = null;
  if (pressed && Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) < 4)
    pick(event.clientX, event.clientY);
});
// pick goes to the object whose dot is nearest, if one is near.
async function pick(clientX, clientY) {
  if (!view.data || !view.box) return;
  const box = viewCanvas.getBoundingClientRect(),
    camera = matrix(box.width / box.height),
    x = ((clientX - box.left) / box.width) * 2 - 1,
    y = 1 - ((clientY - box.top) / box.height) * 2;
  let best = -1,
    least = 20 * 20;
  for (let index = 0; index < view.points; index++) {
    const point = [0, 1, 2].map(axis => (axis < view.lanes ? view.data[index * view.lanes + axis] : 0));
    const along = row =>
      camera[row] * point[0] + camera[row + 4] * point[1] + camera[row + 8] * point[2] + camera[row + 12];
    const depth = along(3);
    if (!(depth > 0)) continue;
    const far =
      (((along(0) / depth - x) * box.width) / 2) ** 2 + (((along(1) / depth - y) * box.height) / 2) ** 2;
    if (far < least) [best, least] = [index, far];
  }
  if (best < 0) return;
  try {
    const [kind] = JSON.parse(byId('view-field').value);
    const found = await ask('rows?' + new URLSearchParams({ kind, mounted: best }));
    const row = found.rows.find(one => one.row === found.at);
    if (row && row.object) location.hash = objectLink(row.object).slice(1);
  } catch (failure) {
    problem(failure.status ? failure.message : 'no answer', true);
  }
}
viewCanvas.addEventListener('pointermove', event => {
  if (!drag) return;
  turn((drag[0] - event.clientX) / 150, (event.clientY - drag[1]) / 150);
  drag = [event.clientX, event.clientY];
});
viewCanvas.addEventListener(
  'wheel',
  event => {
    event.preventDefault();
    zoom(Math.exp(-event.deltaY / 500));
  },
  { passive: false },
);
viewCanvas.addEventListener('keydown', event => {
  const does = {
    ArrowLeft: () => turn(0.1, 0),
    ArrowRight: () => turn(-0.1, 0),
    ArrowUp: () => turn(0, 0.1),
    ArrowDown: () => turn(0, -0.1),
    '+': () => zoom(1.15),
    '=': () => zoom(1.15),
    '-': () => zoom(1 / 1.15),
    0: home,
  }[event.key];
  if (does) {
    event.preventDefault();
    event.stopPropagation();
    does();
  }
});
function turn(yaw, pitch) {
  view.yaw += yaw;
  view.pitch = Math.max(-1.55, Math.min(1.55, view.pitch + pitch));
  draw();
}
function zoom(by) {
  view.zoom = Math.max(0.2, Math.min(40, view.zoom * by));
  draw();
}
function home() {
  Object.assign(view, { yaw: 0.6, pitch: 0.5, zoom: 1.3 });
  if (view.data) fit(true);
  draw();
}
byId('view-hold').addEventListener('click', home);
byId('view-field').addEventListener('change', look);
