package hand_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/hand"
	"github.com/flatecs/flatecs/world/save"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func (g *stage) undo() { g.orders <- hand.Order{What: hand.Undo} }

// plays waits until a version has printed a message after a number of lines, and returns it.
func (g *stage) plays(version string, from int) (at line) {
	g.t.Helper()
	require.Eventually(g.t, func() bool {
		for _, l := range g.says()[from:] {
			if l.version == version {
				at = l
				return true
			}
		}
		return false
	}, long, time.Millisecond, version)
	return at
}

// TestUndo: changes are undone one after the other, each to its world.
func TestUndo(t *testing.T) {
	g := playing(t, "v1-a", 0, hand.Supervisor{Undo: 2})
	g.played(3)
	for _, version := range []string{"v1-b", "v2-c", "v2-d"} { // the first one is too long ago
		g.takesOver(version)
		g.played(3)
	}
	want := inCountedRoom()
	for _, version := range []string{"v2-c", "v1-b"} {
		before := len(g.says())
		g.undo()
		e := g.after(hand.Undone)
		assert.Equal(t, version, filepath.Base(e.Path))
		assert.Contains(t, e.String(), fmt.Sprintf("at tick %d", e.Tick))
		at := g.plays(version, before)
		assert.Equal(t, int(e.Tick)+1, at.tick)
		if version == "v1-b" {
			assert.Equal(t, want.at(uint64(at.tick)), at.digest)
		}
		g.played(3)
	}
	g.undo()
	assert.Contains(t, g.after(hand.Refused).Why, "no change to undo")
	g.takesOver("v1-a") // and on
	g.played(3)
	g.terminate()
}

// TestUndoOnTrial: the program before waits still, and goes on where it was.
func TestUndoOnTrial(t *testing.T) {
	g := playing(t, "v1-a", 0, hand.Supervisor{Undo: 2, Trial: long})
	g.played(3)
	g.takesOver("v1-b")
	g.played(3)
	g.undo()
	assert.Contains(t, g.after(hand.Back).Why, "undone")
	g.plays("v1-a", len(g.says()))
	g.takesOver("v1-c")
	g.replace(g.version("v1-panic-step"))
	g.after(hand.Kept)
	g.after(hand.Plays)
	g.after(hand.Back)
	before := len(g.says())
	g.undo() // that of v1-c: what died in its trial has never been
	e := g.after(hand.Undone)
	assert.Equal(t, "v1-a", filepath.Base(e.Path))
	g.plays("v1-a", before)
	g.undo()
	g.after(hand.Kept)
	g.after(hand.Refused)
	g.terminate()
	want := inCountedRoom()
	for _, l := range g.says() {
		require.Equal(t, want.at(uint64(l.tick)), l.digest)
	}
}

// TestAProgramThatHangs: it does not pass its trial, and can be undone after it.
func TestAProgramThatHangs(t *testing.T) {
	g := playing(t, "v1-a", 0, hand.Supervisor{
		Undo: 1, Trial: 50 * time.Millisecond, Deadline: hung,
	})
	g.played(3)
	g.takesOver("v1-hang-step")
	assert.Contains(t, g.after(hand.Back).Why, "call Continue between its steps")
	g.played(3)
	g.takesOver("v1-hang-later")
	g.after(hand.Kept)
	require.NoError(t, os.WriteFile(filepath.Join(g.dir, "now"), nil, 0o600))
	before := len(g.says())
	g.undo()
	assert.Equal(t, "v1-a", filepath.Base(g.after(hand.Undone).Path))
	g.plays("v1-a", before)
	g.played(3)
	g.terminate()
	want := inCountedRoom()
	for _, l := range g.says() {
		require.Equal(t, want.at(uint64(l.tick)), l.digest)
	}
}

// TestUndoKeepsConnections: the world is restored to the change, the connections stay the present
// ones.
func TestUndoKeepsConnections(t *testing.T) {
	g := playing(t, "v1-serve-a", 0, hand.Supervisor{Undo: 1})
	g.takesOver("v1-serve-b")
	address := world.Must(os.ReadFile(filepath.Join(g.dir, "address")))
	c := world.Must(net.Dial("tcp", string(address)))
	require.NoError(t, c.SetDeadline(time.Now().Add(long)))
	world.Must(fmt.Fprint(c, "xya"))
	answer(t, c, "xy")
	g.undo()
	g.after(hand.Undone)
	world.Must(fmt.Fprint(c, "b"))
	answer(t, c, "ab")
	g.terminate()
}

