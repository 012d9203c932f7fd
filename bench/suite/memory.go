package suite

import (
	"runtime"
	"time"

	"github.com/flatecs/flatecs/bench/turns"
	"github.com/flatecs/flatecs/systems"
)

// heap is what is in use after a collection, in bytes.
func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// heldBy is what is in use, with what a world holds beside the heap.
func heldBy(w World) uint64 {
	if b, ok := w.(interface{ Beside() uint64 }); ok {
		return heap() + b.Beside()
	}
	return heap()
}

// Beside returns the bytes that are not in the heap: those of larger worlds.
func (f *flat) Beside() uint64 {
	if size := systems.Size(f.state); size > 4<<20 {
		return uint64(size)
	}
	return 0
}

// A forgetter keeps ids that the library itself does not need.
type forgetter interface{ Forget() }

func (f *flat) Forget()    { f.ids = nil }
func (a *ark) Forget()     { a.entities = nil }
func (d *bowl) Forget()    { d.entities = nil }
func (v *battery) Forget() { v.entities = nil }
func (u *uot) Forget()     { u.ids = nil }

// resident is what the system keeps in memory for this process.
func resident(World) uint64 { return turns.Resident() }

const payload = 32 // bytes of two components

// memory measures what is in use; a world of a fixed size has room for the objects and no more.
func memory(inUse func(World) uint64) func(Contender, int) Case {
	return func(c Contender, n int) Case {
		room := roomFor(uniform(n)...)
		room.Objects = n
		before := inUse(nil)
		w := c.New(room)
		spawnAll(w, uniform(n))
		if ids, ok := w.(forgetter); ok {
			ids.Forget()
		}
		beyond := (float64(inUse(w))-float64(before))/float64(n) - payload
		return Case{
			Run:   func() {},
			Check: w.Positions,
			Close: w.Close,
			Value: func() float64 { return beyond },
		}
	}
}

func collectGarbage(c Contender, n int) Case {
	room := roomFor(uniform(n)...)
	w := c.New(room)
	spawnAll(w, uniform(n))
	if ids, ok := w.(forgetter); ok {
		ids.Forget()
	}
	return Case{
		Run:   runtime.GC,
		Wall:  true,
		Check: func() Result { return Result{w.Positions().Count, 0} },
		Close: w.Close,
		Of:    1,
	}
}

// copyWorld copies a world of two kinds to memory that is there already, and, when it is cloned, to
// memory that is new.
func copyWorld(c Contender, n int) Case {
	room := roomFor(uniform(n)...)
	w := newFlat(doubles, flatWay{})(room).(*flat)
	spawnAll(w, uniform(n))
	src, dst := w.Bytes(), make([]byte, len(w.Bytes()))
	copy(dst, src)
	run := func() { copy(dst, w.Bytes()) }
	switch c.Name {
	case "Clone":
		run = w.Clone
	case "copy":
		src = append([]byte(nil), src...)
		run = func() { copy(dst, src) }
	}
	return Case{Run: run, Check: w.Positions, Close: w.Close}
}

// frames moves once a frame, beside a program that makes garbage.
func frames(c Contender, n int) Case {
	w := c.New(roomFor(uniform(n)...))
	spawnAll(w, uniform(n))
	return Case{Run: w.Move, Check: w.Positions, Close: w.Close, Of: 1, Beside: litter}
}

// A leaf is a small object that points to another, so that the collector has to look.
type leaf struct{ rest *[6]uint64 }

// litter makes 8,000 objects of 28 bytes on average a millisecond, each of which is garbage a while
// later.
func litter(stop <-chan struct{}) {
	kept := make([]*leaf, 1<<16)
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for i := 0; ; {
		select {
		case <-stop:
			return
		case <-tick.C:
		}
		for range 4_000 {
			kept[i*7919%len(kept)] = &leaf{&[6]uint64{uint64(i)}}
			i++
		}
	}
}
