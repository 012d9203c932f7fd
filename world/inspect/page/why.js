// ---- Why: who wrote a value, and how it went ---------------------------------------------------

// asking makes the buttons beside a value that ask who wrote it, and for its chart.
function asking(object, kind, part) {
  if (!timeline.said || part.in === undefined) return [];
  const of = {
    object: object ? object.index + 'v' + object.generation : '',
    field: fieldName(kind, part.in),
    part: part.part,
  };
  const button = (cls, text, label, onclick) =>
    element('button', { class: 'small ' + cls, type: 'button', 'aria-label': label, onclick }, text);
  const name = of.field + (object ? ' of object ' + object.index : '');
  return [
    ...(timeline.said.why
      ? [button('why', 'Why?', 'Who wrote ' + name, () => askWhy(of, 'now', []))]
      : []),
    button('chart', 'Chart', 'Chart of ' + name, () => addChart(of)),
  ];
}

// fieldName is the name of a field as errors show it: kind.field, or the kind alone.
function fieldName(kind, field) {
  const found = world.byName.get(kind);
  return found && found.fields.length === 1 && field === kind ? kind : kind + '.' + field;
}

// askWhy shows the last write of a value before a tick, below those that led there.
async function askWhy(of, before, chain) {
  const box = byId('why');
  box.hidden = false;
  if (!chain.length) box.replaceChildren(element('div', { class: 'empty' }, 'asking…'));
  const query = { object: of.object, field: of.field };
  if (before !== 'now') query.before = before;
  let found;
  try {
    found = await ask('why?' + new URLSearchParams(query));
  } catch (failure) {
    found = { writes: [], end: failure.status ? failure.message : 'no answer' };
  }
  showWhy([...chain, { of, write: found.writes[0], end: found.end }]);
}

function showWhy(chain) {
  const box = byId('why');
  box.replaceChildren(
    element(
      'div',
      { class: 'head' },
      element('h2', {}, 'Why?'),
      element('span', { class: 'dim small' }, 'found by taking the steps again, job by job'),
      element('span', { class: 'spacer' }),
      element(
        'button',
        { class: 'button', type: 'button', 'aria-label': 'Close', onclick: () => (box.hidden = true) },
        '×',
      ),
    ),
    element(
      'ol',
      {},
      ...chain.map(({ of, write, end }, index) => {
        if (!write) return element('li', {}, of.field + ': ' + end);
        const before = chain.slice(0, index + 1);
        const again = (field, beside) =>
          element(
            'button',
            {
              class: 'small why',
              type: 'button',
              'aria-label': 'And who wrote ' + field + ' before tick ' + write.tick,
              onclick: () => askWhy({ object: beside ? '' : of.object, field }, write.tick, before),
            },
            field + '?',
          );
        return element(
          'li',
          {},
          element('span', { class: 'mono' }, write.text.replace(/; reads .*$/, '')),
          ' ',
          ...(write.source
            ? [
                element(
                  'span',
                  { class: 'mono small', title: write.source },
                  'in ' + write.source.split('/').slice(-2).join('/') + ' ',
                ),
              ]
            : []),
          element(
            'button',
            { class: 'small', type: 'button', onclick: () => goTo(write.frame) },
            'look at frame ' + count(write.frame),
          ),
          element(
            'span',
            { class: 'dim small' },
            write.reads.length ? ' it reads ' : ' and before that ',
          ),
          ...(write.reads.length
            ? write.reads.map(read => again(read.field, read.beside))
            : [again(of.field, !of.object)]),
        );
      }),
    ),
  );
  box.dataset.writes = chain.filter(link => link.write).length;
  box.scrollIntoView({ block: 'nearest' });
}

// ---- Charts of values over the frames kept -----------------------------------------------------

const charts = new Map();

