// Package gif writes frames as a moving GIF picture, by the standard library.
//
// One palette serves all frames, by median cut over the colours of the first ones. After the first
// frame only the rectangle that has changed is kept, and what has not changed in it, or hardly, is
// transparent, which takes little room. What is at rest, and a whole frame at times, is true, so
// that nothing of earlier frames stays. All of it is in memory until the canvas is closed.
package gif
