//go:build js && wasm

package webgl

// Shaders contain no comments, because pages would have to load them.

const version = "#version 300 es\nprecision highp float;\n"

// full covers the whole target with one triangle.
const full = `
out vec2 at;
void main() {
	at = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0;
	gl_Position = vec4(at * 2.0 - 1.0, 0.0, 1.0);
}`

// skyFragment interpolates from the bottom's colour to the top's. Noise hides the steps between
// neighbouring colours.
const skyFragment = `
in vec2 at;
out vec4 colour;
uniform vec3 top, bottom;
void main() {
	float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
	colour = vec4(mix(bottom, top, at.y) + (noise - 0.5) / 255.0, 1.0);
}`

// dotVertex makes a square around a position. Dots smaller than a pixel become darker instead.
// pixel is the size of a pixel in clip space; centre.w is 1 / radius²; size is in pixels: at depth
// 1, and the largest.
const dotVertex = `
layout(location=0) in vec2 corner;
layout(location=1) in vec3 position;
uniform mat4 view;
uniform vec2 pixel;
uniform vec4 centre;
uniform vec2 size;
uniform vec3 colour, rim;
out vec2 at;
out vec3 light;
void main() {
	gl_Position = view * vec4(position, 1.0);
	float diameter = min(size.x / gl_Position.w, size.y);
	float reach = max(diameter, 1.2) * 0.5 + 0.5;
	gl_Position.xy += corner * reach * pixel * gl_Position.w;
	vec3 away = position - centre.xyz;
	float thin = min(diameter / 1.2, 1.0);
	light = mix(colour, rim, min(dot(away, away) * centre.w, 1.0)) * thin * thin;
	at = corner;
}`

// dotFragment is bright in the middle and soft at the rim.
const dotFragment = `
in vec2 at;
in vec3 light;
out vec4 colour;
void main() {
	float share = max(1.0 - dot(at, at), 0.0);
	colour = vec4(light * share * share, 1.0);
}`

// measureFragment samples 4 × 4 pixels of the light in the middle of its part.
const measureFragment = `
in vec2 at;
out vec4 colour;
uniform sampler2D light;
uniform vec2 pixel;
void main() {
	vec3 sum = texture(light, at - pixel).rgb + texture(light, at + pixel).rgb +
		texture(light, at + pixel * vec2(1, -1)).rgb + texture(light, at + pixel * vec2(-1, 1)).rgb;
	colour = vec4(min(dot(sum, vec3(1.0 / 12.0)), 250.0));
}`

// exposeFragment computes the exposure from the measurement: it makes the mean brightness, weighted
// by itself, well visible. Without light the factor stays.
const exposeFragment = `
out vec4 colour;
uniform sampler2D measured;
void main() {
	ivec2 size = textureSize(measured, 0);
	float sum = 0.0, squares = 0.0;
	for (int y = 0; y < size.y; y++) {
		for (int x = 0; x < size.x; x++) {
			float light = texelFetch(measured, ivec2(x, y), 0).r;
			sum += light;
			squares += light * light;
		}
	}
	if (sum <= 0.0) discard;
	colour = vec4(min(1.0 * sum / squares, 1.7));
}`

// seeFragment applies the tone curve, up to white.
const seeFragment = `
in vec2 at;
out vec4 colour;
uniform sampler2D light, exposure;
void main() {
	vec3 seen = texture(light, at).rgb * texelFetch(exposure, ivec2(0), 0).r;
	colour = vec4(pow(1.0 - exp(-1.3 * seen), vec3(1.0 / 1.8)), 1.0);
}`

// cubeVertex makes a cube from a strip of 14 corners. centre.w is 1 / radius²; fog is the depth of
// the centre, 1 / twice the radius, the strength of the fog, and half a cube's edge; paint is the
// colour as light, and the amount of fog.
const cubeVertex = `
layout(location=0) in vec3 corner;
layout(location=1) in vec3 position;
uniform mat4 view;
uniform vec4 centre;
uniform vec4 fog;
uniform vec3 colour, rim;
out vec3 at;
out vec4 paint;
void main() {
	gl_Position = view * vec4(position + corner * fog.w, 1.0);
	vec3 away = position - centre.xyz;
	float depth = (view * vec4(position, 1.0)).w;
	paint = vec4(mix(colour, rim, min(dot(away, away) * centre.w, 1.0)),
		clamp(0.5 + (depth - fog.x) * fog.y, 0.0, 1.0) * fog.z);
	at = corner;
}`

