package tool

import "github.com/flatecs/flatecs/systems/internal/kin"

// FindRing returns one of the things of a ring, if there is a ring: above returns what a thing
// refers to, if it refers to one of them. climbed is scratch, an entry per thing. Relations are
// asked by it wherever several references are written at once.
func FindRing(climbed []uint32, above func(thing uint32) (uint32, bool)) (thing uint32, ok bool) {
	if above == nil {
		panic("flatecs: FindRing without a function; give one that returns what a thing refers to")
	}
	return kin.FindRing(climbed, above)
}
