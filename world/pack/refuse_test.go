package pack_test

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/flatecs/flatecs/world/pack"
	"github.com/flatecs/flatecs/world/save"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/zeebo/xxh3"
)

// one returns a world with one object that has everything, and its pack.
func one(tb testing.TB) (world.State, world.GameObject, []byte) {
	tb.Helper()
	s := motley(tb, 10, nil)
	s, id := world.Must2(world.Create(s))
	for _, k := range all {
		s = world.Must(world.Add(s, id, k))
	}
	s = world.Must(world.SetName(s, id, "one"))
	s = world.Must(pack.SetGlobal(s, id, 5))
	s = world.Must(world.Suspend(s, id, heat))
	return s, id, world.Must(packer().Pack(nil, s, id))
}

// refused expects Unpack to fail, and to leave the world as it was.
func refused(t *testing.T, s world.State, p *pack.Packer, b []byte, want error) {
	t.Helper()
	before := bytes.Clone(world.Bytes(s))
	again, ids, err := p.Unpack(nil, s, b)
	require.ErrorIs(t, err, want)
	assert.Equal(t, s, again, "the State is not used up")
	assert.Empty(t, ids)
	assert.Equal(t, before, world.Bytes(s))
	t.Log(err)
}

func TestUnpackIsAllOrNothing(t *testing.T) {
	s, id, b := one(t)
	refused(t, s, packer(), b, pack.ErrTaken)
	refused(t, s, &pack.Packer{}, b, pack.ErrCodec)
	s = world.Must(world.Dispose(s, id))
	for i, k := range all {
		kinds := make([]layout.Count, 0, len(all))
		for j, other := range all {
			c := layout.Count{Kind: other, Rows: 4, Packed: other == tight.Kind()}
			if i == j {
				c.Rows = 0
			}
			kinds = append(kinds, c)
		}
		small := world.Must(world.CreateState(world.Counts{Kinds: kinds, Names: 4, Globals: 4}))
		if !k.Spec().Mark {
			refused(t, small, packer(), b, world.ErrFull)
		}
		world.Close(small)
	}
	counts := world.CountsOf(s)
	for want, change := range map[error]func(c *world.Counts){
		world.ErrTooMany: func(c *world.Counts) { c.GameObjects = 0; c.Kinds = nil },
		pack.ErrSchema:   func(c *world.Counts) { c.Names = 0 },
	} {
		c := counts.Clone()
		change(&c)
		if c.Kinds == nil {
			full := s
			for world.Len(full) < 10 {
				full, _, _ = world.Create(full)
			}
			refused(t, full, packer(), b, want)
			s = world.Must(world.Dispose(full, ids(full)...))
			continue
		}
		other := world.Must(world.CreateState(c))
		refused(t, other, packer(), b, want)
		world.Close(other)
	}
	s, _ = world.Must2(packer().Unpack(nil, s, b))
	world.Close(s)
}

func ids(s world.State) (list []world.GameObject) {
	list = slices.AppendSeq(list, world.GameObjects(s))
	return list
}

func TestPackRefuses(t *testing.T) {
	s, id, _ := one(t)
	for _, c := range []struct {
		name string
		p    *pack.Packer
		ids  []world.GameObject
		want error
	}{
		{"a dead object", packer(), []world.GameObject{id, id + 1<<32}, world.ErrDead},
		{"one beyond", packer(), []world.GameObject{1<<32 | 99}, world.ErrOutOfRange},
		{"nobody", packer(), []world.GameObject{0}, world.ErrDead},
		{"one twice", packer(), []world.GameObject{id, id}, pack.ErrTwice},
		{"no codec", &pack.Packer{}, []world.GameObject{id}, pack.ErrCodec},
		{
			"a codec that fails", &pack.Packer{Codecs: []save.Codec{save.Values(note,
				func(dst []byte, _ string) ([]byte, error) { return dst, world.ErrWalking },
				func([]byte) (string, error) { return "", nil })}},
			[]world.GameObject{id},
			world.ErrWalking,
		},
	} {
		b, err := c.p.Pack([]byte("as it was"), s, c.ids...)
		require.ErrorIs(t, err, c.want, c.name)
		assert.Equal(t, "as it was", string(b), c.name)
	}
	for range anyOne.In(s) {
		_, err := packer().Pack(nil, s, id)
		require.ErrorIs(t, err, world.ErrWalking)
		_, err = packer().DigestObjects(s, anyOne)
		require.ErrorIs(t, err, world.ErrWalking)
	}
	c := world.Record(s)
	c.Dispose(id)
	_, err := packer().Pack(nil, s, id)
	require.ErrorIs(t, err, tool.ErrUnapplied)
	world.Close(s)
}

