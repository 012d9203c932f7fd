// Package gif writes frames as an animated GIF, with the standard library.
//
// All frames share one palette, computed by median cut over the colours of the first frames. Later
// frames store only the rectangle that changed, in which unchanged and nearly unchanged pixels are
// transparent, which compresses well. Pixels at rest, and occasionally a whole frame, are exact, so
// that no traces of earlier frames remain. Everything is in memory until the canvas is closed.
package gif
