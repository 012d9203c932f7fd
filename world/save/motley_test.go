package save

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/heroes"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/stretchr/testify/require"
)

// The kinds of a small world that has something of everything.
var (
	load    = layout.NewField("load", [2]int32{7, 7})
	crate   = layout.NewKind("crate", load)
	pair    = layout.NewField[[3]uint8]("pair")
	coin    = layout.NewKind("coin", pair)
	rumour  = layout.NewValues("rumour", "none")
	hidden  = layout.NewMark("hidden")
	loud    = layout.NewMark("loud")
	depth   = layout.NewField("depth", 2.5)
	sea     = systems.NewResource("sea", depth)
	volume  = layout.NewField[uint16]("volume", 3)
	noise   = systems.NewEvents("noise", volume)
	ears    = noise.NewReader("ears")
	antenna = noise.NewReader("antenna")
	wagon   = systems.NewRecipe("wagon", crate, heroes.Position)
	purse   = systems.NewRecipe("purse", coin, hidden)
	crates  = systems.NewWatcher(systems.NewQuery(systems.With(crate), systems.Without(hidden)))
	either  = systems.NewWatcher(systems.NewQuery(systems.Any(coin, loud)))
	talkers = systems.NewWatcher(systems.NewQuery(systems.With(rumour, crate))).Keep(rumour, load)

	motleyKinds = []layout.Kind{
		crate, coin, hidden, loud, note.Kind(), rumour.Kind(), heroes.Position.Kind(),
		heroes.Velocity.Kind(), heroes.Instance,
	}
	loadedNow = systems.NewQuery(systems.With(crate), systems.Without(loud))
)

func motleyCounts(inOrder bool) systems.Counts {
	return systems.Counts{
		GameObjects: 300, Kinds: []layout.Count{
			crate.Count(192),
			{Kind: coin, Rows: 130, Packed: true},
			hidden.Count(0), loud.Count(0),
			note.Count(20),
			{Kind: rumour.Kind(), Rows: 70, Packed: true},
			heroes.Position.Count(200), heroes.Velocity.Count(66), heroes.Instance.Count(3),
		},
		Recipes:  []systems.Recipe{wagon, purse},
		Watchers: []systems.Watcher{crates, either, talkers}, InOrder: inOrder, Names: 6, Seed: 3,
		Resources: []systems.ResourceKind{sea}, Events: []systems.EventCount{
			noise.Count(5, ears, antenna),
		},
		Commands: 64,
	}
}

func motleyOptions() Options {
	return Options{Codecs: []Codec{verbose, Values(rumour,
		func(dst []byte, v string) ([]byte, error) { return append(dst, v...), nil },
		func(b []byte) (string, error) { return string(b), nil })}}
}

// motley returns a world that much has happened to, more the older it is.
func motley(tb testing.TB, seed uint64) systems.State {
	tb.Helper()
	s, err := systems.CreateState(motleyCounts(seed%2 == 1))
	require.NoError(tb, err)
	return live(s, rand.New(rand.NewPCG(seed, 1)), int(seed%8)*90)
}

// live does n things to a motley world, drawn at random; what is refused is left.
func live(s systems.State, r *rand.Rand, n int) systems.State {
	var ids []systems.GameObject
	ids = slices.AppendSeq(ids, systems.GameObjects(s))
	for range n {
		kind := motleyKinds[r.IntN(len(motleyKinds))]
		var id, other systems.GameObject
		if len(ids) > 0 {
			id, other = ids[r.IntN(len(ids))], ids[r.IntN(len(ids))]
		}
		var made systems.GameObject
		switch r.IntN(28) {
		case 0, 1:
			s, made, _ = systems.Create(s)
		case 2, 3:
			s, made, _ = systems.Spawn(s, wagon)
		case 4, 5:
			s, made, _ = systems.Spawn(s, purse)
		case 6:
			s, made, _ = systems.Copy(s, id)
		case 7:
			s, made, _ = systems.CreateWith(s, crate, loud)
		case 8, 9:
			s, _ = systems.Dispose(s, id)
		case 10:
			s, _ = systems.Dispose(s, id, other)
		case 11:
			s, _ = systems.SpawnN(s, wagon, r.IntN(70), nil)
		case 12, 13, 14, 15:
			s, _ = systems.Add(s, id, kind)
		case 16, 17:
			s, _ = systems.Remove(s, id, kind)
		default:
			s = liveRarer(s, r, id, kind)
		}
		if made != 0 {
			ids = append(ids, made)
		}
	}
	return s
}