// sealed corrects the size and the hash of a pack.
func sealed(b []byte) []byte {
	if len(b) >= 40 {
		binary.LittleEndian.PutUint64(b[16:], uint64(len(b)))
		binary.LittleEndian.PutUint64(b[8:], xxh3.Hash(b[16:]))
	}
	return b
}

// TestDamagedPacksAreRefused: with any bit wrong, and cut off anywhere; with a hash that fits, too,
// unless what comes out is a valid world.
func TestDamagedPacksAreRefused(t *testing.T) {
	worldtest.OneGoroutine(t)
	s, id, b := one(t)
	s = world.Must(world.Dispose(s, id))
	p := packer()
	for at := range b {
		for bit := range 8 {
			bad := bytes.Clone(b)
			bad[at] ^= 1 << bit
			_, _, err := p.Unpack(nil, s, bad)
			require.Error(t, err, "byte %d", at)
			s = tryUnpack(t, p, s, sealed(bad))
		}
		_, _, err := p.Unpack(nil, s, b[:at])
		require.Error(t, err, "%d bytes", at)
		s = tryUnpack(t, p, s, sealed(bytes.Clone(b[:at])))
	}
	world.Close(s)
}

// tryUnpack unpacks any bytes: the world is valid afterwards, and as it was if there is an error.
// What was made is disposed.
func tryUnpack(tb testing.TB, p *pack.Packer, s world.State, b []byte) world.State {
	tb.Helper()
	before := bytes.Clone(world.Bytes(s))
	s, made, err := p.Unpack(nil, s, b)
	if err != nil {
		require.Equal(tb, before, world.Bytes(s), "%v", err)
		return s
	}
	require.NoError(tb, tool.Verify(s))
	s = world.Must(world.Dispose(s, made...))
	return s
}

func FuzzUnpack(f *testing.F) {
	s, _, b := one(f)
	f.Add(b[40:], uint32(1), uint32(1), uint16(len(all)+2))
	s = live(f, rand.New(rand.NewPCG(1, 1)), s, 200)
	many := world.Must(packer().Pack(nil, s, ids(s)...))
	f.Add(many[40:], uint32(world.Len(s)), little32(many[32:]), uint16(len(all)+2))
	s = world.Must(world.Dispose(s, ids(s)...))
	f.Fuzz(func(t *testing.T, body []byte, objects, groups uint32, kinds uint16) {
		b := append([]byte("flatpack"), make([]byte, 32)...)
		binary.LittleEndian.PutUint32(b[24:], 1)
		binary.LittleEndian.PutUint32(b[28:], objects)
		binary.LittleEndian.PutUint32(b[32:], groups)
		binary.LittleEndian.PutUint16(b[36:], kinds)
		for _, p := range []*pack.Packer{packer(), {Codecs: packer().Codecs, WithoutGlobals: true}} {
			s = tryUnpack(t, p, s, sealed(append(bytes.Clone(b), body...)))
		}
	})
}

func little32(b []byte) uint32 { return binary.LittleEndian.Uint32(b) }

// TestChildrenOfUnpackedObjects: lists of children that were derived before include unpacked
// children, in consecutive and in scattered rows. A pack in which an object is below itself is
// refused.
func TestChildrenOfUnpackedObjects(t *testing.T) {
	s := motley(t, 10, nil)
	var list [4]world.GameObject
	for i := range list {
		s, list[i] = create(t, s, above)
		if i > 0 {
			s = world.Must(world.Set(s, list[i], above, list[i-1]))
		}
	}
	b := world.Must(pack.Pack(nil, s, list[:]...))
	children := func(id world.GameObject) []world.GameObject {
		return slices.Collect(family.Children(s, above, id))
	}
	assert.Equal(t, list[1:2], children(list[0]))
	s, made := world.Must2(pack.Unpack(s, b))
	assert.Equal(t, made[2:3], children(made[1]))
	s = world.Must(world.Dispose(s, list[0], made[2]))
	assert.Empty(t, children(made[1]))
	s, made = world.Must2(pack.Unpack(s, b))
	for i := range 3 {
		assert.Equal(t, made[i+1:i+2], children(made[i]))
	}
	s = world.Must(world.Dispose(s, made...))
	require.NoError(t, tool.Verify(s))
	column := len(b) - 8*len(list)
	for _, place := range []uint64{0, 1, 3} {
		binary.LittleEndian.PutUint64(b[column:], 1<<63|place)
		refused(t, s, packer(), sealed(b), family.ErrRing)
	}
	world.Close(s)
}

// A codec that is handed wrong bytes may refuse them.
func TestValuesThatTheirCodecRefuses(t *testing.T) {
	s, id, b := one(t)
	s = world.Must(world.Dispose(s, id))
	bad := sealed(bytes.Replace(b, []byte("none"), []byte("\xffone"), 1))
	before := bytes.Clone(world.Bytes(s))
	_, _, err := packer().Unpack(nil, s, bad)
	require.ErrorContains(t, err, "no note begins so")
	assert.Equal(t, before, world.Bytes(s))
	world.Close(s)
}

