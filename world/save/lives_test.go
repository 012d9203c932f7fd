package save

import (
	"bytes"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world/internal/worldtest"
)

// FuzzLives edits what the parts of a motley world's file hold, makes every checksum right, and
// loads it: whatever loads, lives for up to 100 random changes, and is saved, loads again. An edit is
// eight bytes: what to do, where, and two operands.
func FuzzLives(f *testing.F) {
	worldtest.OneGoroutine(f)
	for seed := range byte(16) {
		f.Add(seed, []byte{})
		f.Add(seed, []byte{1, 7 * seed, 0, 0, 0, 0, 1, 0})
		f.Add(seed, []byte{4, 5 * seed, 2, 0, 1, 0, 0, 0, 2, 3, 1, 0, 0, 0, 255, 255})
	}
	f.Fuzz(livesAny)
}

func livesAny(t *testing.T, seed byte, edits []byte) {
	t.Helper()
	seed %= motleySeeds
	h, parts := parsed(t, motleyFiles(t)[seed])
	for ; len(edits) >= 8; edits = edits[8:] {
		edit32(h, parts, [8]byte(edits))
	}
	f := scatter(h, parts)
	c := motleyCounts(seed%2 == 1)
	s, _, err := Read(f, int64(h.size), c, motleyOptions())
	if err == nil {
		lives(t, s, uint64(seed)+h.tick)
	}
}

// lives checks that a world that was loaded goes on, and loads again after that.
func lives(t *testing.T, s systems.State, seed uint64) {
	t.Helper()
	require.NoError(t, tool.Verify(s))
	r := rand.New(rand.NewPCG(seed, 2))
	s = live(s, r, 50)
	if r.IntN(2) == 0 {
		s, _ = everybody.DisposeAll(s)
	}
	s = live(s, r, 50*r.IntN(2))
	require.NoError(t, tool.Verify(s))
	var file bytes.Buffer
	require.NoError(t, Write(&file, s, motleyOptions()))
	back, _, err := Read(bytes.NewReader(file.Bytes()), int64(file.Len()), systems.CountsOf(s),
		motleyOptions())
	require.NoError(t, err)
	require.NoError(t, tool.Verify(back))
	require.Equal(t, systems.Digest(s), systems.Digest(back))
	s = live(s, rand.New(rand.NewPCG(seed, 3)), 50)
	back = live(back, rand.New(rand.NewPCG(seed, 3)), 50)
	requireSame(t, s, back)
	systems.Close(s)
	systems.Close(back)
}

func requireSame(t *testing.T, a, b systems.State) {
	t.Helper()
	if systems.Digest(a) == systems.Digest(b) {
		return
	}
	d, _, err := tool.FirstDifference(a, b)
	require.NoError(t, err)
	require.Fail(t, "they go on otherwise", "%s", d)
}

const motleySeeds = 16

var everybody = systems.NewQuery()

// motleyParts are the parts that each of the files has.
func motleyParts(tb testing.TB) []part {
	tb.Helper()
	h, _ := parsed(tb, motleyFiles(tb)[0])
	return h.parts
}

// motleyFiles are the files of motley worlds by their seeds.
var files struct {
	sync.Once
	bytes [motleySeeds][]byte
}

func motleyFiles(tb testing.TB) *[motleySeeds][]byte {
	tb.Helper()
	files.Do(func() {
		for seed := range files.bytes {
			s := motley(tb, uint64(seed))
			files.bytes[seed] = write(tb, s, motleyOptions())
			systems.Close(s)
		}
	})
	return &files.bytes
}

// edit32 changes a part, by numbers of four bytes where it has such.
func edit32(h *header, parts [][]byte, e [8]byte) {
	i := int(e[1]) % len(parts)
	b := parts[i]
	if e[0] >= 250 { // another length
		edit(h, parts, [6]byte{e[1], 0, e[2], e[3], 250, 0})
		return
	}
	if len(b) < 4 {
		if len(b) > 0 {
			b[int(e[2])%len(b)] ^= e[4]
		}
		return
	}
	word := func(lo, hi byte) []byte { return b[(int(lo)|int(hi)<<8)%(len(b)/4)*4:][:4] }
	at, other := word(e[2], e[3]), word(e[4], e[5])
	operand := uint32(int16(little.Uint16(e[6:])))
	switch n := little.Uint32(at); e[0] % 8 {
	case 0:
		little.PutUint32(at, operand)
	case 1:
		little.PutUint32(at, n+operand)
	case 2:
		little.PutUint32(at, n^1<<(e[6]%32))
	case 3:
		little.PutUint32(at, little.Uint32(other)+uint32(int8(e[6])))
	case 4: // what two are is exchanged
		little.PutUint32(at, little.Uint32(other))
		little.PutUint32(other, n)
	case 5:
		little.PutUint32(at, uint32(e[6])<<24|uint32(e[7]))
	case 6: // the whole unit
		unit := h.parts[i].unit
		from, to := int(e[4])*unit%len(b), (int(e[2])|int(e[3])<<8)*unit%len(b)
		copy(b[to:][:unit], b[from:][:unit])
	case 7: // the same in two parts, as what is counted twice
		little.PutUint32(at, n+operand)
		if c := parts[int(e[4])%len(parts)]; len(c) >= 40 {
			w := c[int(e[5])%10*4:][:4]
			little.PutUint32(w, little.Uint32(w)+operand)
		}
	}
}

// What a packed kind has no use for would be left behind when its rows become fewer.
func TestAPackedKindHasNothingOfFreeRows(t *testing.T) {
	for name, change := range map[string]func(h *header, parts [][]byte){
		"a row where kept ones are searched": func(h *header, parts [][]byte) {
			little.PutUint32(parts[find(h, "coin.counters")][8:], 1)
		},
		"a link": func(h *header, parts [][]byte) {
			little.PutUint32(parts[find(h, "coin.links")], 1)
		},
	} {
		b := forged(t, motleyFiles(t)[6], change)
		_, _, err := Read(bytes.NewReader(b), int64(len(b)), motleyCounts(false), motleyOptions())
		require.ErrorIs(t, err, ErrImpossible, name)
		require.ErrorContains(t, err, "packed", name)
	}
}
