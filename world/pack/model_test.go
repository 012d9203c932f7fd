package pack_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/flatecs/flatecs/world/list"
	"github.com/flatecs/flatecs/world/pack"
	"github.com/flatecs/flatecs/world/save"
)

func lives() int {
	if worldtest.AtLength() {
		return 400
	}
	return 25
}

// TestPackedObjectsAreTheSame: objects of a world that lived at random travel into another, which
// has its kinds in another order, lived too, and may have some of the same global ids.
func TestPackedObjectsAreTheSame(t *testing.T) {
	here, there := packer(), packer()
	done := 0
	for seed := range uint64(lives()) {
		r := rand.New(rand.NewPCG(seed, 1))
		a := live(t, r, motley(t, 300, r), 100+r.IntN(1500))
		b := live(t, r, motley(t, 600, r), r.IntN(600))
		if seed%3 == 0 { // objects that references from outside lead to
			b = shareGlobals(r, a, b)
		}
		ids := slices.Collect(world.GameObjects(a))
		r.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
		if r.IntN(2) == 0 {
			slices.Sort(ids)
		}
		ids = ids[:r.IntN(len(ids)+1)]

		before := bytes.Clone(world.Bytes(a))
		packed := world.Must(here.Pack([]byte("before"), a, ids...))
		require.Equal(t, before, world.Bytes(a), "Pack reads")
		again := world.Must(packer().Pack([]byte("before"), a, ids...))
		require.Equal(t, packed, again, "the same objects, the same bytes")
		want := tellAll(t, a, b, ids)

		old, was := slices.Collect(world.GameObjects(b)), bytes.Clone(world.Bytes(b))
		b, made, err := there.Unpack([]world.GameObject{7}, b, packed[len("before"):])
		if err != nil {
			require.ErrorIs(t, err, pack.ErrTaken)
			require.Equal(t, was, world.Bytes(b))
		} else {
			done++
			made = made[1:]
			require.Equal(t, want, tellAll(t, b, b, made), "seed %d", seed)
			require.Equal(t, len(old)+len(ids), world.Len(b))
		}
		require.NoError(t, tool.Verify(b))
		b = live(t, r, b, 300)
		require.NoError(t, tool.Verify(b))
		world.Close(a)
		world.Close(b)
	}
	require.Greater(t, done, lives()/2)
}

// shareGlobals gives objects of b global ids that some objects of a have.
func shareGlobals(r *rand.Rand, a, b world.State) world.State {
	others := slices.Collect(world.GameObjects(b))
	for id := range world.GameObjects(a) {
		if global, err := pack.GlobalOf(a, id); err == nil && global != 0 && r.IntN(20) == 0 {
			if len(others) == 0 {
				return b
			}
			b, _ = pack.SetGlobal(b, others[r.IntN(len(others))], global)
		}
	}
	return b
}

// TestDigestOfObjectsSeesNeitherRowsNorIds: of a world, and of one into which its objects were
// packed in several parts and another order.
func TestDigestOfObjectsSeesNeitherRowsNorIds(t *testing.T) {
	p := packer()
	for seed := range uint64(lives()) {
		r := rand.New(rand.NewPCG(seed, 2))
		a := live(t, r, motley(t, 200, r), 100+r.IntN(1200))
		ids := slices.Collect(world.GameObjects(a))
		want := world.Must(p.DigestObjects(a, anyOne))
		r.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
		packed := world.Must(p.Pack(nil, a, ids...))
		b, _ := world.Must2(p.Unpack(nil, live(t, r, motley(t, 200, r), 0), packed))
		require.Equal(t, want, world.Must(p.DigestObjects(b, anyOne)), "seed %d", seed)
		world.Close(a)
		world.Close(b)
	}
}

// TestDigestsOfSetsAddUp: the digest of all objects is the sum of the digests of two sets; any
// change shows.
func TestDigestsOfSetsAddUp(t *testing.T) {
	p := packer()
	r := rand.New(rand.NewPCG(1, 3))
	s := live(t, r, motley(t, 300, nil), 900)
	digest := func(q world.Query) uint64 {
		return world.Must(p.DigestObjects(s, q))
	}
	require.Equal(t, digest(anyOne),
		digest(picked)+digest(world.NewQuery(world.Without(chosen))))
	s, id := world.Must2(world.Create(s))
	seen := map[uint64]bool{digest(anyOne): true}
	fresh := func(what string) {
		t.Helper()
		x := digest(anyOne)
		require.False(t, seen[x], what)
		seen[x] = true
	}
	for _, k := range all {
		s, _ = world.Add(s, id, k)
		fresh(k.String())
	}
	s, _ = world.Set(s, id, heat, 99)
	fresh("a value")
	s, _ = world.SetName(s, id, "")
	fresh("the empty name")
	s, _ = world.SetName(s, id, "x")
	fresh("a name")
	s, _ = world.SetValue(s, id, note, "y")
	fresh("a Go value")
	s, _ = world.Suspend(s, id, heat)
	fresh("suspended")
	s, _ = pack.SetGlobal(s, id, 5)
	fresh("a global id")
	s, _, _ = pack.NextGlobal(s, id)
	fresh("a birth")
	s, _ = world.Set(s, id, target, id)
	fresh("a reference")
	world.Close(s)
}

