// ---- Places -----------------------------------------------------------------------------------

const views = ['overview', 'kinds', 'rows', 'objects', 'model', 'profiles', 'time'];
const place = { view: '', kind: undefined, row: undefined, turn: false, object: undefined };

function go() {
  const [name, ...rest] = location.hash.slice(1).split('/');
  let what;
  try {
    what = rest.length ? decodeURIComponent(rest[0]) : undefined;
  } catch (failure) {
    what = undefined;
  }
  const before = place.view;
  place.view = views.includes(name) ? name : 'overview';
  if (place.view === 'rows') {
    if (what && what !== place.kind) {
      place.kind = what;
      lists.rows.page = 0;
    }
    place.row = /^\d+$/.test(rest[1] || '') ? +rest[1] : undefined;
    place.turn = place.row !== undefined;
    byId('rows-row').value = place.row ?? '';
    if (!place.kind)
      place.kind = (
        world.kinds.find(kind => kind.name === 'position' && kind.inUse) ||
        world.kinds.find(kind => kind.inUse) ||
        {}
      ).name;
  }
  place.object = place.view === 'objects' ? what : undefined;
  if (before === 'overview' && place.view !== 'overview') since();
  for (const tab of views) {
    byId('panel-' + tab).hidden = tab !== place.view;
    byId('tab-' + tab).setAttribute('aria-selected', tab === place.view);
    byId('tab-' + tab).tabIndex = tab === place.view ? 0 : -1;
  }
  fillChoices();
  if (before !== place.view) {
    connect();
    if (place.view === 'kinds') showKinds();
    drawGraph();
    draw();
    drawCharts();
    if (place.view === 'time') showFutures();
  }
  refresh();
  if (place.object !== undefined || before !== place.view) window.scrollTo(0, 0);
}
let refreshing = false,
  again = false;
async function refresh() {
  if (refreshing) {
    again = true;
    return;
  }
  refreshing = true;
  try {
    if (place.view === 'rows') {
      if (!place.kind && world.kinds.length) go();
      await showRows();
    }
    if (place.view === 'objects') {
      await showObject();
      await showObjects();
    }
    if (place.view === 'overview' && !view.data) await look();
    if (place.view === 'model') {
      takePlots(await ask('plots'));
      takeResources(await ask('resources'));
      await Promise.all([showPicture(), showClient()]);
    }
    problem('');
  } catch (failure) {
    if (failure.status) problem(failure.message);
    else lost();
  }
  refreshing = false;
  if (again) {
    again = false;
    refresh();
  }
}
setInterval(() => {
  if (
    byId('live').checked &&
    !document.hidden &&
    typeof timeline.at !== 'number' &&
    (place.view === 'rows' || place.view === 'objects')
  )
    refresh();
}, 1000);

for (const tab of views)
  byId('tab-' + tab).addEventListener('click', () => {
    location.hash = tab === 'rows' && place.kind ? 'rows/' + encodeURIComponent(place.kind) : tab;
  });
byId('tabs').addEventListener('keydown', event => {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!by) return;
  const next = byId('tab-' + views[(views.indexOf(place.view) + by + views.length) % views.length]);
  next.click();
  next.focus();
});
byId('rows-row').addEventListener('change', () => {
  const row = byId('rows-row').value.trim();
  if (place.kind && /^\d*$/.test(row))
    location.hash = row
      ? rowLink(place.kind, row).slice(1)
      : 'rows/' + encodeURIComponent(place.kind);
});
byId('rows-kind').addEventListener('change', () => {
  location.hash = 'rows/' + encodeURIComponent(byId('rows-kind').value);
});
byId('live').addEventListener('change', () => {
  if (world.overview) takeOverview(world.overview);
  connect();
});
document.addEventListener('keydown', event => {
  if (
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)
  ) {
    if (event.key === 'Escape') event.target.blur();
    return;
  }
  if (event.key === '/') {
    event.preventDefault();
    if (!['kinds', 'rows', 'objects'].includes(place.view)) location.hash = 'kinds';
    setTimeout(() =>
      byId(
        { rows: 'rows-search', objects: 'objects-search' }[place.view] || 'kinds-filter',
      ).focus(),
    );
  } else if (event.key >= '1' && event.key <= '7') {
    byId('tab-' + views[event.key - 1]).click();
  } else if (event.key === 'p') {
    byId('live').click();
  } else if (mayGoBack && timeline.said) {
    const frame = typeof timeline.at === 'number' ? timeline.at : timeline.said.next;
    const does = {
      ' ': () => byId('time-pause').click(),
      '.': () => (timeline.at === undefined ? byId('time-step').click() : goTo(frame + 1)),
      ',': () => goTo(Math.max(timeline.said.first, frame - 1)),
      Escape: () => goTo(undefined),
    }[event.key];
    if (!does || (event.key === ' ' && event.target.tagName === 'BUTTON')) return;
    event.preventDefault();
    does();
  }
});
document.addEventListener('visibilitychange', () => {
  if (document.hidden) since();
  connect();
});
window.addEventListener('hashchange', go);
window.addEventListener('pagehide', disconnect);
window.addEventListener('pageshow', event => {
  if (event.persisted) connect();
});
new ResizeObserver(() => {
  drawGraph();
  draw();
  drawPlots();
  if (place.view === 'time') drawCharts();
}).observe(byId('panel'));
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
  drawGraph();
  plots.key = '';
  drawPlots();
});

headed(byId('kinds'), columns, order, showKinds);
headed(byId('jobs'), jobColumns, jobOrder, showJobs);
go();
