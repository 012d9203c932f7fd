package systems

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/internal/query"
)

var (
	shove      = layout.NewField("shove", [3]float32{1, 1, 1})
	armour     = layout.NewField[uint16]("armour", 7)
	hullKind   = layout.NewKind("hull", shove, armour)
	frozenMark = layout.NewMark("frozen")
	orphan     = layout.NewField[uint8]("orphan")
	raider     = NewRecipe("raider", hullKind, frozenMark).With(armour.Value(3))
)

// commandWorld returns a world of six objects and three hulls. Objects 0 and 1 have a hull, 1 is
// frozen, 2 has nothing, and 3 is dead.
func commandWorld(t *testing.T) (State, []GameObject) {
	t.Helper()
	s := sure(CreateState(Counts{
		GameObjects: 6, Recipes: []Recipe{recipeAC, raider},
		Kinds: []layout.Count{
			hullKind.Count(3), frozenMark.Count(0), kindA.Count(0), kindC.Count(0), markX.Count(0),
		},
	}))
	ids := make([]GameObject, 4)
	for i := range ids {
		s, ids[i] = made(Create(s))
	}
	for _, id := range ids[:2] {
		s = sure(Add(s, id, hullKind))
	}
	s = sure(Add(s, ids[1], frozenMark))
	s = sure(Dispose(s, ids[3]))
	return s, ids
}

func image(s State) []byte { return bytes.Clone(Bytes(s)) }

func TestCommandsGoOn(t *testing.T) {
	s, ids := commandWorld(t)
	c := Record(s)
	c.Add(ids[2], hullKind)                   // 0: the last row
	fresh := c.Create()                       // 1
	Put(c, fresh, shove, [3]float32{4, 5, 6}) // 2: all rows in use
	c.Add(fresh, frozenMark)                  // 3
	c.Remove(ids[3], hullKind)                // 4: dead
	c.Dispose(ids[0])                         // 5
	Put(c, fresh, armour, 8)                  // 6: row of object 0
	s, err := Apply(s)

	var refused []*CommandError
	for _, e := range err.(interface{ Unwrap() []error }).Unwrap() {
		refused = append(refused, e.(*CommandError))
	}
	require.Len(t, refused, 2)
	assert.Equal(t, CommandError{refused[0].Err, "put", 2, fresh, "hull", false}, *refused[0])
	assert.Equal(t, CommandError{refused[1].Err, "remove", 4, ids[3], "hull", false}, *refused[1])
	require.ErrorIs(t, refused[0], ErrFull)
	require.ErrorIs(t, refused[1], ErrDead)
	var inner *Error
	require.ErrorAs(t, err, &inner)
	assert.Equal(t, "flatecs: 2 of 7 recorded commands refused; the first is command 2, put hull, created game object 0: "+
		"hull: all 3 rows in use; "+
		"raise its Count in Counts.Kinds at creation", err.Error())

	id := sure(objectAt(s, 3))
	assert.True(t, Has(s, id, frozenMark))
	v := sure(Get(s, id, armour))
	assert.Equal(t, uint16(8), v)
}

func TestCommandsDisposeTwice(t *testing.T) {
	s, ids := commandWorld(t)
	c := Record(s)
	fresh := c.Create()
	for range 2 {
		c.Dispose(ids[0])
		c.Dispose(fresh)
	}
	s, err := Apply(s)
	require.NoError(t, err, "an earlier command of the same Apply may be first")
	assert.Equal(t, 2, Len(s))

	c = Record(s)
	c.Dispose(ids[1])
	s = sure(Dispose(s, ids[1]))
	s, err = Apply(s)
	require.NoError(t, err, "so may anyone between recording and Apply")

	c = Record(s)
	c.Dispose(ids[1])
	c.Dispose(fresh)
	_, err = Apply(s)
	require.ErrorIs(t, err, ErrDead)
	require.ErrorContains(t, err, "command 0, dispose, game object 1: game object 1 was disposed, ")
	var all *ApplyError
	require.ErrorAs(t, err, &all)
	require.EqualError(t, all.Refused[1], "flatecs: command 1, dispose, created game object 0: its creation "+
		"was refused, or is of an earlier Apply: the game object is not alive; record it again")
}

var (
	hulls         = NewQuery(Write(armour), Read(shove))
	hullsGathered = inCopies(NewQuery(Write(armour), Read(shove)))
	hullsByRow    = NewQuery(Write(armour), RowWise())
)

func inCopies(q Query) Query { return q.And(Term{&query.Term{Mode: query.Forced}}) }

