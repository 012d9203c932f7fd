package save

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
)

// A wrong is a file that cannot be, and what is said of it.
type wrong struct {
	name   string
	change func([]byte) []byte
	err    error
	text   string
}

func TestEachFileThatCannotBeHasItsOwnMessage(t *testing.T) {
	file := write(t, small(t), smallOptions())
	path := filepath.Join(t.TempDir(), "a.flat")
	require.NoError(t, Copy(path, bytes.NewReader(file)))
	for _, test := range slices.Concat(wrongBytes(t), wrongWorlds(t)) {
		t.Run(test.name, func(t *testing.T) {
			b := test.change(append([]byte(nil), file...))
			_, err := read(b)
			require.ErrorIs(t, err, test.err)
			require.ErrorContains(t, err, test.text)
			assert.Less(t, len(err.Error()), 400)
			if _, err = readHeader(bytes.NewReader(b), int64(len(b))); err != nil {
				require.ErrorIs(t, Copy(path, bytes.NewReader(b)), test.err)
				require.Equal(t, file, systems.Must(os.ReadFile(path)), "the previous file stays")
			}
		})
	}
}

// wrongBytes are files that are none.
func wrongBytes(t *testing.T) []wrong {
	t.Helper()
	patch := func(at int, b ...byte) func([]byte) []byte { // and seal the header again
		return func(f []byte) []byte {
			copy(f[at:], b)
			n := little.Uint32(f[atHeader:])
			if n >= pageSize && n <= uint32(len(f)) {
				seal(f[:n])
			}
			return f
		}
	}
	return []wrong{
		{"nothing", func([]byte) []byte { return nil }, ErrNotFlat, "does not begin with"},
		{"a picture", func([]byte) []byte { return []byte("\x89PNG\r\n\x1a\n") }, ErrNotFlat, "not a save file"},
		{"the magic alone", func(f []byte) []byte { return f[:8] }, ErrTruncated, "it has 8 bytes"},
		{"half a file", func(f []byte) []byte { return f[:len(f)/2] }, ErrTruncated, "are there"},
		{"more than a file", func(f []byte) []byte { return append(f, 0) }, ErrTrailing, "and it says"},
		{"the other byte order", patch(atOrder, 1, 2, 3, 4), ErrOrder, "other byte order"},
		{"no byte order", patch(atOrder, 1, 1, 1, 1), ErrDamaged, "byte order is 0x1010101"},
		{"a newer format", patch(atVersion, 2), ErrNewer, "format 2, this library reads format 1; update it"},
		{"format 0", patch(atVersion, 0), ErrDamaged, "format 0, which no release has written"},
		{"a flag of tomorrow", patch(atFlags, 8), ErrDamaged, "flags 0x8"},
		{"too many kinds", patch(atKinds, 255, 255, 255), ErrDamaged, "too many kinds"},
		{"too few kinds", patch(atKinds, 2), ErrDamaged, "header: "},
		{"too many recipes", patch(atRecipes, 255, 255, 255), ErrDamaged, "too many recipes"},
		{"too many parts", patch(atParts, 255), ErrDamaged, "another number of parts"},
		{"no header", patch(atHeader, 0, 0, 0, 0), ErrDamaged, "cannot have 0 bytes"},
		{"a huge header", patch(atHeader, 0, 0, 0, 0xf0), ErrDamaged, "cannot have 4026531840 bytes"},
		{"a header longer than the file", patch(atHeader, 0, 0, 0, 1), ErrDamaged, "cannot have a header of"},
		{"a flipped bit in the header", func(f []byte) []byte { f[200] ^= 4; return f }, ErrDamaged, "header's checksum"},
		{"a flipped bit in a column", func(f []byte) []byte {
			h, _ := parsed(t, f)
			f[h.parts[find(h, "stone.heat")].offset+3] ^= 4
			return f
		}, ErrDamaged, "stone.heat: its checksum is"},
		{"a padding that says something", func(f []byte) []byte { f[len(f)-1] = 1; return f }, ErrDamaged, "are not zero"},
		{"parts that end before the file", func(f []byte) []byte {
			f = append(f, make([]byte, pageSize)...)
			little.PutUint64(f[atSize:], uint64(len(f)))
			seal(f[:little.Uint32(f[atHeader:])])
			return f
		}, ErrTrailing, "its parts end at"},
		{"overlapping parts", shift(t, -4096), ErrOverlap, "begins at"},
		{"a gap between parts", shift(t, 4096), ErrDamaged, "there is a gap before"},
		{"a part longer than its units", func(f []byte) []byte {
			return patchPart(t, f, "stone.heat", 1, 8)
		}, ErrDamaged, "stone.heat has"},
		{"a part of 2⁶⁴ bytes", func(f []byte) []byte {
			return patchPart(t, f, "stone.heat", 0, 1<<62)
		}, ErrDamaged, "stone.heat has"},
	}
}

