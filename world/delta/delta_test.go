package delta_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/zeebo/xxh3"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/delta"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/internal/worldtest"
)

var (
	tiny  = layout.NewField("tiny", [3]uint8{7, 8, 9})
	short = layout.NewField[int16]("short", -1)
	wide  = layout.NewField("wide", [2]float64{1, 2})
	mixed = layout.NewField("mixed", parcel{Owner: 3, Open: true})
	thing = layout.NewKind("thing", tiny, short, wide, mixed)
	mark  = layout.NewMark("marked")

	watched  = world.NewWatcher(world.NewQuery(world.With(mark)))
	keeping  = world.NewWatcher(world.NewQuery(world.With(thing))).Keep(thing)
	moved    = world.NewRecipe("moved", heroes.Position, heroes.Velocity)
	standing = world.NewRecipe("standing", heroes.Position)
)

// A parcel has elements of all sizes, and its values do not fill lines.
type parcel struct {
	Owner  world.GameObject
	At     [2]float64
	Weight float32
	Grade  int16
	Open   bool
	Class  uint8
}

// motley returns an empty world with a bit of everything.
func motley(objects int) world.State {
	return motleyOf(objects,
		layout.Count{Kind: thing, Rows: objects, Packed: true}, mark.Count(0),
		heroes.Position.Count(objects), heroes.Velocity.Count(objects))
}

// roomy is motley without counts.
func roomy(objects int) world.State {
	return motleyOf(objects,
		layout.Count{Kind: thing, Free: true, Packed: true}, mark.Count(0),
		heroes.Position.Counted(), heroes.Velocity.Counted())
}

func motleyOf(objects int, kinds ...layout.Count) world.State {
	return world.Must(world.CreateState(world.Counts{
		GameObjects: objects, Seed: 1, Names: 20, Kinds: kinds,
		Watchers: []world.Watcher{watched, keeping}, Recipes: []world.Recipe{moved, standing},
	}))
}

// stir changes a world at random.
func stir(s world.State, r *rand.Rand, times int) world.State {
	for range times {
		ids := []world.GameObject{}
		ids = slices.AppendSeq(ids, world.GameObjects(s))
		if len(ids) == 0 || r.IntN(4) == 0 {
			if next, err := world.SpawnN(s, moved, 1+r.IntN(30), nil); err == nil {
				s = next
			}
			continue
		}
		id := ids[r.IntN(len(ids))]
		switch r.IntN(7) {
		case 0:
			s = world.Must(world.Dispose(s, id))
		case 1:
			s = world.Must(world.Dispose(s, ids[:len(ids)/4]...))
		case 2:
			if !world.Has(s, id, thing) {
				if next, err := world.Add(s, id, thing); err == nil {
					s = next
					s = world.Must(world.Set(s, id, wide, [2]float64{1, r.Float64()}))
					s = world.Must(world.Set(s, id, mixed, parcel{
						Owner: id, Weight: r.Float32(), Grade: int16(r.IntN(9)), Open: r.IntN(2) == 0,
					}))
				}
			}
		case 3:
			if !world.Has(s, id, mark) {
				s, _ = world.Add(s, id, mark)
			}
		case 4:
			if s, _ = world.NextStream(s); !slices.Contains(tool.KindNames(s), "name") {
				break
			}
			if next, err := world.SetName(s, id, "name"); err == nil {
				s = next
			}
		case 5:
			s = keeping.Look(watched.Look(s))
		default:
			s = world.Advance(heroes.MoveAll(heroes.FlyAll(s)))
		}
	}
	return s
}

