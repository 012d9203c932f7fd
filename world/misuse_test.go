package world_test

import (
	"bytes"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/internal/worldtest"
)

var (
	// Kinds that the world of these tests does not have, numbered before and after those it has.
	absentField = layout.NewField[float32]("field")
	absentKind  = layout.NewKind("absent body", absentField)
	absentMark  = layout.NewMark("absent mark")

	misusePair  = layout.NewField("pair", [2]float32{1, 2})
	misuseBody  = layout.NewKind("misuse body", misusePair)
	misuseMark  = layout.NewMark("misuse mark")
	misuseNames = layout.NewValues("misuse name", "nobody")

	absentNames = layout.NewValues("absent name", "nobody")
)

const misuseRoom = 6 // objects and rows

// A misused is a world on which operations are misused, and what they are misused with.
type misused struct {
	s     world.State
	full  world.GameObject // has every kind
	bare  world.GameObject // has none
	loose layout.Row       // of each kind: on no object
}

func newMisused() *misused {
	rows := misuseRoom
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: rows, Kinds: layout.Kinds(
			misuseBody.Count(rows), misuseMark.Count(0), misuseNames.Count(rows),
			heroes.Position.Count(rows), heroes.Velocity.Count(rows),
			heroes.MaxVelocity.Count(rows), heroes.Instance.Count(rows),
		),
	}))
	s, ids := worldtest.Create(s, 4)
	m := &misused{full: ids[1], bare: ids[3]}
	for _, k := range misuseKinds {
		s = world.Must(world.Add(s, m.full, k))
		if k != misuseMark {
			s, m.loose = world.Must2(world.CreateComponent(s, k))
		}
	}
	m.s = s
	return m
}

var misuseKinds = []layout.Kind{
	heroes.Position.Kind(), heroes.Velocity.Kind(), heroes.MaxVelocity.Kind(), heroes.Instance,
	misuseBody, misuseMark, misuseNames.Kind(),
}

// An attempt is an operation on an object by its id.
type attempt struct {
	name string
	run  attemptFunc
}

type attemptFunc func(s world.State, id world.GameObject) (world.State, error)

// refused makes an attempt, and checks the error and that the world is byte for byte as it was.
func (m *misused) refused(
	t *testing.T, a attempt, id world.GameObject, want world.Error, cure string,
) {
	t.Helper()
	before, names := bytes.Clone(world.Bytes(m.s)), m.names()
	s, err := a.run(m.s, id)
	m.s = s // valid, also when it comes with an error
	require.ErrorIs(t, err, want.Err)
	var got *world.Error
	require.ErrorAs(t, err, &got)
	assert.Equal(t, want.Kind, got.Kind)
	assert.Equal(t, want.ID, got.ID)
	assert.Equal(t, want.Count, got.Count)
	assert.Contains(t, err.Error(), want.Kind, "the message names the kind")
	if want.ID != 0 && want.Err != world.ErrFull && want.Err != world.ErrNoKind {
		assert.Contains(t, err.Error(), fmt.Sprintf("%+v", want.ID), "the message names the object")
	}
	assert.Contains(t, err.Error(), cure, "the message tells the cure")
	assert.True(t, bytes.Equal(before, world.Bytes(m.s)), "the world is byte for byte as it was")
	assert.Equal(t, names, m.names())
}

// names returns the values that are beside the bytes.
func (m *misused) names() (names []string) {
	for id := range world.GameObjects(m.s) {
		if name, err := world.ValueOf(m.s, id, misuseNames); err == nil {
			names = append(names, name)
		}
	}
	return names
}

// reading makes an attempt of a function that returns no state.
func reading[T any](read func(world.State, world.GameObject) (T, error)) attemptFunc {
	return func(s world.State, id world.GameObject) (world.State, error) {
		_, err := read(s, id)
		return s, err
	}
}

// ofKind makes attempts of the verbs for any kind.
func ofKind(k layout.Kind, loose layout.Row) (mount, add, remove, get attempt) {
	name := " " + k.String()
	mount = attempt{"mount" + name, func(s world.State, id world.GameObject) (world.State, error) {
		return world.Mount(s, id, k, loose)
	}}
	add = attempt{"add" + name, func(s world.State, id world.GameObject) (world.State, error) {
		return world.Add(s, id, k)
	}}
	remove = attempt{"remove" + name, func(s world.State, id world.GameObject) (world.State, error) {
		return world.Remove(s, id, k)
	}}
	get = attempt{"get" + name, reading(func(s world.State, id world.GameObject) (layout.Row, error) {
		return world.RowOf(s, id, k)
	})}
	return mount, add, remove, get
}

