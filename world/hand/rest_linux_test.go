package hand_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/hand"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/flatecs/flatecs/world/save"
)

// now makes versions fail that would fail later, or not yet.
func (g *stage) now(on bool) {
	g.t.Helper()
	path := filepath.Join(g.dir, "now")
	if !on {
		_ = os.Remove(path)
		return
	}
	require.NoError(g.t, os.WriteFile(path, nil, 0o600))
}

// requireKept checks that the world of an event was saved, and that a version goes on with it.
func (g *stage) requireKept(e hand.Event, want *undisturbed) {
	g.t.Helper()
	require.Positive(g.t, e.Bytes, "%v", e)
	assert.Equal(g.t, filepath.Join(g.dir, "world.flat"), e.File)
	s, _ := world.Must2(save.Load(e.File, freeCounts(), save.Options{}))
	defer world.Close(s)
	assert.Equal(g.t, e.Tick, world.Tick(s))
	assert.Equal(g.t, want.at(e.Tick), fmt.Sprintf("%x", world.Digest(s)))
}

// goesOn lets a version take over, which continues after a tick.
func (g *stage) goesOn(version string, tick uint64, want *undisturbed) {
	g.t.Helper()
	from := len(g.says())
	g.takesOver(version)
	at := g.plays(version, from)
	assert.Equal(g.t, int(tick)+1, at.tick, version)
	assert.Equal(g.t, want.at(uint64(at.tick)), at.digest)
}

// TestAWorldOutlivesItsProgram: however a program dies that has passed its trial, the next one goes
// on with its world.
func TestAWorldOutlivesItsProgram(t *testing.T) {
	g := playing(t, "f1-panic-later", 0, hand.Supervisor{Keep: time.Millisecond, Undo: 2})
	want := inFreeRoom()
	for _, version := range []string{"f1-exit-later", "f1-zero-later", "f1-kill-later", "f1-a"} {
		g.played(50)
		g.now(true)
		e := g.after(hand.Died)
		g.now(false)
		g.requireKept(e, want)
		g.goesOn(version, e.Tick, want)
	}
	g.terminate()
	for _, l := range g.says() {
		require.Equal(t, want.at(uint64(l.tick)), l.digest)
	}
}

// TestTheLatestWorldIsKept: that of the change, if a program dies before a copy of its world came,
// and not the copy that the program before had made earlier.
func TestTheLatestWorldIsKept(t *testing.T) {
	g := playing(t, "f1-a", 0, hand.Supervisor{Keep: time.Hour, Undo: 1})
	g.played(50)
	g.takesOver("f1-exit-ready")
	e := g.after(hand.Died)
	want := inFreeRoom()
	g.requireKept(e, want)
	assert.Greater(t, e.Tick, uint64(50))
	g.goesOn("f1-a", e.Tick, want)
	g.terminate()
}

// TestNobodyPlays: while a supervisor waits for the next version, failing versions change nothing,
// undo goes back to the change, and a signal ends it.
func TestNobodyPlays(t *testing.T) {
	g := playing(t, "f1-a", 0, hand.Supervisor{
		Keep: time.Millisecond, Undo: 2, Deadline: hung,
	})
	g.undo()
	assert.Contains(t, g.after(hand.Refused).Why, "no change to undo")
	g.played(50)
	g.takesOver("f1-panic-later")
	g.played(50)
	g.now(true)
	e := g.after(hand.Died)
	g.now(false)
	assert.Contains(t, e.Why, "exit status 2\npanic: as it was to\n\ngoroutine")
	assert.Contains(t, e.String(), "nobody plays")
	for _, version := range []string{"f1-panic-start", "f1-exit-taken", "f1-hang-taken", "none"} {
		path := filepath.Join(g.dir, version)
		if version != "none" {
			path = g.version(version)
		}
		g.replace(path)
		failed := g.after(hand.Died)
		assert.Equal(t, version, filepath.Base(failed.Path))
		assert.Equal(t, e.Tick, failed.Tick)
	}
	want := inFreeRoom()
	g.requireKept(e, want)
	from := len(g.says())
	g.undo()
	undone := g.after(hand.Undone)
	assert.Equal(t, "f1-a", filepath.Base(undone.Path))
	assert.Equal(t, int(undone.Tick)+1, g.plays("f1-a", from).tick)
	g.takesOver("f1-exit-step") // at once
	e = g.after(hand.Died)
	assert.Contains(t, e.Why, "exit status 3")
	g.requireKept(e, want)
	g.terminate()
	g.requireKept(e, want)
}

