package pack_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
	"github.com/flatecs/flatecs/world/pack"
	"github.com/flatecs/flatecs/world/save"
)

// An undo is what takes a disposal back, and what the objects were.
type undo struct {
	packed []byte
	ids    []world.GameObject
	told   [][]string
}

// An editor is a program that disposes objects, and takes that back.
type editor struct {
	*testing.T
	s     world.State
	p     *pack.Packer
	undos []undo
	now   map[world.GameObject]world.GameObject // which object is one that came back
	first map[world.GameObject]world.GameObject // which one it was at first
}

func (e *editor) tell(ids []world.GameObject) (objects [][]string) {
	for _, id := range ids {
		objects = append(objects, told(e, e.s, id, func(id world.GameObject) string {
			switch at, ok := e.first[id]; {
			case !world.Alive(e.s, id):
				return "nobody"
			case ok:
				return fmt.Sprint(at)
			}
			return fmt.Sprint(id)
		}))
	}
	return objects
}

func (e *editor) dispose(all ...world.GameObject) {
	packed := world.Must(e.p.Pack(nil, e.s, all...))
	e.undos = append(e.undos, undo{packed, all, e.tell(all)})
	e.s = world.Must(world.Dispose(e.s, all...))
}

// undo takes the last disposal back.
func (e *editor) undo() {
	u := e.undos[len(e.undos)-1]
	e.undos = e.undos[:len(e.undos)-1]
	s, made := world.Must2(e.p.Unpack(nil, e.s, u.packed))
	e.s = s
	for i, id := range u.ids {
		e.now[id] = made[i]
		if e.first[made[i]] = id; e.first[id] != 0 {
			e.first[made[i]] = e.first[id]
		}
	}
	require.Equal(e, u.told, e.tell(made))
}

// found returns what an object is called now.
func (e *editor) found(id world.GameObject) world.GameObject {
	for e.now[id] != 0 {
		id = e.now[id]
	}
	return id
}

// TestUndo: disposals in any order, each undone, lead to the same objects, including references
// among them and to other objects: SameID finds objects that stayed, and Find objects that came
// back since.
func TestUndo(t *testing.T) {
	for seed := range uint64(lives()) {
		r := rand.New(rand.NewPCG(seed, 5))
		e := &editor{
			T: t, s: live(t, r, motley(t, 300, r), 900), p: packer(),
			now: map[world.GameObject]world.GameObject{}, first: map[world.GameObject]world.GameObject{},
		}
		if e.p.Find = e.found; seed%2 == 0 {
			e.p.Find = pack.SameID
		}
		for range 60 {
			all := ids(e.s)
			if len(all) > 20 && (seed%2 == 0 || r.IntN(3) > 0) {
				r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
				e.dispose(all[:1+r.IntN(9)]...)
			}
			if len(e.undos) > 0 && (seed%2 == 0 || r.IntN(3) == 0) {
				e.undo()
			}
		}
		for len(e.undos) > 0 {
			e.undo()
		}
		require.NoError(t, tool.Verify(e.s))
		world.Close(e.s)
	}
}

// The kinds of a factory's machines.
var (
	serial  = layout.NewComponent[uint32]("serial")
	feeds   = layout.NewComponent[[2]world.GameObject]("feeds")
	guarded = layout.NewRelation("guarded", layout.Relation{Disposed: layout.Clear})
	machine = world.NewRecipe("machine", serial, feeds, guarded)
)

func factoryCounts() world.Counts {
	return world.Counts{
		Kinds: layout.Kinds(serial, feeds, guarded), Recipes: []world.Recipe{machine},
	}
}

// factory returns a world of nine machines, each of which feeds itself and the first.
func factory() (s world.State, machines []world.GameObject) {
	s = world.Must(world.CreateState(factoryCounts()))
	s = world.Must(world.SpawnN(s, machine, 9, nil))
	machines = ids(s)
	for i, id := range machines {
		s = world.Must(world.Set(s, id, serial, uint32(i)))
		s = world.Must(world.Set(s, id, feeds, [2]world.GameObject{id, machines[0]}))
	}
	return s, machines
}

