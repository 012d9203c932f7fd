package save_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/flatecs/flatecs/world/save"
)

// What a full disk has no room for is named with its size, the save before stays, and where there
// is room again the same call saves.
func TestAFullDiskKeepsTheSaveBefore(t *testing.T) {
	const text = "save: %s: no space left on device for its %d bytes; make room, or save where a " +
		"file can be written"
	s := world.Must(world.CreateState(world.Counts{}))
	defer world.Close(s)
	var whole bytes.Buffer
	require.NoError(t, save.Write(&whole, s, save.Options{}))
	dir := worldtest.SmallDisk(t, whole.Len()*3)
	path, filler := filepath.Join(dir, "a.flat"), filepath.Join(dir, "filler")
	require.NoError(t, save.Save(path, s, save.Options{}))
	for _, free := range []int64{0, 4096, int64(whole.Len()) - 4096} {
		worldtest.Fill(t, filler)
		about, err := os.Stat(filler)
		require.NoError(t, errors.Join(err, os.Truncate(filler, about.Size()-free)))
		err = save.Save(path, s, save.Options{Frame: 7})
		require.ErrorIs(t, err, syscall.ENOSPC)
		require.EqualError(t, err, fmt.Sprintf(text, path, whole.Len()))
		require.Equal(t, whole.Bytes(), world.Must(os.ReadFile(path)))
		require.Len(t, world.Must(os.ReadDir(dir)), 2, "nothing is left beside it")
	}
	require.NoError(t, os.Remove(filler))
	require.NoError(t, save.Save(path, s, save.Options{Frame: 7}))
	require.NotEqual(t, whole.Bytes(), world.Must(os.ReadFile(path)))
}
