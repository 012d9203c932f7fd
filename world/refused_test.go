package world_test

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems"
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
	absentNames = layout.NewValues("absent name", "nobody")

	misusePair  = layout.NewField("pair", [2]float32{1, 2})
	misuseBody  = layout.NewKind("misuse body", misusePair)
	misuseMark  = layout.NewMark("misuse mark")
	misuseNames = layout.NewValues("misuse name", "nobody")
	misuseKinds = append([]layout.Kind{misuseBody, misuseMark, misuseNames.Kind()}, heroKinds...)
)

const misuseRoom = 6 // objects and rows

// A misused is a world on which calls are misused, and what they are misused with.
type misused struct {
	s     world.State
	full  world.GameObject // has every kind
	bare  world.GameObject // has none
	loose layout.Row       // of each kind: on no object
}

func newMisused() *misused {
	c := world.Counts{GameObjects: misuseRoom}
	for _, k := range misuseKinds {
		c.Kinds = append(c.Kinds, k.Count(misuseRoom))
	}
	s, ids := worldtest.Create(world.Must(world.CreateState(c)), 4)
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

// An attempt is a call with an object's id.
type attempt struct {
	name string
	kind layout.Kind
	run  func(s world.State, id world.GameObject) (world.State, error)
}

// attempts are the calls that take a kind, or a field of it.
func (m *misused) attempts(k layout.Kind) []attempt {
	return []attempt{
		{"Add", k, func(s world.State, id world.GameObject) (world.State, error) {
			return world.Add(s, id, k)
		}},
		{"Remove", k, func(s world.State, id world.GameObject) (world.State, error) {
			return world.Remove(s, id, k)
		}},
		{"RowOf", k, reading(func(s world.State, id world.GameObject) (layout.Row, error) {
			return world.RowOf(s, id, k)
		})},
		{"Mount", k, func(s world.State, id world.GameObject) (world.State, error) {
			return world.Mount(s, id, k, m.loose)
		}},
		{"Remount", k, func(s world.State, id world.GameObject) (world.State, error) {
			return world.Mount(s, id, k, world.Must(world.RowOf(s, m.full, k)))
		}},
		{"CreateComponent", k, func(s world.State, _ world.GameObject) (world.State, error) {
			s, _, err := world.CreateComponent(s, k)
			return s, err
		}},
	}
}

// valueAttempts are the calls that read and write what a component holds.
func valueAttempts[T any](f layout.Field[T], v layout.Values[string]) []attempt {
	var value T
	return []attempt{
		{"Set", f.Kind(), func(s world.State, id world.GameObject) (world.State, error) {
			return world.Set(s, id, f, value)
		}},
		{"Get", f.Kind(), reading(func(s world.State, id world.GameObject) (T, error) {
			return world.Get(s, id, f)
		})},
		{"ValueOf", v.Kind(), reading(func(s world.State, id world.GameObject) (string, error) {
			return world.ValueOf(s, id, v)
		})},
		{"SetValue", v.Kind(), func(s world.State, id world.GameObject) (world.State, error) {
			return world.SetValue(s, id, v, "")
		}},
	}
}

// objectAttempts are the calls that take an object alone.
func objectAttempts() []attempt {
	return []attempt{
		{"Dispose", layout.Kind{}, dispose},
		{"KindsOf", layout.Kind{}, reading(tool.KindsOf)},
		{"Create", layout.Kind{}, func(s world.State, _ world.GameObject) (world.State, error) {
			s, id, err := world.Create(s)
			if id != 0 {
				err = fmt.Errorf("created %+v: %w", id, err)
			}
			return s, err
		}},
	}
}

// reading makes an attempt of a function that returns no State.
func reading[T any](
	read func(world.State, world.GameObject) (T, error),
) func(world.State, world.GameObject) (world.State, error) {
	return func(s world.State, id world.GameObject) (world.State, error) {
		_, err := read(s, id)
		return s, err
	}
}

// A misuseRow is one circumstance, and the calls that are refused in it.
type misuseRow struct {
	name    string
	calls   string
	id      world.GameObject
	want    world.Error // of Kind "" is the call's
	cure    string
	prepare func(m *misused)
}

// misuseRows are the circumstances in which calls with ids and kinds are refused.
func misuseRows(m *misused) []misuseRow {
	const (
		byID     = "Add Remove RowOf Mount Set Get ValueOf SetValue"
		disposed = "belongs to another world; ask Alive first"
		ofKind   = "Add Remove RowOf Mount CreateComponent Set Get ValueOf SetValue"
	)
	rows := []misuseRow{
		{
			name: "absent", calls: "Remove RowOf Set Get ValueOf SetValue", id: m.bare,
			want: world.Error{Err: world.ErrAbsent, ID: m.bare, Count: misuseRoom},
			cure: "Ask with Has first, or add it.",
		},
		{
			name: "there already", calls: "Add Mount Remount", id: m.full,
			want: world.Error{Err: world.ErrTwice, ID: m.full, Count: misuseRoom},
			cure: "Remove it first, or set its values.",
		},
		{
			name: "a row of another object", calls: "Remount", id: m.bare,
			want: world.Error{Err: world.ErrTwice, ID: m.full, Count: misuseRoom},
			cure: "Remove it first, or set its values.",
		},
		{
			name: "of no kind of the world", calls: ofKind, id: m.full,
			want: world.Error{Err: world.ErrNoKind, ID: m.full}, cure: "Name it in Counts.Kinds.",
		},
	}
	for name, id := range m.nobodies() {
		want, cure := world.ErrDead, disposed
		if id == world.Nobody {
			cure = "Nobody, the zero id, was never created; use one that was"
		} else if id.Index() >= misuseRoom {
			want, cure = world.ErrOutOfRange, "This world has 6; use an id that it returned"
		}
		rows = append(rows, misuseRow{
			name: name, calls: byID + " Dispose KindsOf", id: id,
			want: world.Error{Err: want, Kind: "game object", ID: id, Count: misuseRoom}, cure: cure,
		})
	}
	return append(rows,
		misuseRow{
			name: "in a full kind", calls: "Add CreateComponent", id: m.bare, prepare: (*misused).fillKinds,
			want: world.Error{Err: world.ErrFull, ID: m.bare, Count: misuseRoom},
			cure: "all 6 rows in use; raise its Count in Counts.Kinds",
		},
		misuseRow{
			name: "in a full world", calls: "Create", prepare: (*misused).fillObjects,
			want: world.Error{Err: world.ErrTooMany, Kind: "game object", Count: misuseRoom},
			cure: "All 6 are in use; raise Counts.GameObjects",
		},
	)
}

func (m *misused) fillKinds() {
	for _, k := range misuseKinds {
		for k != misuseMark && tool.MaxIndex(m.s, k) < misuseRoom {
			m.s, _ = world.Must2(world.CreateComponent(m.s, k))
		}
	}
}

func (m *misused) fillObjects() { m.s, _ = worldtest.Create(m.s, misuseRoom-world.Len(m.s)) }

// nobodies returns ids of nobody in the world.
func (m *misused) nobodies() map[string]world.GameObject {
	s, dead := world.Must2(world.Create(m.s))
	s, formerly := world.Must2(world.Create(world.Must(world.Dispose(s, dead))))
	m.s, _ = world.Must2(world.Create(world.Must(world.Dispose(s, formerly))))
	other := world.Must(world.CreateState(world.Counts{GameObjects: 100}))
	other, ids := worldtest.Create(other, 100)
	other = world.Must(world.Dispose(other, ids[1]))
	other, foreign := world.Must2(world.Create(other))
	world.Close(other)
	return map[string]world.GameObject{
		"dead": dead, "dead, and its index used again": formerly, "of another world": foreign,
		"never created": ids[misuseRoom-1], "zero": 0, "of another world, out of range": ids[99],
		"the first out of range": ids[misuseRoom], "the last there can be": math.MaxUint64,
	}
}

// TestRefusedCallsNameWhatIsWrong goes through all circumstances: the error names the kind, the
// object, the count and the cure, and the world is byte for byte as it was, values included.
func TestRefusedCallsNameWhatIsWrong(t *testing.T) {
	m := newMisused()
	absent := []layout.Kind{absentKind, absentMark, absentNames.Kind()}
	for _, row := range misuseRows(m) {
		kinds, values := misuseKinds, valueAttempts(misusePair, misuseNames)
		if row.want.Err == world.ErrNoKind {
			kinds, values = absent, valueAttempts(absentField, absentNames)
		}
		all := append(objectAttempts(), values...)
		for _, k := range kinds {
			all = append(all, m.attempts(k)...)
		}
		if row.prepare != nil {
			row.prepare(m)
		}
		for _, a := range all {
			rowless := a.kind == misuseMark && row.want.Err != world.ErrNoKind &&
				!slices.Contains([]string{"Add", "Remove", "RowOf"}, a.name)
			if !slices.Contains(strings.Fields(row.calls), a.name) || rowless ||
				a.kind == misuseMark && row.want.Err == world.ErrFull {
				continue
			}
			t.Run(fmt.Sprint(row.name, "/", a.name, " ", a.kind), func(t *testing.T) { m.refused(t, a, row) })
		}
		if row.want.Err == world.ErrDead || row.want.Err == world.ErrOutOfRange {
			m.answersNo(t, row.id)
		}
	}
	for _, k := range absent {
		assert.False(t, world.Has(m.s, m.full, k))
	}
}

// refused makes an attempt, and checks the error and that nothing has changed.
func (m *misused) refused(t *testing.T, a attempt, row misuseRow) {
	t.Helper()
	want := row.want
	if want.Kind == "" {
		want.Kind = a.kind.String()
	}
	if a.kind == misuseMark && want.Err != world.ErrDead && want.Err != world.ErrOutOfRange {
		want.Count = tool.Cap(m.s, misuseMark)
	}
	if a.name == "CreateComponent" {
		want.ID = 0
	}
	before, values := bytes.Clone(world.Bytes(m.s)), m.values()
	s, err := a.run(m.s, row.id)
	m.s = s // valid, also when it comes with an error
	require.ErrorIs(t, err, want.Err)
	var got *world.Error
	require.ErrorAs(t, err, &got)
	assert.Equal(t, want, world.Error{Err: want.Err, Kind: got.Kind, ID: got.ID, Count: got.Count})
	assert.Contains(t, err.Error(), want.Kind, "the message names the kind")
	if want.ID != 0 && want.Err != world.ErrFull && want.Err != world.ErrNoKind {
		assert.Contains(t, err.Error(), fmt.Sprintf("%+v", want.ID), "the message names the object")
	}
	assert.Contains(t, err.Error(), row.cure, "the message tells the cure")
	assert.True(t, bytes.Equal(before, world.Bytes(m.s)), "the world is byte for byte as it was")
	assert.Equal(t, values, m.values())
}

// values returns the values that are beside the bytes.
func (m *misused) values() (all []string) {
	for id := range world.GameObjects(m.s) {
		if name, err := world.ValueOf(m.s, id, misuseNames); err == nil {
			all = append(all, name)
		}
	}
	return all
}

// answersNo checks the questions about nobody that have no error to give.
func (m *misused) answersNo(t *testing.T, id world.GameObject) {
	t.Helper()
	assert.False(t, world.Alive(m.s, id))
	for _, k := range misuseKinds {
		assert.False(t, world.Has(m.s, id, k), k)
	}
	reader := world.ReaderOf(m.s, misusePair)
	_, ok := reader.Get(id)
	assert.False(t, ok)
}

// TestRowsThatAreNotInUse: whoever asks for one, or writes one, learns which it is.
func TestRowsThatAreNotInUse(t *testing.T) {
	m := newMisused() // rows 0 and 1 are in use
	for _, k := range misuseKinds {
		m.s = world.Must(world.Remove(m.s, m.full, k))
	}
	before := bytes.Clone(world.Bytes(m.s))
	for _, row := range []layout.Row{0, 2, misuseRoom, misuseRoom + 1, math.MaxInt32, math.MaxUint32} {
		calls := map[string]func(){
			"GetRow":           func() { world.GetRow(m.s, misusePair, row) },
			"SetRow":           func() { m.s = world.SetRow(m.s, misusePair, row, [2]float32{}) },
			"ObjectOf":         func() { world.ObjectOf(m.s, misuseBody, row) },
			"Move":             func() { m.s = heroes.Move(m.s, row, 1) },
			"Move by velocity": func() { m.s = heroes.Move(m.s, 1, row) },
			"Fly":              func() { m.s = heroes.Fly(m.s, row, 1, 1) },
			"Fly by velocity":  func() { m.s = heroes.Fly(m.s, 1, row, 1) },
			"Fly up to":        func() { m.s = heroes.Fly(m.s, 1, 1, row) },
		}
		for _, k := range misuseKinds {
			calls["Mount "+k.String()] = func() { _, _ = world.Mount(m.s, m.bare, k, row) }
			calls["DisposeComponent "+k.String()] = func() { m.s = world.DisposeComponent(m.s, k, row) }
		}
		for name, call := range calls {
			t.Run(fmt.Sprint(name, " ", row), func(t *testing.T) {
				worldtest.PanicsWith(t, call, fmt.Sprint("row ", row, " of "),
					"use a row that CreateComponent or Ensure returned, until its component is disposed")
				assert.True(t, bytes.Equal(before, world.Bytes(m.s)), "the world is byte for byte as it was")
			})
		}
	}
	worldtest.PanicsWith(t, func() { _, _, _ = world.CreateComponent(m.s, misuseMark) },
		"misuse mark is a mark and has no rows; add it to an object")
	for name, call := range map[string]func(){
		"DisposeComponent": func() { m.s = world.DisposeComponent(m.s, absentKind, 0) },
		"View":             func() { world.View(m.s, absentField) },
	} {
		worldtest.PanicsWith(t, call, "this world has no kind absent", "name it in Counts.Kinds")
		assert.True(t, bytes.Equal(before, world.Bytes(m.s)), name)
	}
}

// TestCountsThatAreRefused: the error names the kind and the count.
func TestCountsThatAreRefused(t *testing.T) {
	const tooMany = manager.MaxRows + 1
	limit := fmt.Sprint("is not between 0 and ", manager.MaxRows)
	counts := map[int][]layout.Count{
		-2: layout.Kinds(heroes.Position.Count(-2)), -6: layout.Kinds(misuseBody.Count(-6)),
		-7: layout.Kinds(misuseMark.Count(-7)), math.MinInt: layout.Kinds(heroes.Velocity.Count(math.MinInt)),
		tooMany: layout.Kinds(misuseBody.Count(tooMany)), math.MaxInt: layout.Kinds(misuseBody.Count(math.MaxInt)),
		-1: nil, tooMany + 1: nil,
	}
	for n, kinds := range counts {
		c := world.Counts{GameObjects: n}
		want := world.Error{Err: world.ErrCount, Kind: "game object", Count: n}
		if kinds != nil {
			c.GameObjects, c.Kinds, want.Kind = 1, kinds, kinds[0].Kind.String()
		}
		_, err := world.CreateState(c)
		var got *world.Error
		require.ErrorAs(t, err, &got)
		assert.Equal(t, want, *got)
		require.ErrorContains(t, err, fmt.Sprint(n, " ", limit))
		require.ErrorContains(t, err, want.Kind)
	}
	_, err := world.CreateState(world.Counts{Kinds: layout.Kinds(misuseBody.Count(1), misuseBody.Count(2))})
	var got *world.Error
	require.ErrorAs(t, err, &got)
	assert.Equal(t, world.Error{Err: systems.ErrKindTwice, Kind: "misuse body", Count: 2}, *got)
	assert.ErrorContains(t, err, "Count each kind once.")
}

// TestTwoKindsOfOneName: they are refused wherever they meet, by the types and places of both.
func TestTwoKindsOfOneName(t *testing.T) {
	one, two := layout.NewComponent[[2]float32]("namesake"), layout.NewComponent[uint8]("namesake")
	calls := map[string]func(){
		"View": func() {
			s := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(one.Count(1))}))
			world.View(s, two)
		},
	}
	terms := func(k layout.Field[uint8]) []world.Term {
		return []world.Term{
			world.Read(k), world.Write(k), world.Optional(k), world.With(k), world.Without(k),
			world.Any(k), world.Only(k), world.Changed(k),
		}
	}
	for i, term := range terms(two) {
		calls[fmt.Sprint("walk ", i)] = func() {
			s := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(one.Count(1))}))
			world.NewQuery(world.With(one), term).Count(s)
		}
		asks := world.NewQuery(world.With(one), term)
		for name, c := range map[string]world.Counts{
			"Queries": {Queries: []world.Query{asks}}, "Watchers": {Watchers: []world.Watcher{world.NewWatcher(asks)}},
			"Recipes": {Recipes: []world.Recipe{world.NewRecipe("both", one, two)}}, "Kinds": {Kinds: layout.Kinds(two)},
			"Resources": {Resources: []world.ResourceKind{world.NewResource("namesake", layout.NewField[uint8]("n"))}},
		} {
			c.GameObjects, c.Kinds = 1, append(c.Kinds, one.Count(1))
			calls[fmt.Sprint("Counts.", name, i)] = func() {
				_, err := world.CreateState(c)
				require.ErrorIs(t, err, systems.ErrKindTwice, name)
				panic(err.Error())
			}
		}
	}
	for name, call := range calls {
		t.Run(name, func(t *testing.T) {
			worldtest.PanicsWith(t, call, "flatecs: ", "namesake: ", "Two kinds have this name: a kind of ",
				"float32 × 2", "uint8 × 1", "; rename one")
		})
	}
}