// TestDeathsWhileHandingOver: the one that plays dies while the next one starts or takes the world,
// and the next one dies as well, or goes on.
func TestDeathsWhileHandingOver(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for seconds")
	}
	g := playing(t, "f1-kill-offer", 0, hand.Supervisor{Keep: time.Millisecond, Undo: 3})
	want := inFreeRoom()
	g.played(50)
	from := len(g.says())
	g.replace(g.version("f1-panic-later")) // which goes on with the copy
	e := g.after(hand.Died)
	g.requireKept(e, want)
	g.after(hand.Plays)
	assert.Equal(t, int(e.Tick)+1, g.plays("f1-panic-later", from).tick)
	g.played(50)
	from = len(g.says())
	g.replace(g.version("f1-slow-start"))
	g.now(true)
	e = g.after(hand.Died)
	g.now(false)
	g.after(hand.Plays)
	assert.Equal(t, int(e.Tick)+1, g.plays("f1-slow-start", from).tick)
	g.takesOver("f1-soon-offer")
	g.played(50)
	g.replace(g.version("f1-slow-panic-taken")) // both die
	e = g.after(hand.Died)
	all := g.says()
	assert.Equal(t, all[len(all)-1].tick, int(e.Tick), "that is the world that was offered")
	g.requireKept(e, want)
	g.goesOn("f1-a", e.Tick, want)
	g.terminate()
}

// TestAHungProgramIsOutlived: the next version goes on with a copy, and a signal ends what hangs.
func TestAHungProgramIsOutlived(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for seconds")
	}
	g := playing(t, "f1-stop-later", 0, hand.Supervisor{
		Keep: time.Millisecond, Deadline: hung,
	})
	g.played(50)
	g.now(true)
	from := len(g.says())
	g.replace(g.version("f1-hang-later"))
	e := g.after(hand.Died)
	assert.Contains(t, e.Why, "call Continue between its steps")
	g.after(hand.Plays)
	want := inFreeRoom()
	assert.Equal(t, int(e.Tick)+1, g.plays("f1-hang-later", from).tick)
	require.NoError(t, syscall.Kill(os.Getpid(), syscall.SIGTERM))
	e = g.after(hand.Died)
	assert.Equal(t, 137, g.end())
	g.requireKept(e, want)
}

// TestAProgramEndsAsItWants: the supervisor ends with it.
func TestAProgramEndsAsItWants(t *testing.T) {
	g := playing(t, "f1-a", 20, hand.Supervisor{Keep: time.Millisecond, Undo: 1})
	assert.Zero(t, g.end())
	g = newStage(t, "f1-panic-start", 0, hand.Supervisor{Keep: time.Millisecond})
	assert.Equal(t, 2, g.end(), "it has never played")
}

// TestAVersionWithoutAFinishedStep does not pass its trial: not when that is over, nor when the
// next version or a signal comes meanwhile.
func TestAVersionWithoutAFinishedStep(t *testing.T) {
	g := playing(t, "f1-a", 0, hand.Supervisor{Trial: time.Millisecond, Deadline: hung})
	g.played(3)
	if !testing.Short() {
		g.takesOver("f1-stop-step")
		assert.Contains(t, g.after(hand.Back).Why, "did not play on")
		g.played(3)
	}
	g.takesOver("f1-stop-step")
	g.replace(g.version("f1-c"))
	g.replace(g.version("f1-b"))
	assert.Equal(t, "f1-c", filepath.Base(g.after(hand.Refused).Path), "the later one is started")
	g.after(hand.Back)
	g.after(hand.Plays)
	g.after(hand.Kept)
	g.played(3)
	g.takesOver("f1-stop-step")
	require.NoError(t, syscall.Kill(os.Getpid(), syscall.SIGTERM))
	g.replace(g.version("f1-c"))
	assert.Contains(t, g.after(hand.Refused).Why, "asked to end", "the signal is not forgotten")
	g.after(hand.Back)
	assert.Equal(t, 143, g.end())
	want := inFreeRoom()
	for _, l := range g.says() {
		require.Equal(t, want.at(uint64(l.tick)), l.digest)
	}
	s, _ := world.Must2(save.Load(filepath.Join(g.dir, "world.flat"), freeCounts(), save.Options{}))
	assert.Equal(t, want.at(world.Tick(s)), fmt.Sprintf("%x", world.Digest(s)))
}