// TestDigestTellsNobodyFromSomebody: also if no object has a global id, or the world has none.
func TestDigestTellsNobodyFromSomebody(t *testing.T) {
	s, machines := factory()
	defer func() { world.Close(s) }()
	id := machines[7]
	with := func(to world.GameObject) uint64 {
		s = world.Must(world.Set(s, id, feeds, [2]world.GameObject{to, to}))
		return world.Must(packer().DigestObjects(s, anyOne))
	}
	somebody := with(id)
	for _, nobody := range []world.GameObject{0, id + 1<<32} {
		require.NotEqual(t, somebody, with(nobody))
		require.Equal(t, somebody, with(machines[3]))
	}
}

// TestPacksOfOtherWorlds: what leads out of a pack is lost, and counted, unless Find finds it: by
// SameID in the world from which the pack comes and in copies of that, if it is alive.
func TestPacksOfOtherWorlds(t *testing.T) {
	var p pack.Packer
	home, from := factory()
	defer func() { world.Close(home) }()
	target, gone, id := from[3], from[4], from[5]
	home = world.Must(world.Set(home, id, feeds, [2]world.GameObject{target, gone}))
	home = world.Must(world.Set(home, id, guarded, target))
	old := world.Must(world.NewSnapshot(home))
	defer old.Close()
	b := world.Must(p.Pack(nil, home, id))
	require.Equal(t, uint32(2), little32(b[24:]))
	require.Equal(t, b, world.Must(pack.Pack(nil, home, id)), "the same objects, the same bytes")
	require.NoError(t, old.Take(home))

	check := func(what string, s world.State, want [2]world.GameObject, lost int) world.State {
		t.Helper()
		s, made := world.Must2(p.Unpack(nil, s, b))
		require.Equal(t, want, world.Must(world.Get(s, made[0], feeds)), what)
		require.Equal(t, want[0], world.Must(world.Get(s, made[0], guarded)), what)
		require.Equal(t, lost, p.Lost, what)
		require.NoError(t, tool.Verify(s))
		return world.Must(world.Dispose(s, made...))
	}
	both, none := [2]world.GameObject{target, gone}, [2]world.GameObject{}
	home = check("nobody looks for them", home, none, 3)
	p.Find = pack.SameID
	home = check("at once", home, both, 0)
	clone := world.Must(world.Clone(home))
	clone = check("a copy", clone, both, 0)
	world.Close(clone)
	c := factoryCounts()
	c.Names = 5
	larger := world.Must(world.Resized(home, c))
	larger = check("resized", larger, both, 0)
	world.Close(larger)
	other, _ := factory() // the same calls, and so the same ids
	other = check("a twin", other, both, 0)
	p.Find = func(id world.GameObject) world.GameObject { return id + 1<<32 }
	other = check("found dead", other, none, 3)
	p.Find = pack.SameID
	world.Close(other)

	home = world.Must(world.Dispose(home, gone))
	home = check("one is dead", home, [2]world.GameObject{target, 0}, 1)
	home = world.Must(world.Restore(home, old))
	home = check("restored", home, both, 0)
	_, _, err := p.Unpack(nil, home, nil)
	require.ErrorIs(t, err, pack.ErrNotPack)
	require.Zero(t, p.Lost, "nothing was made")
}

