package save_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/save"
)

// crowd returns a world of n objects with a position and a velocity.
func crowd(t *testing.T, n int) world.State {
	t.Helper()
	s := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(
		heroes.Position.Count(n), heroes.Velocity.Count(n),
	), Recipes: []world.Recipe{mover}}))
	s = world.Must(world.SpawnN(s, mover, n, nil))
	return heroes.MoveAll(world.Advance(s))
}

var mover = world.NewRecipe("mover", heroes.Position, heroes.Velocity)

func TestAFileIsReplacedAsAWhole(t *testing.T) {
	s, c := busy(t)
	dir := t.TempDir()
	path := filepath.Join(dir, "a.flat")
	require.NoError(t, save.Save(path, s, options()))
	before := world.Must(save.Open(path))
	positions := world.Must(save.FileColumn(before, heroes.Position))
	first := slices.Clone(positions[:3])
	s = stir(t, s, 100)
	require.NoError(t, save.Save(path, s, options()))
	assert.Equal(t, first, positions[:3], "what is open stays what it was")
	positions[0][0] = 12345 // of this program alone
	require.NoError(t, before.Close())

	broken := errors.New("broken")
	o := options()
	o.Codecs[0] = save.Values(label,
		func(dst []byte, _ string) ([]byte, error) { return dst, broken },
		func([]byte) (string, error) { return "", broken })
	require.ErrorIs(t, save.Save(path, stir(t, s, 1), o), broken)
	back, _ := world.Must2(save.Load(path, c, options()))
	require.NoError(t, tool.Verify(back))
	assert.Equal(t, []string{"a.flat"}, names(t, dir))
	_, _, err := save.Load(path, c, o)
	require.ErrorIs(t, err, broken)
}

func names(t *testing.T, dir string) (all []string) {
	t.Helper()
	for _, e := range world.Must(os.ReadDir(dir)) {
		all = append(all, e.Name())
	}
	return all
}

// A name may have all the bytes that a file system takes; what is left by a save of it is swept.
func TestNamesOf255Bytes(t *testing.T) {
	s, c := busy(t)
	for _, letter := range []string{"a", "ü", "界"} {
		dir := t.TempDir()
		name := strings.Repeat(letter, 255/len(letter))
		path := filepath.Join(dir, name)
		left := filepath.Join(dir, "."+name[:200/len(letter)*len(letter)]+".12.saving")
		require.NoError(t, os.WriteFile(left, nil, 0o600))
		for range 2 {
			require.NoError(t, save.Save(path, s, options()))
		}
		require.NoError(t, save.Copy(path, bytes.NewReader(world.Must(os.ReadFile(path)))))
		assert.Equal(t, []string{name}, names(t, dir))
		back, _ := world.Must2(save.Load(path, c, options()))
		world.Close(back)
	}
}

func TestOrphansAreSwept(t *testing.T) {
	s, _ := busy(t)
	dir := t.TempDir()
	path := filepath.Join(dir, "a.flat")
	others := []string{".a.flat.x1.saving", ".a.flat..saving", ".b.flat.12.saving", "a.flat.12.saving"}
	for _, name := range append(others, ".a.flat.12.saving", ".a.flat.99999.saving") {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("half a world"), 0o600))
	}
	require.NoError(t, os.Mkdir(filepath.Join(dir, ".a.flat.5.saving"), 0o700))
	require.NoError(t, save.Save(path, s, options()))
	assert.ElementsMatch(t, append(others, "a.flat", ".a.flat.5.saving"), names(t, dir))
	require.Error(t, save.Sweep(filepath.Join(dir, "none", "a.flat")))
}

