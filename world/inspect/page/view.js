// ---- Live view: the raw column, in one call ---------------------------------------------------

const view = {
  yaw: 0.6,
  pitch: 0.5,
  zoom: 1.3,
  box: null,
  points: 0,
  lanes: 3,
  data: null,
  frame: '',
  draws: 0,
  busy: false,
  skip: 1, // 1 in so many points is drawn, so that drawing takes a bounded time
  rests: 0, // until then, so that the page can do something else
};
const viewCanvas = byId('view');

function makeGL() {
  if (asked.get('gl') === '0') return null;
  const context = viewCanvas.getContext('webgl2', {
    antialias: false,
    alpha: false,
    preserveDrawingBuffer: true,
  });
  if (!context) return null;
  const shader = (type, text) => {
    const made = context.createShader(type);
    context.shaderSource(made, text);
    context.compileShader(made);
    return made;
  };
  const program = context.createProgram();
  context.attachShader(
    program,
    shader(
      context.VERTEX_SHADER,
      `#version 300 es
layout(location=0) in vec3 at; uniform mat4 camera; uniform vec3 low, high; uniform float size, light; out vec3 tint;
void main() {
  gl_Position = camera * vec4(at, 1.);
  gl_PointSize = clamp(size / gl_Position.w, 1., 64.);
  vec3 u = (at - low) / max(high - low, vec3(1e-9)) * 2. - 1.;
  float d = length(u * step(1e-9, high - low)) / 1.25;
  vec3 c = mix(vec3(1., .78, .42), vec3(.16, .78, .95), smoothstep(.0, .5, d));
  tint = mix(c, vec3(.3, .38, 1.), smoothstep(.45, 1., d)) * light;
}`,
    ),
  );
  context.attachShader(
    program,
    shader(
      context.FRAGMENT_SHADER,
      `#version 300 es
precision mediump float; in vec3 tint; out vec4 dot_;
void main() { vec2 u = gl_PointCoord * 2. - 1.; float a = 1. - dot(u, u); if (a < 0.) discard; dot_ = vec4(tint * (.35 + .65 * a), 1.); }`,
    ),
  );
  context.linkProgram(program);
  if (!context.getProgramParameter(program, context.LINK_STATUS)) return null;
  context.useProgram(program);
  context.bindBuffer(context.ARRAY_BUFFER, context.createBuffer());
  context.enableVertexAttribArray(0);
  context.enable(context.BLEND);
  context.blendFunc(context.ONE, context.ONE);
  const location = name => context.getUniformLocation(program, name);
  return {
    context,
    camera: location('camera'),
    low: location('low'),
    high: location('high'),
    size: location('size'),
    light: location('light'),
  };
}
let gl = makeGL();
viewCanvas.dataset.mode = gl ? 'webgl2' : '2d';
viewCanvas.addEventListener('webglcontextlost', event => {
  event.preventDefault();
  gl = null;
});
viewCanvas.addEventListener('webglcontextrestored', () => {
  gl = makeGL();
  upload();
  draw();
});

// box returns where nearly all points are: outliers do not make the rest small.
function boxOf(data, number) {
  const low = [0, 0, 0],
    high = [0, 0, 0],
    every = Math.max(1, Math.floor(number / 4000));
  for (let lane = 0; lane < view.lanes; lane++) {
    const sample = [];
    for (let index = 0; index < number; index += every) {
      const value = data[index * view.lanes + lane];
      if (Number.isFinite(value)) sample.push(value);
    }
    if (!sample.length) continue;
    sample.sort((one, other) => one - other);
    const least = sample[Math.floor(sample.length * 0.005)],
      most = sample[Math.ceil(sample.length * 0.995) - 1];
    low[lane] = least;
    high[lane] = most;
  }
  return { low, high };
}
function middle(box) {
  return [0, 1, 2].map(axis => (box.low[axis] + box.high[axis]) / 2);
}
function radius(box) {
  return Math.max(
    1e-6,
    Math.hypot(box.high[0] - box.low[0], box.high[1] - box.low[1], box.high[2] - box.low[2]) / 2,
  );
}

// matrix returns the camera's, by columns. What is flat is looked at from the front.
function matrix(aspect) {
  const box = view.box,
    centre = middle(box),
    reach = radius(box) / view.zoom,
    flat = view.flat;
  const yaw = flat ? 0 : view.yaw,
    pitch = flat ? 0 : view.pitch;
  const cosYaw = Math.cos(yaw),
    sinYaw = Math.sin(yaw),
    cosPitch = Math.cos(pitch),
    sinPitch = Math.sin(pitch);
  const right = [cosYaw, 0, -sinYaw],
    up = [-sinPitch * sinYaw, cosPitch, -sinPitch * cosYaw],
    back = [cosPitch * sinYaw, sinPitch, cosPitch * cosYaw];
  const focus = 2.2,
    away = flat ? reach * focus : reach * focus * 1.02,
    scale = aspect > 1 ? [focus / aspect, focus] : [focus, focus * aspect];
  const row = axis => [
    axis[0],
    axis[1],
    axis[2],
    -(axis[0] * centre[0] + axis[1] * centre[1] + axis[2] * centre[2]),
  ];
  const rowX = row(right),
    rowY = row(up),
    rowZ = row(back);
  const rowW = rowZ.map((value, index) => (index === 3 ? away - value : -value));
  const out = new Float32Array(16),
    far = away * 4;
  for (let column = 0; column < 4; column++) {
    out[column * 4] = rowX[column] * scale[0];
    out[column * 4 + 1] = rowY[column] * scale[1];
    out[column * 4 + 2] = rowW[column] * ((reach * 0.002) / far);
    out[column * 4 + 3] = rowW[column];
  }
  return out;
}