// liveRarer does one of the rarer things.
func liveRarer(
	s systems.State, r *rand.Rand, id systems.GameObject, kind layout.Kind,
) systems.State {
	switch r.IntN(20) {
	case 0, 1, 2:
		if kind != coin && kind != rumour.Kind() {
			s, _ = systems.Suspend(s, id, kind)
		}
	case 3:
		s, _, _ = systems.Reset(s, id, kind)
	case 4, 5:
		s = loose(s, r, id)
	case 6:
		name := []string{"a", "b", "ab"}[r.IntN(3)]
		s, _ = systems.SetName(s, id, name)
		for other := range systems.Named(s, name) {
			if !systems.Alive(s, other) {
				panic("names")
			}
		}
	case 7:
		s, _ = systems.Remove(s, id, systems.NameKind)
	case 8:
		s, _ = systems.SetValue(s, id, note, "note")
		s, _ = systems.SetValue(s, id, rumour, "rumour")
	case 9:
		for range r.IntN(7) {
			s, _ = noise.Send(s)
		}
	case 10:
		received, missed := antenna.Unread(s)
		for _, b := range received.Batches() {
			if missed < 0 || b.Len() != len(systems.EventColumn(b, volume)) {
				panic("events")
			}
		}
		s, _, _ = ears.Receive(s)
	case 11:
		s = crates.Look(s)
		hear(s)
	case 12:
		s = talkers.Look(either.Look(s))
		s, _ = either.Once(s)
	case 13, 14:
		s, _ = loadedNow.AddAll(s, loud)
	case 15:
		s, _ = loadedNow.RemoveAll(s, heroes.Position.Kind())
	case 16:
		if r.IntN(4) == 0 {
			s, _ = loadedNow.DisposeAll(s)
		}
	case 17:
		s, _ = systems.NextStream(s)
		s = systems.SetResource(s, depth, float64(r.IntN(9)))
	default:
		s = heroes.MoveAll(systems.Advance(s))
	}
	return s
}

// hear goes through all that is heard of a watcher.
func hear(s systems.State) {
	n := 0
	for range crates.Entered(s) {
		n++
	}
	for range crates.Left(s) {
		n++
	}
	for id := range crates.Members(s) {
		n--
		if id == 0 {
			panic("members")
		}
	}
	if n < -crates.Count(s) {
		panic("member count")
	}
}

// loose creates a component by itself, and mounts it or disposes it, or does neither.
func loose(s systems.State, r *rand.Rand, id systems.GameObject) systems.State {
	kind := []layout.Kind{crate, note.Kind(), heroes.Position.Kind()}[r.IntN(3)]
	s, row, err := systems.CreateComponent(s, kind)
	if err != nil {
		return s
	}
	switch r.IntN(4) {
	case 0:
		return systems.DisposeComponent(s, kind, row)
	case 1, 2:
		s, _ = systems.Mount(s, id, kind, row)
	}
	return s
}

// FuzzLives edits what the parts of a motley world's file hold, makes every checksum right, and
// loads it: whatever loads, lives for up to 100 random changes, and is saved, loads again. An edit is
// eight bytes: what to do, where, and two operands.
func FuzzLives(f *testing.F) {
	worldtest.OneGoroutine(f)
	for seed := range byte(16) {
		f.Add(seed, []byte{})
		f.Add(seed, []byte{1, 7 * seed, 0, 0, 0, 0, 1, 0})
		f.Add(seed, []byte{4, 5 * seed, 2, 0, 1, 0, 0, 0, 2, 3, 1, 0, 0, 0, 255, 255})
	}
	f.Fuzz(livesAny)
}

func livesAny(t *testing.T, seed byte, edits []byte) {
	t.Helper()
	seed %= motleySeeds
	h, parts := parsed(t, motleyFiles(t)[seed])
	for ; len(edits) >= 8; edits = edits[8:] {
		edit32(h, parts, [8]byte(edits))
	}
	f := scatter(h, parts)
	c := motleyCounts(seed%2 == 1)
	s, _, err := Read(f, int64(h.size), c, motleyOptions())
	if err == nil {
		lives(t, s, uint64(seed)+h.tick)
	}
}