func TestAnOpenFileShowsItsColumns(t *testing.T) {
	var sizes []int64
	for _, compress := range []bool{false, true} {
		s := crowd(t, 3200)
		path := filepath.Join(t.TempDir(), "a.flat")
		require.NoError(t, save.Save(path, s, save.Options{Compress: compress, Behaviour: 4}))
		f := world.Must(save.Open(path))
		positions := world.Must(save.FileColumn(f, heroes.Position))
		assert.Equal(t, world.View(s, heroes.Position)[:len(positions)], positions)
		assert.Len(t, positions, tool.MaxIndex(s, heroes.Position.Kind()))
		assert.Equal(t, world.Tick(s), f.Tick())
		ids, mounted := world.Must2(f.Rowed("position"))
		require.Len(t, ids, f.Rows("position"))
		require.Len(t, mounted, (len(ids)+7)/8)
		for row, id := range ids {
			want, ok := world.ObjectOf(s, heroes.Position, layout.Row(row))
			require.Equal(t, want, id)
			require.Equal(t, ok, mounted[row/8]>>(row%8)&1 == 1)
		}
		ids, mounted = world.Must2(f.Rowed("colour"))
		assert.Empty(t, ids)
		assert.Empty(t, mounted)
		_, _, err := f.Bytes("position", "colour")
		require.ErrorIs(t, err, world.ErrNoKind)
		_, err = save.FileColumn(f, velocity3)
		require.ErrorIs(t, err, world.ErrNoKind)
		sizes = append(sizes, f.Size())
		require.NoError(t, f.Verify())
		require.NoError(t, f.Close())
	}
	assert.Less(t, sizes[1], sizes[0], "the second one is compressed")
}

func TestADamagedColumnIsSeenByVerify(t *testing.T) {
	s := crowd(t, 3200)
	path := filepath.Join(t.TempDir(), "a.flat")
	require.NoError(t, save.Save(path, s, save.Options{}))
	f := world.Must(save.Open(path))
	const page = 4096 // each begins with a byte of the header, or of a part
	columns, unseen := 0, 0
	for _, k := range f.Kinds() {
		for _, field := range k.Fields {
			b, _ := world.Must2(f.Bytes(k.Name, field.Name))
			columns += (len(b) + page - 1) / page
		}
	}
	for at := int64(page); at < f.Size(); at += page {
		flip(t, path, at)
		damaged, err := save.Open(path)
		if err == nil {
			unseen++
			err = damaged.Verify()
			require.NoError(t, damaged.Close())
		}
		require.ErrorIs(t, err, save.ErrDamaged, at)
		flip(t, path, at)
	}
	assert.Equal(t, columns, unseen, "Open checks all but columns")
	require.NoError(t, f.Close())
}

func flip(t *testing.T, path string, at int64) {
	t.Helper()
	f := world.Must(os.OpenFile(path, os.O_RDWR, 0))
	var b [1]byte
	world.Must(f.ReadAt(b[:], at))
	b[0] ^= 16
	world.Must(f.WriteAt(b[:], at))
	require.NoError(t, f.Close())
}

// TestLargeParts are read at the same time: none loses bytes, and a damaged one is named.
func TestLargeParts(t *testing.T) {
	const n = 70_000 // of 8 bytes: more than 512 KiB
	counts := world.Counts{GameObjects: n}
	var kinds []layout.AnyKind
	for i := range 3 {
		f := layout.NewComponent[uint64](fmt.Sprint("large", i))
		kinds, counts.Kinds = append(kinds, f), append(counts.Kinds, f.Count(n))
	}
	all := world.NewRecipe("large", kinds...)
	counts.Recipes = []world.Recipe{all}
	s := world.Must(world.CreateState(counts))
	s = world.Must(world.SpawnN(s, all, n, func(b world.Batch) {
		for i, k := range kinds {
			for at, column := 0, world.Column(b, k.(layout.Field[uint64])); at < len(column); at++ {
				column[at] = uint64(b.ID(at)) * uint64(i+3)
			}
		}
	}))
	var file bytes.Buffer
	require.NoError(t, save.Write(&file, s, save.Options{}))
	read := func() (world.State, error) {
		s, _, err := save.Read(bytes.NewReader(file.Bytes()), int64(file.Len()), counts, save.Options{})
		return s, err
	}
	require.True(t, world.Equal(s, world.Must(read())))
	file.Bytes()[file.Len()/2] ^= 1
	_, err := read()
	require.ErrorIs(t, err, save.ErrDamaged)
	require.ErrorContains(t, err, "large")
}
