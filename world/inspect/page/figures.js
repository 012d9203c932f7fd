// ---- Asking -----------------------------------------------------------------------------------

// token comes with what changes the world, where the program allows any.
const token = document.querySelector('meta[name=token]').content;
const mayEdit = document.querySelector('meta[name=may]').content.includes('edit');

// edit asks for a change of the world. It returns whether that was made; if not, the page says why.
async function edit(wish) {
  try {
    const answer = await fetch(api + 'edit', {
      method: 'POST',
      headers: { 'X-Token': token, 'Content-Type': 'application/json' },
      body: JSON.stringify(wish),
    });
    const found = await answer.json();
    problem(answer.ok ? '' : found.error, true);
    if (!answer.ok) return false;
    if (wish.op === 'spawn') location.hash = 'objects/' + found.object;
    setTimeout(refresh, 200);
    return true;
  } catch (failure) {
    lost();
    return false;
  }
}
byId('objects-new').hidden = !mayEdit;
byId('objects-new').addEventListener('submit', event => {
  event.preventDefault();
  edit({
    op: 'spawn',
    kinds: byId('objects-kinds')
      .value.split(',')
      .map(kind => kind.trim())
      .filter(kind => kind),
  });
});

let failures = 0;
async function ask(path) {
  const answer = await fetch(api + moment(path));
  const found = await answer.json();
  if (!answer.ok)
    throw Object.assign(new Error(found.error || answer.statusText), { status: answer.status });
  return found;
}
// problem says what went wrong; what was refused is shown for a while.
let refusedUntil = 0;
function problem(text, refused) {
  if (!text && !refused && Date.now() < refusedUntil) return;
  refusedUntil = text && refused ? Date.now() + 8000 : 0;
  byId('problem').hidden = !text;
  say('problem', text || '');
}

const world = { overview: null, kinds: [], byName: new Map() };
const times = {
  count: 0,
  window: 600,
  interval: [],
  work: [],
  jobs: new Map(),
  last: null,
  base: null,
};

function takeOverview(overview) {
  world.overview = overview;
  failures = 0;
  const live = byId('live').checked,
    elsewhere = timeline.at !== undefined;
  byId('status').dataset.state = overview.still || !live || elsewhere ? 'still' : 'live';
  say(
    'status',
    elsewhere
      ? timeline.at === 'other'
        ? 'the other future'
        : 'frame ' + count(timeline.at) + ' of the past'
      : !live
        ? 'held'
        : overview.still
          ? 'paused for ' + time(overview.ageMs)
          : 'live',
  );
  say('title', overview.title);
  say('tick', count(overview.tick));
  say('frame', count(overview.frame));
  say('kpi-objects', count(overview.objects.alive));
  const { peak, capacity } = overview.objects;
  say('kpi-objects-more', 'peak ' + count(peak) + ' of ' + count(capacity));
  say('kpi-bytes', bytes(overview.bytes.used));
  say(
    'kpi-bytes-more',
    'of ' +
      bytes(overview.bytes.allocated) +
      (overview.bytes.idle ? ' reserved; a small world sets GameObjects' : ' allocated'),
  );
  const { fps } = overview;
  say('kpi-fps', fps && fps < 100 ? fps.toFixed(1) : count(Math.round(fps)));
  say('kpi-kinds', count(overview.kinds.used));
  say(
    'kpi-kinds-more',
    overview.refused.commands
      ? count(overview.refused.commands) +
          (overview.refused.commands === 1 ? ' command' : ' commands') +
          ' refused'
      : 'of ' + count(overview.kinds.total) + ' declared',
  );
  byId('kpi-objects').className = overview.refused.objects ? 'bad' : '';
  say(
    'upkeep',
    'Publishing takes ' +
      time(overview.inspector.copyMs) +
      ' a frame, at most ' +
      overview.inspector.rate +
      ' times a second, while somebody looks.',
  );
}