// wrongWorlds are files whose checksums are right, of what is no world.
func wrongWorlds(t *testing.T) []wrong {
	t.Helper()
	forge := func(change func(h *header, parts [][]byte)) func([]byte) []byte {
		return func(f []byte) []byte { return forged(t, f, change) }
	}
	field := func(kind string, number int, change func(*layout.FieldSpec)) func([]byte) []byte {
		return forge(func(h *header, _ [][]byte) {
			f := &h.kinds[h.indexOf(kind)].Fields[number]
			*f = &layout.FieldSpec{Name: (*f).Name, Parts: (*f).Parts, Default: (*f).Default}
			change(*f)
		})
	}
	part := func(number int, change func(*layout.Part)) func(*layout.FieldSpec) {
		return func(f *layout.FieldSpec) {
			f.Parts = slices.Clone(f.Parts)
			change(&f.Parts[number])
		}
	}
	put := func(title string, at int, b ...byte) func([]byte) []byte {
		return forge(func(h *header, parts [][]byte) { copy(parts[find(h, title)][at:], b) })
	}
	return []wrong{
		{"two kinds of a name", forge(func(h *header, _ [][]byte) { h.kinds[1].Name = "stone" }), ErrDamaged, "that of another"},
		{"a field of no type", field("stone", 0, func(f *layout.FieldSpec) { f.Parts = []layout.Part{{Type: "none", Lanes: 2}} }), ErrDamaged, "kind stone has a field that cannot be"},
		{"a field without a name", field("stone", 0, func(f *layout.FieldSpec) { f.Name = "" }), ErrDamaged, "kind stone has a field that cannot be"},
		{"two fields of a name", field("name", 1, func(f *layout.FieldSpec) { f.Name = "text" }), ErrDamaged, "kind name has a field that cannot be"},
		{"two fields of a name, apart", field("name", 2, func(f *layout.FieldSpec) { f.Name = "text" }), ErrDamaged, "kind name has a field that cannot be"},
		{"a field of no lanes", field("stone", 0, func(f *layout.FieldSpec) { f.Parts = []layout.Part{{Type: "int16"}} }), ErrDamaged, "kind stone has a field that cannot be"},
		{"a field of too many lanes", field("stone", 0, func(f *layout.FieldSpec) { f.Parts = []layout.Part{{Type: "int16", Lanes: layout.MaxStride/2 + 1}} }), ErrDamaged, "kind stone has a field that cannot be"},
		{"a part of no type", field("stone", 1, part(1, func(p *layout.Part) { p.Type = "none" })), ErrDamaged, "kind stone has a field that cannot be"},
		{"a part of no lanes", field("stone", 1, part(4, func(p *layout.Part) { p.Lanes = 0 })), ErrDamaged, "part Marks[1].Deep has 0 lanes"},
		{"a part of too many lanes", field("stone", 1, part(1, func(p *layout.Part) { p.Lanes = 1 << 14 })), ErrDamaged, "kind stone has a field that cannot be"},
		{"a part of endless lanes", field("stone", 1, part(1, func(p *layout.Part) { p.Lanes = int(endless) })), ErrDamaged, "kind stone has a field that cannot be"},
		{"a part without a name", field("stone", 1, part(1, func(p *layout.Part) { p.Name = "" })), ErrDamaged, "part 1 has no name"},
		{"two parts of a name", field("stone", 1, part(1, func(p *layout.Part) { p.Name = "Beside" })), ErrDamaged, "that of another, Beside"},
		{"a part out of line", field("stone", 1, func(f *layout.FieldSpec) {
			f.Parts = slices.Clone(f.Parts)
			f.Parts[1], f.Parts[2] = f.Parts[2], f.Parts[1]
		}), ErrDamaged, "part Size begins at 9"},
		{"a value that ends out of line", field("stone", 1, func(f *layout.FieldSpec) { f.Parts = f.Parts[:2] }), ErrDamaged, "12 bytes are no multiple"},
		{"no parts", field("stone", 1, func(f *layout.FieldSpec) { f.Parts = nil }), ErrDamaged, "kind stone has a field that cannot be"},
		{"a default that is no bool", field("stone", 1, func(f *layout.FieldSpec) {
			f.Default = slices.Clone(f.Default)
			f.Default[12] = 2
		}), ErrDamaged, "texture.Sharp in row 0 holds a bool that is 2"},
		{"a bool that is none", put("stone.texture", 16*3+12, 255), ErrImpossible, "stone.texture.Sharp in row 3 holds a bool that is 255; it can be 0 or 1"},
		{"a bool that is none, deep in a value", put("stone.texture", 16*5+14, 2), ErrImpossible, "stone.texture.Marks[1].Deep in row 5 holds a bool that is 2"},
		{"a mark with fields", forge(func(h *header, _ [][]byte) { h.kinds[0].Mark = true }), ErrDamaged, "kind stone cannot be"},
		{"more rows than were counted", put("stone.counters", 0, 10), ErrImpossible, "its counters say"},
		{"more rows than there was room for", forge(func(h *header, _ [][]byte) { h.kinds[0].Rows = 3 }), ErrImpossible, "of 3 rows were used"},
		{"more objects than there was room for", forge(func(h *header, _ [][]byte) { h.objects = 3 }), ErrImpossible, "of 3 game objects"},
		{"a dead object that has a row", put("game objects.alive", 0, 0), ErrImpossible, "alive"},
		{"a row on two objects", put("stone.objects", 0, 1, 0, 0, 0, 1, 0, 0, 0), ErrImpossible, "stone"},
		{"a free list that leads to the living", put("game objects.counters", 12, 1), ErrImpossible, "inconsistent: the list of free indexes is broken"},
		{"an owner that is no recipe", put("game objects.owners", 0, 2), ErrImpossible, "of recipe 2, of 1"},
		{"another tick", forge(func(h *header, _ [][]byte) { h.tick++ }), ErrImpossible, "the header says"},
		{"a value beyond its bytes", put("note.lengths", 0, 255, 255, 255, 255), ErrDamaged, "note in row"},
		{"a name that is none", put("name.text", 1, 0xff), ErrImpossible, "name in row 0"},
		{"a name of 255 bytes", put("name.text", 0, 0xff), ErrImpossible, "name in row 0"},
		{"a resource that is not there", put("random source.mounted", 0, 1), ErrImpossible, "random source"},
	}
}

