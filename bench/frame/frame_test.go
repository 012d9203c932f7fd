package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/bench/frame/game"
	"github.com/flatecs/flatecs/bench/turns"
)

// TestMain lets this program be the one that libraries run in.
func TestMain(m *testing.M) {
	if turns.IsErrand(os.Args[1:]) {
		os.Exit(command.Main())
	}
	os.Exit(m.Run())
}

func runs(t *testing.T, args ...string) (code int, out, errs string) {
	t.Helper()
	var o, e strings.Builder
	code = command.Run(t.Context(), args, turns.Streams{In: strings.NewReader(""), Out: &o, Err: &e})
	return code, o.String(), e.String()
}

func TestAllLibrariesPlayAndAreCompared(t *testing.T) {
	rounds := filepath.Join(t.TempDir(), "rounds.json")
	code, out, errs := runs(t, "--count", "400", "--rounds", "2", "--frames", "3",
		"--json", rounds)
	require.Zero(t, code, errs)
	for _, l := range game.Libraries() {
		assert.Contains(t, out, "\n| "+l.Name+" | ")
	}
	for _, name := range game.Systems {
		assert.Contains(t, out, "\n| "+name+" | ")
	}
	assert.Contains(t, out, "flatecs loops is behind Ark in ")
	assert.Contains(t, out, "as a multiple of plain columns:")
	assert.Contains(t, errs, "100 %")
	assert.Contains(t, errs, "round 2 of 2")
	text, err := os.ReadFile(rounds)
	require.NoError(t, err)
	assert.Contains(t, string(text), `"Library": "Ark"`)
}

func TestWrongCommandLines(t *testing.T) {
	for _, c := range []struct {
		name string
		args []string
		want string
	}{
		{"flag", []string{"--what"}, "unknown flag --what"},
		{"library", []string{"--only", "unity"}, `no library "unity"; there are flatecs loops, `},
		{"objects", []string{"--count", "9"}, "9 objects, 15 rounds of 20 frames; give 100, 1"},
		{"once", []string{"once", "unity", "1"}, `no library "unity"`},
		{"argument", []string{"ark"}, "unexpected argument ark"},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, out, errs := runs(t, c.args...)
			assert.NotZero(t, code)
			assert.Empty(t, out)
			assert.Contains(t, errs, c.want)
		})
	}
}

func TestOncePlaysForAProfiler(t *testing.T) {
	profile := filepath.Join(t.TempDir(), "cpu.pprof")
	code, out, errs := runs(t, "once", "Ark", "2", "--count", "400", "--cpuprofile", profile)
	require.Zero(t, code, errs)
	assert.Contains(t, out, "collide")
	assert.Contains(t, out, " of 400\n")
	assert.FileExists(t, profile)
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var o, e strings.Builder
	code := command.Run(ctx, []string{"--count", "400"}, turns.Streams{In: strings.NewReader(""), Out: &o, Err: &e})
	assert.Equal(t, 130, code)
	assert.Contains(t, e.String(), "interrupted")
}

func TestDifferentSumsAreRefused(t *testing.T) {
	r := report{Columns: []column{
		{Library: "flatecs loops", Rounds: []turn{{Sum: game.Sum{Count: 1, Hash: 2}}}},
		{Library: "Ark", Rounds: []turn{{Sum: game.Sum{Count: 1, Hash: 3}}}},
	}}
	assert.EqualError(t, r.agree(0), "round 1: flatecs loops comes to {1 2}, Ark to {1 3}")
}
