package lab_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/lab"
)

var errKilled = errors.New("killed")

// stopAfter ends a sweep after some runs.
func stopAfter(t *testing.T, w lab.Sweep[walk], runs int) {
	t.Helper()
	ctx, cancel := context.WithCancelCause(t.Context())
	var began atomic.Int32
	w.Setup = func(s world.State, p walk) (world.State, error) {
		if int(began.Add(1)) > runs {
			<-ctx.Done()
		}
		return setup(s, p)
	}
	made := 0
	w.Progress = func(int, int) {
		if made++; made == runs {
			cancel(errKilled)
		}
	}
	err := w.Run(ctx, nowhere{})
	require.ErrorIs(t, err, errKilled)
	assert.ErrorContains(t, err, "go on from its journal "+w.Journal)
}

func TestAKilledSweepGoesOn(t *testing.T) {
	w := sweep(twoSets(t)...)
	want := csv(t, w)
	for _, workers := range []int{1, 3} {
		w.Workers, w.Journal = workers, filepath.Join(t.TempDir(), "journal")
		for range 3 {
			stopAfter(t, w, 2)
		}
		began := 0
		w.Progress = func(int, int) { began++ }
		require.Equal(t, want, csv(t, w))
		assert.LessOrEqual(t, began, 4, "six runs or more were in the journal")
		began = 0
		require.Equal(t, want, csv(t, w))
		assert.Zero(t, began, "all are")
		text := world.Must(os.ReadFile(w.Journal))
		text = bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))
		require.NoError(t, os.WriteFile(w.Journal, text, 0o600))
		require.Equal(t, want, csv(t, w))
		assert.Zero(t, began, "also where an editor ended the lines")
	}
}

// Two sweeps that wrote one journal would tear its lines.
func TestAJournalIsOfOneSweepAtATime(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("there are no locks")
	}
	w := sweep(twoSets(t)...)
	w.Workers, w.Journal = 1, filepath.Join(t.TempDir(), "journal")
	want, second := csv(t, w), w
	require.NoError(t, os.Remove(w.Journal))
	w.Progress = func(done, _ int) {
		before := world.Must(os.ReadFile(w.Journal))
		err := second.Run(t.Context(), nowhere{})
		require.ErrorIs(t, err, lab.ErrBusy)
		require.ErrorContains(t, err, w.Journal+": another sweep is writing it; wait")
		_, err = lab.JoinJournals(w.Journal, w.Journal+" of a part")
		require.ErrorIs(t, err, lab.ErrBusy)
		after := world.Must(os.ReadFile(w.Journal))
		require.Equal(t, string(before), string(after))
	}
	require.Equal(t, want, csv(t, w))
	w.Progress = nil
	require.Equal(t, want, csv(t, w), "the lock ends with the sweep")
}

// Where there are no locks, the size of the journal tells of another sweep.
func TestASecondSweepIsNoticed(t *testing.T) {
	w := sweep(twoSets(t)...)
	w.Workers, w.Journal = 1, filepath.Join(t.TempDir(), "journal")
	var other []byte
	w.Progress = func(done, _ int) {
		if done == 3 {
			line := lab.Checksummed(nil, []byte(`{"run":9,"steps":[],"numbers":[]}`))
			other = append(world.Must(os.ReadFile(w.Journal)), line...)
			require.NoError(t, os.WriteFile(w.Journal, other, 0o600))
		}
	}
	err := w.Run(t.Context(), nowhere{})
	require.ErrorIs(t, err, lab.ErrBusy)
	require.ErrorContains(t, err, w.Journal+": another sweep is writing it; wait")
	require.Equal(t, string(other), string(world.Must(os.ReadFile(w.Journal))))
}

// Whatever is missing at the end of a journal, a sweep goes on from what is whole.
func TestATornTail(t *testing.T) {
	w := sweep(twoSets(t)...)
	w.Workers, w.Journal = 1, filepath.Join(t.TempDir(), "journal")
	want := csv(t, w)
	whole := world.Must(os.ReadFile(w.Journal))
	assert.Equal(t, 1+10, bytes.Count(whole, []byte("\n")))
	for cut := 0; cut < len(whole); cut += 29 {
		began := 0
		w.Progress = func(int, int) { began++ }
		require.NoError(t, os.WriteFile(w.Journal, whole[:cut], 0o600))
		require.Equal(t, want, csv(t, w), "cut at %d", cut)
		require.Equal(t, 10-max(0, bytes.Count(whole[:cut], []byte("\n"))-1), began)
		again := world.Must(os.ReadFile(w.Journal))
		require.Equal(t, string(whole), string(again))
	}
	flipped := bytes.Clone(whole)
	flipped[len(whole)-40] ^= 1
	require.NoError(t, os.WriteFile(w.Journal, flipped, 0o600))
	require.Equal(t, want, csv(t, w), "a flipped bit is no number")
}

