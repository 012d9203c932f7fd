package kin

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
)

// FindRing returns a thing that is in a ring, if there is a ring: above returns the thing to which
// a thing refers, if any. From each thing it climbs until it meets the path of another climb.
// climbed has room for all things.
func FindRing(climbed []uint32, above func(thing uint32) (uint32, bool)) (thing uint32, ok bool) {
	clear(climbed) // per thing: the climb that reached it, from 1
	for from := range climbed {
		at, climb := uint32(from), uint32(from)+1
		for climbed[at] == 0 {
			climbed[at] = climb
			next, more := above(at)
			if !more {
				climb = 0 // the top
				break
			}
			if next >= uint32(len(climbed)) {
				panic(fmt.Sprintf("flatecs: FindRing is told of thing %d, of %d; make climbed as "+
					"long as there are things", next, len(climbed)))
			}
			at = next
		}
		if climbed[at] == climb {
			return at, true
		}
	}
	return 0, false
}

// RingAmong returns a member that is below itself in some tree by the values of the seeds, with
// more values for the first one, and the tree's reference. Objects that are not members cannot
// refer to members yet.
func RingAmong(
	l *Lists, seeds []Seed, more []layout.FieldValue,
) (reference *layout.FieldSpec, member uint32, ok bool) {
	var trees [8]*layout.FieldSpec
	for _, f := range appendTrees(trees[:0], seeds, more) {
		up := climb{l, f, seeds, more}
		if at, ok := FindRing(make([]uint32, len(seeds)), up.above); ok {
			return f, at, true
		}
	}
	return nil, 0, false
}

// checkRings returns an error if there is a ring among the members.
func checkRings(l *Lists, seeds []Seed, more []layout.FieldValue) error {
	f, at, ok := RingAmong(l, seeds, more)
	if !ok {
		return nil
	}
	up := climb{l, f, seeds, more}
	return fmt.Errorf("flatecs: %s: %w", up.ring(at), ErrRing)
}

// appendTrees appends the tree references that values set to members.
func appendTrees(
	dst []*layout.FieldSpec, seeds []Seed, more []layout.FieldValue,
) []*layout.FieldSpec {
	list := func(values []layout.FieldValue) {
		for i := range values {
			r := values[i].Field.Relation
			if r == nil || !r.Tree || !isMember(ReferenceOf(&values[i])) ||
				slices.Contains(dst, r.Target) {
				continue
			}
			dst = append(dst, r.Target) // values[i].Field would make values escape to the heap
		}
	}
	for i := range seeds {
		list(seeds[i].Values)
	}
	list(more)
	return dst
}

// A climb holds the references between members in one tree.
type climb struct {
	l     *Lists // of the relation of the planted tree
	field *layout.FieldSpec
	seeds []Seed
	more  []layout.FieldValue
}

// above returns the member to which a member refers: the last value of the reference counts.
func (c *climb) above(n uint32) (member uint32, ok bool) {
	seed := &c.seeds[n]
	id := gameobject.Nobody
	if seed.Parent >= 0 && c.l.Target == c.field {
		id = Member(seed.Parent)
	}
	for i := range seed.Values {
		if v := &seed.Values[i]; v.Field == c.field {
			id = ReferenceOf(v)
		}
	}
	for i := range c.more {
		if v := &c.more[i]; n == 0 && v.Field == c.field {
			id = ReferenceOf(v)
		}
	}
	return id.Index(), isMember(id)
}

// ring describes the ring that includes a member.
func (c *climb) ring(member uint32) string {
	names := []string{fmt.Sprint("member ", member)}
	for at, _ := c.above(member); at != member && len(names) < ringShown; at, _ = c.above(at) {
		names = append(names, fmt.Sprint(at))
	}
	if len(names) == ringShown {
		names = append(names, "…")
	}
	return layout.Quoted(c.field.Kind.Name) + " " +
		strings.Join(append(names, fmt.Sprint(member)), " → ")
}

// ReferenceOf returns the value of the reference of a relation.
func ReferenceOf(v *layout.FieldValue) gameobject.ID {
	return *buffer.At[gameobject.ID](buffer.BaseOf(v.Bytes()), 0)
}
