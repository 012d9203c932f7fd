// Package soft draws on the CPU, in pure Go.
//
// A frame passes through these layers, each cut into horizontal bands, one per worker:
//
//	light     float32 r, g, b per pixel: dots add to it, so that a thousand dots on one pixel are
//	          a thousand times as bright
//	solid     colour and depth, four samples per pixel: cubes; made when the first cube comes
//	picture   the sky or the cubes, then the light as an eye would see it (exposure and a tone
//	          curve), then singles, lines, sprites and texts painted over
//
// A band writes only its own rows, and treats each pixel as a single band would, in the same order,
// so that pictures do not depend on the number of workers.
//
// Exposure adapts to the brightness of the lit pixels, immediately in the first frame, then
// smoothly: a hundred dots are as visible as a million.
//
// # Decisions
//
// Workers do not divide the dots among them: every worker reads all positions and draws the dots in
// its rows. Otherwise workers would add to the same pixel, and sums of float32 depend on their
// order.
package soft
