// Package render is what drawing backends have in common: a canvas that gets raw bytes.
//
// A [Canvas] draws frame by frame:
//
//	Init · { Begin · DrawOne… DrawInstances… DrawLines DrawSprite… DrawText… · End } · Close
//
// It knows nothing of worlds. Positions come as the bytes of a column: float32 x, y, z in world
// units, little-endian, 12 bytes each, side by side; a line is two positions. What is drawn lies in
// layers, in whatever order the calls come:
//
//	texts and sprites   by Z; equal Z in the order of the calls   plane units, y down
//	lines, singles      DrawLines, DrawOne                        world units
//	instances           dots that glow, cubes that hide           world units
//	background          Look.Sky
//
// How things look is declared beforehand, in a [Look]: a style per kind, the images of sprites, and
// a camera: an [Orbit] for space, a [Flat] one for planes.
//
// Backends: soft draws with the processor alone, and png, gif and term show what soft drew.
// [Ledger], [Frame], [Plane] and [Queue] are parts to build others from; [Paint] makes images.
package render