// there checks that a delta leads to want, and that the world is sound.
func there(t *testing.T, c *delta.Coder, from, want world.State) []byte {
	t.Helper()
	d := world.Must(c.Append(nil, from, want))
	got := world.Must(c.Apply(world.Must(world.Clone(from)), d))
	require.True(t, world.Equal(want, got))
	require.NoError(t, tool.Verify(got))
	for _, p := range tool.Parts(got) { // behind the used bytes are initial values
		used := len(tool.Used(got, &p))
		if p.Field == nil || isFree(got, p.Field.Kind) {
			require.Empty(t, bytes.Trim(p.Bytes[used:], "\x00"), "%s.%s", p.Owner, p.Name)
			continue
		}
		for b := p.Bytes[used:]; len(b) > 0; b = b[len(p.Field.Default):] {
			require.Equal(t, p.Field.Default, b[:len(p.Field.Default)], "%s.%s", p.Owner, p.Name)
		}
	}
	again := stir(got, rand.New(rand.NewPCG(9, 9)), 5)
	require.Equal(t, world.Digest(stir(world.Must(world.Clone(want)), rand.New(rand.NewPCG(9, 9)), 5)),
		world.Digest(again), "the same calls lead to the same world")
	return d
}

// isFree reports whether a kind has room without a count, which is zero until it is used.
func isFree(s world.State, k *layout.KindSpec) bool {
	for _, c := range world.CountsOf(s).Kinds {
		if c.Kind.Spec() == k {
			return c.Free
		}
	}
	return false
}

func TestDeltasOfRandomWorlds(t *testing.T) {
	worldtest.OneGoroutine(t)
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 0))
		var c delta.Coder
		objects := 100 + r.IntN(9000)
		empty := []func(int) world.State{motley, roomy}[seed%2]
		s := empty(objects)
		past := []world.State{world.Must(world.Clone(s))}
		for range 12 {
			s = stir(s, r, 1+r.IntN(12))
			there(t, &c, past[len(past)-1], s)
			past = append(past, world.Must(world.Clone(s)))
		}
		for range 6 { // to and fro: parts become longer and shorter
			there(t, &c, past[r.IntN(len(past))], past[r.IntN(len(past))])
		}
		there(t, &c, s, empty(objects))
		there(t, &c, empty(objects), s)
	}
}

// crowd returns a world of objects that move, and the same one a frame later.
func crowd(n int) (before, after world.State) {
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: n, Seed: 1, Recipes: []world.Recipe{moved, standing},
		Watchers: []world.Watcher{watched}, Kinds: layout.Kinds(
			thing.Count(10), mark.Count(0), heroes.Position.Count(n), heroes.Velocity.Count(n),
		),
	}))
	r := rand.New(rand.NewPCG(4, 4))
	s = world.Must(world.SpawnN(s, moved, n, func(b world.Batch) {
		for i := range b.Len() {
			p := world.Column(b, heroes.Position)
			p[i] = [3]float32{r.Float32() * 1000, r.Float32() * 100, r.Float32() * 1000}
			world.Column(b, heroes.Velocity)[i] = r.Float32() * 0.2
		}
	}))
	before = world.Must(world.Clone(s))
	return before, world.Advance(heroes.MoveAll(s))
}

func TestWhatMovesIsSmall(t *testing.T) {
	before, after := crowd(10_000)
	d := there(t, &delta.Coder{}, before, after)
	truth := 0
	for _, p := range tool.Parts(after) {
		if p.Truth {
			truth += len(tool.Used(after, &p))
		}
	}
	assert.Less(t, 4*len(d), truth)

	one := world.Must(world.Clone(before))
	at := world.GetRow(one, heroes.Position, 5000)
	at[1] = 1
	one = world.SetRow(one, heroes.Position, 5000, at)
	assert.Less(t, len(there(t, &delta.Coder{}, before, one)), 250)
}

func TestAnotherBaseIsRefused(t *testing.T) {
	before, after := crowd(100)
	d := world.Must(delta.Append(nil, before, after))
	s := world.Must(world.Clone(after))
	want := bytes.Clone(world.Bytes(s))
	s, err := delta.Apply(s, d)
	require.ErrorIs(t, err, delta.ErrBase)
	assert.Equal(t, want, world.Bytes(s))

	other, _ := crowd(200)
	_, err = delta.Apply(other, d)
	require.ErrorIs(t, err, delta.ErrBase)
	_, err = delta.Append(nil, before, other)
	require.ErrorIs(t, err, systems.ErrOther)
	require.ErrorContains(t, err, " bytes, of one and ")

	for range world.NewQuery(world.Read(heroes.Position)).In(before) {
		_, err = delta.Apply(before, d)
		require.ErrorIs(t, err, world.ErrWalking)
	}
}

