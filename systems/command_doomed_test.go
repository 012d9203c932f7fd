package systems

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
)

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

// holds returns what objects hold, whatever their ids are.
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

// TestEveryCommandAfterADisposal does all pairs and triples of commands, of which one is a
// disposal, on three objects of which none, one or two refer to others, by each policy. What is
// refused does not depend on who refers to whom, but for disposals; and the world is that of calls.
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
