package world_test

import (
	"bytes"
	"errors"
	"math"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/unsafeutil"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	lists "github.com/flatecs/flatecs/world/list"
	"github.com/flatecs/flatecs/world/space"
)

// A misuseCase is a small program that misuses the library.
type misuseCase struct {
	name string
	by   noticed
	do   func(p *play)
}

// A noticed says what notices a misuse.
type noticed uint8

const (
	always  noticed = iota // a panic or an error with a sentence, in every build
	checked                // the same, unless built with -tags ecsrelease
	debug                  // a panic with a sentence, under -tags ecsdebug
	nobody                 // the program goes on
)

// misuses are misuses that some build does not detect, by families, and detected misuses of
// packages below world. The tests of systems cover what systems refuses.
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

// end closes the world, whatever its state, and everything else that was created.
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

// told returns the message for a misuse, or "".
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

// TestMisuseIsNoticed by exactly the listed builds and tools, with a sentence of the library that
// names a fix.
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
					// the effect is unspecified
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

var stateMisuses = []misuseCase{
	{"a State dropped that a system of walks alone returned", nobody, func(p *play) {
		lift(p.s)
		world.Len(p.s)
	}},
	{"a system that returns the State of another world", nobody, func(p *play) {
		other := p.also(newPlay(false).s)
		p.s = func(world.State) world.State { return other }(p.s)
		world.Len(p.s)
	}},
}

// lift only walks.
func lift(s world.State) world.State {
	for b := range playMoving.In(s) {
		for i := range b.Len() {
			world.Column(b, playPlace)[i][1]++
		}
	}
	return s
}

var cellMisuses = []misuseCase{
	{"cells of before a position was written", always, func(p *play) {
		c := world.Must(space.NewCells(p.s, playPlace, space.Options{Size: 1}))
		c.In(lift(c.Build(p.s, nil))).Len()
	}},
	{"a View of cells after the next Build", always, func(p *play) {
		c := world.Must(space.NewCells(p.s, playPlace, space.Options{Size: 1}))
		s := c.Build(p.s, nil)
		v := c.In(s)
		c.Build(s, nil)
		for range v.Near([3]float32{}, 1) {
			continue
		}
	}},
	{"Points of a View read after the next Build", nobody, func(p *play) {
		c := world.Must(space.NewCells(p.s, playPlace, space.Options{Size: 1}))
		s := c.Build(p.s, nil)
		points := c.In(s).Points()
		s = c.Build(world.Must(world.Set(s, p.ids[0], playPlace, [3]float32{9, 9, 9})), nil)
		p.unless(len(points) == len(c.In(s).Points()) && &points[0] == &c.In(s).Points()[0])
	}},
	{"Points of a View written", nobody, func(p *play) {
		c := world.Must(space.NewCells(p.s, playPlace, space.Options{Size: 1}))
		s := c.Build(p.s, nil)
		c.In(s).Points()[0] = [3]float32{7}
		p.unless(c.In(s).Points()[0] == [3]float32{7})
	}},
}

var objectMisuses = []misuseCase{
	{"an id of another world, where such an object lives", nobody, func(p *play) {
		other := newPlay(false)
		p.also(other.s)
		_, p.err = world.Set(p.s, other.ids[3], playPlace, [3]float32{})
	}},
	{"an id from before Restore, where such an object lives again", nobody, func(p *play) {
		snapshot := p.taken(p.s)
		first := p.spawn()
		p.s = world.Must(world.Restore(p.s, snapshot))
		p.unless(p.spawn() == first)
	}},
	{"a row kept until another object has it", nobody, func(p *play) {
		row := world.Must(world.RowOf(p.s, p.ids[19], playPlace))
		p.dispose(19)
		p.spawn()
		p.s = world.SetRow(p.s, playPlace, row, [3]float32{9})
	}},
	{"a dead object in a field that is no relation", nobody, func(p *play) {
		p.s, _ = world.Add(p.s, p.ids[0], playTarget)
		p.dispose(1)
		_, p.err = world.Set(p.s, p.ids[0], playTarget, p.ids[1])
	}},
}

// column returns the places of the first batch, kept beyond the walk.
func column(s world.State, q world.Query) (kept [][3]float32) {
	for b := range q.In(s) {
		kept = world.Column(b, playPlace) //flatecs:allow kept it is the misuse
		break
	}
	return kept
}

