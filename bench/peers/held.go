package peers

import "github.com/flatecs/flatecs/systems"

// Beside returns the bytes that are not in the heap: those of larger worlds.
func (f *flat) Beside() uint64 {
	if size := systems.Size(f.state); size > 4<<20 {
		return uint64(size)
	}
	return 0
}

// A held is what a program has of its objects: their ids, in the order in which it changes them.
type held[ID any] struct{ ids []ID }

func hold[ID any](room Room) held[ID] { return held[ID]{make([]ID, 0, room.Objects)} }

// Shuffle implements [Shuffler].
func (h *held[ID]) Shuffle(order []int) {
	ids := make([]ID, len(h.ids))
	for i, from := range order {
		ids[i] = h.ids[from]
	}
	h.ids = ids
}

// Forget implements [Forgetter].
func (h *held[ID]) Forget() { h.ids = nil }

// Close leaves the world to the collector, as libraries do.
func (*held[ID]) Close() {}

// A Forgetter keeps ids that the library itself does not need.
type Forgetter interface{ Forget() }

// A Copier is a world that can be copied.
type Copier interface {
	World
	Bytes() []byte
	Clone()
}