function upload() {
  if (!gl || !view.data) return;
  const { context } = gl;
  context.bufferData(context.ARRAY_BUFFER, view.data, context.STREAM_DRAW);
}
// pace draws fewer points where drawing was slow, and more where it was quick.
function pace(took) {
  if (took > 200 && view.skip < 8) view.skip *= 2;
  else if (took < 25 && view.skip > 1) view.skip /= 2;
}
function draw() {
  if (!view.data || !view.box || !viewCanvas.clientWidth) return;
  const ratio = Math.min(2, window.devicePixelRatio || 1);
  const width = Math.round(viewCanvas.clientWidth * ratio),
    height = Math.round(viewCanvas.clientHeight * ratio);
  if (viewCanvas.width !== width || viewCanvas.height !== height) {
    viewCanvas.width = width;
    viewCanvas.height = height;
  }
  const camera = matrix(width / height),
    spread = Math.sqrt((width * height) / Math.max(1, view.points));
  const dot = Math.min(Math.max(spread * 0.75, 1.3), 14 * ratio),
    size = dot * radius(view.box) * 2.2;
  const light = Math.min(1, Math.max(0.05, (0.15 * width * height) / (view.points * dot * dot))); // less, where many overlap
  if (gl) {
    const { context } = gl;
    context.viewport(0, 0, width, height);
    context.clearColor(0.016, 0.027, 0.045, 1);
    context.clear(context.COLOR_BUFFER_BIT);
    context.uniformMatrix4fv(gl.camera, false, camera);
    context.uniform3fv(gl.low, view.box.low);
    context.uniform3fv(gl.high, view.box.high);
    context.uniform1f(gl.size, size);
    context.uniform1f(gl.light, light);
    const stride = view.lanes * 4 * view.skip,
      began = performance.now();
    context.vertexAttribPointer(0, view.lanes, context.FLOAT, false, stride, 0);
    context.drawArrays(context.POINTS, 0, Math.ceil(view.points / view.skip));
    context.readPixels(0, 0, 1, 1, context.RGBA, context.UNSIGNED_BYTE, new Uint8Array(4));
    viewCanvas.dataset.error = context.getError() || '';
    pace(performance.now() - began);
  } else {
    drawPlain(camera, width, height, size);
  }
  viewCanvas.dataset.draws = ++view.draws;
  viewCanvas.dataset.points = view.points;
  viewCanvas.dataset.frame = view.frame;
}

// drawPlain is draw without WebGL: a pixel block per point.
function drawPlain(camera, width, height, size) {
  const context = viewCanvas.getContext('2d');
  if (!context) return;
  const image = context.createImageData(width, height),
    pixels = new Uint32Array(image.data.buffer);
  pixels.fill(0xff0c0704);
  const data = view.data,
    lanes = view.lanes,
    centre = middle(view.box),
    far = radius(view.box) * 1.1;
  for (let index = 0; index < view.points; index++) {
    const x = data[index * lanes],
      y = data[index * lanes + 1],
      z = lanes > 2 ? data[index * lanes + 2] : 0;
    const depth = camera[3] * x + camera[7] * y + camera[11] * z + camera[15];
    if (!(depth > 0)) continue;
    const screenX =
      ((((camera[0] * x + camera[4] * y + camera[8] * z + camera[12]) / depth + 1) / 2) * width) |
      0;
    const screenY =
      (((1 - (camera[1] * x + camera[5] * y + camera[9] * z + camera[13]) / depth) / 2) * height) |
      0;
    const half = Math.min(6, size / depth / 2) | 0,
      share = Math.min(1, Math.hypot(x - centre[0], y - centre[1], z - centre[2]) / far);
    const tint =
      0xff000000 |
      ((120 + 135 * share) << 16) |
      ((215 - 115 * share) << 8) |
      (255 - 190 * Math.min(1, share * 1.6));
    for (let line = screenY - half; line <= screenY + half; line++) {
      if (line < 0 || line >= height) continue;
      for (
        let column = Math.max(0, screenX - half);
        column <= screenX + half && column < width;
        column++
      )
        pixels[line * width + column] = tint;
    }
  }
  context.putImageData(image, 0, 0);
}
