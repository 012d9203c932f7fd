// ---- Rows --------------------------------------------------------------------------------------

const lists = { rows: { page: 0, pages: 0 }, objects: { page: 0, pages: 0 } };
for (const name of ['rows', 'objects']) {
  const list = lists[name];
  const go = to => {
    list.page = Math.max(0, Math.min(to(), list.pages - 1));
    refresh();
  };
  const button = (id, text, label, to) =>
    element(
      'button',
      {
        type: 'button',
        class: 'button',
        id: name + '-' + id,
        'aria-label': label,
        title: label,
        onclick: () => go(to),
      },
      text,
    );
  document.querySelector('[data-of=' + name + ']').append(
    button('first', '«', 'First page', () => 0),
    ' ',
    button('back', '‹', 'Page before', () => list.page - 1),
    ' ',
    element('span', { class: 'mono small', id: name + '-page' }, '–'),
    ' ',
    button('next', '›', 'Next page', () => list.page + 1),
    ' ',
    button('last', '»', 'Last page', () => list.pages - 1),
  );
  let typing = 0;
  byId(name + '-search').addEventListener('input', () => {
    clearTimeout(typing);
    typing = setTimeout(() => {
      list.page = 0;
      refresh();
    }, 150);
  });
}
function turned(name, found) {
  const list = lists[name];
  list.pages = found.pages;
  if (list.page >= found.pages && found.pages) {
    list.page = found.pages - 1;
    refresh();
    return;
  }
  say(name + '-page', found.pages ? found.page + 1 + ' / ' + count(found.pages) : '0 / 0');
  for (const id of ['first', 'back']) byId(name + '-' + id).disabled = list.page === 0;
  for (const id of ['next', 'last']) byId(name + '-' + id).disabled = list.page >= found.pages - 1;
  byId(name + '-none').hidden = !!found.total;
  byId(name).hidden = !found.total;
}
const objectLink = object => '#objects/' + object.index;
const rowLink = (kind, row) => '#rows/' + encodeURIComponent(kind) + '/' + row;
const padded = values =>
  Array.isArray(values) && values.length > 1 && values.length < 5
    ? values.map(value => lane(value).padStart(11)).join('')
    : whole(values);
const whole = values =>
  Array.isArray(values) && values.length > 8 ? lanes(values.slice(0, 8)) + ' …' : lanes(values);

async function showRows() {
  const kind = place.kind,
    list = lists.rows;
  if (!kind) return;
  if (world.kinds.length && !world.byName.has(kind))
    throw Object.assign(new Error('There is no kind "' + kind + '" in this world; choose another.'), {
      status: 404,
    });
  const turn = place.turn ? { row: place.row } : {};
  const found = await ask(
    'rows?' +
      new URLSearchParams({
        kind,
        page: list.page,
        size: 50,
        q: byId('rows-search').value.trim(),
        ...turn,
      }),
  );
  if (place.view !== 'rows' || place.kind !== kind) return;
  if (place.turn) {
    place.turn = false;
    list.page = found.page;
  }
  turned('rows', found);
  say(
    'rows-text',
    count(found.total) +
      (found.q ? ' found' : found.role === 'mark' ? ' objects' : ' rows in use') +
      (found.fields.length || found.role === 'values' ? '' : ' · this kind has no fields'),
  );
  const parts = found.role === 'values' ? [] : partsOf(kind, found.fields);
  const isText = part =>
    found.rows[0] &&
    part.type === 'uint8' &&
    typeof lanesOf(found.rows[0].values, part)[0] === 'string';
  const names =
    found.role === 'values'
      ? ['value']
      : parts.map(part => part.name + (part.lanes > 1 && !isText(part) ? ' ×' + part.lanes : ''));
  const titles = parts.map(part => part.type + ', ' + part.lanes + ' per row');
  const heads = [...(found.role === 'mark' ? [] : ['Row', 'Use']), 'Object', 'Name', ...names];
  const wanted = heads.join('\n');
  if (byId('rows').dataset.heads !== wanted) {
    byId('rows').dataset.heads = wanted;
    byId('rows').tHead.rows[0].replaceChildren(
      ...heads.map((text, index) =>
        element(
          'th',
          {
            scope: 'col',
            class: text === 'Row' || text === 'Object' ? 'n' : '',
            title: titles[index - heads.length + names.length],
          },
          text,
        ),
      ),
    );
    byId('rows').tBodies[0].replaceChildren();
  }
  fill(
    byId('rows'),
    found.rows,
    item => item.row ?? 'o' + item.object.index,
    item => [
      ...(found.role === 'mark'
        ? []
        : [{ n: 1, text: item.row, href: rowLink(kind, item.row) }, { tags: [item.use] }]),
      item.object
        ? {
            n: 1,
            text: item.object.index,
            href: objectLink(item.object),
            title: 'generation ' + item.object.generation,
          }
        : { n: 1, text: '' },
      item.object && item.object.name !== undefined ? item.object.name : '',
      ...(found.role === 'values'
        ? item.values.map(values => [values])
        : parts.map(part => [lanesOf(item.values, part), part])
      ).map(([values, part]) =>
        part && part.type === 'id'
          ? {
              links: values.map(text =>
                isObject(part, text) ? [text, '#objects/' + text] : [text],
              ),
              cls: 'mono',
            }
          : {
              text: padded(values),
              cls: 'mono lanes',
              title: whole(values) === lanes(values) ? '' : lanes(values),
            },
      ),
    ],
    item => (item.row !== undefined && item.row === place.row ? 'at' : ''),
  );
  const row = found.at !== undefined && document.querySelector('#rows tr.at');
  if (row) {
    // in the middle of the table, and the table on the page
    byId('rows').parentElement.scrollTop =
      row.offsetTop - byId('rows').parentElement.clientHeight / 2;
    row.scrollIntoView({ block: 'nearest' });
  }
}