// TestAVersionThatHangsBeforeItIsReady: the world stands still for a second, by default.
func TestAVersionThatHangsBeforeItIsReady(t *testing.T) {
	g := playing(t, "f1-a", 0, hand.Supervisor{Still: -1})
	g.replace(g.version("f1-hang-taken"))
	assert.Contains(t, g.after(hand.Refused).Why, "not ready in 1s")
	g.played(3)
	g.terminate()
}

// An editor makes versions that go wrong, and knows whether one plays.
type editor struct {
	*stage
	random *rand.Rand
	rests  bool
}

// next returns the next event, and notes what it means.
func (g *editor) next() (e hand.Event, rested bool) {
	g.t.Helper()
	select {
	case e = <-g.events:
	case <-time.After(long):
		require.Fail(g.t, "nothing happens")
	}
	g.t.Logf("%v %s %s", e.What, filepath.Base(e.Path), e.Why)
	rested = g.rests
	switch e.What {
	case hand.Died:
		g.rests = true
	case hand.Plays, hand.Undone:
		g.rests = false
	default:
	}
	return e, rested
}

// edit lets a version take over that fails in some way, and waits for the result.
func (g *editor) edit(name string) {
	g.t.Helper()
	g.replace(g.version(name))
	dies := !strings.HasSuffix(name, "-a") && !strings.HasSuffix(name, "-later") &&
		!strings.HasSuffix(name, "-offer")
	e, rested := g.next()
	for filepath.Base(e.Path) != name || e.What == hand.Plays && (dies || !rested) {
		e, rested = g.next() // that of the version before, or the trial is to come
	}
	plays := e.What == hand.Plays || e.What == hand.Kept
	require.True(g.t, plays || dies, "%v", e)
	if plays && strings.HasSuffix(name, "-later") && g.random.IntN(2) == 0 {
		g.now(true)
		e, _ = g.next()
		require.Equal(g.t, hand.Died, e.What, "%v", e)
		g.now(false)
	}
}

// back undoes a change, if there is one, and waits for what becomes of that.
func (g *editor) back() {
	g.t.Helper()
	g.undo()
	for {
		e, rested := g.next()
		if strings.Contains(e.Why, "no change to undo") || e.What == hand.Kept ||
			e.What == hand.Undone && rested {
			return
		}
	}
}

// TestManyEdits plays a random sequence of versions that fail at any moment, and of undos: the
// world continues, and never starts again.
func TestManyEdits(t *testing.T) {
	const warm = 50 // steps that no change goes back behind
	edits := 40
	if worldtest.AtLength() {
		edits = 200
	}
	if testing.Short() {
		edits = 10
	}
	g := &editor{random: rand.New(rand.NewPCG(1, 2))}
	g.stage = playing(t, "f1-a", 0, hand.Supervisor{
		Keep: time.Millisecond, Undo: 3, Trial: time.Millisecond, Deadline: long,
	})
	g.played(warm)
	ways := []string{
		"a", "a", "panic-later", "exit-later", "zero-later", "kill-later", "panic-start",
		"panic-taken", "exit-taken", "panic-ready", "exit-step", "kill-step", "kill-offer",
	}
	for n := range edits {
		g.edit(fmt.Sprintf("f1-%d-%s", n, ways[g.random.IntN(len(ways))]))
		if g.random.IntN(4) == 0 {
			g.back()
		}
	}
	g.edit("f1-last-a")
	g.terminate()
	want := inFreeRoom()
	for i, l := range g.says() {
		require.Equal(t, want.at(uint64(l.tick)), l.digest, l.version)
		require.True(t, i < warm || l.tick > warm/2, "%v began anew", l)
	}
}