func TestAllocs(t *testing.T) {
	s := motley(t, 300, nil)
	var p pack.Packer
	var list []world.GameObject
	for i := range 200 {
		kinds := []layout.AnyKind{spot, frozen}
		if i%3 == 0 {
			kinds = append(kinds, gun, empty)
		}
		next, id := world.Must2(world.CreateWith(s, kinds...))
		s = world.Must(world.SetName(next, id, "n"))
		s = world.Must(pack.SetGlobal(s, id, uint64(i+1)))
		list = append(list, id)
		if i%3 == 0 {
			s = world.Must(world.Set(s, id, target, list[i/3]))
		}
	}
	var b []byte
	var err error
	round := func() {
		if b, err = p.Pack(b[:0], s, list...); err != nil {
			panic(err)
		}
		if s, err = world.Dispose(s, list...); err != nil {
			panic(err)
		}
		if s, list, err = p.Unpack(list[:0], s, b); err != nil {
			panic(err)
		}
		if _, err = p.DigestObjects(s, anyOne); err != nil {
			panic(err)
		}
	}
	round()
	assert.Zero(t, testing.AllocsPerRun(20, round))
	world.Close(s)
}

// treeWorld returns a world with free room for a tree.
func treeWorld(t *testing.T) world.State {
	t.Helper()
	return world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(above)}))
}

// create creates an object in a world.
func create(t *testing.T, s world.State, kinds ...layout.AnyKind) (world.State, world.GameObject) {
	t.Helper()
	s, id := world.Must2(world.CreateWith(s, kinds...))
	return s, id
}

// outward returns a world, and the pack of an object that refers to another one.
func outward(t *testing.T) (world.State, []byte) {
	t.Helper()
	s, target := create(t, treeWorld(t), above)
	s, id := create(t, s, above)
	s = world.Must(world.Set(s, id, above, target))
	return s, world.Must(pack.Pack(nil, s, id))
}

// TestNoReferenceLeadsToWhatIsMade: one out of a pack is to an object that was there before, also if
// a new object gets the id or the global id that it has.
func TestNoReferenceLeadsToWhatIsMade(t *testing.T) {
	p := pack.Packer{Find: func(id world.GameObject) world.GameObject { return id }}
	s, b := outward(t)
	defer func() { world.Close(s) }()
	empty := treeWorld(t)
	defer func() { world.Close(empty) }()
	for index := range uint32(3) { // 0 is the one that is made
		binary.LittleEndian.PutUint64(b[len(b)-8:], uint64(gameobject.MakeID(index, 1)))
		next, made := world.Must2(p.Unpack(nil, empty, sealed(b)))
		require.Equal(t, 1, p.Lost)
		require.Zero(t, world.Must(world.Get(next, made[0], above)))
		require.NoError(t, tool.Verify(next))
		empty = world.Must(tool.Empty(next, func(*tool.Part) int { return 0 }))
	}

	one := motley(t, 9, nil)
	defer func() { world.Close(one) }()
	one, id := create(t, one, above)
	one = world.Must(pack.SetGlobal(one, id, 5))
	b = world.Must(pack.Pack(nil, one, id))
	at := bytes.LastIndex(b, []byte{5, 0, 0, 0, 0, 0, 0, 0}) // the number; then births, or the reference
	require.Positive(t, at)
	one = world.Must(world.Dispose(one, id))
	for _, reference := range []int{at - 8, at + 8, at + 16} {
		bad := bytes.Clone(b)
		if reference+8 > len(bad) {
			continue
		}
		binary.LittleEndian.PutUint64(bad[reference:], 5)
		one = tryUnpack(t, &p, one, sealed(bad))
	}
}

// TestRingsOfSuspendedReferences: they count, for they come back.
func TestRingsOfSuspendedReferences(t *testing.T) {
	s := treeWorld(t)
	defer func() { world.Close(s) }()
	s, parent := create(t, s, above)
	s, child := create(t, s, above)
	s = world.Must(world.Set(s, child, above, parent))
	s = world.Must(world.Suspend(s, child, above))
	b := world.Must(pack.Pack(nil, s, parent, child))
	s, made := world.Must2(pack.Unpack(s, b))
	s = world.Must(world.Add(s, made[1], above))
	require.Equal(t, made[0], world.Must(world.Get(s, made[1], above)))
	const group = 18                                           // bytes; the reference comes last
	for _, at := range []int{len(b) - 8, len(b) - 8 - group} { // of the child, or of the parent
		bad := bytes.Clone(b)
		binary.LittleEndian.PutUint64(bad[at:], 1<<63|1) // to the child
		refused(t, s, &pack.Packer{}, sealed(bad), family.ErrRing)
	}
}

