package save

import (
	"bytes"
	"flag"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/stretchr/testify/require"
)

// edit changes one byte, or the length of a part.
func edit(h *header, parts [][]byte, e [6]byte) {
	i := int(e[0]) % len(parts)
	b := parts[i]
	at := int(e[2]) | int(e[3])<<8
	if e[4] >= 250 { // another length
		n := min(at, 4096) * h.parts[i].unit
		parts[i] = append(b, make([]byte, max(0, n-len(b)))...)[:n]
		h.parts[i].units = uint64(n / h.parts[i].unit)
		return
	}
	if len(b) == 0 {
		return
	}
	at %= len(b)
	switch e[4] % 5 {
	case 0:
		b[at] = e[5]
	case 1:
		b[at] ^= e[5]
	case 2:
		b[at] += e[5]
	case 3: // another unit of the same part
		unit := h.parts[i].unit
		from, to := int(e[5])*unit%len(b), at/unit*unit
		copy(b[to:to+unit], b[from:])
	case 4:
		for j := range min(int(e[5]), len(b)-at) {
			b[at+j] = e[1]
		}
	}
}

// goOn loads a file; when it is a world, it goes on.
func goOn(t *testing.T, file []byte) {
	t.Helper()
	if s, err := read(file); err == nil {
		world(t, s)
	}
}

// world checks that what was loaded is a world that goes on, and closes it.
func world(t *testing.T, s systems.State) {
	t.Helper()
	require.NoError(t, tool.Verify(s))
	back := systems.Must(read(write(t, s, smallOptions())))
	require.Equal(t, systems.Digest(s), systems.Digest(back))
	systems.Close(back)
	s = disturb(s, 40)
	require.NoError(t, tool.Verify(s))
	systems.Close(s)
}

// FuzzRead edits a whole file, raw or compressed, makes its checksums right, and loads it, and
// opens it to be looked at. An edit is six bytes: what to do, where, and an operand.
func FuzzRead(f *testing.F) {
	files := map[bool][]byte{}
	for _, compressed := range []bool{false, true} {
		o := smallOptions()
		o.Compress = compressed
		files[compressed] = write(f, small(f), o)
		f.Add(compressed, []byte{})
		f.Add(compressed, []byte{0, atHeader, 0, 0, 1, 1, 1, atKinds, 0, 0, 1, 0})
	}
	f.Fuzz(func(t *testing.T, compressed bool, edits []byte) {
		file := bytes.Clone(files[compressed])
		for ; len(edits) >= 6 && len(file) > 0; edits = edits[6:] {
			at := (int(edits[1]) | int(edits[2])<<8 | int(edits[3])<<16) % len(file)
			switch edits[0] % 5 {
			case 0:
				file[at] = edits[4]
			case 1:
				file[at] += edits[4]
			case 2:
				file[at] ^= 1 << (edits[4] % 8)
			case 3:
				file = append(file[:at:at], file[min(len(file), at+int(edits[4])):]...)
			case 4:
				from := (int(edits[4]) | int(edits[5])<<8) % len(file)
				copy(file[at:], file[from:min(from+8, len(file))])
			}
		}
		readAny(t, file)
	})
}

func readAny(t *testing.T, file []byte) {
	t.Helper()
	if len(file) >= fixedSize {
		if n := little.Uint32(file[atHeader:]); n >= pageSize && n <= uint32(len(file)) {
			little.PutUint64(file[atSize:], uint64(len(file)))
			seal(file[:n])
		}
	}
	if h, err := readHeader(bytes.NewReader(file), int64(len(file))); err == nil {
		parts := make([][]byte, len(h.parts))
		for i := range h.parts {
			p := &h.parts[i]
			parts[i] = file[p.offset:][:p.length]
			if p.stored == storedZstd {
				p.sum = unfoldedSum(p, parts[i])
			}
		}
		file = joined(h, parts)
	}
	goOn(t, file)
	v := &File{bytes: file}
	if v.check() == nil {
		lookedAt(t, v)
	}
}

// unfoldedSum returns the checksum of what a compressed part unfolds to.
func unfoldedSum(p *part, b []byte) uint64 {
	q := *p
	q.offset = 0
	sum, _ := drained(&header{size: uint64(len(b)), kinds: make([]FileKind, p.of+1)}, &q, b)
	return sum
}

