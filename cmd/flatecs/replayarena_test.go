package main

import (
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

// Matches of duels that package gym records are replayed.
func TestADuelIsReplayed(t *testing.T) {
	duel := duelStep() // whose first step makes the tanks
	for said, want := range map[string]string{
		`{"Scene":"duel","Behaviour":2,"Seed":7}`: "30 steps, and all digests are equal\n",
		`{"Scene":"duel","Behaviour":1,"Seed":7}`: "a duel: the scene behaves differently now",
	} {
		path := filepath.Join(t.TempDir(), "duel")
		s := world.Must(world.CreateState(arena.Counts(2, 7)))
		rec := world.Must(record.Create(path, s, record.Options{Program: said, Digests: 1}))
		for n := range 30 {
			s = world.Must(rec.Step(s, []byte{byte(n)}, duel))
		}
		require.NoError(t, rec.End(s))
		r := play(t, "replay "+path)
		require.Contains(t, r.out+r.err, want)
	}
}