// lives checks that a world that was loaded goes on, and loads again after that.
func lives(t *testing.T, s systems.State, seed uint64) {
	t.Helper()
	require.NoError(t, tool.Verify(s))
	r := rand.New(rand.NewPCG(seed, 2))
	s = live(s, r, 50)
	if r.IntN(2) == 0 {
		s, _ = everybody.DisposeAll(s)
	}
	s = live(s, r, 50*r.IntN(2))
	require.NoError(t, tool.Verify(s))
	var file bytes.Buffer
	require.NoError(t, Write(&file, s, motleyOptions()))
	back, _, err := Read(bytes.NewReader(file.Bytes()), int64(file.Len()), systems.CountsOf(s),
		motleyOptions())
	require.NoError(t, err)
	require.NoError(t, tool.Verify(back))
	require.Equal(t, systems.Digest(s), systems.Digest(back))
	s = live(s, rand.New(rand.NewPCG(seed, 3)), 50)
	back = live(back, rand.New(rand.NewPCG(seed, 3)), 50)
	requireSame(t, s, back)
	systems.Close(s)
	systems.Close(back)
}

func requireSame(t *testing.T, a, b systems.State) {
	t.Helper()
	if systems.Digest(a) == systems.Digest(b) {
		return
	}
	d, _ := systems.Must2(tool.FirstDifference(a, b))
	require.Fail(t, "they go on otherwise", "%s", d)
}

const motleySeeds = 16

var everybody = systems.NewQuery()

// motleyParts are the parts that each of the files has.
func motleyParts(tb testing.TB) []part {
	tb.Helper()
	h, _ := parsed(tb, motleyFiles(tb)[0])
	return h.parts
}

// motleyFiles are the files of motley worlds by their seeds.
var files struct {
	sync.Once
	bytes [motleySeeds][]byte
}

func motleyFiles(tb testing.TB) *[motleySeeds][]byte {
	tb.Helper()
	files.Do(func() {
		for seed := range files.bytes {
			s := motley(tb, uint64(seed))
			files.bytes[seed] = write(tb, s, motleyOptions())
			systems.Close(s)
		}
	})
	return &files.bytes
}

// edit32 changes a part, by numbers of four bytes where it has such.
func edit32(h *header, parts [][]byte, e [8]byte) {
	i := int(e[1]) % len(parts)
	b := parts[i]
	if e[0] >= 250 { // another length
		edit(h, parts, [6]byte{e[1], 0, e[2], e[3], 250, 0})
		return
	}
	if len(b) < 4 {
		if len(b) > 0 {
			b[int(e[2])%len(b)] ^= e[4]
		}
		return
	}
	word := func(lo, hi byte) []byte { return b[(int(lo)|int(hi)<<8)%(len(b)/4)*4:][:4] }
	at, other := word(e[2], e[3]), word(e[4], e[5])
	operand := uint32(int16(little.Uint16(e[6:])))
	switch n := little.Uint32(at); e[0] % 8 {
	case 0:
		little.PutUint32(at, operand)
	case 1:
		little.PutUint32(at, n+operand)
	case 2:
		little.PutUint32(at, n^1<<(e[6]%32))
	case 3:
		little.PutUint32(at, little.Uint32(other)+uint32(int8(e[6])))
	case 4: // what two are is exchanged
		little.PutUint32(at, little.Uint32(other))
		little.PutUint32(other, n)
	case 5:
		little.PutUint32(at, uint32(e[6])<<24|uint32(e[7]))
	case 6: // the whole unit
		unit := h.parts[i].unit
		from, to := int(e[4])*unit%len(b), (int(e[2])|int(e[3])<<8)*unit%len(b)
		copy(b[to:][:unit], b[from:][:unit])
	case 7: // the same in two parts, as what is counted twice
		little.PutUint32(at, n+operand)
		if c := parts[int(e[4])%len(parts)]; len(c) >= 40 {
			w := c[int(e[5])%10*4:][:4]
			little.PutUint32(w, little.Uint32(w)+operand)
		}
	}
}
