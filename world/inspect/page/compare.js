// ---- Two moments side by side, and what differs ------------------------------------------------

const pair = { busy: false, key: '', box: null };

// compare asks what differs between two moments, and draws both.
async function compare() {
  if (pair.busy) return;
  pair.busy = true;
  let fault = '';
  try {
    const a = byId('compare-a').value.trim(),
      b = byId('compare-b').value.trim();
    takeChanges(await ask('diff?' + new URLSearchParams({ a, b, most: 500 })), a, b);
    await drawPair(a, b);
  } catch (failure) {
    fault = failure.status ? failure.message : 'no answer; trying again';
  }
  byId('compare-fault').hidden = !fault;
  say('compare-fault', fault);
  pair.busy = false;
}

const momentText = name =>
  /^\d+$/.test(name)
    ? 'frame ' + count(+name)
    : name === 'now'
      ? 'now'
      : 'the other future';

function takeChanges(found, a, b) {
  say(
    'compare-first',
    found.first
      ? 'first difference: ' + found.first
      : 'no byte differs between ' + momentText(a) + ' and ' + momentText(b),
  );
  pair.differ = new Set();
  for (const change of found.changes)
    for (const row of change.rows) if (row.object) pair.differ.add(row.object.index);
  fill(
    byId('changes'),
    found.changes,
    change => change.name,
    change => [
      { text: change.name, cls: 'mono', href: change.kind && '#rows/' + encodeURIComponent(change.kind) },
      { n: 1, text: count(change.objects) },
      {
        links: change.rows.slice(0, 4).map((row, index) => [
          (index ? '· ' : '') +
            (row.object ? (row.object.index + ' ' + (row.object.name ?? '')).trim() + ': ' : '') +
            changed(row.before) + ' → ' + changed(row.after),
          row.object && objectLink(row.object),
        ]),
        cls: 'mono',
      },
    ],
  );
  byId('changes').hidden = !found.changes.length;
}
const changed = value =>
  value === null ? 'none' : Array.isArray(value) ? whole(value).replace(/ {2}/g, ' ') : String(value);

// columnAt reads a column of points at a moment, with the objects of its rows.
async function columnAt(at, [kind, field, part]) {
  const answer = await fetch(
    api + 'column?' + new URLSearchParams({ kind, field, part, rows: 'mounted', objects: 1, at, max: 1 << 17 }),
  );
  if (!answer.ok) throw Object.assign(new Error((await answer.json()).error), { status: answer.status });
  const bytes = await answer.arrayBuffer(),
    rows = +answer.headers.get('X-Rows'),
    lanes = Math.min(4, +answer.headers.get('X-Lanes'));
  return {
    rows,
    total: +answer.headers.get('X-Rows-Total'),
    lanes,
    data: new Float32Array(bytes, 0, rows * lanes),
    objects: new Uint32Array(bytes, rows * lanes * 4, rows),
    tick: +answer.headers.get('X-Tick'),
  };
}

async function drawPair(a, b) {
  const select = byId('compare-field');
  choose(
    select,
    [...byId('view-field').options].map(option => [option.value, option.textContent]),
    select.value || byId('view-field').value,
  );
  if (!select.value) return;
  const field = JSON.parse(select.value);
  const [one, other] = await Promise.all([columnAt(a, field), columnAt(b, field)]);
  const box = boxOfBoth(one, other);
  drawMoment('pair-a', momentText(a), one, box);
  drawMoment('pair-b', momentText(b), other, box);
}

// boxOfBoth returns where nearly all points of two columns are.
function boxOfBoth(one, other) {
  const box = { low: [0, 0], high: [1, 1] };
  for (const axis of [0, 1]) {
    const sample = [];
    for (const column of [one, other]) {
      const every = Math.max(1, Math.floor(column.rows / 2000));
      for (let row = 0; row < column.rows; row += every) {
        const value = column.data[row * column.lanes + axis];
        if (Number.isFinite(value)) sample.push(value);
      }
    }
    sample.sort((first, second) => first - second);
    if (!sample.length) continue;
    const low = sample[Math.floor(sample.length * 0.01)],
      high = sample[Math.ceil(sample.length * 0.99) - 1],
      more = (high - low) * 0.06 || 1;
    box.low[axis] = low - more;
    box.high[axis] = high + more;
  }
  return box;
}

// drawMoment draws the points of a moment from the front, and rings those that differ.
function drawMoment(id, text, column, box) {
  const canvas = byId(id),
    [context, width, height] = sharp(canvas);
  const scale = Math.min(
    width / (box.high[0] - box.low[0]),
    height / (box.high[1] - box.low[1]),
  );
  const at = row => [
    width / 2 + (column.data[row * column.lanes] - (box.low[0] + box.high[0]) / 2) * scale,
    height / 2 - (column.data[row * column.lanes + 1] - (box.low[1] + box.high[1]) / 2) * scale,
  ];
  const mostRings = 500;
  let rings = 0;
  context.fillStyle = colour('accent');
  context.strokeStyle = colour('warm');
  context.lineWidth = 1.5;
  const size = Math.max(1.5, Math.min(5, Math.sqrt((width * height) / (column.rows || 1)) / 5));
  for (let row = 0; row < column.rows; row++) {
    const [x, y] = at(row);
    context.fillRect(x - size / 2, y - size / 2, size, size);
  }
  for (let row = 0; row < column.rows && rings < mostRings; row++) {
    if (!pair.differ.has(column.objects[row])) continue;
    const [x, y] = at(row);
    context.beginPath();
    context.arc(x, y, size + 3, 0, 7);
    context.stroke();
    rings++;
  }
  canvas.dataset.points = column.rows;
  canvas.dataset.rings = rings;
  canvas.pick = (x, y) => {
    let best = -1,
      least = 20 * 20;
    for (let row = 0; row < column.rows; row++) {
      const [px, py] = at(row),
        far = (px - x) ** 2 + (py - y) ** 2;
      if (far < least) [best, least] = [row, far];
    }
    return best < 0 ? undefined : column.objects[best];
  };
  say(
    id + '-text',
    [
      text,
      'tick ' + count(column.tick),
      ...(column.rows < column.total
        ? ['first ' + count(column.rows) + ' of ' + count(column.total) + ' drawn']
        : []),
      (rings < mostRings ? '' : 'first ') + count(rings) + ' ringed',
    ].join(' · '),
  );
}

// showFutures compares when the page has what to compare, and then as often as is asked for.
function showFutures() {
  if (!byId('compare-a').value) readyCompare();
  else if (byId('compare-on').checked) compare();
}

for (const id of ['pair-a', 'pair-b'])
  byId(id).addEventListener('click', event => {
    const box = byId(id).getBoundingClientRect();
    const object = byId(id).pick && byId(id).pick(event.clientX - box.left, event.clientY - box.top);
    if (object !== undefined) location.hash = 'objects/' + object;
  });
byId('compare').addEventListener('submit', event => {
  event.preventDefault();
  compare();
});
byId('compare-field').addEventListener('change', compare);

// readyCompare compares what is likely to be of interest, the other future, the frame that is looked
// at, or that of a second ago, with now.
function readyCompare() {
  const said = timeline.said;
  if (!said || said.first === said.next || !world.kinds.length) return;
  const past = typeof timeline.at === 'number' ? timeline.at : Math.max(said.first, said.next - 60);
  byId('compare-a').value = said.other ? 'other' : past;
  byId('compare-b').value = 'now';
  byId('compare-on').checked = !!said.other;
  compare();
}
