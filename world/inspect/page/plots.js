// ---- Plots: what reporters find, over ticks ---------------------------------------------------

const plots = { names: [], ticks: [], points: [], at: -1, key: '', seen: 0, due: 0 };
const keptPoints = 1200; // of each line: two minutes, at ten a second
const shownLines = 12;
const dashes = [[], [7, 4], [2, 3], [9, 3, 2, 3], [5, 2], [1, 5]];
// lookOf returns the colour and the dashes of a line: six of each, which differ by both.
const lookOf = line => ({
  stroke: 'line' + (line % 6),
  dash: dashes[(line + Math.floor(line / 6)) % 6],
});
const figure = value =>
  value === null
    ? 'nothing'
    : Number.isInteger(value)
      ? count(value)
      : value !== 0 && (Math.abs(value) < 1e-3 || Math.abs(value) >= 1e6)
        ? value.toExponential(3)
        : String(+value.toPrecision(5));

// takePlots adds the numbers of a tick. Where the tick went back, as after a rollback, what came after
// it is dropped; ticks that nobody looked at are a gap.
function takePlots(found) {
  const { ticks, points } = plots,
    now = performance.now();
  while (ticks.length && ticks.at(-1) >= found.tick) {
    ticks.pop();
    points.pop();
  }
  if (ticks.length && now - plots.seen > 3000 && found.tick > ticks.at(-1) + 1) {
    ticks.push(found.tick - 1);
    points.push(found.points.map(() => null));
  }
  ticks.push(found.tick);
  points.push(found.points);
  const old = Math.max(0, ticks.length - keptPoints);
  ticks.splice(0, old);
  points.splice(0, old);
  plots.at = Math.max(-1, plots.at - old);
  plots.seen = now;
  plots.names = found.plots;
  byId('plots-fault').hidden = !found.fault;
  say('plots-fault', found.fault);
  byId('plots-none').hidden = !!found.plots.length;
  plots.due ||= setTimeout(() => {
    plots.due = 0;
    drawPlots();
  }, 100);
}

// titleOf names a plot: by its only line, by what its lines begin with, or by the first of them.
function titleOf(lines) {
  if (lines.length === 1) return lines[0];
  let shared = 0;
  while (shared < lines[0].length && lines.every(line => line[shared] === lines[0][shared]))
    shared++;
  return lines[0].slice(0, shared).replace(/_$/, '') || lines.slice(0, 3).join(', ');
}
function makePlots() {
  const key = JSON.stringify(plots.names);
  if (plots.key === key) return;
  plots.key = key;
  byId('plots').replaceChildren(
    ...plots.names.map(lines => plotOf(lines, plots, drawPlots)),
  );
}
// plotOf makes the figure of lines over ticks; data.at is the point that is looked at, or -1.
function plotOf(lines, data, draw, ...more) {
  const lookAt = at => {
    data.at = at;
    draw();
  };
  const canvas = element('canvas', {
    tabindex: 0,
    role: 'img',
    onpointermove: event => lookAt(pointAt(canvas, event, data)),
    onpointerdown: event => lookAt(pointAt(canvas, event, data)),
    onpointerleave: () => lookAt(-1),
    onkeydown: event => stepAt(event, data, lookAt),
    onblur: () => lookAt(-1),
  });
  return element(
    'figure',
    { class: 'card', 'data-key': titleOf(lines) },
    element(
      'div',
      { class: 'head' },
      element('h2', {}, titleOf(lines)),
      element('span', { class: 'spacer' }),
      element('output', { class: 'mono', 'aria-live': 'polite' }),
      ...more,
    ),
    canvas,
    element(
      'ul',
      { class: 'legend' },
      ...lines
        .slice(0, shownLines)
        .map((name, line) => element('li', {}, sample(line), name, element('b', { class: 'mono' }))),
      ...(lines.length > shownLines
        ? [element('li', { class: 'dim' }, 'and ' + (lines.length - shownLines) + ' more')]
        : []),
    ),
  );
}
// sample is a piece of a line, for the legend.
function sample(number) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg'),
    line = document.createElementNS(svg.namespaceURI, 'line');
  for (const [key, value] of Object.entries({ width: 30, height: 8, 'aria-hidden': 'true' }))
    svg.setAttribute(key, value);
  for (const [key, value] of Object.entries({
    x1: 0,
    x2: 30,
    y1: 4,
    y2: 4,
    'stroke-width': 2,
    stroke: colour(lookOf(number).stroke),
    'stroke-dasharray': lookOf(number).dash.join(' '),
  }))
    line.setAttribute(key, value);
  svg.append(line);
  return svg;
}
const plotLeft = 58,
  plotRight = 6;
