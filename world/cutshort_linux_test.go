package world_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/hand"
	"github.com/flatecs/flatecs/world/save"
)

const ruinWait = 20 * time.Second

// TestWhatIsCutShortInOtherPrograms interrupts functions that package hand calls: in children of a
// supervisor, whose names select the function, and in the supervisor.
func TestWhatIsCutShortInOtherPrograms(t *testing.T) {
	ways := map[string]func(){"panic": func() { panic(cutText) }, "Goexit": runtime.Goexit}
	if name := filepath.Base(os.Args[0]); ruinPrograms[name] != nil {
		ruinPrograms[name](t, name, ways)
		os.Exit(0) //nolint:revive // no line of a passed test, which the supervisor prints
	}
	for _, name := range []string{"panic", "Goexit", "offers", "keeps"} {
		s := ruinSupervisor(t, name)
		orders := make(chan hand.Order, 1)
		s.Orders, s.Told = orders, func(e hand.Event) {
			if e.Why == "there is no change to undo" { // the child asks for the next program
				orders <- hand.Order{Path: filepath.Join(filepath.Dir(s.Path), "refuses")}
			}
		}
		if name == "keeps" {
			s.Keep = time.Millisecond
		}
		code, err := hand.Supervise(s)
		require.NoError(t, err)
		require.Zero(t, code, name)
	}
	told := ruinRow("hand.Supervisor.Told", (*ruin).told)
	for way, end := range ways {
		for x, cut := newRuin(t), 1; ; x, cut = newRuin(t), cut+1 {
			if x.end, x.cut = end, cut; !x.cutShort(&told, way) {
				require.Equal(t, 3, cut, "two programs play")
				break
			}
		}
	}
}

func ruinSupervisor(t *testing.T, first string) hand.Supervisor {
	t.Helper()
	dir, self := t.TempDir(), world.Must(os.Executable())
	for name := range ruinPrograms {
		require.NoError(t, os.Symlink(self, filepath.Join(dir, name)))
	}
	return hand.Supervisor{
		Path: filepath.Join(dir, first), Deadline: ruinWait, Still: ruinWait,
		Args: []string{"-test.run=^TestWhatIsCutShortInOtherPrograms$"},
	}
}

func ruinRow(name string, run func(x *ruin)) cutRow {
	return cutRow{name: name, begin: func(x *ruin) func() { return func() { run(x) } }}
}

// told runs two programs one after the other. If the supervisor is interrupted while the first one
// runs, the first one saves its world, and ends.
func (x *ruin) told() {
	s := ruinSupervisor(x.t, "saves")
	orders := make(chan hand.Order, 1)
	s.Orders, s.Told = orders, func(e hand.Event) {
		if x.here(); e.Path == s.Path {
			orders <- hand.Order{Path: filepath.Join(filepath.Dir(s.Path), "ends")}
		}
	}
	defer func() {
		if x.cut == 1 {
			file := s.Path + ".flat"
			assert.Eventually(x.t, func() bool { _, err := os.Stat(file); return err == nil },
				ruinWait, time.Millisecond, "nobody saves the world")
		}
	}()
	assert.Zero(x.t, world.Must(hand.Supervise(s)))
}

var ruinPrograms = map[string]func(t *testing.T, name string, ways map[string]func()){
	"refuses": func(*testing.T, string, map[string]func()) {
		ruinJoin("")
		os.Exit(1) //nolint:revive // what it is for
	},
	"saves": ruinPlays, "ends": ruinPlays, "panic": ruinMain, "Goexit": ruinMain,
	"offers": ruinOffers, "keeps": ruinOffers,
}

// ruinJoin returns the hand of a child, and its world.
func ruinJoin(file string) (*hand.Hand, world.State) {
	h := world.Must(hand.Join(hand.Options{
		File: file, Out: io.Discard, Deadline: ruinWait,
		Save: save.Options{Codecs: []save.Codec{wordCodec(func() {})}},
	}))
	return h, world.Must(h.World(ruinCounts(), nil))
}

func ruinPlays(_ *testing.T, name string, _ map[string]func()) {
	h, s := ruinJoin(filepath.Join(filepath.Dir(os.Args[0]), "saves.flat"))
	for h.Continue(s) {
		if s = world.Advance(s); name == "ends" && world.Tick(s) > 9 {
			h.Close()
		}
		time.Sleep(time.Millisecond)
	}
}

// ruinMain has Main's function cut short, once: a process has one Main.
func ruinMain(t *testing.T, way string, ways map[string]func()) {
	t.Helper()
	x := newRuin(t)
	x.end, x.cut = ways[way], 2
	row := ruinRow("hand.Main", func(x *ruin) {
		if x.cut > 0 {
			hand.Main(hand.Options{Out: io.Discard}, func(h *hand.Hand) error {
				world.Close(world.Must(h.World(ruinCounts(), nil)))
				x.s = h.Run(x.s, x.play)
				return nil
			})
		}
	})
	row.leaves = anything
	require.True(t, x.cutShort(&row, way))
}

// ruinOffers offers worlds to a program that refuses them, or has them copied.
func ruinOffers(t *testing.T, name string, ways map[string]func()) {
	t.Helper()
	h, s := ruinJoin("")
	world.Close(s)
	require.NoError(t, h.Ready())
	var now *ruin
	var done bool
	h.OnOffer(func(o *hand.Offer) error {
		o.OnRefused(func() { now.here(); done = true })
		now.here()
		return nil
	})
	h.Keep("bytes", func(dst []byte) []byte { now.here(); done = name == "keeps"; return dst })
	row := ruinRow(name, func(x *ruin) {
		if now, done = x, false; name == "offers" {
			h.Undo()
		}
		for !done {
			require.True(t, h.Continue(x.s))
			time.Sleep(100 * time.Microsecond)
		}
	})
	for way, end := range ways {
		for x, cut := newRuin(t), 1; ; x, cut = newRuin(t), cut+1 {
			if x.end, x.cut = end, cut; !x.cutShort(&row, way) {
				require.Equal(t, map[string]int{"offers": 4, "keeps": 2}[name], cut, fmt.Sprint(way))
				break
			}
		}
	}
	h.Close()
}

// TestWorldsThatAreGivenUpReturnTheirMemory: after the steps of a hundred large worlds panicked,
// only the mappings remain that Close keeps for the next world.
func TestWorldsThatAreGivenUpReturnTheirMemory(t *testing.T) {
	mappings := func() int {
		text, err := os.ReadFile("/proc/self/maps")
		require.NoError(t, err)
		return bytes.Count(text, []byte("\n"))
	}
	room := layout.NewComponent[[64]uint64]("room")
	before := mappings()
	for range 100 {
		s := world.Must(world.CreateState(world.Counts{
			GameObjects: 20_000, Kinds: layout.Kinds(room.Count(20_000)),
		}))
		func() {
			defer func() {
				if recover() == nil {
					return
				}
				var err error
				s, err = world.Recovered(s)
				require.NoError(t, err)
				world.Close(s)
			}()
			next, _ := world.Must2(world.CreateWith(s, room))
			_ = world.Advance(next)
			panic("a bug")
		}()
	}
	require.Less(t, mappings(), before+60)
}