// TestTape: the next program plays the last seconds over and over, until it is told to play on.
func TestTape(t *testing.T) {
	g := playing(t, "v1-tape-a", 0, hand.Supervisor{Loop: 16 * time.Millisecond, Undo: 1})
	g.played(100)
	g.takesOver("v1-tape-b")
	g.played(100)
	all := g.says()
	first := 0
	for first = range all {
		if strings.HasPrefix(all[first].version, "v1-tape-b") {
			break
		}
	}
	present, begin := all[first-1].tick, all[first].tick
	assert.GreaterOrEqual(t, present, begin+16-1, "16 steps at least")
	assert.LessOrEqual(t, present, begin+16+2)
	want := inCountedRoom()
	laps := 0
	for i, l := range all[first:] {
		next := begin + i%(present-begin+1)
		require.Equal(t, next, l.tick)
		if l.tick == begin {
			laps++
		}
		require.Equal(t, want.at(uint64(l.tick)), l.digest)
		require.Equal(t, fmt.Sprint("v1-tape-b/", (l.tick-1)%256), l.version, "its input")
	}
	assert.Greater(t, laps, 3)
	g.takesOver("v2-tape-c") // of another fingerprint: the same seconds
	from := len(g.says())
	g.played(60)
	for _, l := range g.says()[from:] {
		require.LessOrEqual(t, l.tick, present)
	}
	g.orders <- hand.Order{What: hand.Again}
	require.Eventually(t, func() bool { all = g.says(); return all[len(all)-1].tick > present+50 },
		long, time.Millisecond, "it plays on")
	g.orders <- hand.Order{What: hand.Again}
	beyond := all[len(all)-1].tick
	require.Eventually(t, func() bool {
		all = g.says()
		for n := from; n < len(all); n++ {
			if all[n].tick < all[n-1].tick && all[n].tick > present {
				return true
			}
		}
		return false
	}, long, time.Millisecond, "from %d", beyond)
	g.undo()
	g.after(hand.Undone)
	g.plays(fmt.Sprint("v1-tape-b/", begin%256), len(all))
	g.terminate()
}

func TestATapeOfNobody(t *testing.T) {
	h, err := hand.Join(hand.Options{Signals: true})
	require.NoError(t, err)
	s := world.Must(fresh())
	tape := world.Must(h.NewTape(s, 60, 1))
	input := []byte{7}
	assert.Zero(t, testing.AllocsPerRun(100, func() { s, input, err = tape.Next(s, input) }))
	require.NoError(t, err)
	tape.Loop(true)
	assert.False(t, tape.Looping())
	tape.Close()
	assert.PanicsWithValue(t, "hand: an input of 0 bytes for a tape of inputs of 1; they are all as "+
		"long as NewTape was told", func() { _, _, _ = tape.Next(s, nil) })
	h.Undo()
}