// pointAt returns the point below the pointer.
function pointAt(canvas, event, data) {
  const box = canvas.getBoundingClientRect(),
    size = data.ticks.length;
  if (!size) return -1;
  const share =
    (event.clientX - box.left - 14 - plotLeft) / (box.width - 28 - plotLeft - plotRight);
  const tick = data.ticks[0] + share * (data.ticks[size - 1] - data.ticks[0]);
  let at = data.ticks.findIndex(other => other >= tick);
  if (at < 0) at = size - 1;
  if (at > 0 && tick - data.ticks[at - 1] < data.ticks[at] - tick) at--;
  return at;
}
function stepAt(event, data, lookAt) {
  const last = data.ticks.length - 1,
    at = data.at < 0 ? last : data.at;
  const to = {
    ArrowLeft: at - 1,
    ArrowRight: at + 1,
    PageUp: at - 20,
    PageDown: at + 20,
    Home: 0,
    End: last,
    Escape: -1,
  }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  lookAt(to === -1 && event.key === 'Escape' ? -1 : Math.max(0, Math.min(last, to)));
}
function drawPlots() {
  if (place.view !== 'model') return;
  makePlots();
  let first = 0;
  plots.names.forEach((lines, plot) => {
    drawPlot(byId('plots').children[plot], lines, first);
    first += lines.length;
  });
}

// round returns the next larger of 1, 2 and 5 times a power of ten.
function round(value) {
  const ten = Math.pow(10, Math.floor(Math.log10(value)));
  return ten * [1, 2, 5, 10].find(factor => factor * ten >= value * (1 - 1e-9));
}
function drawPlot(fig, lines, first, data = plots) {
  const canvas = fig.querySelector('canvas'),
    size = data.ticks.length,
    at = data.at < 0 ? size - 1 : Math.min(data.at, size - 1);
  const now =
    at < 0 ? lines.map(() => null) : lines.map((_, line) => data.points[at][first + line]);
  fig.querySelectorAll('.legend b').forEach((output, line) => say(output, figure(now[line])));
  say(
    fig.querySelector('output'),
    at < 0 || data.at < 0
      ? ''
      : `tick ${count(data.ticks[at])}: ` +
          lines
            .slice(0, shownLines)
            .map((name, line) => (lines.length > 1 ? name + ' ' : '') + figure(now[line]))
            .join(', '),
  );
  const label =
    titleOf(lines) +
    (at < 0
      ? ', nothing yet'
      : `: ${size} points from tick ${data.ticks[0]} to ${data.ticks[size - 1]}` +
        '; arrow keys tell the numbers at a tick');
  if (canvas.getAttribute('aria-label') !== label) canvas.setAttribute('aria-label', label);
  canvas.dataset.points = size;
  if (!canvas.clientWidth) return;
  const [context, width, height] = sharp(canvas),
    top = 6,
    bottom = 18,
    wide = width - plotLeft - plotRight,
    high = height - top - bottom;
  let low = Infinity,
    most = -Infinity;
  for (const found of data.points)
    for (let line = 0; line < lines.length; line++) {
      const value = found[first + line];
      if (value !== null) {
        low = Math.min(low, value);
        most = Math.max(most, value);
      }
    }
  context.font = '10.5px ui-monospace, "DejaVu Sans Mono", monospace';
  if (!size || low > most) {
    context.fillStyle = colour('dim');
    context.fillText('nothing yet', plotLeft, 24);
    return;
  }
  if (low > 0 && low < most * 0.7) low = 0; // begin at nought, unless all is far from it
  if (low === most) {
    low -= Math.abs(low) * 0.1 || 1;
    most += Math.abs(most) * 0.1 || 1;
  }
  const step = round((most - low) / 4);
  low = Math.floor(low / step + 1e-9) * step;
  most = Math.ceil(most / step - 1e-9) * step;
  const across = tick =>
    plotLeft +
    (size < 2 ? 0 : (tick - data.ticks[0]) / (data.ticks[size - 1] - data.ticks[0])) * wide;
  const down = value => top + high * (1 - (value - low) / (most - low));
  context.lineWidth = 1;
  context.textAlign = 'right';
  for (let mark = 0; mark <= Math.round((most - low) / step); mark++) {
    const level = Math.round(down(low + mark * step)) + 0.5;
    context.strokeStyle = colour('line');
    context.beginPath();
    context.moveTo(plotLeft, level);
    context.lineTo(width - plotRight, level);
    context.stroke();
    context.fillStyle = colour('dim');
    context.fillText(figure(+(low + mark * step).toPrecision(6)), plotLeft - 6, level + 3);
  }
  context.fillText(count(data.ticks[size - 1]), width - plotRight, height - 4);
  context.textAlign = 'left';
  context.fillText('tick ' + count(data.ticks[0]), plotLeft, height - 4);
  context.lineWidth = 1.75;
  for (let line = 0; line < lines.length; line++) {
    const look = lookOf(line);
    context.strokeStyle = context.fillStyle = colour(look.stroke);
    context.setLineDash(look.dash);
    context.beginPath();
    let drawing = false;
    for (let index = 0; index < size; index++) {
      const value = data.points[index][first + line];
      if (value === null) {
        drawing = false;
        continue;
      }
      if (drawing) context.lineTo(across(data.ticks[index]), down(value));
      else context.moveTo(across(data.ticks[index]), down(value));
      drawing = true;
    }
    context.stroke();
    context.setLineDash([]);
    if (now[line] !== null && (data.at >= 0 || size < 3)) {
      context.beginPath();
      context.arc(across(data.ticks[at]), down(now[line]), 3, 0, 7);
      context.fill();
    }
  }
  if (data.at >= 0) {
    context.strokeStyle = colour('dim');
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(across(data.ticks[at]), top);
    context.lineTo(across(data.ticks[at]), top + high);
    context.stroke();
  }
}
