package peers

import "github.com/flatecs/flatecs/systems"

// Beside returns the bytes that are not in the heap: those of larger worlds.
func (f *flat) Beside() uint64 {
	if size := systems.Size(f.state); size > 4<<20 {
		return uint64(size)
	}
	return 0
}

// A Forgetter keeps ids that the library itself does not need.
type Forgetter interface{ Forget() }

func (f *flat) Forget()    { f.ids = nil }
func (a *ark) Forget()     { a.entities = nil }
func (d *bowl) Forget()    { d.entities = nil }
func (v *battery) Forget() { v.entities = nil }
func (u *uot) Forget()     { u.ids = nil }

// A Copier is a world that can be copied.
type Copier interface {
	World
	Bytes() []byte
	Clone()
}