// drained reads all of a part of a file, and returns its checksum and what else is wrong with it;
// 0: it cannot be read.
func drained(h *header, p *part, file []byte) (sum uint64, err error) {
	f := &source{file: bytes.NewReader(file), header: h}
	r, err := f.open(p)
	if err != nil {
		return 0, nil
	}
	defer r.close()
	left, _ := p.size()
	for scratch := make([]byte, 1<<10); left > 0; left -= len(scratch) {
		scratch = scratch[:min(len(scratch), left)]
		if r.read(scratch) != nil {
			return 0, nil
		}
	}
	p.sum = r.hash.Sum64()
	return p.sum, r.end()
}

// lookedAt asks an open file for everything.
func lookedAt(t *testing.T, v *File) {
	t.Helper()
	for _, k := range v.Kinds() {
		_, _, _ = v.Rowed(k.Name)
		for _, f := range k.Fields {
			b, field, err := v.Bytes(k.Name, f.Name)
			if err == nil {
				require.Len(t, b, v.Rows(k.Name)*field.Stride)
			}
		}
	}
	if s, _, err := v.Load(Options{}); err == nil {
		require.NoError(t, tool.Verify(s))
		systems.Close(s)
	}
}

// FuzzHeader reads any bytes as what follows the fixed part of a header.
func FuzzHeader(f *testing.F) {
	file := write(f, small(f), smallOptions())
	n := little.Uint32(file[atHeader:])
	f.Add(bytes.TrimRight(file[atFlags:n], "\x00"))
	f.Fuzz(func(t *testing.T, rest []byte) { headerAny(t, file[:atFlags], rest) })
}

func headerAny(t *testing.T, first, rest []byte) {
	t.Helper()
	b := append(bytes.Clone(first), rest...)
	b = append(b, make([]byte, aligned(max(uint64(len(b)), pageSize))-uint64(len(b)))...)
	little.PutUint32(b[atHeader:], uint32(len(b)))
	seal(b)
	h, err := decodeHeader(b)
	if err != nil {
		return
	}
	again := h.encode()
	little.PutUint64(again[atSize:], little.Uint64(b[atSize:]))
	seal(again)
	require.Equal(t, b, again, "there is one way to say it")
}

// FuzzValues decodes any bytes as the values of a kind.
func FuzzValues(f *testing.F) {
	f.Add([]byte{1, 0, 0, 0, 2, 0, 0, 0}, []byte("abc"))
	f.Fuzz(valuesAny)
}

func valuesAny(t *testing.T, sizes, b []byte) {
	t.Helper()
	column := note.Kind().Spec().Values.Make(len(sizes) / 4)
	if decodeAll(verbose, column, sizes, b, func(int) bool { return true }) != nil {
		return
	}
	again, all, err := encodeAll(verbose, column, len(sizes)/4)
	require.NoError(t, err)
	require.Equal(t, sizes[:len(sizes)/4*4], append([]byte{}, again...))
	require.True(t, bytes.Equal(b, all))
}

// FuzzZstd reads any bytes as a compressed part.
func FuzzZstd(f *testing.F) {
	want := bytes.Repeat([]byte("flat"), 4096)
	f.Add(compress(want), uint32(len(want)))
	f.Fuzz(zstdAny)
}

func zstdAny(t *testing.T, b []byte, size uint32) {
	t.Helper()
	size %= 1 << 20
	p := &part{stored: storedZstd, units: uint64(size), length: uint64(len(b))}
	p.unit = 1
	padded := append(bytes.Clone(b), make([]byte, pageSize)...)
	_, err := drained(&header{size: uint64(len(padded))}, p, padded)
	require.NoError(t, ignoreDamage(err))
}

// ignoreDamage returns err unless it says that a part goes on after its end.
func ignoreDamage(err error) error {
	if err != nil && strings.Contains(err.Error(), "decompresses to more") {
		return nil
	}
	return err
}

var everyBit = flag.Bool("save.everybit", false, "flip every bit of a file, also of the padding")