// fieldReads are the attempts to read and write what a component holds.
func fieldReads[T, V any](f layout.Field[T], v layout.Values[V]) []attempt {
	var value T
	var zero V
	return []attempt{
		{"set", func(s world.State, id world.GameObject) (world.State, error) {
			return world.Set(s, id, f, value)
		}},
		{"get", reading(func(s world.State, id world.GameObject) (T, error) {
			return world.Get(s, id, f)
		})},
		{"value of", reading(func(s world.State, id world.GameObject) (V, error) {
			return world.ValueOf(s, id, v)
		})},
		{"set value", func(s world.State, id world.GameObject) (world.State, error) {
			return world.SetValue(s, id, v, zero)
		}},
	}
}

// everyAttempt returns every operation that takes an id.
func everyAttempt(m *misused) []attempt {
	all := []attempt{
		{"dispose game object", dispose},
		{"kinds of", reading(tool.KindsOf)},
	}
	for _, k := range misuseKinds {
		mount, add, remove, get := ofKind(k, m.loose)
		all = append(all, add, remove, get)
		if k != misuseMark {
			all = append(all, mount)
		}
	}
	return append(all, fieldReads(misusePair, misuseNames)...)
}

func TestIDsThatNameNobody(t *testing.T) {
	m := newMisused()
	s, dead := world.Must2(world.CreateGameObject(m.s))
	s = world.Must(world.DisposeGameObject(s, dead))
	s, formerly := world.Must2(world.CreateGameObject(s)) // the index of dead
	s = world.Must(world.DisposeGameObject(s, formerly))
	s, _ = world.Must2(world.CreateGameObject(s))
	m.s = s

	// Another world, larger and older.
	other := world.Must(world.CreateState(world.Counts{GameObjects: 100}))
	other, ids := worldtest.Create(other, 100)
	other = world.Must(world.DisposeGameObject(other, ids[1]))
	other, foreign := world.Must2(world.CreateGameObject(other))
	world.Close(other)

	const disposed = "use the id that create returned, and drop it at dispose"
	for _, c := range []struct {
		name string
		id   world.GameObject
		want error
		cure string
	}{
		{"dead", dead, world.ErrDead, disposed},
		{"dead, and its index used again", formerly, world.ErrDead, disposed},
		{"of another world", foreign, world.ErrDead, disposed},
		{"of another world, out of range", ids[99], world.ErrOutOfRange, "use an id that it returned"},
		{"the first index out of range", ids[misuseRoom], world.ErrOutOfRange, "this world has 6"},
		{"the last index there can be", math.MaxUint64, world.ErrOutOfRange, "this world has 6"},
		{"never created", ids[misuseRoom-1], world.ErrDead, disposed},
		{"zero", 0, world.ErrDead, disposed},
	} {
		for _, a := range everyAttempt(m) {
			t.Run(a.name+"/"+c.name, func(t *testing.T) {
				want := world.Error{Err: c.want, Kind: "game object", ID: c.id, Count: misuseRoom}
				m.refused(t, a, c.id, want, c.cure)
			})
		}
		t.Run("questions/"+c.name, func(t *testing.T) { m.answersNo(t, c.id) })
	}
}

// answersNo checks the questions that have no error to give.
func (m *misused) answersNo(t *testing.T, id world.GameObject) {
	t.Helper()
	assert.False(t, world.Alive(m.s, id))
	for _, k := range misuseKinds {
		assert.False(t, world.Has(m.s, id, k), k)
	}
	assert.False(t, world.Has(m.s, id, heroes.Position) || world.Has(m.s, id, heroes.Velocity))
	assert.False(t, world.Has(m.s, id, heroes.MaxVelocity) || world.Has(m.s, id, heroes.Instance))
	reader := world.Open(m.s, misusePair)
	_, ok := reader.At(id)
	assert.False(t, ok)
	if index := id.Index(); index >= misuseRoom || index == misuseRoom-1 {
		_, err := tool.GameObjectAt(m.s, index)
		require.Error(t, err)
	}
}