// shift moves a part, but for its bytes, and seals the header.
func shift(t *testing.T, by int64) func([]byte) []byte {
	t.Helper()
	return func(f []byte) []byte {
		h, _ := parsed(t, f)
		i := find(h, "stone.heat")
		h.parts[i].offset += uint64(by)
		return resealed(f, h)
	}
}

// patchPart gives a part other units and another length.
func patchPart(t *testing.T, f []byte, title string, length, units uint64) []byte {
	t.Helper()
	h, _ := parsed(t, f)
	p := &h.parts[find(h, title)]
	p.units += units
	p.length += length
	return resealed(f, h)
}

// resealed replaces the directory of a file by h's as it is.
func resealed(f []byte, h *header) []byte {
	directory := h.appendParts(nil) // as long, whatever it says
	copy(f[directoryAt(h):], directory)
	seal(f[:h.length])
	return f
}

// directoryAt returns where the directory begins.
func directoryAt(h *header) int {
	described := h.described()
	return fixedSize + len(described.Append(nil))
}

func TestOnlyRegularFilesAreOpened(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.flat")
	s := small(t)
	require.NoError(t, Save(path, s, smallOptions()))
	link := filepath.Join(dir, "link.flat")
	require.NoError(t, os.Symlink(path, link))
	require.NoError(t, os.Symlink(link, filepath.Join(dir, "far.flat")))
	require.NoError(t, os.Symlink(dir, filepath.Join(dir, "folder")))
	save := func(path string) error { return Save(path, s, smallOptions()) }
	for name, open := range map[string]func(string) error{
		"Load": func(path string) error { _, _, err := Load(path, smallCounts(), smallOptions()); return err },
		"Open": func(path string) error {
			f, err := Open(path)
			if err == nil {
				err = f.Close()
			}
			return err
		},
		"Save": save,
		"Copy": func(path string) error { return Copy(path, strings.NewReader("a save file")) },
	} {
		writes := name == "Save" || name == "Copy"
		for what, places := range map[string][]string{
			"a folder": {dir, dir + string(filepath.Separator), filepath.Join(dir, "folder")},
			"a device": {os.DevNull},
		} {
			for _, place := range places {
				if writes && place == filepath.Join(dir, "folder") {
					continue // a link
				}
				require.ErrorIs(t, open(place), ErrNotFile, "%s %s", name, place)
				require.ErrorContains(t, open(place), "it is "+what+"; name a file")
			}
		}
		for _, link := range []string{link, filepath.Join(dir, "far.flat")} {
			if writes {
				require.ErrorContains(t, open(link), "symbolic link", name)
			} else {
				require.NoError(t, open(link), name)
			}
		}
	}
	require.ErrorIs(t, save(filepath.Join(dir, "no", "a.flat")), fs.ErrNotExist)
	_, _, err := Load(filepath.Join(dir, "none.flat"), smallCounts(), smallOptions())
	require.ErrorIs(t, err, fs.ErrNotExist)
}