// takeTimes adds what is new: a history ends with frame number count.
function takeTimes(found) {
  if (found.count < times.count)
    Object.assign(times, { count: 0, interval: [], work: [], jobs: new Map() });
  const fresh = Math.min(found.count - times.count, found.interval.historyMs.length);
  times.window = found.window;
  const add = (to, from) => {
    if (fresh > 0) to.push(...from.slice(-fresh));
    if (to.length > found.window) to.splice(0, to.length - found.window);
  };
  add(times.interval, found.interval.historyMs);
  add(times.work, found.work.historyMs);
  for (const name of times.jobs.keys())
    if (!found.jobs.some(job => job.name === name)) times.jobs.delete(name);
  for (const job of found.jobs) {
    if (!times.jobs.has(job.name)) times.jobs.set(job.name, []);
    add(times.jobs.get(job.name), job.historyMs);
  }
  times.count = found.count;
  times.last = found;
  say('kpi-p50', time(found.interval.p50Ms));
  say('kpi-p95', time(found.interval.p95Ms));
  say('kpi-p99', time(found.interval.p99Ms));
  say('kpi-max', time(found.interval.maxMs));
  say('kpi-p50-more', found.jobs.length ? 'jobs work ' + time(found.work.p50Ms) : 'p50');
  say('kpi-fps-more', 'over ' + count(times.interval.length) + ' frames');
  if (!times.base || found.jobs.some(job => job.totalMs < (times.base.total.get(job.name) || 0)))
    since();
  if (place.view !== 'overview') return;
  drawGraph();
  showJobs();
}

// since has the column Since count from now.
function since() {
  const jobs = times.last ? times.last.jobs : [];
  times.base = {
    at: Date.now(),
    total: new Map(jobs.map(job => [job.name, job.totalMs])),
    runs: new Map(jobs.map(job => [job.name, job.runs])),
  };
}
byId('jobs-since').addEventListener('click', () => {
  since();
  showJobs();
});

const jobColumns = [
  {
    name: 'Job',
    by: job => job.number,
    title: 'In the order of the pipeline',
    cell: job => ({
      text: job.name,
      title:
        count(job.runs) +
        ' runs, ' +
        time(job.totalMs) +
        ' in all, ' +
        time(job.lastMs) +
        ' in the last',
    }),
  },
  {
    name: 'Median',
    n: 1,
    by: job => job.p50Ms,
    title: 'Of the last frames',
    cell: job => ({ n: 1, text: time(job.p50Ms) }),
  },
  {
    name: 'p99',
    n: 1,
    by: job => job.p99Ms,
    title: '99 of 100 frames are within it',
    cell: job => ({ n: 1, text: time(job.p99Ms) }),
  },
  {
    name: 'Max',
    n: 1,
    by: job => job.maxMs,
    title: 'Of the last frames',
    cell: job => ({ n: 1, text: time(job.maxMs) }),
  },
  {
    name: 'Share',
    n: 1,
    by: job => job.meanMs,
    title: 'Of the work of all jobs',
    cell: job => ({ n: 1, text: percent(job.share) }),
  },
  {
    name: 'Since',
    n: 1,
    by: job => job.since,
    title: 'Work since this page was last looked at',
    cell: job => ({ n: 1, text: time(job.since), title: count(job.sinceRuns) + ' runs' }),
  },
  {
    name: 'History',
    by: job => job.maxMs - job.p50Ms,
    title: 'Sorts by how far the slowest is from the median',
    cell: job => ({ spark: times.jobs.get(job.name) }),
  },
];
const jobOrder = { column: 1, down: true };

function showJobs() {
  const last = times.last;
  if (!last) return;
  const total = last.jobs.reduce((sum, job) => sum + job.meanMs, 0) || 1;
  byId('jobs').hidden = byId('jobs-since').hidden = !last.jobs.length;
  byId('jobs-none').hidden = !!last.jobs.length;
  const jobs = last.jobs.map((job, number) => ({
    ...job,
    number,
    share: job.meanMs / total,
    since: job.totalMs - (times.base.total.get(job.name) || 0),
    sinceRuns: job.runs - (times.base.runs.get(job.name) || 0),
  }));
  const slowest = jobs.reduce(
    (slow, job) => (job.p50Ms > (slow ? slow.p50Ms : 0) ? job : slow),
    null,
  );
  say(
    'jobs-text',
    !jobs.length
      ? ''
      : (slowest
          ? 'slowest by median: ' +
            slowest.name +
            ', ' +
            time(slowest.p50Ms) +
            ', ' +
            percent(slowest.share) +
            ' of the work · '
          : '') +
          'since ' +
          time(Math.max(1000, Math.round((Date.now() - times.base.at) / 1000) * 1000))
            .replace('.00', '')
            .replace('.0', '') +
          ' ago',
  );
  fill(
    byId('jobs'),
    sorted(jobs, jobColumns, jobOrder),
    job => job.name,
    job => jobColumns.map(column => column.cell(job)),
    job => (job === slowest ? 'slow' : ''),
  );
}