// flips are two worlds: one with all features, and one with a compressible part.
func flips(t *testing.T) map[string][]byte {
	t.Helper()
	c := smallCounts()
	c.Names, c.Seed, c.Commands = 0, 0, 1
	s := systems.Must(systems.CreateState(c))
	c = systems.Counts{GameObjects: 2, Kinds: []layout.Count{long.Count(2)}, Commands: 1}
	p := systems.Must(systems.CreateState(c))
	p, id := systems.Must2(systems.Create(p))
	p = systems.Must(systems.Add(p, id, long))
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

var executions = flag.Int("save.executions", 500, "how many hostile inputs each decoder gets")

// TestHostileInputs gives each decoder inputs that begin as ones that are right: what fuzzing does,
// without the time that it takes to look at coverage.
func TestHostileInputs(t *testing.T) {
	worldtest.OneGoroutine(t)
	file := write(t, small(t), smallOptions())
	packed := compress(bytes.Repeat([]byte("a save file is flat "), 900))
	var countersOf []byte // parts of motley worlds
	for i, p := range motleyParts(t) {
		if p.name == counters {
			countersOf = append(countersOf, byte(i))
		}
	}
	head := little.Uint32(file[atHeader:])
	for name, decode := range map[string]func(*testing.T, *rand.Rand){
		"lives": func(t *testing.T, r *rand.Rand) {
			t.Helper()
			seed, edits := byte(r.Uint32()), randomEdits(r, countersOf)
			defer func() {
				if t.Failed() {
					t.Logf("seed %d, edits %v", seed, edits)
				}
			}()
			livesAny(t, seed, edits)
		},
		"read": func(t *testing.T, r *rand.Rand) { t.Helper(); readAny(t, mutated(r, file)) },
		"header": func(t *testing.T, r *rand.Rand) {
			t.Helper()
			headerAny(t, file[:atFlags], mutated(r, file[atFlags:head]))
		},
		"values": func(t *testing.T, r *rand.Rand) {
			t.Helper()
			valuesAny(t, mutated(r, []byte{1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0}), mutated(r, []byte("abc")))
		},
		"zstd": func(t *testing.T, r *rand.Rand) {
			t.Helper()
			zstdAny(t, mutated(r, packed), uint32(18000+r.IntN(3)-1))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(7, uint64(*executions)))
			for range *executions {
				decode(t, r)
			}
		})
	}
}

// mutated returns a copy of b with a few changes.
func mutated(r *rand.Rand, b []byte) []byte {
	b = bytes.Clone(b)
	for range 1 + r.IntN(4) {
		if len(b) == 0 {
			return b
		}
		at := r.IntN(len(b))
		if r.IntN(2) == 0 { // where something is said
			at = r.IntN(min(len(b), 4096))
		}
		switch r.IntN(8) {
		case 0, 1, 2:
			b[at] = []byte{0, 1, 2, 127, 128, 255}[r.IntN(6)]
		case 3, 4:
			b[at] ^= 1 << r.IntN(8)
		case 5:
			b[at] += byte(r.Uint32())
		case 6:
			b[at] = b[r.IntN(len(b))]
		case 7:
			if r.IntN(8) == 0 {
				b = b[:at]
			}
		}
	}
	return b
}

// randomEdits returns edits of [FuzzLives]: most are small numbers, and in counters.
func randomEdits(r *rand.Rand, countersOf []byte) []byte {
	edits := make([]byte, 8*(1+r.IntN(3)))
	for i := range edits {
		edits[i] = byte(r.Uint32())
	}
	for e := edits; len(e) > 0; e = e[8:] {
		e[0] %= 8
		if r.IntN(40) == 0 {
			e[0] = 255
		}
		e[3], e[5] = byte(r.IntN(2)), e[5]%4
		if r.IntN(2) == 0 { // near the beginning
			e[2], e[3] = e[2]%16, 0
		}
		if r.IntN(2) == 0 { // in counters
			e[1] = countersOf[r.IntN(len(countersOf))]
		}
		if r.IntN(4) > 0 {
			little.PutUint16(e[6:], uint16([]int{1, 1, -1, 2, 63, 64, -64, 0}[r.IntN(8)]))
		}
	}
	return edits
}
