// ---- Kinds ------------------------------------------------------------------------------------

const columns = [
  {
    name: 'Kind',
    by: kind => kind.name,
    cell: kind => ({
      text: kind.name,
      href: '#rows/' + encodeURIComponent(kind.name),
      title: kind.fields.map(field => field.name + ' ' + shape(field)).join(', '),
    }),
  },
  { name: 'Role', by: kind => kind.role, cell: kind => ({ tags: [kind.role] }) },
  {
    name: 'Fields',
    by: kind => fieldsOf(kind),
    cell: kind => ({
      text: fieldsOf(kind),
      title: fieldsOf(kind),
      cls: 'fields ' + (kind.fields.length || kind.role === 'values' ? '' : 'dim'),
    }),
  },
  { name: 'Mounted', n: 1, by: kind => kind.mounted, title: 'On an object' },
  { name: 'Loose', n: 1, by: kind => kind.loose, title: 'Rows that are on no object yet' },
  {
    name: 'Suspended',
    n: 1,
    by: kind => kind.suspended,
    title: 'Rows that keep the values of an object',
  },
  { name: 'High', n: 1, by: kind => kind.high, title: 'Rows ever used' },
  { name: 'Capacity', n: 1, by: kind => kind.capacity },
  { name: 'Full', by: kind => kind.full, cell: kind => (kind.capacity ? fullness(kind) : '') },
  {
    name: 'Refused',
    n: 1,
    by: kind => kind.refused,
    title: 'Calls and commands that found no room in it',
    cell: kind => ({
      n: 1,
      text: kind.refused ? count(kind.refused) : '·',
      cls: kind.refused ? 'bad' : 'dim',
    }),
  },
  {
    name: 'Memory',
    n: 1,
    by: kind => kind.usedBytes,
    title: 'Bytes ever used',
    cell: kind => ({ n: 1, text: bytes(kind.usedBytes), title: bytes(kind.bytes) + ' allocated' }),
  },
  {
    name: 'Lockstep',
    n: 1,
    by: kind => (kind.now ? kind.now.lockstep : -1),
    title: 'Share of mounted components whose row follows from their object alone',
    cell: kind => ({
      n: 1,
      text: !kind.now || kind.role === 'mark' ? '' : percent(kind.now.lockstep),
      cls: kind.now && kind.role !== 'mark' && kind.now.lockstep < 0.5 ? 'warm' : '',
    }),
  },
  {
    name: 'Mean run',
    n: 1,
    by: kind => (kind.now ? kind.now.meanRun : -1),
    title: 'Rows that follow each other, on average',
    cell: kind => ({ n: 1, text: kind.now ? run(kind.now.meanRun) : '' }),
  },
  {
    name: 'Runs',
    n: 1,
    by: kind => (kind.now ? kind.now.runs : -1),
    title: 'Of consecutive rows, in the order of their objects',
    cell: kind => ({ n: 1, text: kind.now ? count(kind.now.runs) : '' }),
  },
];
const order = { column: 3, down: true };

// fieldsOf says what a row of a kind consists of, part by part.
function fieldsOf(kind) {
  if (kind.role === 'values') return 'a Go value';
  return (
    partsOf(kind.name, kind.fields)
      .map(part => part.name + ' ' + part.type + (part.lanes > 1 ? '×' + part.lanes : ''))
      .join(', ') || 'no fields'
  );
}
function showKinds() {
  const text = byId('kinds-filter').value.trim().toLowerCase(),
    role = byId('kinds-role').value,
    only = byId('kinds-used').checked;
  const shown = world.kinds.filter(
    kind =>
      (!only || kind.inUse) &&
      (!role || kind.role === role) &&
      (!text ||
        kind.name.toLowerCase().includes(text) ||
        kind.fields.some(
          field =>
            field.name.toLowerCase().includes(text) ||
            field.parts.some(part => part.name.toLowerCase().includes(text)),
        )),
  );
  byId('kinds').className = shown.length > 100 ? 'dense' : '';
  fill(
    byId('kinds'),
    sorted(shown, columns, order),
    kind => kind.name,
    kind =>
      columns.map(column =>
        column.cell
          ? column.cell(kind)
          : {
              n: column.n,
              text:
                typeof column.by(kind) === 'number'
                  ? column.by(kind)
                    ? count(column.by(kind))
                    : '·'
                  : column.by(kind),
              cls: column.by(kind) ? '' : 'dim',
            },
      ),
  );
  const now = shown.reduce((sum, kind) => sum + (kind.now ? kind.now.runs : 0), 0);
  say(
    'kinds-text',
    !world.kinds.length
      ? 'asking…'
      : count(shown.length) +
          ' of ' +
          count(world.kinds.length) +
          ' kinds · their rows lie in ' +
          count(now) +
          (now === 1 ? ' run' : ' runs'),
  );
  byId('kinds-none').hidden = !!shown.length || !world.kinds.length;
}
for (const id of ['kinds-filter', 'kinds-role', 'kinds-used'])
  byId(id).addEventListener('input', showKinds);
