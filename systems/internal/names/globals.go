package names

import (
	"errors"
	"fmt"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
)

// maxGlobal is the largest number.
const maxGlobal = 1<<63 - 1

// Errors of global ids.
var (
	ErrRange     = errors.New("a global id is between 1 and 2⁶³−1")
	ErrTaken     = errors.New("another object has this global id")
	ErrNoGlobals = fmt.Errorf("flatecs: this world has no global ids: %w Set Counts.Globals",
		manager.ErrNoKind)
)

// GlobalKind is the kind of global ids. A global id names an object in every world to which it
// travels:
//
//	global   number 1 … 2⁶³−1, or 0: none yet    births: how many numbers were derived from it
//
// It is a keyed component: an object can be found by its number. Numbers of new objects are derived
// from the numbers of their parents, so that they do not depend on the parent's world.
var GlobalKind = layout.NewKind("global", GlobalNumber, births)

// GlobalNumber is the field of the numbers.
var (
	GlobalNumber = layout.NewField[uint64]("number")
	births       = layout.NewField[uint64]("births")
)

// CheckGlobal returns nil if an object can get a number.
func CheckGlobal(m *manager.Manager, id gameobject.ID, number uint64) error {
	if number == 0 || number > maxGlobal {
		return fmt.Errorf("flatecs: global id %d of game object %v: %w; give one that is", number,
			id, ErrRange)
	}
	if object, ok := owner(m, number); ok && object != id.Index() {
		return fmt.Errorf("flatecs: global id %d of game object %v: %w, %v; give each a number of "+
			"its own", number, id, ErrTaken, m.Objects.At(object))
	}
	if m.Live() == m.Rows.Cap() && !holds(m, id) {
		return &manager.Error{Err: manager.ErrFull, Kind: m.Kind.Name, ID: id, Count: m.Rows.Cap()}
	}
	return nil
}

// CheckParent returns nil if numbers can be derived from the number of an object.
func CheckParent(id gameobject.ID, number uint64) error {
	if number == 0 {
		return fmt.Errorf("flatecs: game object %v has no global id yet: %w; set it first", id,
			ErrRange)
	}
	return nil
}

// owner returns the object that has a number or keeps it suspended.
func owner(m *manager.Manager, number uint64) (object uint32, ok bool) {
	row, ok := m.Keys.Row(number)
	if ok {
		_, object = m.Rows.Use(layout.Row(row))
	}
	return object, ok
}

// SetGlobal gives an object a number that [CheckGlobal] accepts.
func SetGlobal(m *manager.Manager, object uint32, number uint64) {
	row, ok := m.RowOf(object)
	if !ok {
		row, _ = m.Add(object) // CheckGlobal has checked the room
	}
	m.Keys.Set(uint32(row), number)
}

// GlobalOf returns the number of an object, or 0. The error wraps [manager.ErrAbsent].
func GlobalOf(m *manager.Manager, object uint32) (uint64, error) {
	row, err := m.Get(object)
	if err != nil {
		return 0, err
	}
	return manager.Column(m, GlobalNumber)[row], nil
}

// FindGlobal returns the object that has a number.
func FindGlobal(m *manager.Manager, number uint64) (gameobject.ID, bool) {
	object, ok := owner(m, number)
	if !ok || !m.Has(object) {
		return gameobject.Nobody, false
	}
	return m.Objects.At(object), true
}

// NextGlobal derives a number from the number of an object, and counts it.
func NextGlobal(m *manager.Manager, object uint32) uint64 {
	row, _ := m.RowOf(object)
	m.Stamps.TouchRow(uint32(row))
	count := &manager.Column(m, births)[row]
	*count++
	return mix(manager.Column(m, GlobalNumber)[row], *count)
}

// NewGlobal derives a number from an object's id and the seed of its world. No object of m has it.
func NewGlobal(m *manager.Manager, id gameobject.ID, seed uint64) uint64 {
	number := mix(uint64(id)^rootless, seed)
	for {
		if _, taken := owner(m, number); !taken {
			return number
		}
		number = mix(number^rootless, seed)
	}
}

// rootless separates numbers derived from ids from numbers derived from parents.
const rootless = 0xd1b54a32d192ed03

// mix returns a number derived from two others: never 0, and seldom equal for different pairs.
func mix(parent, count uint64) uint64 {
	x := parent
	for _, more := range [...]uint64{count, 0} {
		x += more*0x9e3779b97f4a7c15 + 0x9e3779b97f4a7c15
		x = (x ^ x>>30) * 0xbf58476d1ce4e5b9 // SplitMix64
		x = (x ^ x>>27) * 0x94d049bb133111eb
		x ^= x >> 31
	}
	return max(x&maxGlobal, 1)
}
