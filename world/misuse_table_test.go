package world_test

import (
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	lists "github.com/flatecs/flatecs/world/list"
)

// A misuseCase is a small program that misuses the library.
type misuseCase struct {
	name string
	by   noticed
	do   func(p *play)
}

// A noticed says who tells the programmer.
type noticed uint8

const (
	always  noticed = iota // a panic or an error with a sentence, in every build
	checked                // the same, unless built with -tags ecsrelease
	debug                  // a panic with a sentence, under -tags ecsdebug
	nobody                 // the program goes on
)

// misuses are those that some build lets pass, by families, and those of packages below world that
// are noticed. The tests of systems have what it refuses.
func misuses() (all []misuseCase) {
	for _, family := range [][]misuseCase{
		stateMisuses, objectMisuses, pointerMisuses, commandMisuses, taskMisuses, cellMisuses, dataMisuses,
		listMisuses, pastMisuses, othersMisuses, sessionMisuses,
	} {
		all = append(all, family...)
	}
	return all
}

var (
	playPlace  = layout.NewComponent("play place", [3]float32{1, 2, 3})
	playSpeed  = layout.NewComponent("play speed", [3]float32{0, 1, 0})
	playTarget = layout.NewComponent[world.GameObject]("play target")
	playFrozen = layout.NewMark("play frozen")
	playNames  = layout.NewValues("play tag", &struct{ text string }{"none"})
	playBag    = layout.NewList[uint32]("play bag")
	playBags   = world.NewQuery(world.Read(playBag))
	playBall   = world.NewRecipe("play ball", playPlace, playSpeed)
	playMoving = world.NewQuery(world.Write(playPlace), world.Read(playSpeed))
	playThawed = playMoving.And(world.Without(playFrozen))
)

// A play is a world of 20 balls with free room, as README's programs have it, or counted.
type play struct {
	s     world.State
	ids   []world.GameObject
	err   error    // of the misuse
	close []func() // what else was made
}

// end closes the world, whatever became of it, and what else was made.
func (p *play) end(first world.State) {
	for _, f := range p.close {
		f()
	}
	systems.Discard(first)
}

// also closes a world at the end.
func (p *play) also(s world.State) world.State {
	p.close = append(p.close, func() { systems.Discard(s) })
	return s
}

// taken returns a snapshot of a State.
func (p *play) taken(s world.State) *world.Snapshot {
	snapshot := taken(s)
	p.close = append(p.close, snapshot.Close)
	return snapshot
}

func newPlay(counted bool) *play {
	c := world.Counts{
		Kinds:   layout.Kinds(playPlace, playSpeed, playTarget, playFrozen, playNames, playBag),
		Recipes: []world.Recipe{playBall}, Tasks: 4,
	}
	if counted {
		c.Kinds = layout.Kinds(playPlace.Count(256), playSpeed.Count(256), playTarget.Count(256),
			playFrozen, playNames.Count(256), playBag.Count(256, 1000))
	}
	p := &play{s: world.Must(world.CreateState(c))}
	for range 20 {
		var id world.GameObject
		p.s, id = world.Must2(world.Spawn(p.s, playBall))
		p.ids = append(p.ids, id)
	}
	p.s = world.Must(world.Add(p.s, p.ids[0], playBag))
	p.s = world.Must(lists.Append(p.s, p.ids[0], playBag, 1, 2, 3))
	p.s = world.Advance(p.s)
	return p
}

// spawn spawns another ball.
func (p *play) spawn() (id world.GameObject) {
	p.s, id = world.Must2(world.Spawn(p.s, playBall))
	return id
}

func (p *play) dispose(i int) { p.s = world.Must(world.Dispose(p.s, p.ids[i])) }

// freeze marks every third ball, so that playThawed has several batches.
func (p *play) freeze() {
	for i := 1; i < len(p.ids); i += 3 {
		p.s = world.Must(world.Add(p.s, p.ids[i], playFrozen))
	}
}

// told returns the sentence that a misuse is answered with, or "".
func (m misuseCase) told(p *play) (sentence string) {
	defer func() {
		switch value := recover().(type) {
		case nil:
		case string:
			sentence = value
		case error:
			sentence = value.Error()
		}
	}()
	if m.do(p); p.err != nil {
		return p.err.Error()
	}
	return ""
}

// TestMisuseIsNoticed by those who are said to, with a sentence that is the library's and names a
// cure, and by nobody else.
func TestMisuseIsNoticed(t *testing.T) {
	worldtest.OneGoroutine(t)
	names := map[string]bool{}
	for _, m := range misuses() {
		require.False(t, names[m.name], m.name)
		names[m.name] = true
		for name, counted := range map[string]bool{"free": false, "counted": true} {
			t.Run(m.name+"/"+name, func(t *testing.T) {
				p := newPlay(counted)
				defer p.end(p.s)
				sentence := m.told(p)
				switch {
				case m.by == always, m.by == checked && worldtest.StatesChecked, m.by == debug && manager.LendsWatched:
					assert.Regexp(t, `^(flatecs|space|hunt): .*(;|,|:|\. [A-Z])`, sentence)
				case m.by == checked:
					// what comes of it, nobody says
				default:
					assert.Empty(t, sentence, "noticed: say so, and take it off the page")
				}
			})
		}
	}
}

// TestThePageOfMisuseIsTrue: HOWTO lists the misuse that no build detects, and that only ecsdebug
// detects.
func TestThePageOfMisuseIsTrue(t *testing.T) {
	b, err := os.ReadFile("../docs/HOWTO.md")
	require.NoError(t, err)
	_, page, ok := strings.Cut(string(b), "\n## Undetected misuse\n")
	require.True(t, ok)
	page, _, _ = strings.Cut(page, "\n## ")
	by := map[noticed][]string{}
	for _, m := range misuses() {
		by[m.by] = append(by[m.by], m.name)
	}
	in, rest, ok := strings.Cut(page, "In no build")
	require.True(t, ok)
	assert.ElementsMatch(t, by[debug], rows(in), "under -tags ecsdebug alone")
	assert.ElementsMatch(t, by[nobody], rows(rest), "by nobody")
	t.Logf("%d misuses: %d unnoticed in the plain build, %d under ecsdebug", len(misuses()),
		len(by[debug])+len(by[nobody]), len(by[nobody]))
}

var tableRow = regexp.MustCompile(`(?m)^\| (\w[^|]*?) \|`)

// rows returns the first cells of the tables on a page, without their heads.
func rows(page string) (first []string) {
	for _, row := range tableRow.FindAllStringSubmatch(page, -1) {
		if row[1] != "misuse" {
			first = append(first, row[1])
		}
	}
	return first
}

// unless ends a misuse with an error if something is not so that makes it one.
func (p *play) unless(so bool) {
	if !so {
		p.err = errors.New("the misuse is none any more")
	}
}
