package save

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/zeebo/xxh3"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world/internal/kinds"
	"github.com/flatecs/flatecs/world/internal/worldtest"
)

// allocated returns how many bytes f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestWhatIsAllocatedIsBoundedByTheFile loads files that say that they are large, and are not.
func TestWhatIsAllocatedIsBoundedByTheFile(t *testing.T) {
	file := write(t, small(t), smallOptions())
	claim := func(title string, n uint32) func(*header, [][]byte) {
		return func(h *header, parts [][]byte) {
			little.PutUint32(parts[find(h, title)], n)
			for i := range h.parts {
				p, q := &h.parts[i], &h.parts[find(h, title)]
				if p.owner != q.owner || p.of != q.of || p == q || p.per == perByte {
					continue
				}
				p.units = p.per.units(uint64(n), uint64(n))
				p.stored, p.sum = storedZstd, 0
				parts[i] = compress(make([]byte, 1<<16))
			}
		}
	}
	many := func(h *header, _ [][]byte) {
		for i := range kinds.Most - len(h.kinds) {
			h.kinds = append(h.kinds, FileKind{Name: fmt.Sprint(i), Mark: true})
		}
	}
	for name, change := range map[string]func(*header, [][]byte){
		"rows of a kind": func(h *header, parts [][]byte) {
			h.kinds[0].Rows = tool.MaxRows
			claim("stone.counters", tool.MaxRows)(h, parts)
		},
		"game objects": func(h *header, parts [][]byte) {
			h.objects = tool.MaxRows
			claim("game objects.counters", tool.MaxRows)(h, parts)
		},
		"kinds": many,
	} {
		b := forged(t, file, change)
		bound := 64<<20 + 64*uint64(len(b))
		for _, counts := range []systems.Counts{smallCounts(), {GameObjects: 1000}} {
			assert.Less(t, allocated(func() {
				_, _, err := Read(bytes.NewReader(b), int64(len(b)), counts, smallOptions())
				require.Error(t, err, name)
			}), bound, name)
		}
		assert.Less(t, allocated(func() {
			v := &File{bytes: b}
			if err := v.check(); err == nil {
				require.Error(t, v.Verify(), name)
			}
		}), bound, name)
	}
}

// unknown returns a change to the small file: a number of kinds that the program lacks. Each of
// their rows takes a thousandth of a byte in the file, and a thousand bytes in the world.
func unknown(kinds int) func(*header, [][]byte) [][]byte {
	const rows = 1 << 16
	return func(h *header, parts [][]byte) [][]byte {
		before := h.parts
		wide, err := layout.FieldSpec{Name: "wide", Parts: []layout.Part{{Type: "uint8", Lanes: 1024}}, Default: make([]byte, 1024)}.Foreign()
		if err != nil {
			panic(err)
		}
		for k := range kinds {
			h.kinds = append(h.kinds, FileKind{
				Name: fmt.Sprint("unknown ", k), Rows: rows,
				Fields: []*layout.FieldSpec{wide.Spec()},
			})
		}
		h.parts = nil
		var all [][]byte
		for name := range h.names() {
			if len(before) > 0 && before[0].partName == name {
				h.parts, all = append(h.parts, before[0]), append(all, parts[0])
				before, parts = before[1:], parts[1:]
				continue
			}
			b := make([]byte, name.unit*int(name.per.units(uint64(h.objects), rows)))
			if name.name == counters {
				little.PutUint32(b, rows)
			}
			p := part{partName: name, units: uint64(len(b) / name.unit), sum: xxh3.Hash(b)}
			if small := compress(b); small != nil {
				b, p.stored = small, storedZstd
			}
			h.parts, all = append(h.parts, p), append(all, b)
		}
		return all
	}
}

// Each of the kinds is within what a file of this size may ask for, and all of them are not.
func TestWhatAFileAsksForIsSummedOverItsKinds(t *testing.T) {
	worldtest.OneGoroutine(t)
	h, parts := parsed(t, write(t, small(t), smallOptions()))
	h.objects = int(little.Uint32(parts[find(h, "game objects.counters")]))
	parts = unknown(16)(h, parts)
	b := joined(h, parts)
	require.Less(t, len(b), 2<<20)
	bound := 64<<20 + 64*uint64(len(b))
	for name, read := range map[string]func() error{
		"into counts": func() error {
			s, _, err := Read(bytes.NewReader(b), int64(len(b)), smallCounts(), Options{})
			assert.Equal(t, systems.State{}, s)
			return err
		},
		"to be looked at": func() error { return (&File{bytes: b}).check() },
	} {
		var err error
		assert.Less(t, allocated(func() { err = read() }), bound, name)
		require.ErrorIs(t, err, ErrTooLarge, name)
		require.ErrorContains(t, err, "unknown", name)
	}
}

// What a program has not counted is room, and no leave to fill it: files of zeros are short.
func TestFreeRoomIsFilledByWhatAFileHas(t *testing.T) {
	worldtest.OneGoroutine(t)
	h, parts := parsed(t, write(t, small(t), smallOptions()))
	h.objects = int(little.Uint32(parts[find(h, "game objects.counters")]))
	parts = unknown(2)(h, parts)
	b := joined(h, parts)
	for _, counted := range []bool{true, false} {
		c := smallCounts().Clone()
		for i := range 2 {
			k := layout.NewKind(fmt.Sprint("unknown ", i), layout.NewField[[1024]uint8]("wide"))
			if n := k.Counted(); counted {
				c.Kinds = append(c.Kinds, k.Count(1<<16))
			} else {
				c.Kinds = append(c.Kinds, n)
			}
		}
		c.GameObjects = 1 << 17
		_, _, err := Read(bytes.NewReader(b), int64(len(b)), c, smallOptions())
		require.Error(t, err)
		assert.Equal(t, !counted, errors.Is(err, ErrTooLarge), "%v", err)
	}
}

// An encoder takes more than a megabyte.
func TestAllPartsOfAFileShareAnEncoder(t *testing.T) {
	c := systems.Counts{GameObjects: 2000, Commands: 1}
	var kinds []layout.AnyKind
	for i := range 40 {
		k := layout.NewKind(fmt.Sprint("kind ", i), layout.NewField[uint64]("value"))
		kinds, c.Kinds = append(kinds, k), append(c.Kinds, k.Count(2000))
	}
	s := systems.Must(systems.CreateState(c))
	for range 2000 {
		s, _ = systems.Must2(systems.CreateWith(s, kinds...))
	}
	assert.Less(t, allocated(func() {
		_, err := newFile(s, &Options{Compress: true})
		require.NoError(t, err)
	}), uint64(24<<20))
}
