package index_test

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/index"
	"github.com/flatecs/flatecs/systems/internal/structure"
)

// A lyric is the text of a field: its length, then its bytes.
type lyric [12]uint8

var (
	ranked = layout.NewField[int16]("ranked", -3)
	lyrics = layout.NewField[lyric]("lyrics")
	song   = layout.NewKind("song", ranked, lyrics)
	words  = []string{"", "a", "b", "prefixed", "prefixed a", "prefixed b", "x", "x\x00"}
)

// An album is a world of songs, the lists of one field of each sort, and the values of its objects
// beside it.
type album struct {
	r     *rand.Rand
	a     *manager.Arena
	then  *manager.Arena
	m     *manager.Manager
	w     *index.World
	ranks *index.Table
	texts [2]*index.Table // by hashes and by prefixes
}

func newAlbum(t *testing.T, seed uint64, objects int) *album {
	t.Helper()
	arena, err := manager.NewArena(manager.Sizes{
		Objects: objects, Kinds: []layout.Count{song.Count(objects)},
	})
	require.NoError(t, err)
	b := &album{r: rand.New(rand.NewPCG(seed, 4)), a: arena, m: &arena.Managers[0], w: index.New(arena)}
	require.Nil(t, b.w.Of(ranked.Spec(), index.Values))
	b.ranks = b.w.Add(b.m, ranked.Spec(), index.Values, nil)
	for i, by := range []index.By{index.Hashes, index.Prefixes} {
		b.texts[i] = b.w.Add(b.m, lyrics.Spec(), by, b.text)
		require.Same(t, b.texts[i], b.w.Of(lyrics.Spec(), by))
	}
	b.then, err = arena.Clone((*manager.Arena).Alike)
	require.NoError(t, err)
	t.Cleanup(func() { b.w.Free(); arena.Free(); b.then.Free() })
	return b
}

// text returns the text in a row.
func (b *album) text(row uint32) []byte {
	l := &manager.Column(b.m, lyrics)[row]
	return l[1:][:l[0]]
}

// write gives a row a rank, most often one of few, and a text.
func (b *album) write(row layout.Row, few int) {
	b.m.TouchRow(uint32(row))
	manager.Column(b.m, ranked)[row] = int16(b.r.IntN(few) - few/2)
	l := &manager.Column(b.m, lyrics)[row]
	word := words[b.r.IntN(len(words))]
	l[0] = uint8(len(word))
	copy(l[1:], word)
}

// step changes an object, some of them, or the whole world.
func (b *album) step(few int) {
	o := uint32(b.r.IntN(b.a.Objects.High() + 1))
	alive := int(o) < b.a.Objects.High() && b.a.Objects.Alive(b.a.Objects.At(o))
	row, has := b.m.RowOf(o % uint32(max(b.a.Objects.High(), 1)))
	switch n := b.r.IntN(40); {
	case n < 16 && has:
		b.write(row, few)
	case n < 22 || !alive:
		if id, err := structure.Create(b.a); err == nil {
			if row, err := b.m.Add(id.Index()); err == nil {
				b.write(row, few)
			}
		}
	case n < 26:
		structure.Dispose(b.a, o)
	case n < 29:
		b.m.Drop(o)
	case n == 29 && b.m.Has(o):
		_ = b.m.Suspend(o)
	case n < 33:
		_, _ = b.m.Add(o) // it may have it
	case n < 35:
		*b.a.Tick++
	case n == 35:
		b.then.CopyFrom(b.a, 0)
	case n == 36 && b.r.IntN(4) == 0 && b.then.Objects.High() > 0:
		b.a.CopyFrom(b.then, 0)
		b.a.Overwritten()
	case n == 37: // a walk over all
		for row := range b.m.All() {
			b.write(row, few)
		}
	}
}

// A single is an object with its values.
type single struct {
	id   gameobject.ID
	rank int16
	text []byte
}

// all returns the objects in the order that an order of values says.
func (b *album) all(order func(x, y single) int) (list []single) {
	for o := range uint32(b.a.Objects.High()) {
		if row, ok := b.m.RowOf(o); ok {
			list = append(list, single{
				b.a.Objects.At(o), manager.Column(b.m, ranked)[row], b.text(uint32(row)),
			})
		}
	}
	slices.SortStableFunc(list, order)
	return list
}

func key(rank int64) uint64 { return uint64(rank) ^ 1<<63 }