// A Packer with Only leaves other kinds away, names among them.
func TestOnlySomeKindsArePacked(t *testing.T) {
	s, captain, soldier := squad()
	s = world.Must(pack.SetGlobal(s, captain, 7))
	s = world.Must(world.Set(s, captain, Place, [2]float32{3, 4}))
	p := pack.Packer{Only: []layout.AnyKind{Place}}
	s, copies := world.Must2(pack.Unpack(s, world.Must(p.Pack(nil, s, captain, soldier))))
	for i, id := range copies {
		assert.True(t, world.Has(s, id, Place))
		for _, k := range []layout.AnyKind{Leader, pack.Global, world.NameKind} {
			assert.False(t, world.Has(s, id, k), "%d: %v", i, k.Kind())
		}
	}
	assert.Equal(t, [2]float32{3, 4}, world.Must(world.Get(s, copies[0], Place)))

	p.Only = []layout.AnyKind{nil}
	assert.PanicsWithValue(t, "pack: Packer.Only lists a nil kind; list kinds or fields that were declared",
		func() { _, _ = p.Pack(nil, s, captain) })
}

// TestGlobalsStayBehind: copies have no global ids, and a restored world has its old ones.
func TestGlobalsStayBehind(t *testing.T) {
	s, id := world.Must2(world.Create(world.Must(world.CreateState(world.Counts{Globals: 9}))))
	s = world.Must(pack.SetGlobal(s, id, 5))
	past := world.Must(world.NewSnapshot(s))
	defer past.Close()
	require.NoError(t, past.Take(s))
	s, twin := world.Must2(world.Copy(s, id))
	assert.False(t, world.Has(s, twin, pack.Global))
	s = world.Must(pack.SetGlobal(world.Must(pack.SetGlobal(s, id, 6)), twin, 5))
	s = world.Must(world.Restore(s, past))
	found, _ := pack.ByGlobal(s, 5)
	assert.Equal(t, id, found)
	_, ok := pack.ByGlobal(s, 6)
	assert.False(t, ok)
	require.NoError(t, tool.Verify(s))
	world.Close(s)
}

// TestBirthsDoNotDependOnTheWorld: numbers made from a parent's are the same in whichever world the
// parent is when they are made.
func TestBirthsDoNotDependOnTheWorld(t *testing.T) {
	counts := world.Counts{GameObjects: 10, Globals: 10}
	a, id := world.Must2(world.Create(world.Must(world.CreateState(counts))))
	a = world.Must(pack.SetGlobal(a, id, 42))
	alone, home := world.Must(world.Clone(a)), id
	b, other := world.Must2(world.Create(world.Must(world.CreateState(counts))))
	b = world.Must(pack.SetGlobal(b, other, 43))
	var got, want []uint64
	for n := range 6 {
		var number uint64
		alone, number = world.Must2(pack.NextGlobal(alone, home))
		want = append(want, number)
		a, number = world.Must2(pack.NextGlobal(a, id))
		got = append(got, number)
		if n%2 == 1 {
			packed := world.Must(pack.Pack(nil, a, id))
			a = world.Must(world.Dispose(a, id))
			next, moved := world.Must2(pack.Unpack(b, packed))
			a, b, id = next, a, moved[0]
		}
	}
	assert.Equal(t, want, got)
	slices.Sort(got)
	assert.Len(t, slices.Compact(got), 6)
	assert.Equal(t, uint64(0x7c991bca1a1aa1ae), want[0], "the formula is part of the format")
}

func TestGlobalsRefuse(t *testing.T) {
	s, id, err := world.Create(world.Must(world.CreateState(world.Counts{Globals: 1})))
	require.NoError(t, err)
	for number, want := range map[uint64]error{0: pack.ErrGlobal, 1 << 63: pack.ErrGlobal} {
		_, err = pack.SetGlobal(s, id, number)
		require.ErrorIs(t, err, want)
	}
	_, _, err = pack.NextGlobal(s, id)
	require.ErrorIs(t, err, world.ErrAbsent)
	s = world.Must(world.Add(s, id, pack.Global))
	_, _, err = pack.NextGlobal(s, id)
	require.ErrorIs(t, err, pack.ErrGlobal)
	bare := world.Must(world.CreateState(world.Counts{GameObjects: 1}))
	bare, id = world.Must2(world.Create(bare))
	_, err = pack.SetGlobal(bare, id, 1)
	require.ErrorIs(t, err, world.ErrNoKind)
	require.ErrorContains(t, err, "Counts.Globals")
	assert.PanicsWithValue(t, err.Error(), func() { pack.ByGlobal(bare, 1) })
	_, err = world.CreateState(world.Counts{Globals: 1, Kinds: layout.Kinds(pack.Global)})
	require.ErrorIs(t, err, systems.ErrKindTwice)
	world.Close(s)
	world.Close(bare)
}

