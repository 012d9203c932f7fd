package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/save"
)

var (
	height = layout.NewComponent[float32]("a/b height")
	mass   = layout.NewComponent[float64]("mass")
	tags   = layout.NewText("tags")
	asleep = layout.NewMark("asleep")
	stone  = world.NewRecipe("stone", height, mass)
)

func worldFile(t *testing.T) string {
	t.Helper()
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: 10, Kinds: layout.Kinds(height, mass, tags, asleep), Recipes: []world.Recipe{stone},
	}))
	s = world.Must(world.SpawnN(s, stone, 5, func(b world.Batch) {
		copy(world.Column(b, height), []float32{1, 2, 3, 4, 5})
	}))
	path := filepath.Join(t.TempDir(), "world.flat")
	require.NoError(t, save.Save(path, s, save.Options{}))
	world.Close(s)
	return path
}

func TestExport(t *testing.T) {
	file, dir := worldFile(t), t.TempDir()
	var out bytes.Buffer
	require.NoError(t, (&export{File: file, Out: filepath.Join(dir, "all")}).Run(&out))
	one := filepath.Join(dir, "one.arrow")
	require.NoError(t, (&export{File: file, Out: one, Kind: "a/b height"}).Run(&out))
	files := world.Must(filepath.Glob(filepath.Join(dir, "all", "*")))
	assert.Contains(t, files, filepath.Join(dir, "all", "a%2Fb%20height.arrow"))
	assert.Contains(t, files, filepath.Join(dir, "all", "mass.arrow"))
	assert.Contains(t, files, filepath.Join(dir, "all", "tags.arrow"))
	assert.Len(t, files, 3, "elements of lists have no file")
	assert.Contains(t, out.String(), "10 rows, 2 columns")

	f := world.Must(os.Open(one))
	defer func() { _ = f.Close() }()
	r := world.Must(ipc.NewFileReader(f))
	batch := world.Must(r.RecordBatch(0))
	heights := batch.Column(1).(*array.Float32).Float32Values()
	assert.Equal(t, []float32{1, 2, 3, 4, 5, 0, 0, 0, 0, 0}, heights) // of no object
	assert.Equal(t, 5, batch.Column(0).NullN())
	kind, _ := r.Schema().Metadata().GetValue("flatecs.kind")
	assert.Equal(t, "a/b height", kind)
}

func TestWrongUsageEndsWith2(t *testing.T) {
	cmd := exec.Command("go", "run", ".", "--x")
	said, _ := cmd.CombinedOutput()
	assert.Contains(t, string(said), "exit status 2")
}

func TestExportRefuses(t *testing.T) {
	file, dir := worldFile(t), t.TempDir()
	whole := world.Must(os.ReadFile(file))
	damaged, link := filepath.Join(dir, "damaged.flat"), filepath.Join(dir, "link.arrow")
	require.NoError(t, os.Symlink(file, link))
	whole[len(whole)-4000] ^= 1
	for name, c := range map[string]struct {
		export
		want string
	}{
		"no file":       {export{File: filepath.Join(dir, "none"), Out: dir}, "none"},
		"a damaged one": {export{File: damaged, Out: dir}, "damaged"},
		"one for all":   {export{File: file, Out: "all.arrow"}, "give --kind"},
		"a mark":        {export{File: file, Out: dir, Kind: "asleep"}, "no columns"},
		"no kind":       {export{File: file, Out: dir, Kind: "x"}, "no kind x"},
		"a link":        {export{File: file, Out: link, Kind: "mass"}, link + " is not a regular file"},
	} {
		require.NoError(t, os.WriteFile(damaged, whole, 0o666))
		require.ErrorContains(t, c.Run(&bytes.Buffer{}), c.want, name)
	}
	assert.Empty(t, world.Must(filepath.Glob(filepath.Join(dir, "*.part"))))
}
