package hand_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/hand"
	"github.com/flatecs/flatecs/world/save"
)

var (
	at4     = layout.NewField[vec]("at")
	body4   = layout.NewKind("body", at4)
	at5     = layout.NewField[vec]("at")
	speed5  = layout.NewField[vec]("speed", vec{1, 2, 3})
	fuel5   = layout.NewField[int32]("fuel", 5000)
	body5   = layout.NewKind("body", fuel5, at5, speed5)
	burning = world.NewQuery(world.Write(at5), world.Write(fuel5), world.Read(speed5))
)

// changed returns how a version plays whose bodies have other fields than those of f1.
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

// TestFieldsComeAndGo lives a random life of versions that have fields which others lack, of deaths
// and of undo: a field that a version lacks begins anew with the next one that has it, and an undo
// brings back its values. The model is the list of the versions that have played each tick.
func TestFieldsComeAndGo(t *testing.T) {
	edits := 30
	if testing.Short() {
		edits = 8
	}
	g := &editor{random: rand.New(rand.NewPCG(3, 4))}
	g.stage = playing(t, "f1-a", 0, hand.Supervisor{
		Keep: time.Millisecond, Undo: 3, Trial: time.Millisecond, Deadline: 5 * time.Second,
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
