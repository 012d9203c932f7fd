package hunt_test

import (
	"slices"
	"sync/atomic"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/hunt"
	"github.com/flatecs/flatecs/world/list"
	"github.com/flatecs/flatecs/world/schedule"
)

// The factory: two players order ore into boxes, arms carry it from box to box, presses make two
// ores a plate, and what is sold or scrapped goes back to the bank.

// A stack is a number of items of one sort.
type stack struct{ What, Count uint8 }

const (
	ore = iota + 1
	plate
	mostStacks = 3   // in a box
	mostItems  = 250 // in a stack
	mostBoxes  = 12
)

// What a player orders: the low three bits of a byte; the others, and the next byte, say where.
const (
	deliver = iota + 1
	sell
	scrap
	build
	aim
)

var (
	bag      = layout.NewListField[stack]("bag")
	box      = layout.NewKind("box", bag)
	press2   = layout.NewMark("press")
	from     = layout.NewField[world.GameObject]("from")
	to       = layout.NewField[world.GameObject]("to")
	holds    = layout.NewField[stack]("holds")
	arm      = layout.NewKind("arm", from, to, holds)
	bank     = layout.NewField[int64]("bank")
	orders   = layout.NewField[[4]uint8]("orders")
	account  = world.NewResource("account", bank, orders)
	boxes    = world.NewRecipe("box", box)
	presses  = world.NewRecipe("press", box, press2)
	arms     = world.NewRecipe("arm", arm)
	eachBox  = world.NewQuery(world.Read(bag))
	eachMill = world.NewQuery(world.With(box, press2))
	eachArm  = world.NewQuery(world.Read(from, to, holds))
)

func newFactory() (world.State, error) {
	s, err := world.CreateState(world.Counts{
		GameObjects: 32, Kinds: layout.Kinds(box, press2, arm),
		Recipes: []world.Recipe{boxes, presses, arms}, Resources: []world.ResourceKind{account},
	})
	for _, r := range []world.Recipe{boxes, presses, boxes, boxes, arms, arms, arms} {
		if err == nil {
			s, _, err = world.Spawn(s, r)
		}
	}
	if err != nil {
		return s, err
	}
	all, n := idsOf(s, eachBox), 0
	for _, id := range idsOf(s, eachArm) {
		s, _ = world.Set(s, id, from, all[n])
		s, _ = world.Set(s, id, to, all[n+1])
		n++
	}
	return world.SetResource(s, bank, 10_000), nil
}

func idsOf(s world.State, q world.Query) (all []world.GameObject) {
	for b := range q.In(s) {
		for i := range b.Len() {
			all = append(all, b.ID(i))
		}
	}
	return all
}

func factory(b bug) hunt.Game {
	var ticks atomic.Int64 // of the bug "hidden"
	return hunt.Game{
		New: newFactory, Inputs: 4,
		Step: func(s world.State, in []byte) (world.State, error) {
			return world.SetResource(s, orders, [4]uint8(in)), nil
		},
		Jobs: func() []schedule.Job {
			return []schedule.Job{
				{Name: "order", Do: b.order},
				{Name: "press", Do: b.press},
				{Name: "carry", Do: func(s world.State) (world.State, error) {
					if b == "hidden" && ticks.Add(1)%3 == 0 {
						return s, nil
					}
					return b.carry(s)
				}},
			}
		},
		Always: []hunt.Property{
			hunt.Same("value", valueOf), hunt.Holds("stacks", stacksAreSound), hunt.NoDangling,
		},
		Fields: []layout.AnyField{bag, holds},
	}
}

func valueOf(s world.State) int64 {
	sum := world.Resource(s, bank)
	for b := range eachBox.In(s) {
		for i := range b.Len() {
			items, _ := list.Of(s, b.ID(i), bag)
			for _, x := range items {
				sum += x.value()
			}
		}
	}
	for b := range eachArm.In(s) {
		for _, x := range world.Column(b, holds) {
			sum += x.value()
		}
	}
	return sum
}

func (x stack) value() int64 { return int64(x.What) * int64(x.Count) }

func stacksAreSound(s world.State) bool {
	for b := range eachBox.In(s) {
		for i := range b.Len() {
			items, _ := list.Of(s, b.ID(i), bag)
			if len(items) > mostStacks {
				return false
			}
			for _, x := range items {
				if x.Count == 0 || x.What < ore || x.What > plate {
					return false
				}
			}
		}
	}
	return true
}

// put puts items into a box, if there is room.
func (b bug) put(s world.State, id world.GameObject, x stack) (world.State, bool, error) {
	items, err := list.Of(s, id, bag)
	if err != nil {
		return s, false, err
	}
	for i, has := range items {
		fits := int(has.Count)+int(x.Count) <= mostItems || b == "overflow"
		if has.What == x.What && fits {
			has.Count += x.Count
			s, err = list.SetAt(s, id, bag, i, has)
			return s, true, err
		}
	}
	if len(items) >= mostStacks {
		return s, false, nil
	}
	s, err = list.Append(s, id, bag, x)
	return s, true, err
}