var pointerMisuses = []misuseCase{
	{"a write to a column that the query only reads", debug, func(p *play) {
		for b := range playMoving.In(p.s) {
			world.Column(b, playSpeed)[0][0]++ //flatecs:allow readonly it is the misuse
		}
	}},
	{"a write through a View", debug, func(p *play) {
		world.View(p.s, playPlace)[0][0]++
		world.Len(p.s)
	}},
	{"a NaN", debug, func(p *play) {
		for b := range playMoving.In(p.s) {
			world.Column(b, playPlace)[0][0] = float32(math.NaN())
		}
	}},
	{"a write through a pointer of Edit when the object is disposed", debug, func(p *play) {
		s, at, _ := world.Edit(p.s, p.ids[0], playPlace)
		p.s = s
		p.dispose(0)
		at[0] = 9
		p.s = world.Advance(p.s)
	}},
	{"a write through a pointer of a Writer when the object is disposed", debug, func(p *play) {
		w := world.WriterOf(p.s, playPlace)
		at := w.At(p.ids[0])
		p.dispose(0)
		at[0] = 9
		p.spawn()
	}},
	{"a write to a column after its walk, when its objects are disposed", debug, func(p *play) {
		kept := column(p.s, playMoving)
		p.s = world.Must(playMoving.DisposeAll(p.s))
		kept[0][0] = 9
		p.s = world.Advance(p.s)
	}},
	{"a write to a column after its walk, whose rows were scattered", debug, func(p *play) {
		p.freeze()
		kept := column(p.s, playThawed)
		kept[0][0] = 9
		p.s = lift(p.s)
	}},
	{"a write through a pointer of an earlier tick, before a snapshot", debug, func(p *play) {
		snapshot := p.taken(p.s)
		s, at, _ := world.Edit(world.Advance(p.s), p.ids[0], playPlace)
		s = world.Advance(s)
		_ = snapshot.Take(s)
		s = world.Advance(s)
		at[0] = 9
		p.err = snapshot.Take(s)
	}},
	{"a column read after its walk", nobody, func(p *play) {
		kept := column(p.s, playMoving)
		p.unless(kept[0] == [3]float32{1, 2, 3})
	}},
	{"a write to a column after its walk, when its objects live", nobody, func(p *play) {
		column(p.s, playMoving)[0][0] = 9
		p.s = world.Advance(p.s)
		p.unless(world.Must(world.Get(p.s, p.ids[0], playPlace))[0] == 9)
	}},
	{"a write through a pointer of an earlier tick, without a snapshot", debug, func(p *play) {
		s, at, _ := world.Edit(p.s, p.ids[0], playPlace)
		s = world.Advance(s)
		at[0] = 9
		p.s = world.Advance(s)
	}},
	{"a write to the elements of a list that the query only reads", debug, func(p *play) {
		for b := range playBags.In(p.s) {
			lists.Column(b, playBag).At(0)[0] = 9 //flatecs:allow readonly it is the misuse
		}
		p.s = world.Advance(p.s)
	}},
	{"a write to a slice that list.Of returned", debug, func(p *play) {
		world.Must(lists.Of(p.s, p.ids[0], playBag))[0] = 9
		p.s = world.Advance(p.s)
	}},
	{"a pointer kept until another object has the row", nobody, func(p *play) {
		s, at, _ := world.Edit(p.s, p.ids[19], playPlace)
		p.s = s
		p.dispose(19)
		id := p.spawn()
		at[0] = 9
		p.unless(world.Must(world.Get(p.s, id, playPlace))[0] == 9)
	}},
	{"a read through a pointer from before a change", nobody, func(p *play) {
		s, at, _ := world.Edit(p.s, p.ids[0], playPlace)
		p.s = s
		p.dispose(0)
		p.unless(at[1] == 2)
	}},
	{"the column of the first batch, taken for all objects", nobody, func(p *play) {
		p.freeze()
		p.s, _ = world.Add(p.s, p.ids[0], playTarget)
		q := playMoving.And(world.Optional(playTarget))
		p.unless(len(column(p.s, q)) < q.Count(p.s))
	}},
	{"a View kept until more rows are used", nobody, func(p *play) {
		view := world.View(p.s, playPlace)
		p.spawn()
		p.unless(len(view) <= len(world.View(p.s, playPlace)))
	}},
	{"a RowWise system that adds up rows", nobody, func(p *play) {
		sum := float32(0)
		for b := range playMoving.And(world.RowWise()).In(p.s) {
			for _, at := range world.Column(b, playPlace) {
				sum += at[1]
			}
		}
		p.unless(sum >= 40)
	}},
	{"a value written into Bytes", debug, func(p *play) {
		b, at := world.Bytes(p.s), world.Must(world.Get(p.s, p.ids[0], playPlace))
		b[bytes.Index(b, unsafeutil.Bytes(at[:]))]++
		p.s = world.Advance(p.s)
	}},
}

var commandMisuses = []misuseCase{
	{"commands that are never applied", nobody, func(p *play) {
		world.Record(p.s).Dispose(p.ids[0])
		p.s = world.Advance(p.s)
		p.unless(world.Alive(p.s, p.ids[0]))
	}},
}

// alone runs one task.
func alone(p *play, queries []world.Query, run func(s world.State) world.State) {
	p.s = systems.RunTasks(p.s, nil, []systems.Task{
		{Run: []func(world.State) world.State{run}, Queries: queries},
	})
}

var (
	playList  = []world.Query{playMoving}
	playSteps int // a variable that a system must not have
)

var taskMisuses = []misuseCase{
	{"a Writer of a task that another goroutine uses", nobody, func(p *play) {
		alone(p, playList, func(s world.State) world.State {
			w := world.WriterOf(s, playPlace)
			done := make(chan struct{})
			go func() { w.At(p.ids[0])[0] = 9; close(done) }()
			<-done
			return s
		})
		p.unless(world.Must(world.Get(p.s, p.ids[0], playPlace))[0] == 9)
	}},
	{"a batch that another goroutine uses", nobody, func(p *play) {
		for b := range playMoving.In(p.s) {
			done := make(chan struct{})
			go func() {
				world.Column(b, playPlace)[0][0] = 9 //flatecs:allow kept it is the misuse
				close(done)
			}()
			<-done
		}
	}},
	{"a system that depends on more than its State", nobody, func(p *play) {
		playSteps++
		p.s = world.Must(world.Set(p.s, p.ids[0], playPlace, [3]float32{float32(playSteps)}))
	}},
}

var dataMisuses = []misuseCase{
	{"a write to data that a Go value points to", nobody, func(p *play) {
		p.s, _ = world.Add(p.s, p.ids[0], playNames)
		other := p.also(world.Must(world.Clone(p.s)))
		world.Must(world.ValueOf(p.s, p.ids[0], playNames)).text = "both"
		p.unless(world.Must(world.ValueOf(other, p.ids[0], playNames)).text == "both")
	}},
	{"steps without Advance", nobody, func(p *play) {
		before := world.Tick(p.s)
		p.s = lift(p.s)
		p.unless(world.Tick(p.s) == before)
	}},
}
