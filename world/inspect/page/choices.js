// ---- Choices of kinds and fields ---------------------------------------------------------------

// points returns the parts of a field that are points: two to four float32 side by side, each a part
// or all of a struct.
function points(field) {
  const found = new Map();
  let from = 0;
  for (const part of field.parts) {
    const names = [part.name]; // Guns[3].Pos, Guns[3], Guns and all of it
    for (let at = part.name.length; at > 0; at--)
      if (part.name[at] === '.' || part.name[at] === '[') names.push(part.name.slice(0, at));
    for (const name of new Set([...names, ''])) {
      const known = found.get(name) || { from, lanes: 0, all: true };
      found.set(name, {
        from: known.from,
        lanes: known.lanes + part.lanes,
        all: known.all && part.type === 'float32',
      });
    }
    from += part.lanes;
  }
  const once = new Map(); // the longest name of each
  for (const [name, group] of found)
    if (
      group.all &&
      group.lanes > 1 &&
      group.lanes < 5 &&
      !once.has(group.from + ':' + group.lanes)
    )
      once.set(group.from + ':' + group.lanes, name);
  return [...once.values()];
}
// fillChoices offers kinds for rows, and fields that can be drawn.
function fillChoices() {
  fillTerms();
  const kinds = world.kinds.filter(kind => kind.inUse || kind.name === place.kind);
  choose(
    byId('rows-kind'),
    kinds.map(kind => [kind.name, kind.name]),
    place.kind,
  );
  const fields = [];
  for (const kind of world.kinds)
    for (const field of kind.fields) {
      if (kind.mounted && kind.role !== 'beside')
        for (const part of points(field))
          fields.push([
            JSON.stringify([kind.name, field.name, part]),
            within(
              kind.fields.length === 1 && field.name === kind.name
                ? kind.name
                : kind.name + '.' + field.name,
              part,
            ),
          ]);
    }
  const usual =
    fields.find(choice => choice[1] === 'position.xyz') ||
    fields.find(choice => /pos/i.test(choice[1])) ||
    fields[0];
  choose(byId('view-field'), fields, byId('view-field').value || (usual && usual[0]));
}
function choose(select, choices, value) {
  const key = JSON.stringify(choices);
  if (select.dataset.key !== key) {
    select.dataset.key = key;
    select.replaceChildren(
      ...choices.map(([option, text]) => element('option', { value: option }, text)),
    );
  }
  if (value !== undefined && select.value !== value && document.activeElement !== select)
    select.value = value;
}
