package save

import (
	"bytes"
	"flag"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world/internal/worldtest"
)

var everyBit = flag.Bool("save.everybit", false, "flip every bit of a file, also of the padding")

func TestForgedWithoutAChangeIsTheSameFile(t *testing.T) {
	file := write(t, small(t), smallOptions())
	require.Equal(t, file, forged(t, file, func(*header, [][]byte) {}))
}

// flips are two worlds: one that has everything, and one with a part that can be compressed.
func flips(t *testing.T) map[string][]byte {
	t.Helper()
	c := smallCounts()
	c.Names, c.Seed, c.Commands = 0, 0, 1
	s, err := systems.CreateState(c)
	require.NoError(t, err)
	c = systems.Counts{GameObjects: 2, Kinds: []layout.Count{long.Count(2)}, Commands: 1}
	p, err := systems.CreateState(c)
	require.NoError(t, err)
	p, id, err := systems.Create(p)
	require.NoError(t, err)
	p, err = systems.Add(p, id, long)
	require.NoError(t, err)
	o := smallOptions()
	o.Compress = true
	return map[string][]byte{"raw": write(t, disturb(s, 90), smallOptions()), "zstd": write(t, p, o)}
}

// long is a kind whose values can be compressed.
var long = layout.NewKind("long", layout.NewField[[1 << 13]uint16]("long"))

// TestEveryFlippedBitIsRefused flips one bit in 67, of zeros that pad one in 251; with
// -save.everybit all.
func TestEveryFlippedBitIsRefused(t *testing.T) {
	worldtest.OneGoroutine(t)
	for name, file := range flips(t) {
		pads := padding(t, file)
		v := &File{bytes: file}
		require.NoError(t, v.check())
		s, _, err := v.Load(Options{})
		require.NoError(t, err)
		counts := v.Counts()
		refused, harmless := 0, 0
		for bit := range 8 * len(file) {
			if step := 67; !*everyBit && (pads[bit/8] && bit%251 != 0 || !pads[bit/8] && bit%step != 0) {
				continue
			}
			file[bit/8] ^= 1 << (bit % 8)
			back, _, err := Read(bytes.NewReader(file), int64(len(file)), counts, Options{})
			file[bit/8] ^= 1 << (bit % 8)
			if err != nil {
				refused++
				continue
			}
			harmless++
			require.Equal(t, "zstd", name, "bit %d of byte %d", bit%8, bit/8)
			require.Equal(t, systems.Digest(s), systems.Digest(back), "bit %d of byte %d", bit%8, bit/8)
			systems.Close(back)
		}
		t.Logf("%s: %d bytes, %d flips refused, %d harmless", name, len(file), refused, harmless)
		require.Positive(t, refused)
	}
}

// padding returns which bytes of a file pad its parts and its header.
func padding(t *testing.T, file []byte) []bool {
	t.Helper()
	h, _ := parsed(t, file)
	pads := make([]bool, len(file))
	zeros := func(from, to uint64) {
		for i := from; i < to; i++ {
			pads[i] = true
		}
	}
	for i := range h.parts {
		p := &h.parts[i]
		zeros(p.offset+p.length, p.offset+aligned(p.length))
	}
	end := len(bytes.TrimRight(file[:h.length], "\x00"))
	zeros(uint64(end)+8, uint64(h.length))
	return pads
}

func TestEveryTruncationIsRefused(t *testing.T) {
	worldtest.OneGoroutine(t)
	file := write(t, small(t), smallOptions())
	for n := range file {
		_, err := read(file[:n])
		require.Error(t, err, "%d bytes", n)
		if n >= len(magic) {
			require.ErrorIs(t, err, ErrTruncated, "%d bytes", n)
		}
	}
	_, err := read(append(file, 0))
	require.ErrorIs(t, err, ErrTrailing)
}
