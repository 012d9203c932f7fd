// ---- Elements ---------------------------------------------------------------------------------

// h makes an element: what begins with "on" is a listener, the rest are attributes.
function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
    else if (value !== undefined && value !== null && value !== false)
      made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}
function say(target, text) {
  if (typeof target === 'string') target = byId(target);
  if (target.textContent !== text) target.textContent = text;
}

// fill brings the body of a table up to date, and touches only what differs, so that selections,
// focus and the place stay. A cell is a text, or {text, href, meter, tag, cls, title, spark}.
function fill(table, items, key, cells, mark) {
  const body = table.tBodies[0],
    known = new Map();
  for (const row of [...body.rows]) known.set(row.dataset.key, row);
  let at = body.firstChild;
  for (const item of items) {
    const id = String(key(item));
    let row = known.get(id);
    known.delete(id);
    if (!row) {
      row = document.createElement('tr');
      row.dataset.key = id;
    }
    const list = cells(item);
    while (row.cells.length > list.length) row.lastChild.remove();
    list.forEach((content, index) => cell(row.cells[index] || row.insertCell(), content));
    const cls = mark ? mark(item) : '';
    if (row.className !== cls) row.className = cls;
    if (row === at) at = at.nextSibling;
    else body.insertBefore(row, at);
  }
  for (const row of known.values()) row.remove();
}
function cell(td, content) {
  if (typeof content !== 'object') content = { text: String(content) };
  const shape = content.links
    ? 'l'
    : content.href !== undefined
      ? 'a'
      : content.meter !== undefined
        ? 'm'
        : content.tags
          ? 't'
          : content.spark
            ? 's'
            : '';
  if (td.shape !== shape) {
    td.replaceChildren();
    td.shape = shape;
  }
  const cls = (content.n ? 'n ' : '') + (content.cls || '');
  if (td.className !== cls) td.className = cls;
  if (td.title !== (content.title || '')) td.title = content.title || '';
  switch (shape) {
    case 'a':
      if (!td.firstChild) td.append(element('a'));
      if (td.firstChild.getAttribute('href') !== content.href)
        td.firstChild.setAttribute('href', content.href);
      say(td.firstChild, content.text);
      break;
    case 'l':
      link(td, content.links);
      break;
    case 'm':
      if (!td.firstChild)
        td.append(
          element('span', { class: 'meter', 'aria-hidden': 'true' }, element('i')),
          element('span', { class: 'mono small' }),
        );
      td.firstChild.className =
        'meter' + (content.bad ? ' bad' : content.warm ? ' warm' : '');
      td.firstChild.firstChild.style.width = Math.min(100, content.meter * 100) + '%';
      say(td.lastChild, content.text);
      break;
    case 't':
      const tags = content.tags.join('\n');
      if (td.tags !== tags) {
        td.tags = tags;
        td.replaceChildren(...content.tags.map(tag => element('span', { class: 'tag' }, tag)));
      }
      break;
    case 's':
      if (!td.firstChild) td.append(element('canvas', { class: 'spark', 'aria-hidden': 'true' }));
      spark(td.firstChild, content.spark);
      break;
    default:
      say(td, content.text);
  }
}

// link fills e with words, each with the place that it leads to, if any.
function link(target, words) {
  const wanted = words.flat().join('\n');
  if (target.links === wanted) return;
  target.links = wanted;
  target.replaceChildren(
    ...words.flatMap(([text, href], index) => [
      index ? '  ' : '',
      href ? element('a', { href }, text) : text,
    ]),
  );
}

// sharp readies a canvas of the page's size in device pixels, and returns its context and size.
function sharp(canvas) {
  const ratio = window.devicePixelRatio || 1,
    style = getComputedStyle(canvas);
  const width = canvas.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  const height =
    canvas.clientHeight - parseFloat(style.paddingTop) - parseFloat(style.paddingBottom);
  const pixelsWide = Math.max(1, Math.round(width * ratio)),
    pixelsHigh = Math.max(1, Math.round(height * ratio));
  if (canvas.width !== pixelsWide || canvas.height !== pixelsHigh) {
    canvas.width = pixelsWide;
    canvas.height = pixelsHigh;
  }
  const context = canvas.getContext('2d');
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return [context, width, height];
}
const colour = name =>
  getComputedStyle(document.documentElement)
    .getPropertyValue('--' + name)
    .trim();

function spark(canvas, values) {
  if (!canvas.clientWidth) return;
  const [context, width, height] = sharp(canvas),
    shown = Math.min(values.length, 120);
  const last = values.slice(-shown),
    top = Math.max(...last, 1e-9);
  context.strokeStyle = colour('accent');
  context.lineWidth = 1.2;
  context.beginPath();
  last.forEach((value, index) =>
    context.lineTo(
      (index / Math.max(1, shown - 1)) * (width - 2) + 1,
      height - 2 - (value / top) * (height - 4),
    ),
  );
  context.stroke();
}