// aim has references, and parts of several sizes.
type aim struct {
	At   [2]world.GameObject
	Sure bool
	Mode uint8
	Near uint16
	Far  float32
}

// loot is an element of a list.
type loot struct {
	Of    [2]world.GameObject
	Count uint32
	Grade uint16
	Rare  bool
	Form  uint8
}

var (
	spot   = layout.NewComponent("spot", [3]float32{1, 2, 3})
	heat   = layout.NewComponent[uint16]("heat", 7)
	target = layout.NewField[world.GameObject]("target")
	aims   = layout.NewField("aims", aim{Far: 2})
	gun    = layout.NewKind("gun", target, aims)
	above  = layout.NewRelation("above", layout.Relation{Tree: true})
	tight  = layout.NewComponent[int64]("tight") // packed
	loots  = layout.NewListField[loot]("loots")
	weight = layout.NewField[uint64]("weight")
	bag    = layout.NewKind("bag", weight, loots)
	title  = layout.NewText("title")
	empty  = layout.NewKind("empty")
	frozen = layout.NewMark("frozen")
	chosen = layout.NewMark("chosen")
	note   = layout.NewValues("note", "none")
	anyOne = world.NewQuery()
	picked = world.NewQuery(world.With(chosen))
	wordy  = save.Values(note,
		func(dst []byte, v string) ([]byte, error) { return append(dst, v...), nil },
		func(b []byte) (string, error) {
			if len(b) > 0 && b[0] == 0xff {
				return "", errors.New("no note begins so")
			}
			return string(b), nil
		})
	all = []layout.Kind{
		spot.Kind(), heat.Kind(), gun, above.Kind(), tight.Kind(), empty, frozen, chosen, note.Kind(),
		bag, title.Kind(),
	}
)

// motley returns a world with room for n of everything, in an order of kinds of its own.
func motley(tb testing.TB, n int, order *rand.Rand) world.State {
	tb.Helper()
	kinds := []layout.Count{
		spot.Counted(), heat.Count(n), gun.Count(n), above.Count(n),
		{Kind: tight.Kind(), Rows: n, Packed: true},
		empty.Count(n), frozen.Count(0), chosen.Count(0), note.Count(n),
		{Kind: bag, Rows: n, Elements: uint32(20 * n)},
		title.Count(n, 100*n),
	}
	if order != nil {
		order.Shuffle(len(kinds), func(i, j int) { kinds[i], kinds[j] = kinds[j], kinds[i] })
	}
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: n, Kinds: kinds, Names: n, Globals: n, Seed: 1,
	}))
	return s
}

func packer() *pack.Packer { return &pack.Packer{Codecs: []save.Codec{wordy}} }

// live makes random changes in a world.
func live(tb testing.TB, r *rand.Rand, s world.State, steps int) world.State {
	tb.Helper()
	ids := slices.Collect(world.GameObjects(s))
	pick := func() world.GameObject {
		if len(ids) == 0 || r.IntN(9) == 0 {
			return world.GameObject(r.Uint64N(1<<33) &^ (1 << 32))
		}
		return ids[r.IntN(len(ids))]
	}
	for range steps {
		id, k := pick(), all[r.IntN(len(all))]
		switch r.IntN(12) {
		case 0, 1, 2:
			var made world.GameObject
			s, made, _ = world.Create(s)
			if made != 0 {
				ids = append(ids, made)
			}
		case 3:
			if r.IntN(4) == 0 {
				s, _ = world.Dispose(s, id)
			}
		case 4:
			s, _ = world.Remove(s, id, k)
		case 5:
			if k != tight.Kind() {
				s, _ = world.Suspend(s, id, k)
			}
		case 6:
			s, _ = world.SetName(s, id, fmt.Sprint("name ", r.IntN(20)))
			if r.IntN(3) == 0 {
				s, _ = world.Suspend(s, id, world.NameKind)
			}
		case 7:
			s, _ = pack.SetGlobal(s, id, r.Uint64N(1<<62)+1)
			s, _, _ = pack.NextGlobal(s, id)
			if r.IntN(9) == 0 {
				s, _ = world.Suspend(s, id, pack.Global)
			}
		default:
			s, _ = world.Add(s, id, k)
			s = write(r, s, id, pick)
		}
	}
	return s
}

