// Package memory is what worlds hold: bytes per object, what the collector makes of them, and
// copies.
//
//	memory, resident, sparse_resident   bytes beyond those of the components themselves
//	gc, garbage, frames                 a collection beside a world, garbage beside it, and frames
//	                                    beside garbage
//	copy                                Clone, and the bytes of a world
//	small                               a world of 100 objects: copied, taken from a pool, stepped
//
// The worlds are those of package peers. Verbs: [Subject].
package memory

import (
	"runtime"
	"time"

	"github.com/flatecs/flatecs/bench/harness"
	"github.com/flatecs/flatecs/bench/peers"
)

// Subject is what worlds hold.
func Subject() *harness.Subject {
	s := &harness.Subject{Name: "memory", About: "bytes per object, collections, copies"}
	large, slices := []int{10_000, 100_000}, peers.With(peers.Singles, "slices")
	s.Cases = []harness.Case{
		{
			Name: "memory", Title: "Memory beyond the 32 bytes of two components",
			Per: "object", Sizes: large, Who: peers.With(slices, "slices of pointers"),
			Make: beyond(heldBy),
		},
		{
			Name: "resident", Title: "Memory that was ever touched, beyond the same 32 bytes",
			Per: "object", Sizes: []int{500_000}, Who: slices, Make: beyond(resident),
		},
		{
			Name: "sparse_resident", Title: "Memory of a sparse world, beyond 16 bytes",
			Per: "component", Sizes: []int{100_000}, Who: []string{"flatecs", "maps"},
			Against: []string{"maps"}, Make: peers.SparseResident,
		},
		{
			Name: "gc", Title: "Collect garbage (runtime.GC) beside two n components",
			Per: "collection", Sizes: []int{500_000},
			Who:     peers.With(slices, "slices of pointers", "empty heap"),
			Against: []string{harness.BestPeer, "empty heap"}, Make: collectGarbage,
		},
		{
			Name: "garbage", Title: "Make an object of 64 bytes that is garbage at once, beside " +
				"2 n components", Sizes: []int{500_000},
			Who:     []string{"flatecs", later, "Ark", "empty heap"},
			Against: []string{harness.BestPeer, "empty heap"}, Make: garbage,
			How: []string{"of 4,096 objects at a time the newest is kept"},
		},
		{
			Name: "copy", Title: "Copy a world, its bytes, and as many bytes by copy alone",
			Per: "object", Sizes: large, Against: []string{"copy"}, Make: copyWorld,
			Who: []string{"flatecs Clone", "flatecs copy of Bytes", "copy"},
		},
		{
			Name: "small", Title: "Make, copy, take and step a world of two kinds",
			How: []string{"exact counts, 10 kB; copy: of as many bytes"},
			Per: "world", Sizes: []int{100}, Against: []string{"copy"}, Make: smallWorld,
			Who: []string{
				"flatecs CreateState", "flatecs Clone", "flatecs Restore", "flatecs Fork",
				"flatecs Take and Put", "flatecs Step", "copy",
			},
		},
		{
			Name: "frames", Title: "Move, sixty times a second, beside garbage",
			Per: "frame", Sizes: []int{100_000}, Make: frames,
			Who: []string{"flatecs", "Ark tables", "Donburi", "slices of pointers"},
		},
	}
	for i := range s.Cases {
		c := &s.Cases[i]
		if c.Plain = peers.Plain; c.Against == nil {
			c.Against = []string{harness.BestPeer}
		}
	}
	return s
}

// heap is what is in use after a collection, in bytes.
func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// heldBy is what is in use, with what a world holds beside the heap.
func heldBy(w peers.World) uint64 {
	if b, ok := w.(interface{ Beside() uint64 }); ok {
		return heap() + b.Beside()
	}
	return heap()
}

// resident is what the system keeps in memory for this process.
func resident(peers.World) uint64 { return harness.Resident() }

const payload = 32 // bytes of two components

// newWorld makes a world of n objects with two components, and room for those and no more.
func newWorld(who string, n int) peers.World {
	room := peers.RoomFor(peers.Uniform(n)...)
	room.Objects = n
	w := peers.New(who, room)
	peers.SpawnAll(w, peers.Uniform(n))
	return w
}

// beyond measures what is in use.
func beyond(inUse func(peers.World) uint64) func(who string, n int) harness.Work {
	return func(who string, n int) harness.Work {
		before := inUse(nil)
		w := newWorld(who, n)
		w.Forget()
		value := (float64(inUse(w))-float64(before))/float64(n) - payload
		return harness.Known("bytes", value, w.Positions, w.Close)
	}
}

// counted is the result of a case in which an empty heap only counts objects.
func counted(w peers.World) func() harness.Result {
	return func() harness.Result { return harness.Result{Count: w.Positions().Count} }
}

func collectGarbage(who string, n int) harness.Work {
	w := newWorld(who, n)
	w.Forget()
	return harness.Work{Run: runtime.GC, Wall: true, Check: counted(w), Close: w.Close, Of: 1}
}

// copyWorld copies a world of two kinds to memory that is there already, and, when it is cloned, to
// memory that is new.
func copyWorld(who string, n int) harness.Work {
	w := newWorld("flatecs", n).(peers.Copier)
	src, dst := w.Bytes(), make([]byte, len(w.Bytes()))
	copy(dst, src)
	run := func() { copy(dst, w.Bytes()) }
	switch who {
	case "flatecs Clone":
		run = w.Clone
	case "copy":
		src = append([]byte(nil), src...)
		run = func() { copy(dst, src) }
	}
	return harness.Work{Run: run, Check: w.Positions, Close: w.Close}
}

// frames moves once a frame, beside a program that makes garbage.
func frames(who string, n int) harness.Work {
	w := newWorld(who, n)
	return harness.Work{
		Run: w.Move, Check: w.Positions, Close: w.Close, Of: 1,
		Turn: harness.Frames(w.Move, litter),
	}
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
