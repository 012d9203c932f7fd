package world_test

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/hand"
	"github.com/flatecs/flatecs/world/internal/worldtest"
)

// TestLivesGoOnInOtherPrograms: the random lives of every write go on in other programs, which get
// the world in memory, of an undo, as a copy after a death, and with other counts, as in a twin that
// stays in one program. Each program plays the twin from the seed. Its name says the seed, the
// counts, and what becomes of it.
func TestLivesGoOnInOtherPrograms(t *testing.T) {
	worldtest.OneGoroutine(t)
	h := world.Must(hand.Join(hand.Options{Signals: true, Out: io.Discard}))
	if h.Supervised() {
		playHanded(t, h)
		os.Exit(h.Code()) //nolint:revive // no line of a passed test, which the supervisor prints
	}
	lives := 2
	if worldtest.AtLength() {
		lives = 20
	}
	for seed := range lives {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { superviseHanded(t, seed) })
	}
}

// superviseHanded has a life go from program to program.
func superviseHanded(t *testing.T, seed int) {
	t.Helper()
	const long = 20 * time.Second
	dir, self := t.TempDir(), world.Must(os.Executable())
	version := func(name string) string {
		path := filepath.Join(dir, fmt.Sprint(seed, "-", name))
		require.NoError(t, os.Symlink(self, path))
		return path
	}
	orders, events := make(chan hand.Order), make(chan hand.Event, 100)
	ended := make(chan error)
	first := version("0-first")
	go func() {
		code, err := hand.Supervise(hand.Supervisor{
			Path: first, Args: []string{"-test.run=^TestLivesGoOnInOtherPrograms$"}, Orders: orders,
			Deadline: long, Still: long, Undo: 1, Keep: time.Millisecond, Revive: time.Nanosecond,
			Told: func(e hand.Event) { events <- e },
		})
		if err == nil && code != 0 {
			err = fmt.Errorf("exit code %d", code)
		}
		ended <- err
	}()
	after := func(what ...hand.EventKind) {
		for _, what := range what {
			select {
			case e := <-events:
				require.Equal(t, what, e.What, "%v", e)
			case <-time.After(long):
				require.Fail(t, "nothing happens")
			}
		}
	}
	after(hand.Plays)
	for _, name := range []string{"0-undone", "0-dies", "1-resized", "1-again", "2-last"} {
		orders <- hand.Order{Path: version(name)}
		switch after(hand.Plays); name {
		case "0-undone":
			orders <- hand.Order{What: hand.Undo}
			after(hand.Undone)
		case "0-dies":
			after(hand.Died, hand.Plays)
		}
	}
	require.NoError(t, <-ended)
	require.Empty(t, events)
}

// playHanded plays on with the world of the program before, and beside it the twin.
func playHanded(t *testing.T, h *hand.Hand) {
	t.Helper()
	const least, most = 6, 15 // steps
	var seed uint64
	var resized int
	var fate string
	_, err := fmt.Sscanf(filepath.Base(os.Args[0]), "%d-%d-%s", &seed, &resized, &fate)
	require.NoError(t, err)
	twin := newStampLife(t, seed, seed%2 == 1)
	var played [][2]int // counts, and steps with them
	c := (&stampLife{counted: twin.counted, resized: resized}).counts()
	s := world.Must(h.World(c, func() (world.State, error) { return world.Clone(twin.s) }))
	if b := h.Bytes("played"); b != nil {
		require.NoError(t, json.Unmarshal(b, &played))
	}
	for _, leg := range played {
		twin.resizeTo(leg[0])
		for range leg[1] {
			twin.step()
		}
	}
	twin.resizeTo(resized)
	l := twin.twin(s)
	l.held, l.plan = [3]stampHeld{}, newStampPlan(3)
	l.requireTwin(twin, fmt.Sprint(fate, " after ", played))
	played = append(played, [2]int{resized, 0})
	h.Keep("played", func(dst []byte) []byte {
		return append(dst, world.Must(json.Marshal(played))...)
	})
	for steps := &played[len(played)-1][1]; h.Continue(l.s); {
		switch {
		case *steps >= least && fate == "last":
			h.Close()
		case *steps >= least && fate == "dies" && h.Lost() == 0:
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		case *steps >= most:
			time.Sleep(time.Millisecond)
			continue
		}
		for range 3 {
			l.step()
			twin.step()
			*steps++
		}
		l.requireTwin(twin, fmt.Sprint(fate, " with ", played))
	}
}

func (l *stampLife) resizeTo(n int) {
	for l.resized < n {
		l.elsewhere(&stampWays[len(stampWays)-1], "")
	}
}

// step does a few things.
func (l *stampLife) step() {
	l.take(&l.held[0], "nothing")
	for range 8 {
		stampDoings[l.r.IntN(len(stampDoings))].do(l)
	}
	if l.r.IntN(8) == 0 {
		l.restore(&l.held[0], "a few")
	}
	l.s = world.Advance(l.s)
}

// requireTwin checks that two lives are the same, and that what is derived from them is, too.
func (l *stampLife) requireTwin(twin *stampLife, when string) {
	l.t.Helper()
	require.Equal(l.t, linesOf(twin.s), linesOf(l.s), when)
	if world.Digest(twin.s) != world.Digest(l.s) {
		d, _, err := tool.FirstDifference(twin.s, l.s)
		require.Fail(l.t, when, "%v %v", d, err)
	}
	require.NoError(l.t, tool.Verify(l.s), when)
	l.indexed(when)
	for _, since := range []uint64{1, world.Tick(l.s) - 2} {
		changed := func(s world.State) (ids []world.GameObject) {
			for b := range stampSince.Since(s, since) {
				ids = b.AppendIDs(ids)
			}
			return ids
		}
		require.Equal(l.t, changed(twin.s), changed(l.s), when)
	}
}
