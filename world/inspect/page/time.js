// ---- Time: the slider over the frames kept, pause, step, speed, back ----------------------------

// at is the moment that is looked at: a frame, 'other', or nothing for the newest one.
const timeline = { said: null, at: undefined, wanted: undefined, busy: false, dragging: false };
const mayGoBack = document.querySelector('meta[name=may]').content.includes('past');

// moment adds the moment that is looked at to a question of the world.
function moment(path) {
  if (
    timeline.at === undefined ||
    !/^(overview|kinds|watchers|rows|objects|object|tree|resources)\b/.test(path)
  )
    return path;
  return path + (path.includes('?') ? '&' : '?') + 'at=' + timeline.at;
}

// course has the program go on otherwise.
async function course(wish) {
  try {
    const answer = await fetch(api + 'time', {
      method: 'POST',
      headers: { 'X-Token': token, 'Content-Type': 'application/json' },
      body: JSON.stringify(wish),
    });
    const found = await answer.json();
    problem(answer.ok ? '' : found.error, true);
    if (answer.ok) takeTime(found);
    return answer.ok;
  } catch (failure) {
    lost();
    return false;
  }
}

function takeTime(found) {
  const before = timeline.said;
  timeline.said = found;
  byId('time').hidden = false;
  const slider = byId('time-slider');
  slider.min = found.first;
  slider.max = found.next;
  if (timeline.at === undefined && !timeline.dragging) slider.value = found.next;
  say('time-pause', found.paused ? 'Go on' : 'Pause');
  byId('time-pause').setAttribute('aria-pressed', found.paused);
  if (document.activeElement !== byId('time-speed')) byId('time-speed').value = Math.log2(found.speed);
  byId('time-fork').disabled = !found.fork;
  byId('time-join').hidden = byId('time-other').hidden = !found.other;
  byId('time-other').setAttribute('aria-pressed', timeline.at === 'other');
  if (!found.other && timeline.at === 'other') goTo(undefined);
  if (typeof timeline.at === 'number' && (timeline.at < found.first || timeline.at >= found.next))
    goTo(undefined);
  sayTime();
  if (found.fault && (!before || before.fault !== found.fault))
    problem('the other future has ended: ' + found.fault);
  if (place.view === 'time') showFutures();
}

function sayTime() {
  const found = timeline.said;
  if (!found) return;
  const past = typeof timeline.at === 'number';
  const frame = past ? timeline.at : found.next;
  let text = 'frame ' + count(frame) + ' of ' + count(found.first) + ' to ' + count(found.next);
  if (past) text += ', ' + count(found.next - frame) + ' back';
  if (found.inputs) text += ' · ' + count(found.inputs) + ' steps with the same inputs';
  if (found.other)
    text += ' · another future since frame ' + count(found.other.from);
  say('time-text', text);
  byId('time-slider').setAttribute('aria-valuetext', text);
  byId('time-now').disabled = timeline.at === undefined;
  byId('time').classList.toggle('past', timeline.at !== undefined);
}

// goTo looks at another moment; of those that come while one opens, at the last.
async function goTo(at) {
  if (typeof at === 'number' && at >= timeline.said.next) at = undefined;
  timeline.wanted = at;
  if (typeof at === 'number') byId('time-slider').value = at;
  if (timeline.busy) return;
  timeline.busy = true;
  let first = true;
  while (first || timeline.at !== timeline.wanted) {
    first = false;
    timeline.at = timeline.wanted;
    sayTime();
    try {
      takeOverview(await ask('overview'));
      if (timeline.at === timeline.wanted) {
        takeKinds(await ask('kinds'));
        view.key = view.key && ' ' + view.key; // draw anew
        await look();
        await refresh();
      }
    } catch (failure) {
      if (!failure.status) lost();
      else if (timeline.at !== undefined) {
        timeline.wanted = undefined;
        timeline.at = undefined;
        problem(failure.message, true);
      }
      break;
    }
  }
  timeline.busy = false;
  if (timeline.at === undefined && timeline.said) byId('time-slider').value = timeline.said.next;
  sayTime();
  connect();
}

async function goBack() {
  const frame = typeof timeline.at === 'number' ? timeline.at : timeline.said.next;
  const done = await course({
    op: 'back',
    frame,
    inputs: byId('time-inputs').value,
    fork: byId('time-fork').checked,
  });
  if (done) goTo(undefined);
}

if (mayGoBack) {
  for (let speed = -4; speed <= 4; speed++)
    byId('time-speed').append(
      element(
        'option',
        { value: speed, selected: speed === 0 },
        speed < 0 ? '1/' + 2 ** -speed + ' ×' : 2 ** speed + ' ×',
      ),
    );
  const slider = byId('time-slider');
  slider.addEventListener('pointerdown', () => (timeline.dragging = true));
  for (const name of ['pointerup', 'pointercancel', 'change'])
    slider.addEventListener(name, () => (timeline.dragging = false));
  slider.addEventListener('input', () => goTo(+slider.value));
  slider.addEventListener('keydown', event => {
    const by = { PageUp: -60, PageDown: 60 }[event.key];
    if (!by) return;
    event.preventDefault();
    goTo(Math.max(+slider.min, Math.min(+slider.max, +slider.value + by)));
  });
  byId('time-now').addEventListener('click', () => goTo(undefined));
  byId('time-pause').addEventListener('click', () =>
    course({ op: timeline.said && timeline.said.paused ? 'go' : 'pause' }),
  );
  byId('time-step').addEventListener('click', () => course({ op: 'step', steps: 1 }));
  byId('time-restart').addEventListener('click', async () => {
    const { first, next } = timeline.said;
    if (!(await course({ op: 'pause' })) || first === next) return;
    if (await course({ op: 'back', frame: first, inputs: 'live' })) goTo(undefined);
  });
  byId('time-speed').addEventListener('change', () =>
    course({ op: 'speed', speed: +byId('time-speed').value }),
  );
  byId('time-back').addEventListener('click', goBack);
  byId('time-join').addEventListener('click', () => course({ op: 'join' }));
  byId('time-other').addEventListener('click', () =>
    goTo(timeline.at === 'other' ? undefined : 'other'),
  );
  ask('time').then(takeTime, () => {});
}
byId('tab-time').hidden = byId('time-keys').hidden = !mayGoBack;
