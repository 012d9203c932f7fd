package world_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/internal/worldtest"
)

func TestComponentsThatAreAbsent(t *testing.T) {
	m := newMisused()
	const cure = "Ask with Has first, or add it."
	check := func(a attempt, sentinel error, kind string, rows int) {
		t.Run(a.name, func(t *testing.T) {
			want := world.Error{Err: sentinel, Kind: kind, ID: m.bare, Count: rows}
			m.refused(t, a, m.bare, want, cure)
		})
	}
	for _, k := range misuseKinds {
		_, _, remove, get := ofKind(k, m.loose)
		check(remove, world.ErrAbsent, k.String(), tool.Cap(m.s, k))
		check(get, world.ErrAbsent, k.String(), tool.Cap(m.s, k))
	}
	kinds := []layout.Kind{misuseBody, misuseNames.Kind()}
	for i, a := range fieldReads(misusePair, misuseNames) {
		check(a, world.ErrAbsent, kinds[i/2].String(), misuseRoom)
	}
	reader := world.Open(m.s, misusePair)
	_, ok := reader.At(m.bare)
	assert.False(t, ok)
	_, ok = reader.At(m.full)
	assert.True(t, ok)
}

func TestSecondMount(t *testing.T) {
	m := newMisused()
	const cure = "Remove it first, or set its values."
	check := func(a attempt, id world.GameObject, kind string, rows int) {
		t.Run(fmt.Sprint(a.name, " on ", id), func(t *testing.T) {
			want := world.Error{Err: world.ErrTwice, Kind: kind, ID: m.full, Count: rows}
			m.refused(t, a, id, want, cure)
		})
	}
	for _, k := range misuseKinds {
		mount, add, _, _ := ofKind(k, m.loose)
		check(add, m.full, k.String(), tool.Cap(m.s, k))
		if k != misuseMark {
			check(mount, m.full, k.String(), misuseRoom)
			elsewhere, _, _, _ := ofKind(k, world.Must(world.RowOf(m.s, m.full, k)))
			check(elsewhere, m.bare, k.String(), misuseRoom) // the row is on another object
			check(elsewhere, m.full, k.String(), misuseRoom) // or on this one
		}
	}
}

func TestFullManagers(t *testing.T) {
	m := newMisused()
	for _, k := range misuseKinds {
		for k != misuseMark && tool.MaxIndex(m.s, k) < misuseRoom {
			m.s, _ = world.Must2(world.CreateComponent(m.s, k))
		}
	}
	check := func(a attempt, id world.GameObject, kind, cure string) {
		t.Run(a.name, func(t *testing.T) {
			want := world.Error{Err: world.ErrFull, Kind: kind, ID: id, Count: misuseRoom}
			m.refused(t, a, m.bare, want, "all 6 rows in use; raise "+cure)
		})
	}
	for _, k := range misuseKinds {
		if k == misuseMark {
			continue
		}
		_, add, _, _ := ofKind(k, m.loose)
		check(add, m.bare, k.String(), "its Count in Counts.Kinds")
	}
	m.createWhenFull(t)
}

// createWhenFull tries the verbs that name no object.
func (m *misused) createWhenFull(t *testing.T) {
	t.Helper()
	before := bytes.Clone(world.Bytes(m.s))
	for _, k := range misuseKinds {
		if k == misuseMark {
			continue
		}
		var err error
		m.s, _, err = world.CreateComponent(m.s, k)
		require.ErrorIs(t, err, world.ErrFull, k)
		var named *world.Error
		require.ErrorAs(t, err, &named)
		assert.Equal(t, misuseRoom, named.Count)
		assert.Contains(t, err.Error(), named.Kind+": all 6 rows in use; raise ")
		assert.True(t, bytes.Equal(before, world.Bytes(m.s)), k)
	}
}