func TestWorldsThatNoMachineHolds(t *testing.T) {
	sum := wideKinds(60)
	for i := range sum {
		sum[i] = sum[i].Kind.Count(manager.MaxRows)
	}
	for name, kinds := range map[string][]layout.Count{
		"a wide kind": sum[:1], "sums up": sum, "just too big": {sum[0].Kind.Count(1 << 28)},
	} {
		_, err := world.CreateState(world.Counts{GameObjects: 1, Kinds: kinds})
		require.ErrorIs(t, err, systems.ErrMemory, name)
		var got *world.Error
		require.ErrorAs(t, err, &got)
		assert.GreaterOrEqual(t, got.Count, min(1<<36, math.MaxInt), "the bytes that it would take")
		assert.ErrorContains(t, err, "more than this machine has for this program; lower the counts")
	}
}

func TestSmallestWorlds(t *testing.T) {
	empty := world.Must(world.CreateState(world.Counts{}))
	_, _, err := world.Create(empty)
	require.ErrorIs(t, err, world.ErrTooMany)
	empty = heroes.RenderInstances(heroes.FlyAll(heroes.MoveAll(heroes.Update(empty))), silent{})
	assert.Zero(t, tool.MaxUID(empty))
	copied := world.Must(world.Clone(empty))
	assert.Equal(t, world.Bytes(empty), world.Bytes(copied))
}