// TestGlobalsInFiles: a file holds no index, so that a world with other counts can read it.
func TestGlobalsInFiles(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{Globals: 9}))
	for n := range 9 {
		next, id := world.Must2(world.Create(s))
		s = world.Must(pack.SetGlobal(next, id, uint64(100+n)))
	}
	var file bytes.Buffer
	require.NoError(t, save.Write(&file, s, save.Options{}))
	back, _ := world.Must2(save.Read(bytes.NewReader(file.Bytes()), int64(file.Len()),
		world.Counts{Globals: 1000}, save.Options{}))
	require.NoError(t, tool.Verify(back))
	for n := range 9 {
		id, ok := pack.ByGlobal(back, uint64(100+n))
		assert.True(t, ok)
		assert.Equal(t, fmt.Sprint(n), id.String())
	}
	world.Close(s)
	world.Close(back)
}

// A number that another object has is taken, also when there is no room for more of them: a program
// that asks for a free number by trying goes on, and does not raise Counts.Globals for nothing.
func TestATakenNumberIsTakenAlsoWhenGlobalsAreUsedUp(t *testing.T) {
	ship := layout.NewComponent[float32]("taken ship")
	fleet := world.NewRecipe("taken fleet", ship)
	s := world.Must(world.CreateState(world.Counts{
		Kinds: layout.Kinds(ship), Recipes: []world.Recipe{fleet}, Globals: 2,
	}))
	defer func() { world.Close(s) }()
	var ids []world.GameObject
	for number := range uint64(3) {
		var id world.GameObject
		s, id = world.Must2(world.Spawn(s, fleet))
		ids = append(ids, id)
		if number < 2 {
			s = world.Must(pack.SetGlobal(s, id, number+1))
		}
	}
	before := world.Digest(s)
	for number, want := range []error{pack.ErrGlobal, pack.ErrTaken, pack.ErrTaken, world.ErrFull} {
		var err error
		s, err = pack.SetGlobal(s, ids[2], uint64(number))
		require.ErrorIs(t, err, want, "number %d", number)
		assert.Equal(t, before, world.Digest(s), "a refused number leaves the world as it was")
	}
	_, err := pack.SetGlobal(s, ids[2], 2)
	require.ErrorContains(t, err, "another object has this global id, 1; give each")
}

// numbered returns a world for objects with global ids.
func numbered(t *testing.T, seed uint64) world.State {
	t.Helper()
	return world.Must(world.CreateState(world.Counts{
		GameObjects: 100, Globals: 50, Recipes: []world.Recipe{bare}, Seed: seed,
	}))
}

var bare = world.NewRecipe("bare")

