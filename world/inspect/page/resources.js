// ---- Resources: sliders and boxes over their numbers ------------------------------------------

const numeric = part => /^(u?int|float)/.test(part.type);
function takeResources(found) {
  byId('resources-none').hidden = !!found.resources.length;
  const form = byId('resources'),
    key = JSON.stringify(
      found.resources.map(resource => [resource.name, resource.fields, resource.controls]),
    );
  if (form.dataset.key !== key) {
    form.dataset.key = key;
    form.replaceChildren(
      ...found.resources.flatMap(resource =>
        partsOf(resource.name, resource.fields).map(part => control(resource, part)),
      ),
    );
  }
  for (const resource of found.resources)
    for (const part of partsOf(resource.name, resource.fields))
      lanesOf(resource.values, part).forEach((value, index) => {
        const name = resource.name + '.' + part.in + '.' + part.part + '/' + index;
        for (const input of form.querySelectorAll('[data-key="' + CSS.escape(name) + '"]'))
          show(input, value);
      });
}
// show sets what an input shows, unless somebody is about to set it.
function show(input, value) {
  if (
    Date.now() - (input.touched || 0) < 1500 ||
    (document.activeElement === input && input.type === 'number' && input.dirty)
  )
    return;
  if (input.type === 'checkbox') input.checked = value;
  else if (input.tagName === 'SPAN') say(input, lane(value));
  else if (input.value !== String(value)) input.value = value;
}

// control makes the inputs of a part of a resource: a slider where the program gives bounds, else a
// box; a text where it cannot be set.
function control(resource, part) {
  const limits =
    resource.controls.find(one => one.field === part.in && one.part === part.part) || {};
  const title = part.name === resource.name ? resource.name : part.part || part.name,
    settable = mayEdit && !limits.fixed && (numeric(part) || part.type === 'bool') && part.lanes <= 8;
  const whole = !/^float/.test(part.type),
    inputs = [];
  for (let index = 0; index < Math.min(part.lanes, 8); index++) {
    const key = resource.name + '.' + part.in + '.' + part.part + '/' + index,
      id = 'set-' + key;
    if (!settable) {
      inputs.push(element('span', { class: 'mono', 'data-key': key }));
      continue;
    }
    const adjust = value => setResource(resource, part, index, value);
    const label = title + (part.lanes > 1 ? ' ' + (index + 1) : '') + ' of ' + resource.name;
    if (part.type === 'bool') {
      inputs.push(
        element('input', {
          type: 'checkbox',
          'data-key': key,
          id,
          'aria-label': label,
          onchange: event => adjust(String(event.target.checked)),
        }),
      );
      continue;
    }
    const step =
      limits.step ||
      (limits.max === undefined
        ? 'any'
        : whole
          ? 1
          : +((limits.max - limits.min) / 100).toPrecision(3));
    const box = element('input', {
      type: 'number',
      'data-key': key,
      id,
      min: limits.min,
      max: limits.max,
      step: whole ? 1 : 'any',
      'aria-label': label,
      inputmode: whole ? 'numeric' : 'decimal',
      oninput: () => {
        box.dirty = true;
      },
      onblur: () => {
        box.dirty = false;
      },
      onchange: () => {
        box.dirty = false;
        box.touched = Date.now();
        adjust(box.value);
      },
    });
    if (limits.max !== undefined) {
      const range = element('input', {
        type: 'range',
        'data-key': key,
        min: limits.min,
        max: limits.max,
        step,
        'aria-label': label + ', slider',
        oninput: () => {
          range.touched = box.touched = Date.now();
          box.value = range.value;
          adjust(range.value);
        },
      });
      inputs.push(range);
    }
    inputs.push(box);
  }
  return element(
    'div',
    { class: settable ? 'control' : 'control plain' },
    element(
      'span',
      { class: 'small' },
      title,
      element(
        'span',
        { class: 'dim' },
        part.name === resource.name
          ? ''
          : ' · ' +
              resource.name +
              (limits.fixed
                ? ', fixed'
                : limits.max !== undefined
                  ? ', ' + limits.min + ' to ' + limits.max
                  : ''),
      ),
    ),
    element('div', { class: 'row' }, ...inputs),
  );
}

// setResource asks for a value; of those that wait for the one before, the last is asked for.
const asks = new Map();
async function setResource(resource, part, index, value) {
  const key = resource.name + '.' + part.in + '.' + part.part;
  const inputs = [...Array(part.lanes).keys()].map(lane => byId('set-' + key + '/' + lane));
  const values = inputs.map((input, lane) =>
    lane === index ? value : input.type === 'checkbox' ? String(input.checked) : input.value,
  );
  if (asks.has(key)) {
    asks.set(key, values);
    return;
  }
  for (let next = values; next;) {
    asks.set(key, null);
    let fault = '';
    try {
      const answer = await fetch(api + 'edit', {
        method: 'POST',
        headers: { 'X-Token': token, 'Content-Type': 'application/json' },
        body: JSON.stringify({
          op: 'set',
          kind: resource.name,
          field: part.in,
          part: part.part,
          values: next,
        }),
      });
      if (!answer.ok) fault = (await answer.json()).error;
    } catch (failure) {
      fault = 'no answer; the value was not set';
    }
    byId('resources-fault').hidden = !fault;
    say('resources-fault', fault);
    if (fault)
      for (const input of document.querySelectorAll(
        '#resources [data-key^="' + CSS.escape(key) + '/"]',
      ))
        input.touched = 0;
    next = asks.get(key);
  }
  asks.delete(key);
}
byId('resources').addEventListener('submit', event => event.preventDefault());
