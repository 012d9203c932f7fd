'use strict';
const root = '/debug/ecs';
const api = root + '/api/';
const byId = id => document.getElementById(id);
const asked = new URLSearchParams(location.search);

// ---- Words and numbers ------------------------------------------------------------------------

const count = number => number.toLocaleString('en-US');
function bytes(size) {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let unit = 0;
  while (size >= 1024 && unit < 4) {
    size /= 1024;
    unit++;
  }
  return (
    (unit && size < 100 ? size.toFixed(size < 10 ? 2 : 1) : Math.round(size)) + ' ' + units[unit]
  );
}
function time(ms) {
  if (ms === 0) return '0';
  if (ms < 0.1) return (ms * 1000).toFixed(1) + ' µs';
  if (ms < 1000) return ms.toFixed(ms < 10 ? 2 : 1) + ' ms';
  return (ms / 1000).toFixed(ms < 10000 ? 2 : 1) + ' s';
}
const percent = share =>
  share > 0 && share < 0.001
    ? '<0.1 %'
    : (share * 100).toFixed(share === 1 || share === 0 ? 0 : 1) + ' %';
const run = length => (length >= 100 ? count(Math.round(length)) : length.toFixed(1));
const shape = field =>
  field.parts
    .map(part => (part.name ? part.name + ' ' : '') + part.type + '×' + part.lanes)
    .join(', ');
// within names a part of something: position, position.X, [3].Ammo.
const within = (name, part) => (!part ? name : name + (part[0] === '[' ? '' : '.') + part);
// partsOf returns the parts of all fields, each with its name and the number of its field and lane.
function partsOf(kind, fields) {
  const alone = fields.length === 1 && fields[0].name === kind;
  return fields.flatMap((spec, field) => {
    let from = 0;
    return spec.parts.map(part => {
      const name = alone && part.name ? part.name : within(spec.name, part.name);
      from += part.lanes;
      return {
        name,
        part: part.name,
        in: spec.name,
        type: part.type,
        lanes: part.lanes,
        field,
        from: from - part.lanes,
      };
    });
  });
}
const lanesOf = (values, part) =>
  (values[part.field] || []).slice(part.from, part.from + part.lanes);
const isObject = (part, text) => part.type === 'id' && /^[0-9]+(v[0-9]+)?$/.test(text);
function lane(value) {
  if (typeof value !== 'number') return String(value);
  return Number.isInteger(value) ? String(value) : String(+value.toPrecision(6));
}
const lanes = values => (Array.isArray(values) ? values.map(lane).join('  ') : String(values));
