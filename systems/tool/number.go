package tool

import (
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems"
)

// Number returns an element of a part of a field as a number, from its bytes: a bool as 0 or 1, an
// id as its bits. Integers beyond 2⁵³ are rounded.
func Number(element string, lane []byte) float64 {
	_, number := manager.Number(element, lane)
	return number
}

// ElementText formats an element of a part of a field, as [Text] does; [ParseElement] is its
// inverse.
func ElementText(element string, lane []byte) string {
	return manager.ElementText(element, lane, systems.GameObject.String)
}
