package session

// inputs are the last inputs of one player, for frames before next.
type inputs struct {
	ring []byte // the input of frame n is at n modulo places
	size int    // bytes of an input
	mask int    // places - 1
	next int
}

func newInputs(places, size int) inputs {
	return inputs{ring: make([]byte, places*size), size: size, mask: places - 1}
}

// at returns the input of a frame, or the prediction: the last known input, or zeros.
func (in *inputs) at(frame int) []byte {
	if frame >= in.next {
		frame = in.next - 1 // for frame 0 the last place, which is still zero
	}
	return in.ring[frame&in.mask*in.size:][:in.size]
}

// put sets the input of the next frame.
func (in *inputs) put(input []byte) {
	copy(in.ring[in.next&in.mask*in.size:][:in.size], input)
	in.next++
}

// digests are the digests of one player's worlds, for frames before next.
type digests struct {
	ring []uint64
	next int
}

func (d *digests) at(frame int) uint64 { return d.ring[frame&(len(d.ring)-1)] }

func (d *digests) put(digest uint64) {
	d.ring[d.next&(len(d.ring)-1)] = digest
	d.next++
}