// wrong compares an answer with all objects.
func (b *album) wrong() string {
	byRank := b.all(func(x, y single) int { return cmp.Compare(x.rank, y.rank) })
	byText := b.all(func(x, y single) int { return bytes.Compare(x.text, y.text) })
	low, high := int64(b.r.IntN(12)-6), int64(b.r.IntN(12)-6)
	word, top := words[b.r.IntN(len(words))], words[b.r.IntN(len(words))]
	var want, got []gameobject.ID
	some := func(list []single, in func(x single) bool) {
		for _, x := range list {
			if in(x) {
				want = append(want, x.id)
			}
		}
	}
	yield := func(id gameobject.ID) bool { got = append(got, id); return true }
	first := func(id gameobject.ID, ok bool) {
		if want = want[:min(len(want), 1)]; ok {
			got = append(got, id)
		}
	}
	n := b.r.IntN(8)
	switch n {
	case 0:
		some(byRank, func(x single) bool { return int64(x.rank) >= low && int64(x.rank) <= high })
		b.ranks.Each(key(low), key(high), yield)
	case 1:
		some(byRank, func(x single) bool { return int64(x.rank) >= low && int64(x.rank) <= high })
		if count := b.ranks.Count(key(low), key(high)); count != len(want) {
			return fmt.Sprint(count, " from ", low, " to ", high, ", not ", len(want))
		}
		got = want
	case 2:
		some(byRank, func(x single) bool { return int64(x.rank) == low })
		b.ranks.OfKey(key(low), yield)
	case 3:
		some(byRank, func(x single) bool { return int64(x.rank) == low })
		id, count := b.ranks.First(key(low))
		if count != len(want) {
			return fmt.Sprint(count, " of ", low, ", not ", len(want))
		}
		first(id, count > 0)
	case 4:
		some(byText, func(x single) bool { return string(x.text) == word })
		b.texts[0].OfText(word, yield)
	case 5:
		some(byText, func(x single) bool { return string(x.text) == word })
		first(b.texts[0].FirstOfText(word))
	case 6:
		some(byText, func(x single) bool { return string(x.text) >= word && string(x.text) <= top })
		b.texts[1].EachText(word, top, yield)
	default:
		lists, list := b.ranks, byRank
		if b.r.IntN(2) == 0 {
			lists, list = b.texts[1], byText
		}
		some(list, func(single) bool { return true })
		for _, o := range lists.Append(nil) {
			yield(b.a.Objects.At(o))
		}
	}
	if !slices.Equal(want, got) {
		return fmt.Sprint("question ", n, " of ", low, high, word, top, ": ", got, ", not ", want)
	}
	return ""
}

// loop asks while the world changes: what is yielded has the value then, ascends, and none that has
// it all the time is left out.
func (b *album) loop() string {
	rank := int64(b.r.IntN(4) - 2)
	stays, visited := map[gameobject.ID]bool{}, map[gameobject.ID]bool{}
	of := func(id gameobject.ID) bool {
		row, ok := b.m.RowOf(id.Index())
		return ok && b.a.Objects.Alive(id) && int64(manager.Column(b.m, ranked)[row]) == rank
	}
	for _, x := range b.all(func(x, y single) int { return 0 }) {
		stays[x.id] = of(x.id)
	}
	last, wrong := int64(-1), ""
	b.ranks.OfKey(key(rank), func(id gameobject.ID) bool {
		if !of(id) || int64(id.Index()) <= last {
			wrong = fmt.Sprint(id, " is yielded after ", last)
		}
		last, visited[id] = int64(id.Index()), true
		if b.r.IntN(3) == 0 {
			o := uint32(b.r.IntN(b.a.Objects.High()))
			if row, ok := b.m.RowOf(o); ok {
				b.write(row, 4)
			}
		}
		for id := range stays {
			stays[id] = stays[id] && of(id)
		}
		return wrong == ""
	})
	for id, stays := range stays {
		if stays && !visited[id] {
			return fmt.Sprint(id, " is left out")
		}
	}
	return wrong
}

// TestListsAgainstValues: whatever happens between questions, to one object, to many or to all
// bytes, lists answer what the values say.
func TestListsAgainstValues(t *testing.T) {
	for _, c := range []struct{ objects, few, steps, between int }{
		{4, 3, 4000, 1}, {70, 4, 4000, 2}, {300, 12, 3000, 6}, {800, 4, 1500, 3}, {1000, math.MaxInt16, 800, 40},
	} {
		if testing.Short() {
			c.steps /= 4
		}
		seed := rand.Uint64()
		b := newAlbum(t, seed, c.objects)
		for range b.r.IntN(c.objects) {
			b.step(c.few)
		}
		for n := range c.steps {
			for range b.r.IntN(c.between + 1) {
				b.step(c.few)
			}
			wrong := b.wrong()
			if wrong == "" && n%16 == 0 && b.a.Objects.High() > 0 {
				wrong = b.loop()
			}
			if wrong != "" {
				t.Fatalf("seed %d, %+v, step %d: %s", seed, c, n, wrong)
			}
		}
	}
}