func TestValuesWithoutACodecAreRefused(t *testing.T) {
	s := small(t)
	err := Save(filepath.Join(t.TempDir(), "a.flat"), s, Options{})
	require.ErrorIs(t, err, ErrCodec)
	require.EqualError(t, err, "save: note: this kind of values has no codec; add one to Options.Codecs")
	broken := errors.New("broken")
	o := Options{Codecs: []Codec{Values(note,
		func([]byte, string) ([]byte, error) { return nil, broken },
		func([]byte) (string, error) { return "", broken })}}
	require.ErrorIs(t, Save(filepath.Join(t.TempDir(), "a.flat"), s, o), broken)
}

// endless is how many lanes a file may speak of: more than an int has on 386.
var endless = uint32(1<<32 - 1)

// TestFilesThatEndWhileTheyAreRead: a file may be cut off by others while it is read.
func TestFilesThatEndWhileTheyAreRead(t *testing.T) {
	file := write(t, small(t), smallOptions())
	h, _ := parsed(t, file)
	for name, c := range map[string]struct {
		size int
		text string
	}{
		"in the header": {pageSize / 2, "the header"},
		// Counters are read before all others.
		"in a part": {int(h.parts[find(h, "stone.heat")].offset) + 3, "in wet.counters"},
	} {
		t.Run(name, func(t *testing.T) {
			cut := bytes.NewReader(file[:c.size])
			_, _, err := Read(cut, int64(len(file)), smallCounts(), smallOptions())
			require.ErrorIs(t, err, ErrTruncated)
			require.ErrorContains(t, err, c.text)
		})
	}
}