// addChart adds a chart of a value, or reads it anew, and goes there.
async function addChart(of) {
  const key = of.field + '/' + of.part + '/' + of.object;
  try {
    const found = await ask('chart?' + new URLSearchParams(of));
    const old = charts.get(key);
    const whose = of.object ? ' of ' + of.object.replace(/v1$/, '') : '';
    const data = { ...found, at: -1, lines: found.lines.map(line => line + whose) };
    charts.set(key, data);
    const again = element('button', { class: 'button', type: 'button', onclick: () => addChart(of) }, 'Again');
    const away = element(
      'button',
      {
        class: 'button',
        type: 'button',
        'aria-label': 'Close',
        onclick: () => {
          data.figure.remove();
          charts.delete(key);
          byId('charts-none').hidden = !!charts.size;
        },
      },
      '×',
    );
    const draw = () => drawPlot(data.figure, data.lines, 0, data);
    data.figure = plotOf(data.lines, data, draw, again, away);
    data.draw = draw;
    data.figure.querySelector('canvas').addEventListener('dblclick', () => {
      if (data.at >= 0) goTo(data.frames[data.at]);
    });
    data.figure.querySelector('canvas').addEventListener('keydown', event => {
      if (event.key === 'Enter' && data.at >= 0) goTo(data.frames[data.at]);
    });
    if (old) old.figure.replaceWith(data.figure);
    else byId('charts').append(data.figure);
    byId('charts-none').hidden = true;
    location.hash = 'time';
    setTimeout(draw);
  } catch (failure) {
    problem(failure.status ? failure.message : 'no answer');
  }
}
function drawCharts() {
  for (const data of charts.values()) data.draw();
}

// ---- Relations as a tree -----------------------------------------------------------------------

// branches fills a list with those below an object, or with the roots.
async function branches(list, relation, object) {
  const found = await ask('tree?' + new URLSearchParams({ relation, object, size: 200 }));
  list.replaceChildren(
    ...found.objects.map(one => {
      const link = element(
        'a',
        { href: objectLink(one) },
        one.index + (one.name ? ' ' + one.name : ''),
      );
      if (!one.count) return element('li', {}, link);
      const below = element('ul', {});
      return element(
        'li',
        {},
        element(
          'details',
          {
            ontoggle: event => {
              event.stopPropagation();
              if (event.currentTarget.open && !below.firstChild)
                branches(below, relation, one.index + 'v' + one.generation).catch(shownProblem);
            },
          },
          element('summary', {}, link, element('span', { class: 'dim small' }, ' ' + count(one.count))),
          below,
        ),
      );
    }),
    ...(found.total > found.objects.length
      ? [element('li', { class: 'dim' }, 'and ' + count(found.total - found.objects.length) + ' more')]
      : []),
    ...(found.total ? [] : [element('li', { class: 'dim' }, 'nobody refers to anybody')]),
  );
}
const shownProblem = failure => problem(failure.status ? failure.message : 'no answer');
function showTree() {
  if (byId('tree').open && byId('tree-relation').value)
    branches(byId('tree-roots'), byId('tree-relation').value, '').catch(shownProblem);
}
byId('tree').addEventListener('toggle', showTree);
byId('tree-relation').addEventListener('change', showTree);

// fillTerms offers what queries are made of, and the relations of the tree.
function fillTerms() {
  const terms = byId('objects-terms'),
    kinds = world.kinds.filter(kind => kind.role !== 'beside'),
    key = kinds.map(kind => kind.name).join('\n');
  if (terms.dataset.key === key) return;
  terms.dataset.key = key;
  const names = [];
  for (const kind of kinds) {
    names.push(kind.name);
    for (const field of kind.fields)
      for (const part of field.parts)
        if (part.lanes === 1) {
          const name = within(fieldName(kind.name, field.name), part.name);
          if (name !== kind.name) names.push(name);
        }
  }
  terms.replaceChildren(...names.map(name => element('option', { value: name })));
  const relations = kinds.filter(kind => kind.relation);
  byId('tree').hidden = !relations.length;
  choose(byId('tree-relation'), relations.map(kind => [kind.name, kind.name]));
}