func TestFullWorld(t *testing.T) {
	m := newMisused()
	for world.Live(m.s) < misuseRoom {
		m.s, _ = world.Must2(world.CreateGameObject(m.s))
	}
	m.refused(t, attempt{"create", func(s world.State, _ world.GameObject) (world.State, error) {
		s, id, err := world.CreateGameObject(s)
		if id != 0 {
			err = errors.Join(err, fmt.Errorf("created %+v", id))
		}
		return s, err
	}}, 0, world.Error{Err: world.ErrTooMany, Kind: "game object", Count: misuseRoom},
		"all 6 in use; raise Counts.GameObjects")
	assert.Equal(t, misuseRoom, world.Live(m.s))
}

func TestKindsThatTheWorldDoesNotHave(t *testing.T) {
	m := newMisused()
	const cure = "Add its Count to Counts.Kinds."
	check := func(a attempt, kind string) {
		t.Run(a.name, func(t *testing.T) {
			m.refused(t, a, m.full, world.Error{Err: world.ErrNoKind, Kind: kind, ID: m.full}, cure)
		})
	}
	for _, k := range []layout.Kind{absentKind, absentMark, absentNames.Kind()} {
		mount, add, remove, get := ofKind(k, m.loose)
		for _, a := range []attempt{mount, add, remove, get} {
			check(a, k.String())
		}
		t.Run("create "+k.String(), func(t *testing.T) {
			m.refused(t, attempt{"create", func(s world.State, _ world.GameObject) (world.State, error) {
				s, _, err := world.CreateComponent(s, k)
				return s, err
			}}, 0, world.Error{Err: world.ErrNoKind, Kind: k.String()}, cure)
		})
		assert.False(t, world.Has(m.s, m.full, k))
	}
	for i, a := range fieldReads(absentField, absentNames) {
		check(a, []layout.Kind{absentKind, absentNames.Kind()}[i/2].String())
	}
}

func TestKindsThatTheWorldDoesNotHavePanic(t *testing.T) {
	m := newMisused()
	before := bytes.Clone(world.Bytes(m.s))
	query := func(terms ...world.Term) func() {
		q := world.NewQuery(terms...)
		return func() {
			for range q.In(m.s) {
				t.Error("a batch of a kind that is not there")
			}
		}
	}
	for name, f := range map[string]func(){
		"dispose":       func() { m.s = world.DisposeComponent(m.s, absentKind, 0) },
		"object of":     func() { world.ObjectOf(m.s, absentKind, 0) },
		"all":           func() { _ = slices.Collect(world.All(m.s, absentKind)) },
		"max index":     func() { tool.MaxIndex(m.s, absentKind) },
		"cap":           func() { tool.Cap(m.s, absentKind) },
		"mounted":       func() { tool.Mounted(m.s, absentKind) },
		"buffer":        func() { tool.Buffer(m.s, absentKind) },
		"get row":       func() { world.GetRow(m.s, absentField, 0) },
		"set row":       func() { m.s = world.SetRow(m.s, absentField, 0, 1) },
		"open write":    func() { _ = world.OpenWrite(m.s, absentField) },
		"view":          func() { world.View(m.s, absentField) },
		"open":          func() { world.Open(m.s, absentField) },
		"update values": func() { m.s = world.UpdateValues(m.s, absentNames, shout) },
		"read":          query(world.Read(absentField)),
		"write":         query(world.Write(absentKind)),
		"with":          query(world.With(absentKind)),
		"only":          query(world.Only(misuseBody, absentKind)),
	} {
		t.Run(name, func(t *testing.T) {
			worldtest.PanicsWith(t, f, "this world has no kind absent", "add its Count to Counts.Kinds")
			assert.True(t, bytes.Equal(before, world.Bytes(m.s)), "the world is byte for byte as it was")
		})
	}
}

