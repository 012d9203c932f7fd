package hunt_test

import (
	"math/rand/v2"
	"slices"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/hunt"
	"github.com/flatecs/flatecs/world/list"
)

// The card game: the player whose turn it is draws a card, plays one or gives one away; a player
// without cards is out. An ace that is played reverses the order.

const (
	seats, cards = 4, 32
	mostCards    = 7 // in a hand
	costs        = 5 // points, of a card that is given away
)

// What a player does: the low two bits of a byte; the others say with which card.
const (
	draw = iota + 1
	play
	giveAway
)

var (
	hand    = layout.NewListField[uint8]("hand")
	points  = layout.NewField[uint8]("points")
	seat    = layout.NewKind("seat", hand, points)
	out     = layout.NewMark("out")
	player  = world.NewRecipe("player", seat)
	deck    = layout.NewListField[uint8]("deck")
	played  = layout.NewListField[uint8]("played")
	whose   = layout.NewField[int32]("whose")
	way     = layout.NewField("way", int32(1))
	table   = world.NewResource("table", deck, played, whose, way)
	allOut  = world.NewQuery(world.With(seat, out))
	inOrder = world.NewQuery(world.Read(hand, points))
)

func newTable() (world.State, error) {
	s, err := world.CreateState(world.Counts{
		GameObjects: seats, Kinds: layout.Kinds(seat, out), Recipes: []world.Recipe{player},
		Resources: []world.ResourceKind{table}, Seed: 1,
	})
	if err == nil {
		s, err = world.SpawnN(s, player, seats, nil)
	}
	if err != nil {
		return s, err
	}
	all := make([]uint8, cards)
	for i := range all {
		all[i] = uint8(i)
	}
	s, r := world.NextStream(s)
	shuffle(all, r.IntN)
	for i, id := range idsOf(s, inOrder) {
		s, _ = list.Set(s, id, hand, all[4*i:4*i+4]...)
		s, _ = world.Set(s, id, points, 20)
	}
	return list.Set(s, 0, deck, all[4*seats:]...)
}

func shuffle(all []uint8, random func(int) int) {
	for i := len(all) - 1; i > 0; i-- {
		j := random(i + 1)
		all[i], all[j] = all[j], all[i]
	}
}

func cardGame(b bug) hunt.Game {
	return hunt.Game{
		New: newTable, Step: b.turn, Inputs: 1,
		Always: []hunt.Property{
			hunt.Holds("each card once", eachCardOnce),
			hunt.Holds("hands", func(s world.State) bool {
				for _, id := range idsOf(s, inOrder) {
					if len(handOf(s, id)) > mostCards {
						return false
					}
				}
				return true
			}),
			hunt.Holds("whose turn", func(s world.State) bool {
				id := idsOf(s, inOrder)[world.Resource(s, whose)]
				return ended(s) || !world.Has(s, id, out) && len(handOf(s, id)) > 0
			}),
			hunt.Holds("points", func(s world.State) bool {
				for b := range inOrder.In(s) {
					if slices.Max(world.Column(b, points)) > 200 {
						return false
					}
				}
				return true
			}),
		},
		Over:   ended,
		Fields: []layout.AnyField{hand, points},
	}
}

func handOf(s world.State, id world.GameObject) []uint8 {
	h, _ := list.Of(s, id, hand)
	return h
}

func ended(s world.State) bool { return allOut.Count(s) >= seats-1 }

func eachCardOnce(s world.State) bool {
	seen, n := [cards]bool{}, 0
	in, _ := list.Of(s, 0, deck)
	off, _ := list.Of(s, 0, played)
	lists := [][]uint8{in, off}
	for _, id := range idsOf(s, inOrder) {
		lists = append(lists, handOf(s, id))
	}
	for _, l := range lists {
		for _, c := range l {
			if seen[c] {
				return false
			}
			seen[c] = true
			n++
		}
	}
	return n == cards
}

func (b bug) turn(s world.State, in []byte) (_ world.State, err error) {
	if in[0]&3 == 0 || ended(s) {
		return s, nil
	}
	all := idsOf(s, inOrder)
	me := all[world.Resource(s, whose)]
	h := handOf(s, me)
	n := int(in[0]>>2) % len(h)
	card := h[n]
	switch in[0] & 3 {
	case draw:
		if s, err = b.drawFor(s, me); err != nil {
			return s, err
		}
	case play:
		s, _ = list.RemoveAt(s, me, hand, n)
		s, _ = list.Append(s, 0, played, card)
		if card%8 == 0 {
			s = world.SetResource(s, way, -world.Resource(s, way))
		}
	case giveAway:
		next := all[b.next(s, all)]
		mine, _ := world.Get(s, me, points)
		if next == me || mine < costs && b != "in debt" {
			break
		}
		if full := len(handOf(s, next)) >= mostCards; !full || b == "given to nobody" {
			s, _ = list.RemoveAt(s, me, hand, n)
			s, _ = world.Set(s, me, points, mine-costs)
			if !full {
				s, _ = list.Append(s, next, hand, card)
			}
		}
		if b == "not marked" {
			return world.SetResource(s, whose, b.next(s, all)), nil
		}
	}
	if len(handOf(s, me)) == 0 {
		if s, err = world.Add(s, me, out); err != nil {
			return s, err
		}
	}
	if b == "after the end" && len(handOf(s, me)) == 0 && world.Resource(s, way) < 0 {
		return s, nil
	}
	return world.SetResource(s, whose, b.next(s, all)), nil
}

// next returns the next player, by a seat.
func (b bug) next(s world.State, all []world.GameObject) int32 {
	n := world.Resource(s, whose)
	for range seats {
		if n += world.Resource(s, way); b != "modulo" {
			n += seats
		}
		if n %= seats; !world.Has(s, all[n], out) {
			break
		}
	}
	return n
}

// drawFor has a player draw a card, and lay off the first one if there are too many.
func (b bug) drawFor(s world.State, me world.GameObject) (world.State, error) {
	in, _ := list.Of(s, 0, deck)
	if len(in) == 0 {
		var err error
		if s, err = b.reshuffle(s); err != nil {
			return s, err
		}
		if in, _ = list.Of(s, 0, deck); len(in) == 0 {
			return s, nil
		}
	}
	last := len(in) - 1
	card := in[last]
	s, _ = list.RemoveAt(s, 0, deck, last)
	h := handOf(s, me)
	if len(h) > mostCards || len(h) == mostCards && b != "one too many" {
		first := h[0]
		s, _ = list.RemoveAt(s, me, hand, 0)
		s, _ = list.Append(s, 0, played, first)
	}
	return list.Append(s, me, hand, card)
}

// reshuffle makes the cards that were played the deck, but for the last one.
func (b bug) reshuffle(s world.State) (world.State, error) {
	off, _ := list.Of(s, 0, played)
	if len(off) < 2 {
		return s, nil
	}
	last := len(off) - 1
	again, top := slices.Clone(off[:last]), off[last]
	if b == "shuffled twice" {
		again = slices.Clone(off)
	}
	s, r := world.NextStream(s)
	shuffle(again, r.IntN)
	if b == "other random" {
		shuffle(again, rand.IntN)
	}
	s, _ = list.Set(s, 0, deck, again...)
	return list.Set(s, 0, played, top)
}