// cubeFragment shades a side: light comes from above and one side.
const cubeFragment = `
in vec3 at;
in vec4 paint;
out vec4 colour;
uniform vec3 sky;
void main() {
	vec3 far = abs(at);
	float shade = at.x > 0.0 ? 0.62 : 0.40;
	if (far.y >= far.x && far.y >= far.z) shade = at.y > 0.0 ? 1.0 : 0.22;
	else if (far.z > far.x) shade = at.z > 0.0 ? 0.74 : 0.32;
	colour = vec4(mix(pow(min(paint.rgb * shade, 1.0), vec3(1.0 / 2.2)), sky, paint.a), 1.0);
}`

// lineVertex makes a line from a strip that is one pixel wider than the line, to fade. width is
// half of the line's width in pixels, and the nearest depth that is drawn.
const lineVertex = `
layout(location=0) in vec2 corner;
layout(location=1) in vec3 from;
layout(location=2) in vec3 to;
uniform mat4 view;
uniform vec2 pixel;
uniform vec2 width;
out float off;
void main() {
	vec4 a = view * vec4(from, 1.0), b = view * vec4(to, 1.0);
	if (a.w < width.y && b.w < width.y) {
		gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
		off = 0.0;
		return;
	}
	if (a.w < width.y) a = mix(a, b, (width.y - a.w) / (b.w - a.w));
	else if (b.w < width.y) b = mix(b, a, (width.y - b.w) / (a.w - b.w));
	vec2 along = (b.xy / b.w - a.xy / a.w) / pixel;
	along = dot(along, along) > 0.0 ? normalize(along) : vec2(1.0, 0.0);
	gl_Position = corner.x < 0.0 ? a : b;
	off = corner.y * (width.x + 1.0);
	gl_Position.xy += vec2(-along.y, along.x) * off * pixel * gl_Position.w;
}`

const lineFragment = `
in float off;
out vec4 colour;
uniform vec3 paint;
uniform float wide;
void main() {
	float alpha = clamp(wide + 0.5 - abs(off), 0.0, 1.0) * 0.85;
	colour = vec4(paint * alpha, alpha);
}`

// singleVertex makes a square around the position in attribute 1. size is the radius in pixels at
// depth 1; at is in pixels from the middle, and the ball's radius.
const singleVertex = `
layout(location=0) in vec2 corner;
layout(location=1) in vec3 position;
uniform mat4 view;
uniform vec2 pixel;
uniform float size;
out vec3 at;
void main() {
	gl_Position = view * vec4(position, 1.0);
	float radius = max(size / gl_Position.w, 1.0);
	at = vec3(corner * (radius * 3.2 + 1.0), radius);
	gl_Position.xy += at.xy * pixel * gl_Position.w;
	gl_Position.z = 0.0;
}`

// singleFragment paints a bright ball with a halo, and with a dark rim that separates it from a
// bright background.
const singleFragment = `
in vec3 at;
out vec4 colour;
uniform vec3 paint, dark;
void main() {
	float far = length(at.xy), radius = at.z, rim = max(radius * 0.3, 1.0);
	float halo = max(1.0 - far / (radius * 3.2), 0.0);
	float ball = clamp(radius + 0.5 - far, 0.0, 1.0);
	float ring = 0.7 * (clamp(radius + rim + 0.5 - far, 0.0, 1.0) - ball);
	float q = far / radius;
	vec3 heated = mix(paint, vec3(1.0), 0.85 * clamp(1.0 - q * q, 0.0, 1.0));
	vec3 glow = paint * halo * halo * 0.55 * (1.0 - ring) * (1.0 - ball);
	colour = vec4(glow + dark * ring + heated * ball, ring + ball);
}`

// markVertex turns a square about its middle. place is its middle and half its size in pixels; turn
// is a cosine and a sine.
const markVertex = `
layout(location=0) in vec2 corner;
uniform vec4 place;
uniform vec2 turn;
uniform vec2 pixel;
out vec2 at;
void main() {
	vec2 p = corner * place.zw;
	p = vec2(p.x * turn.x - p.y * turn.y, p.x * turn.y + p.y * turn.x) + place.xy;
	gl_Position = vec4(p.x * pixel.x - 1.0, 1.0 - p.y * pixel.y, 0.0, 1.0);
	at = corner * 0.5 + 0.5;
}`

const markFragment = `
in vec2 at;
out vec4 colour;
uniform sampler2D image;
uniform vec4 paint;
void main() { colour = texture(image, at) * paint; }`
