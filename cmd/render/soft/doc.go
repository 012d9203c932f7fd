// Package soft draws with the processor alone, in Go alone.
//
// A frame passes through these layers, each cut into horizontal bands, one per worker:
//
//	light     float32 r, g, b per pixel: dots add to it, so that a thousand dots on one pixel are
//	          a thousand times as bright
//	solid     colour and depth, four samples per pixel: cubes; made when the first cube comes
//	picture   the sky or the cubes, then the light as an eye would see it (exposure and a tone
//	          curve), then singles, lines, sprites and texts painted over
//
// A band writes its own rows alone, and does per pixel what a single band would do in the same
// order, so that pictures do not depend on the number of workers.
//
// Exposure follows how bright the lit pixels are, within the frame at first, then smoothly: a
// hundred dots are seen as well as a million.
//
// # Decisions
//
// Bands of a picture do not share the dots: every worker reads all positions and draws those in its
// rows. Sharing them out would make workers add to one pixel, and sums of float32 depend on their
// order.
package soft
