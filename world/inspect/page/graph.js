// ---- Frame graph ------------------------------------------------------------------------------

let pointed = -1;
function drawGraph() {
  const canvas = byId('graph');
  if (!canvas.clientWidth) return;
  const [context, width, height] = sharp(canvas),
    intervals = times.interval,
    work = times.work;
  const left = 54,
    right = 26, // for the names of lines
    bottom = 4,
    top = 6,
    wide = width - left - right,
    high = height - bottom - top;
  const stats = times.last && times.last.interval;
  if (!intervals.length || !stats) {
    context.fillStyle = colour('dim');
    context.font = '13px system-ui, sans-serif';
    context.fillText('No frames yet.', left, 30);
    return;
  }
  let most = Math.max(stats.p99Ms * 1.5, stats.p50Ms * 2, 1e-6);
  if (stats.maxMs < most * 1.6) most = Math.max(most, stats.maxMs * 1.05);
  const across = index =>
    left + ((index + times.window - intervals.length) / Math.max(1, times.window - 1)) * wide;
  const down = value => top + high - Math.min(value / most, 1) * high;
  context.font = '10.5px ui-monospace, "DejaVu Sans Mono", monospace';
  context.textAlign = 'right';
  context.lineWidth = 1;
  for (let mark = 0; mark <= 4; mark++) {
    const level = Math.round(top + high * (1 - mark / 4)) + 0.5;
    context.strokeStyle = colour('line');
    context.beginPath();
    context.moveTo(left, level);
    context.lineTo(left + wide, level);
    context.stroke();
    context.fillStyle = colour('dim');
    context.fillText(time((most * mark) / 4).replace(' ', ' '), left - 5, level + 3);
  }
  const area = (values, style) => {
    context.fillStyle = style;
    context.beginPath();
    context.moveTo(across(0), down(0));
    values.forEach((value, index) => context.lineTo(across(index), down(value)));
    context.lineTo(across(values.length - 1), down(0));
    context.fill();
  };
  if (times.last.jobs.length) area(work, colour('accent-soft'));
  context.strokeStyle = colour('accent');
  context.lineWidth = 1.25;
  context.beginPath();
  intervals.forEach((value, index) => context.lineTo(across(index), down(value)));
  context.stroke();
  context.fillStyle = colour('bad');
  intervals.forEach((value, index) => {
    if (value > most) context.fillRect(across(index) - 1, top, 2, 5);
  });
  context.textAlign = 'left';
  context.setLineDash([3, 4]);
  const levels = { p50: down(stats.p50Ms), p99: down(stats.p99Ms) };
  for (const [name, level] of Object.entries(levels)) {
    context.strokeStyle = context.fillStyle = colour(name === 'p99' ? 'warm' : 'dim');
    context.beginPath();
    context.moveTo(left, level);
    context.lineTo(left + wide, level);
    context.stroke();
    const text = name === 'p99' ? Math.max(top + 5, Math.min(level, levels.p50 - 11)) : level;
    context.fillText(name, left + wide + 5, text + 3);
  }
  context.setLineDash([]);
  if (pointed >= 0 && pointed < intervals.length) {
    context.strokeStyle = colour('text');
    context.lineWidth = 0.75;
    context.beginPath();
    context.moveTo(across(pointed), top);
    context.lineTo(across(pointed), top + high);
    context.stroke();
    const jobs = times.last.jobs.length ? ', jobs ' + time(work[pointed]) : '';
    const ago = intervals.length - pointed;
    say('graph-text', ago + ' frames ago: ' + time(intervals[pointed]) + jobs);
  } else {
    const area = times.last.jobs.length ? '; area: work of jobs' : '';
    say('graph-text', 'line: from frame to frame' + area);
  }
}
byId('graph').addEventListener('pointermove', event => {
  const box = byId('graph').getBoundingClientRect(),
    left = 54 + 14,
    wide = box.width - 28 - 54 - 26;
  pointed =
    Math.round(((event.clientX - box.left - left) / wide) * (times.window - 1)) -
    times.window +
    times.interval.length;
  drawGraph();
});
byId('graph').addEventListener('pointerleave', () => {
  pointed = -1;
  drawGraph();
});