// write sets every field that an object has.
func write(
	r *rand.Rand, s world.State, id world.GameObject, pick func() world.GameObject,
) world.State {
	s, _ = world.Set(s, id, spot, [3]float32{r.Float32(), 1, r.Float32()})
	s, _ = world.Set(s, id, heat, uint16(r.Uint32()))
	s, _ = world.Set(s, id, tight, r.Int64())
	s, _ = world.Set(s, id, target, pick())
	s, _ = world.Set(s, id, above, pick())
	s, _ = world.Set(s, id, aims, aim{
		At: [2]world.GameObject{pick(), pick()}, Sure: r.IntN(2) == 0, Near: uint16(r.Uint32()),
	})
	s, _ = world.SetValue(s, id, note, fmt.Sprint("note ", r.IntN(99)))
	s, _ = world.Set(s, id, weight, r.Uint64())
	if r.IntN(2) == 0 {
		s, _ = list.Append(s, id, loots, loot{
			Of: [2]world.GameObject{pick(), pick()}, Count: r.Uint32(), Rare: r.IntN(2) == 0,
		})
		s, _ = list.SetText(s, id, title, strings.Repeat("ü", r.IntN(40)))
	}
	return s
}

// told describes an object by the calls that programs have, with references named by refer.
// Suspended components are added again in a copy of the world.
func told(
	tb testing.TB, s world.State, id world.GameObject, refer func(world.GameObject) string,
) (lines []string) {
	tb.Helper()
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	for _, use := range world.Must(tool.ComponentsOf(s, id)) {
		add("%v, suspended: %v", use.Kind, use.Suspended)
		if use.Kind.Spec().Values != nil {
			add("%v", tool.AnyValueOf(s, use.Kind, use.Row))
		}
		for _, f := range use.Kind.Fields() {
			if f.Name == "order" && use.Kind == world.NameKind {
				continue // of the world
			}
			for i, value := range valuesIn(tb, s, f, int(use.Row)) {
				of := f
				if f.List != nil {
					of = f.List.Element
				}
				for _, ref := range of.Refs {
					id := binary.LittleEndian.Uint64(value[ref:])
					add("%s %d refers to %s", f, i, refer(world.GameObject(id)))
					clear(value[ref:][:8])
				}
				add("%s %d is %x", f, i, value)
			}
		}
	}
	slices.Sort(lines)
	return lines
}

// valuesIn returns copies of the value of a field in a row, or of all elements of a list.
func valuesIn(tb testing.TB, s world.State, f *layout.FieldSpec, row int) (values [][]byte) {
	tb.Helper()
	if f.List == nil {
		return [][]byte{slices.Clone(valueIn(tb, s, f, row))}
	}
	elements := tool.Elements(s, f, layout.Row(row))
	for value := range slices.Chunk(slices.Clone(elements), f.List.Element.Stride) {
		values = append(values, value)
	}
	return values
}

// valueIn returns the bytes of a field in a row.
func valueIn(tb testing.TB, s world.State, f *layout.FieldSpec, row int) []byte {
	tb.Helper()
	for _, p := range tool.Parts(s) {
		if p.Field == f {
			return p.Bytes[row*f.Stride:][:f.Stride]
		}
	}
	tb.Fatalf("no column of %s", f)
	return nil
}

// referring names objects by their places among ids, others by what they are in the world called
// there.
func referring(s, there world.State, ids []world.GameObject) func(world.GameObject) string {
	return func(id world.GameObject) string {
		if i := slices.Index(ids, id); i >= 0 {
			return fmt.Sprint("place ", i)
		}
		if world.Has(s, id, pack.Global) {
			global, _ := pack.GlobalOf(s, id)
			if _, ok := pack.ByGlobal(there, global); ok {
				return fmt.Sprint("global ", global)
			}
		}
		return "nobody"
	}
}

// tellAll describes objects.
func tellAll(
	tb testing.TB, s, there world.State, ids []world.GameObject,
) (objects [][]string) {
	tb.Helper()
	refer := referring(s, there, ids)
	for _, id := range ids {
		objects = append(objects, told(tb, s, id, refer))
	}
	return objects
}

