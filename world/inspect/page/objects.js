// ---- Objects -----------------------------------------------------------------------------------

async function showObjects() {
  const list = lists.objects;
  const text = byId('objects-search').value.trim(),
    byKinds = /[,!<>=]/.test(text) || world.byName.has(text);
  const found = await ask(
    'objects?' +
      new URLSearchParams({ page: list.page, size: 50, [byKinds ? 'kinds' : 'q']: text }),
  );
  if (place.view !== 'objects') return;
  turned('objects', found);
  say('objects-text', count(found.total) + (text ? ' found' : ' alive'));
  say(
    'objects-none',
    text && !byKinds
      ? 'No object has this id or name, and there is no kind “' + text + '”.'
      : 'No object matches.',
  );
  fill(
    byId('objects'),
    found.objects,
    object => object.index + ':' + object.generation,
    object => [
      { n: 1, text: object.index, href: objectLink(object) },
      { n: 1, text: object.generation },
      object.name === undefined ? { text: '–', cls: 'dim' } : object.name,
      { tags: object.kinds },
    ],
  );
}

// settable makes the place of a value, which a click or Enter sets where the program allows it:
// then it is an input, which Enter takes and Escape gives up.
function settable(object, kind, part) {
  if (!mayEdit || part.in === undefined) return element('dd', {});
  const wish = text => ({
    op: 'set',
    object: object.index + 'v' + object.generation,
    kind,
    field: part.in,
    part: part.part,
    values: part.lanes === 1 || kind === 'name' ? [text] : text.trim().split(/[\s,]+/),
  });
  const set = event => {
    const dd = event.currentTarget;
    if (event.target !== dd || timeline.at !== undefined) return;
    event.preventDefault();
    const input = element('input', {
      type: 'text',
      value: dd.textContent,
      'aria-label': kind + '.' + part.name + ' of object ' + object.index,
      onkeydown: async key => {
        key.stopPropagation();
        if (key.key === 'Escape') input.remove();
        if (key.key === 'Enter' && (await edit(wish(input.value)))) input.remove();
        if (!input.isConnected) {
          dd.links = undefined;
          refresh();
          dd.focus();
        }
      },
    });
    dd.replaceChildren(input);
    dd.links = undefined;
    input.focus();
    input.select();
  };
  return element('dd', {
    class: 'set',
    tabindex: 0,
    title: 'Set',
    onclick: set,
    onkeydown: event => {
      if (event.key === 'Enter') set(event);
    },
  });
}