// take takes items out of a stack.
func take(s world.State, id world.GameObject, at int, n uint8) (world.State, error) {
	items, err := list.Of(s, id, bag)
	if err != nil {
		return s, err
	}
	x := items[at]
	if x.Count -= n; x.Count == 0 {
		return list.RemoveAt(s, id, bag, at)
	}
	return list.SetAt(s, id, bag, at, x)
}

// An errand is an order of a player, for a box.
type errand struct {
	what, much uint8
	box, other world.GameObject
}

func (b bug) order(s world.State) (world.State, error) {
	in, all := world.Resource(s, orders), idsOf(s, eachBox)
	var errands []errand
	for p := range 2 {
		n := int(in[2*p+1])
		if len(all) > 0 {
			errands = append(errands, errand{
				what: in[2*p] & 7, much: in[2*p] >> 3,
				box: all[(n&15)%len(all)], other: all[(n>>4)%len(all)],
			})
		}
	}
	if b == "map" && len(errands) == 2 {
		byPlayer := map[int]errand{0: errands[0], 1: errands[1]}
		errands = errands[:0]
		for _, e := range byPlayer {
			errands = append(errands, e)
		}
	}
	var err error
	for _, e := range errands {
		if err == nil && (world.Alive(s, e.box) || b == "scrapped twice" && e.what == scrap) {
			s, err = b.carryOut(s, e)
		}
	}
	return s, err
}

func (b bug) carryOut(s world.State, e errand) (_ world.State, err error) {
	switch e.what {
	case deliver:
		n := 2*e.much + 1
		if world.Resource(s, bank) < int64(n) {
			return s, nil
		}
		s, ok, err := b.put(s, e.box, stack{ore, n})
		if ok {
			s = world.SetResource(s, bank, world.Resource(s, bank)-int64(n))
		}
		return s, err
	case sell:
		items, _ := list.Of(s, e.box, bag)
		if b == "skipped" {
			for i, x := range slices.Clone(items) {
				if x.What == plate {
					s = world.SetResource(s, bank, world.Resource(s, bank)+x.value())
					if s, err = list.RemoveAt(s, e.box, bag, i); err != nil {
						return s, err
					}
				}
			}
			return s, nil
		}
		for i, x := range slices.Backward(slices.Clone(items)) {
			if x.What == plate {
				s = world.SetResource(s, bank, world.Resource(s, bank)+x.value())
				if s, err = list.RemoveAt(s, e.box, bag, i); err != nil {
					return s, err
				}
			}
		}
	case scrap:
		items, err := list.Of(s, e.box, bag)
		if err != nil {
			return s, err
		}
		for _, x := range items {
			s = world.SetResource(s, bank, world.Resource(s, bank)+x.value())
		}
		return b.dispose(s, e.box)
	case build:
		if eachBox.Count(s) < mostBoxes {
			s, _, err = world.Spawn(s, []world.Recipe{boxes, presses}[e.much&1])
		}
	case aim:
		if all := idsOf(s, eachArm); world.Alive(s, e.other) {
			id := all[int(e.much)%len(all)]
			s, _ = world.Set(s, id, from, e.box)
			s, err = world.Set(s, id, to, e.other)
		}
	}
	return s, err
}

// dispose disposes of a box, after which no arm reaches for it.
func (b bug) dispose(s world.State, id world.GameObject) (world.State, error) {
	for _, a := range idsOf(s, eachArm) {
		for _, f := range []layout.Field[world.GameObject]{from, to} {
			if at, _ := world.Get(s, a, f); at == id && (b != "dead reference" || f == from) {
				s, _ = world.Set(s, a, f, 0)
			}
		}
	}
	return world.Dispose(s, id)
}

func (b bug) press(s world.State) (_ world.State, err error) {
	for _, id := range idsOf(s, eachMill) {
		items, _ := list.Of(s, id, bag)
		at := slices.IndexFunc(items, func(x stack) bool { return x.What == ore && x.Count >= 2 })
		if at < 0 {
			continue
		}
		var ok bool
		if s, ok, err = b.put(s, id, stack{plate, 1}); ok && err == nil {
			s, err = take(s, id, at, 2)
		}
		if err != nil {
			return s, err
		}
	}
	return s, nil
}

// carry lets each arm take an item, or put down its item.
func (b bug) carry(s world.State) (_ world.State, err error) {
	for _, a := range idsOf(s, eachArm) {
		has, _ := world.Get(s, a, holds)
		source, _ := world.Get(s, a, from)
		target, _ := world.Get(s, a, to)
		items, _ := list.Of(s, source, bag)
		switch last := len(items) - 1; {
		case has.Count > 0 && world.Alive(s, target):
			var ok bool
			if s, ok, err = b.put(s, target, has); ok || b == "dropped" {
				s, _ = world.Set(s, a, holds, stack{})
			}
		case has.Count == 0 && last >= 0 && source != target:
			what := items[last].What
			if b != "copied" || items[last].Count > 1 || what != plate {
				s, err = take(s, source, last, 1)
			}
			s, _ = world.Set(s, a, holds, stack{what, 1})
		}
		if err != nil {
			return s, err
		}
	}
	return s, nil
}