func TestAJournalOfAnotherSweepIsRefused(t *testing.T) {
	w := sweep(twoSets(t)...)
	w.Journal = filepath.Join(t.TempDir(), "journal")
	want := csv(t, w)
	whole := world.Must(os.ReadFile(w.Journal))
	for name, c := range map[string]struct {
		change func(w *lab.Sweep[walk])
		says   string
	}{
		"parameters": {func(w *lab.Sweep[walk]) { w.Params[0].Stride = 7 }, "parameters"},
		"seeds":      {func(w *lab.Sweep[walk]) { w.Seeds = lab.Seeds(2, 5) }, "parameters, seeds"},
		"steps":      {func(w *lab.Sweep[walk]) { w.Steps++ }, "steps"},
		"reporters":  {func(w *lab.Sweep[walk]) { w.Reports = w.Reports[:2] }, "reporters"},
		"build":      {func(w *lab.Sweep[walk]) { w.Build = "other" }, "another build"},
	} {
		other := w
		other.Params = twoSets(t)
		c.change(&other)
		err := other.Run(t.Context(), nowhere{})
		require.ErrorIs(t, err, lab.ErrJournal, name)
		require.ErrorContains(t, err, c.says, name)
		again := world.Must(os.ReadFile(w.Journal))
		require.Equal(t, string(whole), string(again), "it is left as it was")
	}
	for _, text := range []string{"x", "density,happy\n0.2,3\n", strings.Repeat("\n", 300)} {
		require.NoError(t, os.WriteFile(w.Journal, []byte(text), 0o600))
		require.ErrorIs(t, w.Run(t.Context(), nowhere{}), lab.ErrJournal)
		require.Equal(t, text, string(world.Must(os.ReadFile(w.Journal))), "somebody's file")
	}
	w.Journal = filepath.Join(t.TempDir(), "nowhere", "journal")
	require.ErrorIs(t, w.Run(t.Context(), nowhere{}), os.ErrNotExist)
	w.Journal = ""
	require.Equal(t, want, csv(t, w))
}

// Lines with a checksum that is right, and a run that is not.
func TestForgedJournals(t *testing.T) {
	w := sweep(twoSets(t)...)
	w.Journal = filepath.Join(t.TempDir(), "journal")
	csv(t, w)
	whole := world.Must(os.ReadFile(w.Journal))
	first := whole[:bytes.IndexByte(whole, '\n')+1]
	for _, text := range []string{
		`{"run":10,"steps":[],"numbers":[]}`, `{"run":-1,"steps":[],"numbers":[]}`,
		`{"run":0,"steps":[0],"numbers":[]}`, `{"run":0,"steps":[],"numbers":[1]}`,
		`[]`, `{`, `{"run":0,"steps":[0],"numbers":["a",1,2,3]}`,
	} {
		forged := lab.Checksummed(bytes.Clone(first), []byte(text))
		require.NoError(t, os.WriteFile(w.Journal, forged, 0o600))
		require.ErrorIs(t, w.Run(t.Context(), nowhere{}), lab.ErrJournal, text)
	}
}

func TestAFullDiskUnderAJournal(t *testing.T) {
	w := sweep(twoSets(t)...)
	w.Workers, w.Journal = 2, filepath.Join(t.TempDir(), "journal")
	want := csv(t, w)
	require.NoError(t, os.Remove(w.Journal))
	err := lab.RunOnFullDisk(t.Context(), w, nowhere{}, 3)
	require.ErrorIs(t, err, lab.ErrDisk)
	require.ErrorContains(t, err, "journal "+w.Journal)
	require.ErrorContains(t, err, "2 of 10 runs were made; run the sweep again")
	began := 0
	w.Progress = func(int, int) { began++ }
	assert.Equal(t, want, csv(t, w))
	assert.Equal(t, 8, began)
	w.Journal = os.DevNull
	require.ErrorContains(t, w.Run(t.Context(), nowhere{}), "not a regular file: it is a ")
}

func TestTheBuildIsTheProgramsFile(t *testing.T) {
	if runtime.GOOS == "js" {
		t.Skip("a page has no program's file")
	}
	w := sweep(twoSets(t)...)
	w.Build, w.Journal = "", filepath.Join(t.TempDir(), "journal")
	want := csv(t, w)
	w.Progress = func(int, int) { t.Error("all runs are in the journal") }
	assert.Equal(t, want, csv(t, w))
}