func TestCommandsPanic(t *testing.T) {
	s, ids := commandWorld(t)
	c := Record(s)
	byRow := "flatecs: batches of a row-wise query have no ids; omit RowWise"
	outside := "flatecs: a batch of 2 has no row 2; rows go from 0 to Len()-1"
	for _, p := range []struct {
		name, message string
		f             func()
	}{
		{
			"field of no kind", `flatecs: field orphan belongs to no kind; give it to layout.NewKind`,
			func() { Put(c, ids[0], orphan, 1) },
		},
		{"row-wise dispose", byRow, func() {
			for b := range hullsByRow.In(s) {
				b.Dispose(0)
			}
		}},
		{"row-wise add", byRow, func() {
			for b := range hullsByRow.In(s) {
				b.Add(0, frozenMark)
			}
		}},
		{"row-wise remove", byRow, func() {
			for b := range hullsByRow.In(s) {
				b.Remove(0, frozenMark)
			}
		}},
		{"outside the batch", outside, func() {
			for b := range hulls.In(s) {
				b.Dispose(b.Len())
			}
		}},
	} {
		t.Run(p.name, func(t *testing.T) {
			before := image(s)
			assert.PanicsWithValue(t, p.message, p.f)
			assert.Zero(t, s.job.records.commands.Recorded(), "nothing was recorded")
			assert.Zero(t, s.job.walks.Depth)
			assert.Equal(t, before, Bytes(s))
		})
	}
	Close(s)
	assert.PanicsWithValue(t, "flatecs: the world of these commands was closed; record before Close",
		func() { c.Create() })
}

func TestAllocsCommands(t *testing.T) {
	s, ids := commandWorld(t)
	run := func() {
		c := Record(s)
		for b := range hullsGathered.In(s) {
			for i := range b.Len() {
				b.Add(i, frozenMark)
				b.Remove(i, frozenMark)
			}
		}
		fresh := c.Spawn(raider, shove.Value([3]float32{1, 2, 3}), armour.Value(4))
		Put(c, fresh, armour, 3)
		c.Dispose(fresh)
		c.Dispose(fresh)
		c.Add(ids[2], frozenMark)
		c.Remove(ids[2], frozenMark)
		var err error
		if s, err = Apply(s); err != nil {
			t.Fatal(err)
		}
	}
	s = sure(Dispose(s, ids[1])) // frozen
	run()                        // plans the query
	assert.Zero(t, testing.AllocsPerRun(100, run))
}

// A doomedCase is three objects in a world, each of which may refer to another by a relation.
type doomedCase struct {
	t    *testing.T
	s    State
	past *Snapshot
	rel  layout.Field[GameObject]
	ids  [3]GameObject
}

var (
	doomedGold = layout.NewComponent[uint32]("doomed gold")
	doomedBag  = layout.NewList[uint64]("doomed bag")
	doomedMark = layout.NewMark("doomed mark")
)

// A doomedCommand is a command on object o, some of which name object p too.
type doomedCommand struct {
	what string
	o, p int
}

func (c doomedCommand) String() string { return fmt.Sprintf("%s %d %d", c.what, c.o, c.p) }

// doomedCommands are all commands on three objects.
func doomedCommands() (all []doomedCommand) {
	for o := range 3 {
		for _, what := range []string{
			"dispose", "copy", "add", "remove", "put", "append", "spawn",
		} {
			all = append(all, doomedCommand{what, o, o})
		}
		for p := range 3 {
			if p != o {
				all = append(all, doomedCommand{"refer", o, p})
			}
		}
	}
	return all
}

// record records a command.
func (d *doomedCase) record(c doomedCommand, recipe Recipe) {
	b, id := Record(d.s), d.ids[c.o]
	switch c.what {
	case "dispose":
		b.Dispose(id)
	case "copy":
		b.Copy(id)
	case "add":
		b.Add(id, doomedMark)
	case "remove":
		b.Remove(id, doomedGold)
	case "put":
		Put(b, id, doomedGold, 7)
	case "append":
		AppendLater(b, id, doomedBag, 9)
	case "spawn":
		b.Spawn(recipe, d.rel.Value(id))
	case "refer":
		Put(b, id, d.rel, d.ids[c.p])
	}
}

// call does by calls what a command does, but for disposals.
func (d *doomedCase) call(c doomedCommand, recipe Recipe) (err error) {
	id := d.ids[c.o]
	switch c.what {
	case "copy":
		d.s, _, err = Copy(d.s, id)
	case "add":
		d.s, err = Add(d.s, id, doomedMark)
	case "remove":
		d.s, err = Remove(d.s, id, doomedGold)
	case "put":
		if !Has(d.s, id, doomedGold) {
			d.s, err = Add(d.s, id, doomedGold)
		}
		if err == nil {
			d.s, err = Set(d.s, id, doomedGold, 7)
		}
	case "append":
		d.s, err = AppendToList(d.s, id, doomedBag.Spec(), doomedBag.Bytes([]uint64{9}))
	case "spawn":
		d.s, _, err = Spawn(d.s, recipe, d.rel.Value(id))
	case "refer":
		d.s, err = Set(d.s, id, d.rel, d.ids[c.p])
	}
	return err
}

