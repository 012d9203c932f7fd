//go:build !js

package site

import (
	"io"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/arena"
	"github.com/flatecs/flatecs/cmd/web/server"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/record"
)

// Each program records into a folder of its own, what ended the game too, and it replays.
func TestARoomIsRecorded(t *testing.T) {
	o := Options{Players: 4, Bots: 3, Seed: 1, Record: t.TempDir()}
	for _, name := range []string{"0000", "0001"} {
		room := world.Must(New(o, server.Program{}))
		for range 100 {
			require.NoError(t, room.half(true))
		}
		require.ErrorIs(t, room.fail(io.ErrNoProgress), io.ErrNoProgress)
		require.NoError(t, room.recorder.End(room.host.State()))
		last := world.Digest(room.host.State())
		room.close()
		f := world.Must(record.Read(filepath.Join(o.Record, name)))
		require.NoError(t, f.Torn)
		assert.Equal(t, "arena players=4 seed=1", f.Head.Program)
		assert.Equal(t, io.ErrNoProgress.Error(), f.Notes[0].Text)
		assert.Equal(t, 99, f.Notes[0].Frame)
		var now uint64
		require.NoError(t, f.Replay(arena.Counts(4, 1), arena.Replay(), record.Options{},
			func(s world.State) { now = world.Digest(s) }))
		require.Equal(t, last, now)
	}
}

// A folder that cannot be made is an error at the begin.
func TestAFolderThatCannotBeMade(t *testing.T) {
	_, err := New(Options{Players: 4, Record: "/dev/null/folder"}, server.Program{})
	require.ErrorContains(t, err, "record into another folder")
}