func TestRowsThatAreNotInUse(t *testing.T) {
	m := newMisused() // rows 0 and 1 are in use
	m.s = world.Must(world.Remove(m.s, m.full, heroes.Position))
	m.s = world.Must(world.Remove(m.s, m.full, misuseBody))
	m.s = world.DisposeComponent(world.DisposeComponent(m.s, heroes.MaxVelocity, 0), heroes.Velocity, 0)
	m.s = world.Must(world.Remove(m.s, m.full, heroes.Instance))
	before := bytes.Clone(world.Bytes(m.s))
	for _, row := range []layout.Row{0, 2, misuseRoom, misuseRoom + 1, math.MaxInt32, math.MaxUint32} {
		p, v, f := row, row, row
		for name, call := range map[string]func(){
			"position at":          func() { world.GetRow(m.s, heroes.Position, p) },
			"set position":         func() { m.s = world.SetRow(m.s, heroes.Position, p, [3]float32{9, 9, 9}) },
			"velocity at":          func() { world.GetRow(m.s, heroes.Velocity, v) },
			"set velocity":         func() { m.s = world.SetRow(m.s, heroes.Velocity, v, 9) },
			"max velocity at":      func() { world.GetRow(m.s, heroes.MaxVelocity, f) },
			"set max velocity":     func() { m.s = world.SetRow(m.s, heroes.MaxVelocity, f, 9) },
			"dispose position":     func() { m.s = world.DisposeComponent(m.s, heroes.Position, p) },
			"dispose velocity":     func() { m.s = world.DisposeComponent(m.s, heroes.Velocity, v) },
			"dispose fly":          func() { m.s = world.DisposeComponent(m.s, heroes.MaxVelocity, f) },
			"dispose instance":     func() { m.s = world.DisposeComponent(m.s, heroes.Instance, row) },
			"dispose":              func() { m.s = world.DisposeComponent(m.s, misuseBody, row) },
			"move a position":      func() { m.s = heroes.Move(m.s, p, 1) },
			"move by a velocity":   func() { m.s = heroes.Move(m.s, 1, v) },
			"fly a position":       func() { m.s = heroes.Fly(m.s, p, 1, 1) },
			"fly by a velocity":    func() { m.s = heroes.Fly(m.s, 1, v, 1) },
			"fly up to a maximum":  func() { m.s = heroes.Fly(m.s, 1, 1, f) },
			"get row":              func() { world.GetRow(m.s, misusePair, row) },
			"set row":              func() { m.s = world.SetRow(m.s, misusePair, row, [2]float32{}) },
			"object of":            func() { world.ObjectOf(m.s, misuseBody, row) },
			"mount":                func() { _, _ = world.Mount(m.s, m.bare, misuseBody, row) },
			"mount position":       func() { _, _ = world.Mount(m.s, m.bare, heroes.Position, p) },
			"mount velocity":       func() { _, _ = world.Mount(m.s, m.bare, heroes.Velocity, v) },
			"mount fly":            func() { _, _ = world.Mount(m.s, m.bare, heroes.MaxVelocity, f) },
			"mount instance":       func() { _, _ = world.Mount(m.s, m.bare, heroes.Instance, row) },
			"mount a mark's row":   func() { _, _ = world.Mount(m.s, m.bare, misuseMark, row) },
			"dispose a mark's row": func() { m.s = world.DisposeComponent(m.s, misuseMark, row) },
		} {
			t.Run(fmt.Sprint(name, " ", row), func(t *testing.T) {
				worldtest.PanicsWith(t, call, fmt.Sprint("row ", row, " of "),
					"use a row that CreateComponent or Ensure returned, until its component is disposed")
				assert.True(t, bytes.Equal(before, world.Bytes(m.s)), "the world is byte for byte as it was")
			})
		}
	}
	worldtest.PanicsWith(t, func() { _, _, _ = world.CreateComponent(m.s, misuseMark) },
		"misuse mark is a mark and has no rows; add it to an object")
	assert.True(t, bytes.Equal(before, world.Bytes(m.s)))
}
