package main

import (
	"errors"
	"image/gif"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/arena"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/record"
)

// What serve arena records is replayed, noted failures and all; one that says nonsense is refused.
func TestAnArenaIsReplayed(t *testing.T) {
	for said, want := range map[string]string{
		"arena players=2 seed=1": "9 steps, and all digests are equal\nfailure at frame 8: a bot\n",
		"arena players=0 seed=1": "an arena of 0 players",
	} {
		path := filepath.Join(t.TempDir(), "arena")
		h := world.Must(arena.NewHost(2, 1))
		rec := world.Must(record.Create(path, h.State(), record.Options{Program: said}))
		h.Record(func(s world.State, input []byte) { require.NoError(t, rec.Record(s, input)) })
		for range 9 {
			h.Tick()
		}
		require.NoError(t, rec.Note(record.Note{Frame: 8, What: "failure", Text: "a bot"}))
		require.NoError(t, rec.End(h.State()))
		h.Close()
		if r := play(t, "replay "+path); r.code == 0 {
			require.Equal(t, want, r.out)
		} else {
			require.Contains(t, r.err, want)
		}
		refused(t, 1, map[string]string{"replay --to 3 " + path: "an arena"})
	}
	refused(t, 2, map[string]string{"serve arena --keep 1s": "the folder by --record"})
}

// recordedDuel records a match as package gym does: 30 steps, from the one after a first part.
func recordedDuel(t *testing.T, skip int, said string) (path string) {
	t.Helper()
	path, duel := filepath.Join(t.TempDir(), "duel"), arena.NewDuel()
	s := duel.Begin(world.Must(world.CreateState(arena.Counts(2, 7))))
	for range skip {
		s = duel.Step(s, arena.Forward)
	}
	rec := world.Must(record.Create(path, s, record.Options{Program: said, Digests: 1}))
	for n := range 30 {
		s = world.Must(rec.Step(s, []byte{byte(n)}, func(s world.State, input []byte) world.State {
			return duel.Step(s, input[0])
		}))
	}
	require.NoError(t, rec.End(s))
	return path
}

const duelNow = `{"Scene":"duel","Behaviour":2,"Seed":7}`

// Matches of duels that package gym records are replayed, from any step on, and drawn.
func TestADuelIsReplayed(t *testing.T) {
	require.Equal(t, "30 steps, and all digests are equal\n",
		played(t, "replay "+recordedDuel(t, 100, duelNow)))
	old := recordedDuel(t, 0, `{"Scene":"duel","Behaviour":1,"Seed":7}`)
	refused(t, 1, map[string]string{"replay " + old: "the scene behaves differently now"})
	film := filepath.Join(t.TempDir(), "duel.gif")
	played(t, "replay --to 9 --render gif --size 90x60 --out "+film+" "+recordedDuel(t, 0, duelNow))
	f, err := os.Open(film)
	require.NoError(t, err)
	pictures, err := gif.DecodeAll(f)
	require.NoError(t, errors.Join(err, f.Close()))
	require.Equal(t, []int{5, 5, 5, 5, 5, 5, 5, 5}, pictures.Delay[:8], "twenty ticks a second")
}
