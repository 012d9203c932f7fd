package save

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
)

// FuzzLoad changes what parts hold, makes the checksums right, and loads: what is not refused is a
// world that goes on. An edit is six bytes: part, place and what to do there.
func FuzzLoad(f *testing.F) {
	file := write(f, small(f), smallOptions())
	f.Add([]byte{})
	f.Add([]byte{1, 0, 0, 0, 1, 0})
	f.Add([]byte{7, 0, 0, 0, 0, 255, 8, 0, 4, 0, 2, 1})
	h, _ := parsed(f, file)
	for i := range h.parts {
		f.Add([]byte{byte(i), 0, 0, 0, 0, 1, byte(i), 0, 3, 0, 1, 64})
	}
	f.Fuzz(func(t *testing.T, edits []byte) {
		edited(t, file, edits)
	})
}

func edited(t *testing.T, file, edits []byte) {
	t.Helper()
	h, parts := parsed(t, file)
	for ; len(edits) >= 6; edits = edits[6:] {
		edit(h, parts, [6]byte(edits))
	}
	f := scatter(h, parts)
	s, _, err := Read(f, int64(h.size), smallCounts(), smallOptions())
	if err == nil {
		world(t, s)
	}
}

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
	again := write(t, s, smallOptions())
	back, err := read(again)
	require.NoError(t, err)
	require.Equal(t, systems.Digest(s), systems.Digest(back))
	systems.Close(back)
	s = disturb(s, 40)
	require.NoError(t, tool.Verify(s))
	systems.Close(s)
}

// FuzzRead edits a whole file, raw or compressed, makes its checksums right, and loads it, and opens
// it to be looked at. An edit is six bytes: what to do, where, and an operand.
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
	l := &loader{
		file: bytes.NewReader(b), options: &Options{},
		header: &header{size: uint64(len(b)), kinds: make([]FileKind, p.of+1)},
	}
	r, err := l.open(&q)
	if err != nil || r.skip() != nil {
		return 0
	}
	defer r.close()
	return r.hash.Sum64()
}

// lookedAt asks an open file for everything.
func lookedAt(t *testing.T, v *File) {
	t.Helper()
	require.Len(t, v.Parts(), len(v.header.parts))
	for _, k := range v.Kinds() {
		v.Mounted(k.Name)
		for row := range v.Rows(k.Name) {
			v.ObjectOf(k.Name, row)
		}
		for i := range k.Fields {
			b, field, err := v.Bytes(k.Name, k.Fields[i].Name)
			if err == nil {
				require.Len(t, b, v.Rows(k.Name)*field.Stride)
				field.Text(field.Default)
				field.Shape()
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
	l := &loader{
		file: bytes.NewReader(padded), options: &Options{},
		header: &header{size: uint64(len(padded))},
	}
	if r, err := l.open(p); err == nil {
		if r.skip() == nil {
			p.sum = r.hash.Sum64()
			require.NoError(t, ignoreDamage(r.end()))
		}
		r.close()
	}
}

// ignoreDamage returns err unless it says that a part goes on after its end.
func ignoreDamage(err error) error {
	if err != nil && strings.Contains(err.Error(), "decompresses to more") {
		return nil
	}
	return err
}
