// Package render is the common part of drawing backends: a canvas that draws raw bytes.
//
// A [Canvas] draws frame by frame:
//
//	Init · { Begin · DrawOne… DrawInstances… DrawLines DrawSprite… DrawText… · End } · Close
//
// A canvas does not depend on worlds. It gets positions as the bytes of a column: float32 x, y, z
// in world units, little-endian, 12 bytes each, contiguous; a line is two positions. It draws in
// layers, regardless of the order of the calls:
//
//	texts and sprites   by Z; equal Z in the order of the calls   plane units, y down
//	lines, singles      DrawLines, DrawOne                        world units
//	instances           dots that glow, cubes that hide           world units
//	background          Look.Sky
//
// A [Look] declares the appearance in advance: a style per kind, the images of sprites, and a
// camera: an [Orbit] for space, a [Flat] one for planes.
//
// Backends: soft draws on the CPU, and png, gif and term output the pictures of soft. [Ledger],
// [Frame], [Plane] and [Queue] are building blocks for backends; [Paint] makes images.
package render
