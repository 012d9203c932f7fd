// Package gif writes frames as a moving GIF picture, frame by frame, small and fast.
//
// One palette serves all frames, by median cut over the colours of the first ones, with a table
// from 65,536 colours to the nearest of its entries, filled in as they come. After the first frame,
// only the rectangle that has changed is written, and what has not changed in it, or hardly, is
// left out.
package gif
