package delta_test

import (
	"encoding/binary"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/delta"
	"github.com/flatecs/flatecs/world/internal/worldtest"
)

// FuzzApply applies any bytes with every hash made right: what is not refused leads to a world that
// goes on, and what is refused leaves the world as it was.
func FuzzApply(f *testing.F) {
	worldtest.OneGoroutine(f)
	r := rand.New(rand.NewPCG(6, 0))
	from := stir(motley(70), r, 30)
	for range 3 {
		to := stir(world.Must(world.Clone(from)), r, 10)
		f.Add(world.Must(delta.Append(nil, from, to)))
	}
	for kind := range byte(6) { // shrinks, or grows, without a change
		for _, more := range []int64{-70, -64, -1, 1, 64} {
			f.Add(binary.AppendVarint(append(make([]byte, 32), 1, kind), more))
		}
	}
	for part := range byte(len(tool.Parts(from))) { // a byte, and one behind the part
		f.Add(append(make([]byte, 32), 0, part<<1|1, 0, 255, 1, 1))
		f.Add(append(make([]byte, 32), 0, part<<1|1, 0, 1, 255, 255, 3, 1))
	}
	f.Fuzz(func(t *testing.T, d []byte) {
		delta.Reseal(d, from)
		applied(t, from, d)
	})
}

// FuzzApplyForged applies the deltas that lead to worlds whose bytes were edited. An edit is eight
// bytes: the part, what to do, where, and an operand.
func FuzzApplyForged(f *testing.F) {
	worldtest.OneGoroutine(f)
	r := rand.New(rand.NewPCG(7, 0))
	from := stir(motley(70), r, 30)
	to := stir(world.Must(world.Clone(from)), r, 10)
	f.Add([]byte{})
	for part := range byte(len(tool.Parts(to))) {
		f.Add([]byte{part, 1, 0, 0, 1, 0, 0, 0})
		f.Add([]byte{part, 1, 4, 0, 255, 255, 255, 255, part + 1, 0, 0, 0, 2, 0, 0, 0})
	}
	f.Fuzz(func(t *testing.T, edits []byte) {
		forged := world.Must(world.Clone(to))
		parts := tool.Parts(forged)
		for ; len(edits) >= 8; edits = edits[8:] {
			edit(parts[int(edits[0])%len(parts)].Bytes, [7]byte(edits[1:]))
		}
		d := world.Must(delta.Append(nil, from, forged))
		delta.Reseal(d, from)
		applied(t, from, d)
	})
}

// edit changes four bytes.
func edit(b []byte, e [7]byte) {
	if len(b) < 4 {
		return
	}
	le := binary.LittleEndian
	at := b[int(le.Uint16(e[1:]))%(len(b)/4)*4:]
	switch n := le.Uint32(e[3:]); e[0] % 3 {
	case 0:
		le.PutUint32(at, n)
	case 1:
		le.PutUint32(at, le.Uint32(at)+n)
	case 2:
		le.PutUint32(at, le.Uint32(at)^1<<(n%32))
	}
}

// applied applies a delta to a copy of a world, and checks what came of it.
func applied(t *testing.T, from world.State, d []byte) {
	t.Helper()
	var c delta.Coder
	s := world.Must(world.Clone(from))
	s, err := c.Apply(s, d)
	require.NoError(t, tool.Verify(s))
	if err != nil {
		require.True(t, world.Equal(from, s))
		return
	}
	back := world.Must(c.Append(nil, from, s))
	again := world.Must(c.Apply(world.Must(world.Clone(from)), back))
	require.True(t, world.Equal(s, again))
	s, again = stir(s, rand.New(rand.NewPCG(8, 8)), 30), stir(again, rand.New(rand.NewPCG(8, 8)), 30)
	require.NoError(t, tool.Verify(s))
	require.True(t, world.Equal(s, again), "they go on alike")
}

// What a delta says is unpacked into what a Coder has, however large it says that the world becomes.
func TestWhatIsAllocatedIsNotUpToTheDelta(t *testing.T) {
	worldtest.OneGoroutine(t)
	from := stir(motley(1<<20), rand.New(rand.NewPCG(6, 0)), 3)
	d := world.Must(delta.Append(nil, from, from))
	var highs []byte
	count, skipped := uint64(0), uint64(0)
	for _, p := range tool.Parts(from) {
		switch {
		case p.Kind == nil && p.Name != "generations", p.Kind != nil && p.Name != "counters",
			strings.HasPrefix(p.Owner, "watcher"):
			continue
		case p.Kind != nil && p.Kind.Mark:
			skipped++
			continue
		}
		room, used := cap(p.Bytes)/p.Unit, len(tool.Used(from, &p))/p.Unit
		if p.Kind != nil {
			room, used = tool.Cap(from, p.Kind.Handle()), tool.MaxIndex(from, p.Kind.Handle())
		}
		if room == used {
			skipped++
			continue
		}
		highs = binary.AppendUvarint(highs, skipped)
		highs = binary.AppendVarint(highs, int64(room-used))
		count, skipped = count+1, 0
	}
	require.Greater(t, count, uint64(3))
	d = append(binary.AppendUvarint(d[:32], count), highs...)
	seal(d)
	c := &delta.Coder{}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := c.Apply(from, d)
	runtime.ReadMemStats(&after)
	require.ErrorIs(t, err, delta.ErrDamaged)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(1<<20))
}