// bags returns a world with room for lists of so many elements in all, of 24 bytes each.
func bags(t *testing.T, elements uint32) world.State {
	t.Helper()
	return world.Must(world.CreateState(world.Counts{GameObjects: 20, Kinds: []layout.Count{
		{Kind: bag, Rows: 20, Elements: elements}, title.Count(20, 100),
	}}))
}

// carrier creates an object whose list has elements that refer to objects, and a title.
func carrier(t *testing.T, s world.State, to ...world.GameObject) (world.State, world.GameObject) {
	t.Helper()
	s, id := create(t, s, bag, title)
	items := make([]loot, len(to))
	for i, other := range to {
		items[i] = loot{Of: [2]world.GameObject{other, id}, Count: uint32(i), Rare: true}
	}
	s = world.Must(list.Append(s, id, loots, items...))
	return world.Must(list.SetText(s, id, title, "Löwe")), id
}

// TestReferencesInListsLeavePacks: they are found by Find, and counted where they are lost.
func TestReferencesInListsLeavePacks(t *testing.T) {
	s := bags(t, 100)
	s, outside := create(t, s)
	s, id := carrier(t, s, outside, outside)
	b := world.Must(pack.Pack(nil, s, id))
	var p pack.Packer
	s, made := world.Must2(p.Unpack(nil, s, b))
	assert.Equal(t, 2, p.Lost)
	assert.Zero(t, world.Must(list.Of(s, made[0], loots))[1].Of[0])
	p.Find = pack.SameID
	s, made = world.Must2(p.Unpack(nil, s, b))
	assert.Zero(t, p.Lost)
	assert.Equal(t, outside, world.Must(list.Of(s, made[0], loots))[1].Of[0])
	require.NoError(t, tool.Verify(s))
}

// TestListsFindRoomOrNothingChanges: for as many copies as there is room for, in rows that were
// never used and in freed ones.
func TestListsFindRoomOrNothingChanges(t *testing.T) {
	s := bags(t, 24) // 12 rows of two, half as many, and one for each of 20 objects: 38
	s, id := carrier(t, s, 0, 0, 0, 0, 0)
	one := world.Must(pack.Pack(nil, s, id)) // of 3 rows
	s, made := fill(t, s, one)
	assert.Len(t, made, 11)
	for range 3 {
		s = world.Must(world.Dispose(s, made[3], made[7], made[4], made[9]))
		two := world.Must(pack.Pack(nil, s, id, made[0]))
		var more []world.GameObject
		s, more = fill(t, s, two)
		assert.Len(t, more, 4)
		for _, i := range []int{0, 1, 2, 5, 6, 8, 10} {
			more = append(more, made[i])
		}
		made = more
	}
}

// fill unpacks until there is no room.
func fill(t *testing.T, s world.State, b []byte) (world.State, []world.GameObject) {
	t.Helper()
	var all []world.GameObject
	for range 100 {
		var p pack.Packer
		before := bytes.Clone(world.Bytes(s))
		next, made, err := p.Unpack(nil, s, b)
		if err != nil {
			require.ErrorIs(t, err, world.ErrFull)
			require.ErrorContains(t, err, "bag.loots: no room for another list of 5 elements")
			require.Equal(t, before, world.Bytes(s))
			return s, all
		}
		s, all = next, append(all, made...)
		require.NoError(t, tool.Verify(s))
	}
	t.Fatal("there is always room")
	return s, nil
}

// TestHostileLists: lengths, bools and texts are checked.
func TestHostileLists(t *testing.T) {
	worldtest.OneGoroutine(t)
	s := bags(t, 100)
	s, id := carrier(t, s, 0, 0)
	b := world.Must(pack.Pack(nil, s, id))
	at := len(b) - 4 - len("Löwe") - 2*24 - 4 // of the length of the list; title comes last
	require.Equal(t, uint32(2), binary.LittleEndian.Uint32(b[at:]))
	length := func(n uint32) []byte {
		bad := bytes.Clone(b)
		binary.LittleEndian.PutUint32(bad[at:], n)
		return sealed(bad)
	}
	put := func(at int, x byte) []byte {
		bad := bytes.Clone(b)
		bad[at] = x
		return sealed(bad)
	}
	for name, bad := range map[string][]byte{
		"too long": length(3), "most": length(1<<32 - 1), "too short": length(1),
		"none": length(0), "cut off": sealed(b[:len(b)-1]), "bool": put(at+4+22, 2),
		"not UTF-8": put(len(b)-1, 0xc3), "a text of another length": put(len(b)-len("Löwe")-4, 200),
		"a reference beyond": put(at+4+7, 0x80|1),
	} {
		t.Run(name, func(t *testing.T) { refused(t, s, &pack.Packer{}, bad, pack.ErrDamaged) })
	}
}
