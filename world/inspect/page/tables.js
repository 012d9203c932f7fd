// ---- Tables that are sorted by their heads ----------------------------------------------------

// headed makes the heads of a table: each sorts it.
function headed(table, columns, order, show) {
  table.tHead.rows[0].replaceChildren(
    ...columns.map((column, index) => {
      const th = element(
        'th',
        { class: column.n ? 'n' : '', scope: 'col', title: column.title },
        element(
          'button',
          {
            type: 'button',
            onclick: () => {
              order.down =
                order.column === index
                  ? !order.down
                  : !!column.n || column.name === 'Full' || column.name === 'History';
              order.column = index;
              headed(table, columns, order, show);
              show();
              table.tHead.rows[0].cells[index].firstChild.focus();
            },
          },
          column.name,
        ),
      );
      if (index === order.column)
        th.setAttribute('aria-sort', order.down ? 'descending' : 'ascending');
      return th;
    }),
  );
}
// sorted returns the items in order; those that are equal stay in the order of their numbers.
function sorted(items, columns, order) {
  const by = columns[order.column].by;
  return items.sort((one, other) => {
    const first = by(one),
      second = by(other),
      less =
        typeof first === 'string'
          ? first.localeCompare(second, 'en', { numeric: true })
          : first - second;
    return (order.down ? -less : less) || one.number - other.number;
  });
}

function takeKinds(found) {
  world.kinds = found.kinds;
  world.byName = new Map(found.kinds.map(kind => [kind.name, kind]));
  fillChoices();
  if (place.view === 'kinds') showKinds();
  if (place.view === 'overview') {
    const full = found.kinds
      .filter(kind => kind.capacity > 0 && kind.inUse && kind.role !== 'beside')
      .sort(
        (one, other) =>
          other.refused - one.refused || other.full - one.full || other.capacity - one.capacity,
      );
    fill(
      byId('fullest'),
      full.slice(0, 6),
      kind => kind.name,
      kind => [
        { text: kind.name, href: '#rows/' + encodeURIComponent(kind.name) },
        { n: 1, text: count(rowsOf(kind)) },
        { n: 1, text: count(kind.capacity) },
        fullness(kind),
      ],
    );
  }
}
const rowsOf = kind => kind.mounted + kind.loose + kind.suspended;
// A full kind does no harm: it is amber if further objects would soon find no room in it, and red once
// something did. In a world that has no room for further objects, all kinds may be full.
const fullness = kind => {
  const objects = world.overview && world.overview.objects;
  const near =
    !!objects &&
    kind.full >= 0.98 &&
    kind.capacity - rowsOf(kind) < objects.capacity - objects.alive;
  return {
    meter: kind.full,
    text: percent(kind.full),
    warm: near,
    bad: kind.refused > 0,
    title: kind.refused
      ? count(kind.refused) + ' found no room'
      : near
        ? 'room for ' + count(kind.capacity - rowsOf(kind)) + ' more'
        : '',
  };
};

function takeWatchers(found) {
  byId('watchers').hidden = !found.watchers.length;
  byId('watchers-none').hidden = !!found.watchers.length;
  fill(
    byId('watchers'),
    found.watchers,
    watcher => watcher.number,
    watcher => [
      { n: 1, text: watcher.number },
      { text: watcher.rules, title: watcher.rules },
      { n: 1, text: count(watcher.members) },
      { n: 1, text: count(watcher.entered) },
      { n: 1, text: count(watcher.left) },
    ],
  );
}