// TestNewGlobalsAreFresh: also of an index that is used again, after a load, and where the number
// was taken by hand; and they are the same in the same world.
func TestNewGlobalsAreFresh(t *testing.T) {
	seen := map[uint64]bool{}
	for seed := range uint64(3) {
		s := numbered(t, seed)
		fresh := func(id world.GameObject) uint64 {
			t.Helper()
			next, number := world.Must2(pack.NewGlobal(s, id))
			require.False(t, seen[number], "%v of seed %d", id, seed)
			require.True(t, 0 < number && number < 1<<63)
			seen[number] = true
			s = next
			id2, ok := pack.ByGlobal(s, number)
			require.True(t, ok)
			require.Equal(t, id, id2)
			return number
		}
		spawn := func() (id world.GameObject) {
			t.Helper()
			next, id := world.Must2(world.Spawn(s, bare))
			s = next
			return id
		}
		for range 20 {
			id := spawn()
			number := fresh(id)
			require.Equal(t, number, world.Must(pack.GlobalOf(s, id)))
			next, same := world.Must2(pack.NewGlobal(s, id))
			require.Equal(t, number, same, "it has one")
			s = world.Must(world.Dispose(next, id))
			fresh(spawn())
		}
		var file bytes.Buffer
		require.NoError(t, save.Write(&file, s, save.Options{}))
		loaded, _ := world.Must2(save.Read(bytes.NewReader(file.Bytes()), int64(file.Len()),
			world.CountsOf(s), save.Options{}))
		world.Close(s)
		s = loaded
		for range 5 {
			fresh(spawn())
		}
		twin := world.Must(world.Clone(s))
		id := spawn()
		number := fresh(id)
		twin, same := world.Must2(world.Spawn(twin, bare))
		require.Equal(t, id, same)
		twin, also := world.Must2(pack.NewGlobal(twin, same))
		require.Equal(t, number, also)
		world.Close(twin)
		id = spawn()
		_, number = world.Must2(pack.NewGlobal(world.Must(world.Clone(s)), id))
		s = world.Must(pack.SetGlobal(s, spawn(), number)) // as it may have come in a pack
		require.NotEqual(t, number, fresh(id))
		require.NoError(t, tool.Verify(s))
		world.Close(s)
	}
}

// TestNewGlobalsAreRefused: where there is no room, no object, or no kind.
func TestNewGlobalsAreRefused(t *testing.T) {
	s := numbered(t, 0)
	defer func() { world.Close(s) }()
	for range 50 {
		next, id := world.Must2(world.Spawn(s, bare))
		s, _ = world.Must2(pack.NewGlobal(next, id))
	}
	s, id, err := world.Spawn(s, bare)
	require.NoError(t, err)
	for to, want := range map[world.GameObject]error{
		id: world.ErrFull, id + 1<<32: world.ErrDead, 1<<32 | 1000: world.ErrOutOfRange,
	} {
		_, _, err = pack.NewGlobal(s, to)
		require.ErrorIs(t, err, want)
	}
	for range anyOne.In(s) {
		_, _, err = pack.NewGlobal(s, id)
		require.ErrorIs(t, err, world.ErrWalking)
	}
	other := treeWorld(t)
	defer func() { world.Close(other) }()
	other, id = create(t, other)
	_, _, err = pack.NewGlobal(other, id)
	require.ErrorIs(t, err, world.ErrNoKind)
}

// TestWhatTakesNoRowNeedsNoRoom: in a world whose names and global ids are used up, a copy of a
// tree takes no global id, and an object that keeps a suspended row is given its name and number.
func TestWhatTakesNoRowNeedsNoRoom(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: 9, Globals: 1, Names: 2, Kinds: layout.Kinds(family.ChildOf),
	}))
	defer func() { world.Close(s) }()
	s, a := world.Must2(world.Create(s))
	s = world.Must(pack.SetGlobal(s, a, 5))
	s, twin := world.Must2(family.Copy(s, family.ChildOf, a))
	assert.False(t, world.Has(s, twin, pack.Global))

	s = world.Must(world.SetName(world.Must(world.SetName(s, a, "x")), twin, "x"))
	for _, k := range []layout.Kind{world.NameKind, pack.Global} {
		s = world.Must(world.Suspend(s, a, k))
	}
	s = world.Must(world.SetName(world.Must(pack.SetGlobal(s, a, 6)), a, "x"))
	found, _ := pack.ByGlobal(s, 6)
	assert.Equal(t, a, found)
	assert.Equal(t, []world.GameObject{a, twin}, slices.Collect(world.Named(s, "x")),
		"in the order in which they were first named")
	require.NoError(t, tool.Verify(s))
}