// TestColumnsOfAnotherType: a field of the program that has another type, and a bool that is none.
func TestColumnsOfAnotherType(t *testing.T) {
	path := filepath.Join(t.TempDir(), "small.flat")
	file := write(t, small(t), smallOptions())
	heats := layout.NewField[float64]("heat")
	layout.NewKind("stone", heats)
	require.NoError(t, os.WriteFile(path, file, 0o600))
	f, err := Open(path)
	require.NoError(t, err)
	defer f.Close()
	_, err = FileColumn(f, heats)
	require.ErrorIs(t, err, ErrMigration)
	require.ErrorContains(t, err, "stone.heat is int16 × 2 in the file and float64")

	forgery := forged(t, file, func(h *header, parts [][]byte) {
		parts[find(h, "stone.texture")][12] = 2 // Sharp
	})
	require.NoError(t, os.WriteFile(path, forgery, 0o600))
	g, err := Open(path)
	require.NoError(t, err)
	defer g.Close()
	_, err = FileColumn(g, texture)
	require.ErrorIs(t, err, ErrImpossible)
}

// TestMemoryThatAFileMayNotAskFor: each step of reading that makes room beyond the counts is
// refused once a file has taken what one of its size may.
func TestMemoryThatAFileMayNotAskFor(t *testing.T) {
	file := write(t, small(t), smallOptions())
	kind := func(h *header) int {
		return slices.IndexFunc(h.kinds, func(k FileKind) bool { return k.Name == "stone" })
	}
	for text, ask := range map[string]func(p *plan, f *source) error{
		"recipes that the program": func(p *plan, _ *source) error { return p.findRecipes() },
		"game objects in": func(p *plan, f *source) error {
			return (&File{header: f.header, source: f, used: p.used}).checkUnfolded()
		},
		"stone.heat has 168 bytes": func(_ *plan, f *source) error {
			_, err := f.readApart(&f.header.parts[find(f.header, "stone.heat")])
			return err
		},
		"200 objects of stone": func(p *plan, f *source) error {
			p.kinds[kind(p.header)].from = &p.header.kinds[kind(p.header)]
			_, err := (&filler{plan: p, source: f}).readTurn(kind(p.header))
			return err
		},
		"that the program lacks tak": func(p *plan, _ *source) error {
			_, err := (&matcher{plan: p}).keep(&p.header.kinds[kind(p.header)], 3)
			return err
		},
	} {
		t.Run(text, func(t *testing.T) {
			f, err := openSource(bytes.NewReader(file), int64(len(file)), nil)
			require.NoError(t, err)
			f.budget.taken = f.budget.most
			p := &plan{
				header: f.header, budget: f.budget, kinds: make([]kindPlan, len(f.header.kinds)),
				used: used{objects: 200, recipes: []int{0}},
			}
			err = ask(p, f)
			require.ErrorIs(t, err, ErrTooLarge)
			require.ErrorContains(t, err, text)
		})
	}
}

// TestARowOfNobody: an open file, whose columns are unchecked, may claim anything about its rows.
func TestARowOfNobody(t *testing.T) {
	forged := forged(t, write(t, small(t), smallOptions()), func(h *header, parts [][]byte) {
		little.PutUint32(parts[find(h, "stone.objects")], 1<<29)
		parts[find(h, "stone.mounted")][0] |= 1
	})
	path := filepath.Join(t.TempDir(), "a.flat")
	require.NoError(t, os.WriteFile(path, forged, 0o600))
	f, err := Open(path)
	require.NoError(t, err)
	ids, mounted, err := f.Rowed("stone")
	require.NoError(t, err)
	require.Zero(t, ids[0])
	require.Equal(t, byte(1), mounted[0]&1)
	require.ErrorIs(t, f.Verify(), ErrImpossible)
	require.NoError(t, f.Close())
}

// at returns the small file as it would be at a tick.
func at(t *testing.T, tick uint64) []byte {
	t.Helper()
	return forged(t, write(t, small(t), smallOptions()), func(h *header, parts [][]byte) {
		h.tick = tick
		little.PutUint64(parts[find(h, "world.tick")], tick)
	})
}

func TestTicksThatNoWorldIsAtAreRefused(t *testing.T) {
	for _, tick := range []uint64{0, systems.MaxTick + 1, 1<<64 - 1} {
		_, err := read(at(t, tick))
		require.ErrorIs(t, err, ErrDamaged, "%d", tick)
		require.ErrorContains(t, err, "no world is at tick")
	}
}
