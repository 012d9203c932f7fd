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
// A full kind does no harm; it is red once something found no room in it.
const fullness = kind => ({
  meter: kind.full,
  text: percent(kind.full),
  bad: kind.refused > 0,
  title: kind.refused ? count(kind.refused) + ' found no room' : '',
});

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