// adding makes the form that adds a component: a kind that the object has not, found by typing.
function adding(object) {
  const has = new Set(object.components.map(component => component.kind));
  const kinds = world.kinds
    .filter(kind => kind.role !== 'beside' && !has.has(kind.name))
    .map(kind => kind.name)
    .sort();
  const input = element('input', {
    id: 'object-kind',
    list: 'object-kinds',
    placeholder: 'kind',
    'aria-label': 'Kind to add',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  const add = event => {
    event.preventDefault();
    if (input.value.trim())
      edit({ op: 'add', object: object.index + 'v' + object.generation, kind: input.value.trim() });
  };
  return element(
    'form',
    { id: 'object-add', onsubmit: add },
    input,
    element(
      'datalist',
      { id: 'object-kinds' },
      ...kinds.map(kind => element('option', { value: kind })),
    ),
    element('button', { class: 'button' }, 'Add'),
  );
}

// removing makes the button that removes a component.
function removing(object, kind) {
  const remove = () => edit({ op: 'remove', object: object.index + 'v' + object.generation, kind });
  return element(
    'button',
    {
      class: 'button remove',
      type: 'button',
      title: 'Remove ' + kind,
      'aria-label': 'Remove ' + kind,
      onclick: remove,
    },
    '×',
  );
}

async function showObject() {
  const id = place.object;
  byId('object').hidden = id === undefined;
  if (id === undefined) return;
  let object;
  try {
    object = await ask('object?id=' + encodeURIComponent(id));
  } catch (failure) {
    if (!failure.status) throw failure;
    byId('object').dataset.key = '';
    byId('object').replaceChildren(
      element('div', { class: 'head' }, element('h2', {}, 'Object ' + id)),
      element('div', { class: 'empty' }, failure.message),
    );
    return;
  }
  if (place.object !== id) return;
  const values = object.components.flatMap(component =>
    component.role === 'values'
      ? [[[lanes(component.values[0])]]]
      : partsOf(component.kind, component.fields).map(part => {
          const texts = lanesOf(component.values, part);
          return part.type === 'id'
            ? texts.map(text => (isObject(part, text) ? [text, '#objects/' + text] : [text]))
            : [[lanes(texts)]];
        }),
  );
  const key = JSON.stringify([
    world.kinds.length,
    !!timeline.said,
    object.index,
    object.generation,
    object.name,
    object.components.map(component => [component.kind, component.row, component.suspended]),
    object.referrers,
  ]);
  if (byId('object').dataset.key !== key && byId('object').querySelector('dd input')) return; // later
  if (byId('object').dataset.key !== key) {
    // what it has is another; else only values are
    byId('object').dataset.key = key;
    byId('object').replaceChildren(
      element(
        'div',
        { class: 'head' },
        element('h2', {}, 'Object ' + object.index + (object.name ? ' · ' + object.name : '')),
        element(
          'span',
          { class: 'dim small' },
          'generation ' +
            object.generation +
            ' · ' +
            object.components.length +
            (object.components.length === 1 ? ' component' : ' components'),
        ),
        element('span', { class: 'spacer' }),
        ...(mayEdit
          ? [
              adding(object),
              element(
                'button',
                {
                  class: 'button',
                  id: 'object-dispose',
                  onclick: () =>
                    edit({ op: 'dispose', object: object.index + 'v' + object.generation }),
                },
                'Dispose',
              ),
            ]
          : []),
        element('a', { class: 'button', href: '#objects', 'aria-label': 'Close' }, '×'),
      ),
      element(
        'div',
        { class: 'parts' },
        ...object.components.map(component =>
          element(
            'div',
            { class: 'part', 'data-kind': component.kind },
            element(
              'h3',
              {},
              element('a', { href: '#rows/' + encodeURIComponent(component.kind) }, component.kind),
              component.role === 'mark'
                ? element('span', { class: 'dim' }, 'mark, no fields')
                : element(
                    'a',
                    { href: rowLink(component.kind, component.row), class: 'small' },
                    'row ' + count(component.row),
                  ),
              ...(component.role === 'mark' ||
              component.role === 'values' ||
              component.fields.length
                ? []
                : [element('span', { class: 'dim' }, 'no fields')]),
              ...(component.suspended ? [element('span', { class: 'tag warm' }, 'suspended')] : []),
              ...(mayEdit && !component.suspended ? [removing(object, component.kind)] : []),
            ),
            element(
              'dl',
              {},
              ...(component.role === 'values'
                ? [{ name: 'value' }]
                : partsOf(component.kind, component.fields)
              ).flatMap(part => [
                element('dt', {}, part.name, ...asking(object, component.kind, part)),
                settable(object, component.kind, part),
              ]),
            ),
          ),
        ),
        ...object.referrers.map(relation =>
          element(
            'details',
            { class: 'part referrers', open: relation.count <= 8 },
            element(
              'summary',
              {},
              count(relation.count) +
                (relation.count === 1 ? ' object refers' : ' objects refer') +
                ' to it by ' +
                relation.relation,
            ),
            element(
              'p',
              {},
              ...relation.objects.flatMap(referrer => [
                element(
                  'a',
                  { href: objectLink(referrer) },
                  referrer.index + (referrer.name ? ' ' + referrer.name : ''),
                ),
                ' ',
              ]),
              relation.count > relation.objects.length ? '…' : '',
            ),
          ),
        ),
      ),
    );
  }
  byId('object')
    .querySelectorAll('dd')
    .forEach((dd, index) => dd.querySelector('input') || link(dd, values[index]));
}