// TestIdsOfOthersAreChecked: there is one at least, all are of objects, and references are to them.
func TestIdsOfOthersAreChecked(t *testing.T) {
	worldtest.OneGoroutine(t)
	s, b := outward(t)
	defer func() { world.Close(s) }()
	n := len(b)
	change := func(do func(b []byte) []byte) []byte { return sealed(do(bytes.Clone(b))) }
	for name, bad := range map[string][]byte{
		"format 1": change(func(b []byte) []byte { b[24] = 1; return b }),
		"format 0": change(func(b []byte) []byte { b[24] = 0; return b }),
		"none":     change(func(b []byte) []byte { return b[:n-8] }),
		"half":     change(func(b []byte) []byte { return append(b, 1, 2, 3, 4) }),
		"nobody":   change(func(b []byte) []byte { clear(b[n-8:]); return b }),
		"recorded": change(func(b []byte) []byte { b[n-1] = 0x80; return b }),
		"beyond": change(func(b []byte) []byte {
			binary.LittleEndian.PutUint64(b[n-16:], 1<<63|2)
			return b
		}),
	} {
		t.Run(name, func(t *testing.T) { refused(t, s, &pack.Packer{}, bad, pack.ErrDamaged) })
	}
	more := change(func(b []byte) []byte { return append(b, b[n-8:]...) })
	s, _ = world.Must2(pack.Unpack(s, more))
}

// TestKindsThatTheWorldLacks: WithoutGlobals stands for global ids alone, and for nothing else.
func TestKindsThatTheWorldLacks(t *testing.T) {
	s := motley(t, 9, nil)
	defer func() { world.Close(s) }()
	s, marked := create(t, s, frozen)
	s, numbered := create(t, s)
	s = world.Must(pack.SetGlobal(s, numbered, 5))
	bare := treeWorld(t)
	defer func() { world.Close(bare) }()
	for _, id := range []world.GameObject{marked, numbered} {
		b := world.Must(pack.Pack(nil, s, id))
		for _, without := range []bool{false, true} {
			p := pack.Packer{WithoutGlobals: without}
			if id == numbered && without {
				next, made := world.Must2(p.Unpack(nil, bare, b))
				require.Len(t, made, 1)
				bare = next
				continue
			}
			refused(t, bare, &p, b, pack.ErrSchema)
			_, _, err := p.Unpack(nil, bare, b)
			require.ErrorContains(t, err, "the world has no kind ")
		}
	}
}

// TestWhatFollowsOmittedIds: in a pack of another program, a kind may come behind the global ids.
func TestWhatFollowsOmittedIds(t *testing.T) {
	number, births := layout.NewField[uint64]("number"), layout.NewField[uint64]("births")
	twin := layout.NewKind("labolg", number, births)
	s, id := world.Must2(world.CreateWith(world.Must(world.CreateState(world.Counts{
		GameObjects: 2, Kinds: layout.Kinds(twin.Count(2)), Globals: 1,
	})), twin))
	s = world.Must(pack.SetGlobal(world.Must(world.Set(s, id, number, 5)), id, 77))
	b := world.Must(pack.Pack(nil, s, id))
	at, behind := bytes.Index(b, []byte("labolg"))-5, bytes.Index(b, []byte("global"))-5
	for i := range 11 { // their sorts and names
		b[at+i], b[behind+i] = b[behind+i], b[at+i]
	}
	p := pack.Packer{WithoutGlobals: true} // by which 5 is the number now
	s, ids, err := p.Unpack(nil, s, sealed(b))
	require.NoError(t, err)
	require.EqualValues(t, 77, world.Must(world.Get(s, ids[0], number)))
	world.Close(s)
}

// TestGroupsHaveObjects: one at least, and no more than the pack.
func TestGroupsHaveObjects(t *testing.T) {
	s := treeWorld(t)
	defer func() { world.Close(s) }()
	s, first := create(t, s, above)
	s, second := create(t, s, above)
	b := world.Must(pack.Pack(nil, s, first, second))
	none := append(bytes.Clone(b), 0, 0, 0, 0, 0, 0)
	none[32] = 2 // groups
	refused(t, s, &pack.Packer{}, sealed(none), pack.ErrDamaged)
	_, _, err := pack.Unpack(s, none)
	require.ErrorContains(t, err, "a group of 0 objects, of 2")
	many := bytes.Clone(b)
	at := bytes.LastIndex(many, []byte{2, 0, 0, 0, 1, 0})
	require.Positive(t, at)
	many[at] = 3
	_, _, err = pack.Unpack(s, sealed(many))
	require.ErrorContains(t, err, "a group of 3 objects, of 2")
}