// oneByOne does what commands do by calls: an object counts as disposed from its command on, and
// is disposed in the end, with the others. It returns which commands are refused.
func (d *doomedCase) oneByOne(commands []doomedCommand, recipe Recipe) (refused []int) {
	var doomed [3]bool
	var roots []GameObject
	var numbers []int
	for i, c := range commands {
		switch {
		case c.what == "dispose":
			if !doomed[c.o] {
				roots, numbers = append(roots, d.ids[c.o]), append(numbers, i)
			}
			doomed[c.o] = true
		case doomed[c.o] || doomed[c.p], d.call(c, recipe) != nil:
			refused = append(refused, i)
		}
	}
	for { // all that are not refused
		next, err := Dispose(d.s, roots...)
		d.s = next
		if err == nil {
			return refused
		}
		require.ErrorIs(d.t, err, ErrReferred)
		for i, id := range roots { // the first that is refused with the others
			if strings.Contains(err.Error(), fmt.Sprintf("object %v is not", id)) {
				roots = slices.Delete(roots, i, i+1)
				refused = append(refused, numbers[i])
				numbers = slices.Delete(numbers, i, i+1)
				break
			}
		}
	}
}

// holds returns the contents of objects, without their ids.
func (d *doomedCase) holds() (all []string) {
	about := func(id GameObject) string {
		gold, err := Get(d.s, id, doomedGold)
		bag, _ := ListOf(d.s, id, doomedBag.Spec())
		return fmt.Sprint(gold, err == nil, string(bag), Has(d.s, id, doomedMark))
	}
	for id := range GameObjects(d.s) {
		to, err := Get(d.s, id, d.rel)
		text := about(id) + fmt.Sprint(err == nil)
		if to != 0 {
			text += " to " + about(to)
		}
		all = append(all, text)
	}
	slices.Sort(all)
	return all
}

// TestEveryCommandAfterADisposal carries out all pairs and triples of commands with one disposal,
// on three objects of which none, one or two refer to others, by each policy. Refusals, except of
// disposals, do not depend on the references; the resulting world is the same as with calls.
func TestEveryCommandAfterADisposal(t *testing.T) {
	all := doomedCommands()
	for name, policy := range map[string]layout.Policy{
		"clear": layout.Clear, "cascade": layout.Cascade, "refuse": layout.Refuse,
	} {
		rel := layout.NewRelation("doomed "+name, layout.Relation{Disposed: policy})
		recipe := NewRecipe("doomed "+name, rel)
		t.Run(name, func(t *testing.T) {
			var cases []*doomedCase
			for _, edges := range [][][2]int{{}, {{1, 0}}, {{1, 0}, {2, 1}}, {{1, 0}, {2, 0}}} {
				cases = append(cases, newDoomedCase(t, rel, recipe, edges))
			}
			for _, x := range all {
				for _, y := range all {
					doCommands(cases, recipe, x, y)
					if x.what != "dispose" || testing.Short() {
						continue
					}
					for _, z := range all {
						doCommands(cases, recipe, x, y, z)
					}
				}
			}
		})
	}
}

func newDoomedCase(
	t *testing.T, rel layout.Field[GameObject], recipe Recipe, edges [][2]int,
) *doomedCase {
	t.Helper()
	s := closedLater(t, sure(CreateState(Counts{
		GameObjects: 16, Recipes: []Recipe{recipe},
		Kinds: layout.Kinds(rel, doomedGold, doomedBag, doomedMark),
	})))
	d := &doomedCase{t: t, s: s, rel: rel}
	for i := range d.ids {
		d.s, d.ids[i] = made(CreateWith(d.s, rel, doomedGold, doomedBag))
		d.s = sure(Set(d.s, d.ids[i], doomedGold, uint32(100+i)))
	}
	for _, e := range edges {
		d.s = sure(Set(d.s, d.ids[e[0]], rel, d.ids[e[1]]))
	}
	d.past = sure(NewSnapshot(d.s))
	require.NoError(t, d.past.Take(d.s))
	t.Cleanup(d.past.Close)
	return d
}

// doCommands does commands in all cases, by Apply and one by one.
func doCommands(cases []*doomedCase, recipe Recipe, commands ...doomedCommand) {
	var first []int // refused in the first case
	for n, d := range cases {
		for _, c := range commands {
			d.record(c, recipe)
		}
		var refused, others []int
		s, err := Apply(d.s)
		d.s = s
		if e, ok := errors.AsType[*ApplyError](err); ok {
			for _, r := range e.Refused {
				refused = append(refused, r.Number)
				if commands[r.Number].what != "dispose" {
					others = append(others, r.Number)
				}
			}
		}
		if n == 0 {
			first = others
		}
		got := d.holds()
		require.NoError(d.t, ToolsOf(d.s).Verify())
		d.s = sure(Restore(d.s, d.past))
		want := d.oneByOne(commands, recipe)
		slices.Sort(want)
		if !slices.Equal(first, others) || !slices.Equal(slices.Compact(refused), want) ||
			!slices.Equal(got, d.holds()) {
			require.Equal(d.t, first, others, "%v", commands)
			require.Equal(d.t, want, refused, "%v in case %d", commands, n)
			require.Equal(d.t, d.holds(), got, "%v in case %d", commands, n)
		}
		d.s = sure(Restore(d.s, d.past))
	}
}