// seal makes a delta's checksum right.
func seal(d []byte) { binary.LittleEndian.PutUint64(d[8:], xxh3.Hash(d[16:])) }

// Whatever a delta says, it leads where it says, or the world is as it was.
func TestDamagedDeltasLeaveTheWorldAsItWas(t *testing.T) {
	worldtest.OneGoroutine(t)
	r := rand.New(rand.NewPCG(5, 0))
	from := stir(motley(300), r, 30)
	to := stir(world.Must(world.Clone(from)), r, 10)
	d := world.Must(delta.Append(nil, from, to))
	want, damaged := world.Must(world.Clone(from)), 0
	var c delta.Coder
	try := func(d []byte) {
		t.Helper()
		s, err := c.Apply(from, d)
		require.NoError(t, tool.Verify(s))
		if from = s; err == nil { // behind the used bytes, bits may differ
			require.True(t, world.Equal(to, s))
			from = world.Must(world.Clone(want))
			return
		}
		damaged++
		require.True(t, world.Equal(want, s))
		for _, p := range tool.Parts(s) {
			rest := p.Bytes[len(tool.Used(s, &p)):]
			require.True(t, p.Truth || len(bytes.Trim(rest, "\x00")) == 0, "%s %s", p.Owner, p.Name)
		}
	}
	for i := range d {
		try(d[:i])
		b := bytes.Clone(d)
		b[i] ^= 1 << r.IntN(8)
		try(b)
		if i >= 16 { // as if it were whole
			seal(b)
			try(b)
		}
	}
	assert.Greater(t, damaged, 29*len(d)/10, "of three for each byte")
	world.Must(c.Apply(from, d))
}

func TestAllocsOfDeltas(t *testing.T) {
	before, after := crowd(2_000)
	c := &delta.Coder{}
	d := world.Must(c.Append(nil, before, after))
	back := world.Must(c.Append(nil, after, before))
	s := world.Must(world.Clone(before))
	dst := make([]byte, 0, 1<<20)
	assert.Zero(t, testing.AllocsPerRun(20, func() { dst, _ = c.Append(dst[:0], before, after) }))
	rebuild := testing.AllocsPerRun(20, func() { s, _ = tool.Rebuild(s) })
	assert.InDelta(t, 2*rebuild, testing.AllocsPerRun(20, func() {
		s, _ = c.Apply(s, d)
		s, _ = c.Apply(s, back)
	}), 0, "what Rebuild allocates, and nothing else")
	assert.True(t, world.Equal(before, s))
}

func taken(s world.State) *world.Snapshot {
	p := world.Must(world.NewSnapshot(s))
	if err := p.Take(s); err != nil {
		panic(err)
	}
	return p
}

// TestDeltasBringNoOtherBools: a delta that leads to a bool that is neither 0 nor 1 is refused, and
// leaves the world as it was.
func TestDeltasBringNoOtherBools(t *testing.T) {
	s := motley(70)
	s, id := world.Must2(world.CreateWith(s, thing))
	forged := world.Must(world.Clone(s))
	parts := tool.Parts(forged)
	i := slices.IndexFunc(parts, func(p tool.Part) bool { return p.Name == "mixed" })
	row := world.Must(world.RowOf(s, id, thing))
	open := parts[i].Field.Parts[4]
	require.Equal(t, "Open", open.Name)
	for _, value := range []byte{2, 1, 0} {
		open.Bytes(parts[i].Bytes[int(row)*parts[i].Unit:])[0] = value
		d := world.Must(delta.Append(nil, s, forged))
		before := world.Must(world.Clone(s))
		next, err := delta.Apply(s, d)
		if s = next; value > 1 {
			require.ErrorIs(t, err, delta.ErrDamaged)
			require.True(t, world.Equal(before, s))
			continue
		}
		require.NoError(t, err)
		require.Equal(t, value == 1, world.Must(world.Get(s, id, mixed)).Open)
	}
}