// keeps makes a program keep the tick and the digest of its world, and prints the data of the
// previous program: whether they belong to its world, and how much was lost.
func keeps(h *hand.Hand, dir string, s *world.State) {
	of := func(dst []byte) []byte {
		return fmt.Appendf(dst, "%d %x", world.Tick(*s), world.Digest(*s))
	}
	h.Keep("world", of)
	h.Keep("long", func(dst []byte) []byte { return append(dst, bytes.Repeat(of(nil), 3000)...) })
	same := string(h.Bytes("world")) == string(of(nil)) &&
		string(h.Bytes("long")) == strings.Repeat(string(of(nil)), 3000)
	f, err := os.OpenFile(filepath.Join(dir, "kept"), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	die("kept", err)
	_, err = fmt.Fprintf(f, "%d %t %d %d\n", os.Getpid(), same, world.Tick(*s), h.Lost())
	die("kept", err)
	die("kept", f.Close())
}

// A life is what a program that keeps has said of its beginning.
type life struct {
	pid  int
	same bool
	tick int
	lost time.Duration
}

// lives returns the lives so far.
func (g *stage) lives() (all []life) {
	g.t.Helper()
	for text := range strings.Lines(string(world.Must(os.ReadFile(filepath.Join(g.dir, "kept"))))) {
		var l life
		world.Must(fmt.Sscan(text, &l.pid, &l.same, &l.tick, &l.lost))
		all = append(all, l)
	}
	return all
}

// last returns the last life.
func (g *stage) last() life {
	g.t.Helper()
	all := g.lives()
	return all[len(all)-1]
}

// TestBytesAreOfTheWorldsStep: programs are killed at any moment, handed over and undone, and the
// next one, which is started at once, has the world and what was said of it, and knows how much was
// lost at most.
func TestBytesAreOfTheWorldsStep(t *testing.T) {
	const step = 200 * time.Microsecond // at least, for one step
	turns := 24
	if testing.Short() {
		turns = 8
	}
	g := playing(t, "f1-keeps-a", 0, hand.Supervisor{
		Keep: time.Millisecond, Revive: time.Nanosecond, Undo: 2, Deadline: time.Minute,
	})
	g.played(50) // there is a copy
	random := rand.New(rand.NewPCG(1, 2))
	for n := range turns {
		g.played(1 + random.IntN(40))
		switch {
		case n%4 == 1:
			g.takesOver(fmt.Sprint("f1-keeps-", n))
			assert.Zero(t, g.last().lost)
		case n%8 == 7:
			g.undo()
			g.after(hand.Undone)
			assert.Positive(t, g.last().lost)
		default:
			require.NoError(t, syscall.Kill(g.last().pid, syscall.SIGKILL))
			e := g.after(hand.Died)
			says := g.says()
			g.after(hand.Plays)
			now := g.last()
			assert.Equal(t, int(e.Tick), now.tick)
			behind := says[len(says)-1].tick - now.tick
			assert.LessOrEqual(t, time.Duration(behind-1)*step, now.lost)
		}
		require.True(t, g.last().same)
	}
	g.terminate()
	want := inFreeRoom()
	for _, l := range g.says() {
		require.Equal(t, want.at(uint64(l.tick)), l.digest)
	}
}

// TestWhoDiesAtOnceIsNotStartedAgain: the supervisor ends, if no one else would start another one.
func TestWhoDiesAtOnceIsNotStartedAgain(t *testing.T) {
	g := playing(t, "f1-exit-later", 0, hand.Supervisor{
		Keep: time.Millisecond, Revive: time.Hour, Deadline: time.Minute,
	})
	g.played(10)
	g.now(true)
	g.after(hand.Died)
	g.now(false)
	g.takesOver("f1-a") // it waits for that
	g.terminate()
}

var (
	at4     = layout.NewField[vec]("at")
	body4   = layout.NewKind("body", at4)
	at5     = layout.NewField[vec]("at")
	speed5  = layout.NewField[vec]("speed", vec{1, 2, 3})
	fuel5   = layout.NewField[int32]("fuel", 5000)
	body5   = layout.NewKind("body", fuel5, at5, speed5)
	burning = world.NewQuery(world.Write(at5), world.Write(fuel5), world.Read(speed5))
)

// changed returns the play of a version whose bodies have different fields from f1's.
func changed(version string) (world.Counts, func(world.State) world.State, func() (world.State, error)) {
	c := freeCounts()
	if strings.HasPrefix(version, "f4") {
		c.Kinds = layout.Kinds(body4)
		c.Recipes = []world.Recipe{world.NewRecipe("thing", body4)}
		return c, world.Advance, nil
	}
	c.Kinds = layout.Kinds(body5)
	c.Recipes = []world.Recipe{world.NewRecipe("thing", body5)}
	return c, func(s world.State) world.State {
		s = world.Advance(s)
		for b := range burning.In(s) {
			p, v, fuel := world.Column(b, at5), world.Column(b, speed5), world.Column(b, fuel5)
			for i := range p {
				p[i][0] += v[i][0]
				fuel[i]--
			}
		}
		return s
	}, nil
}

// TestFieldsComeAndGo plays a random sequence of versions with different fields, of deaths and of
// undos: a field that a version lacks starts with its default in the next version that has it, and
// an undo restores its values. The model is the list of the versions that have played each tick.
func TestFieldsComeAndGo(t *testing.T) {
	edits := 30
	if testing.Short() {
		edits = 8
	}
	g := &editor{random: rand.New(rand.NewPCG(3, 4))}
	g.stage = playing(t, "f1-a", 0, hand.Supervisor{
		Keep: time.Millisecond, Undo: 3, Trial: time.Millisecond, Deadline: long,
	})
	g.played(50)
	ways := []string{"a", "a", "a", "exit-later", "panic-later", "kill-step", "panic-taken"}
	for n := range edits {
		kind := []string{"f1", "f4", "f5"}[g.random.IntN(3)]
		g.edit(fmt.Sprintf("%s-%d-%s", kind, n, ways[g.random.IntN(len(ways))]))
		if g.random.IntN(4) == 0 {
			g.back()
		}
	}
	g.edit("f5-last-a")
	g.played(3)
	require.NoError(t, syscall.Kill(syscall.Getpid(), syscall.SIGTERM))
	assert.Equal(t, 143, g.end())
	c, _, _ := changed("f5")
	s, report := world.Must2(save.Load(filepath.Join(g.dir, "world.flat"), c, save.Options{}))
	require.NoError(t, tool.Verify(s))
	assert.Empty(t, report.New, "%v", report)
	g.requireValues(s)
}

// requireValues checks the values of every body against what was played.
func (g *editor) requireValues(s world.State) {
	g.t.Helper()
	played := map[int]string{}
	for _, l := range g.says() {
		played[l.tick] = l.version[:2] // or again, after undo
	}
	own, anew, burnt, slow := 0, 0, 0, false // steps at the speed of a thing, and at the default
	for tick := 2; tick <= int(world.Tick(s)); tick++ {
		switch played[tick] {
		case "f4":
			slow, burnt = true, 0
			continue
		case "f5":
			burnt++
		case "f1":
			burnt = 0
		}
		if slow {
			anew++
		} else {
			own++
		}
	}
	n := 0
	for b := range burning.In(s) {
		p, v, fuel := world.Column(b, at5), world.Column(b, speed5), world.Column(b, fuel5)
		for i := range p {
			x := n % 100
			want := vec{float32(x), 2, 3}
			if slow {
				want[0] = 1
			}
			require.Equal(g.t, want, v[i], "speed")
			require.InDelta(g.t, float32(x*own+anew), p[i][0], 0, "at")
			require.Equal(g.t, int32(5000-burnt), fuel[i], "fuel of %d", n)
			n++
		}
	}
	require.Equal(g.t, things, n)
}