// shifted returns a world of 200 objects, and the same one with some rows elsewhere.
func shifted(first, end layout.Row) (before, after world.State) {
	before, after = crowd(200)
	after = world.Must(world.Restore(after, taken(before)))
	for row := first; row < end; row++ {
		at := world.GetRow(after, heroes.Position, row)
		at[0], at[1], at[2] = at[0]*1.1, at[1]*1.2, at[2]*1.3
		after = world.SetRow(after, heroes.Position, row, at)
	}
	return before, after
}

// numbers reads numbers of varying length.
type numbers struct{ rest []byte }

func (n *numbers) next(t *testing.T) uint64 {
	t.Helper()
	x, size := binary.Uvarint(n.rest)
	require.Positive(t, size)
	n.rest = n.rest[size:]
	return x
}

// The header of a delta is what the package comment says, and so are single bytes.
func TestLayoutOfSingleBytes(t *testing.T) {
	before, after := shifted(6, 7)
	d := world.Must(delta.Append(nil, before, after))
	le := binary.LittleEndian
	assert.Equal(t, "fldelta\x03", string(d[:8]))
	assert.Equal(t, xxh3.Hash(d[16:]), le.Uint64(d[8:]))
	back := world.Must(delta.Append(nil, after, before))
	assert.Equal(t, d[16:24], back[24:32], "the base of one is the result of the other")
	assert.Equal(t, d[24:32], back[16:24])
	assert.Zero(t, d[32], "no part is used further")

	truth := map[int][]byte{}
	for i, p := range tool.Parts(before) {
		truth[i] = slices.Clone(p.Bytes)
	}
	n, part, position := numbers{d[33:]}, 0, 0
	for len(n.rest) > 0 {
		head := n.next(t)
		require.Equal(t, uint64(1), head&1, "single bytes")
		if head > 1 {
			part, position = part+int(head>>1), 0
		}
		for last := uint64(0); last == 0; position++ {
			gap := n.next(t)
			position += int(gap >> 1)
			truth[part][position] ^= n.rest[0]
			n.rest, last = n.rest[1:], gap&1
		}
	}
	for i, p := range tool.Parts(after) {
		if p.Truth {
			assert.Equal(t, p.Bytes, truth[i], "%s.%s", p.Owner, p.Name)
		}
	}
}

// The record of a chunk is what the package comment says.
func TestLayoutOfChunks(t *testing.T) {
	before, after := shifted(6, 200) // from byte 72 on: in lines 1 to 37 of 38
	d := world.Must(delta.Append(nil, before, after))
	at := slices.IndexFunc(tool.Parts(after), func(p tool.Part) bool { return p.Name == "xyz" })
	n, part := numbers{d[33:]}, 0
	for {
		head := n.next(t)
		if part += int(head >> 1); head&1 == 0 {
			break
		}
		for last := uint64(0); last == 0; n.rest = n.rest[1:] {
			last = n.next(t) & 1
		}
	}
	assert.Equal(t, at, part)
	assert.Zero(t, n.next(t), "chunk 0")
	assert.Equal(t, uint64(37-1), n.next(t), "lines")
	rest := n.rest
	require.Len(t, rest, 3+(int(rest[0])|int(rest[1])<<8|int(rest[2])<<16))
	assert.Equal(t, uint64(1<<38-1<<1), binary.LittleEndian.Uint64(rest[3:]))
	x, y := world.View(before, heroes.Position)[6][1], world.View(after, heroes.Position)[6][1]
	flipped := math.Float32bits(x) ^ math.Float32bits(y)
	methods, rest := binary.LittleEndian.Uint16(rest[11:]), rest[13:]
	assert.Equal(t, uint16(1|1<<2), methods&15, "the planes of the lowest bytes are as they are")
	for k := range 2 {
		assert.Equal(t, byte(flipped>>(8*k)), rest[37*16*k+3], "byte %d of element 3", k)
	}
}
