package index_test

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/index"
	"github.com/flatecs/flatecs/systems/internal/names"
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

// titles are names; some have equal hashes, and some differ only by zeros.
var titles = []string{
	"", "a", "bird", strings.Repeat("long", 15), "\x00", "a\x00b", "x", "x\x00",
	strings.Repeat("x", names.Max), "名前", "liquid", "costarring",
}

// mostTitles is how many objects of an album may have a name, and how many a global id.
const mostTitles = 20

// A label is the name of an object, and its global id.
type label struct {
	named     int // the place among all that were ever named, from 1; 0: without a name
	name      string
	has, kept bool // the global id; it is suspended
	number    uint64
}

// An album is a world of songs, the tables of one field of each sort, and what its objects are
// called beside it.
type album struct {
	*testing.T
	r        *rand.Rand
	a, then  *manager.Arena
	m        *manager.Manager
	w        *index.World
	ranks    *index.Table
	texts    [2]*index.Table // by hashes and by prefixes
	searches *names.Lists

	labels, labelsThen map[gameobject.ID]label
	named, namedThen   int
}

func newAlbum(t *testing.T, seed uint64, objects int) *album {
	t.Helper()
	arena, err := manager.NewArena(manager.Sizes{
		Objects: objects, Keyed: names.GlobalKind.Spec(), InOrder: seed%2 == 1,
		Kinds: []layout.Count{
			song.Count(objects), names.Kind.Count(mostTitles), names.GlobalKind.Count(mostTitles),
			names.Order.Count(1),
		},
	})
	require.NoError(t, err)
	_, err = arena.Managers[3].Create()
	require.NoError(t, err)
	b := &album{
		T: t, r: rand.New(rand.NewPCG(seed, 4)), a: arena, m: &arena.Managers[0],
		w: index.New(arena), searches: names.NewLists(mostTitles),
		labels: map[gameobject.ID]label{},
	}
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
	b.m.Stamps.TouchRow(uint32(row))
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
	switch n := b.r.IntN(52); {
	case n < 16 && has:
		b.write(row, few)
	case n < 22 || !alive:
		if id, err := structure.Create(b.a); err == nil {
			if row, err := b.m.Add(id.Index()); err == nil {
				b.write(row, few)
			}
		}
	case n < 26:
		delete(b.labels, b.a.Objects.At(o))
		b.a.Dispose(o)
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
		b.labelsThen, b.namedThen = maps.Clone(b.labels), b.named
	case n == 36 && b.r.IntN(4) == 0 && b.then.Objects.High() > 0:
		b.a.CopyFrom(b.then, 0)
		b.a.Overwritten()
		b.labels, b.named = maps.Clone(b.labelsThen), b.namedThen
	case n == 37: // a walk over all
		for row := range b.m.Rows.Each {
			b.write(row, few)
		}
	case n == 38:
		require.NoError(b, b.a.Rebuild())
	case n == 39:
		b.toggle(o)
	case n < 46:
		b.call(o)
	default:
		b.number(o)
	}
}

// countLabels returns how many objects have a name or a global id, as of says.
func (b *album) countLabels(of func(label) bool) (n int) {
	for _, l := range b.labels {
		if of(l) {
			n++
		}
	}
	return n
}

// call gives an object a name, or takes it away.
func (b *album) call(object uint32) {
	m, id := &b.a.Managers[1], b.a.Objects.At(object)
	l, name := b.labels[id], titles[b.r.IntN(len(titles))]
	if b.r.IntN(4) == 0 {
		m.Drop(object)
		l.named = 0
		b.labels[id] = l
		return
	}
	full := b.countLabels(func(l label) bool { return l.named > 0 }) == mostTitles
	err := names.Check(m, id, name)
	require.Equal(b, l.named == 0 && full, err != nil)
	if err != nil {
		return
	}
	names.Set(m, &b.a.Managers[3], object, name)
	if l.named == 0 {
		b.named++
		l.named = b.named
	}
	l.name = name
	b.labels[id] = l
}

// fullOfNumbers reports whether no other object can have a global id.
func (b *album) fullOfNumbers() bool {
	return b.countLabels(func(l label) bool { return l.has || l.kept }) == mostTitles
}

// toggle takes an object's global id away, or suspends it, or gives it back: without a number, if
// it had none.
func (b *album) toggle(object uint32) {
	m, id := &b.a.Managers[2], b.a.Objects.At(object)
	switch l := b.labels[id]; {
	case l.has && b.r.IntN(2) == 0:
		m.Drop(object)
		l.has, l.number = false, 0
		b.labels[id] = l
	case l.has:
		require.NoError(b, m.Suspend(object))
		l.has, l.kept = false, true
		b.labels[id] = l
	case l.kept || !b.fullOfNumbers():
		_, err := m.Add(object)
		require.NoError(b, err)
		l.has, l.kept = true, false
		b.labels[id] = l
	}
}

// number gives an object a global id: of its own, one made from another's, or one that is taken.
func (b *album) number(object uint32) {
	const most = 1<<63 - 1
	m, id := &b.a.Managers[2], b.a.Objects.At(object)
	l := b.labels[id]
	number := names.NewGlobal(m, id, 7)
	if b.r.IntN(3) == 0 {
		number = []uint64{0, 5, most, most + 1, l.number}[b.r.IntN(5)]
	}
	if l.has && l.number != 0 && b.r.IntN(2) == 0 {
		first := names.NextGlobal(m, object)
		require.NotEqual(b, first, names.NextGlobal(m, object))
		return
	}
	taken := number == 0 || number > most || !l.has && !l.kept && b.fullOfNumbers()
	for other, of := range b.labels {
		taken = taken || (of.has || of.kept) && of.number == number && other != id
	}
	err := names.CheckGlobal(m, id, number)
	require.Equal(b, taken, err != nil, "%d for %v: %v", number, id, err)
	if err == nil {
		names.SetGlobal(m, object, number)
		l.has, l.kept, l.number = true, false, number
		b.labels[id] = l
	}
}

// wrongLabels compares names and global ids with the given ones.
func (b *album) wrongLabels() string {
	m, g := &b.a.Managers[1], &b.a.Managers[2]
	title := titles[b.r.IntN(len(titles))]
	var want, got []gameobject.ID
	for id, l := range b.labels {
		if l.named > 0 && l.name == title {
			want = append(want, id)
		}
		name, err := names.Of(m, id.Index())
		number, none := names.GlobalOf(g, id.Index())
		found, ok := names.FindGlobal(g, l.number)
		if (err == nil) != (l.named > 0) || err == nil && string(name) != l.name ||
			(none == nil) != l.has || l.has && number != l.number ||
			ok != (l.has && number != 0) || ok && found != id {
			return fmt.Sprintf("%v is %q, %d, and %v is found; want %+v", id, name, number, found, l)
		}
	}
	slices.SortFunc(want, func(x, y gameobject.ID) int {
		return cmp.Compare(b.labels[x].named, b.labels[y].named)
	})
	b.searches.Each(b.a, b.w, title, func(id gameobject.ID) bool {
		got = append(got, id)
		b.searches.Each(b.a, b.w, titles[0], func(gameobject.ID) bool { return true }) // beside it
		return true
	})
	if err := cmp.Or(names.Verify(m), b.a.Verify()); err != nil || !slices.Equal(want, got) {
		return fmt.Sprintf("%q: %v, not %v; %v", title, got, want, err)
	}
	return ""
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
	slices.SortFunc(list, func(x, y single) int {
		return cmp.Or(order(x, y), cmp.Compare(x.id.Index(), y.id.Index()))
	})
	return list
}

func key(rank int64) uint64 { return uint64(rank) ^ 1<<63 }

// wrong compares an answer with all objects.
func (b *album) wrong() string {
	if b.r.IntN(4) == 0 {
		return b.wrongLabels()
	}
	byRank := func() []single {
		return b.all(func(x, y single) int { return cmp.Compare(x.rank, y.rank) })
	}
	byText := func() []single {
		return b.all(func(x, y single) int { return bytes.Compare(x.text, y.text) })
	}
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
		some(byRank(), func(x single) bool { return int64(x.rank) >= low && int64(x.rank) <= high })
		b.ranks.Each(key(low), key(high), yield)
	case 1:
		some(byRank(), func(x single) bool { return int64(x.rank) >= low && int64(x.rank) <= high })
		if count := b.ranks.Count(key(low), key(high)); count != len(want) {
			return fmt.Sprint(count, " from ", low, " to ", high, ", not ", len(want))
		}
		got = want
	case 2:
		some(byRank(), func(x single) bool { return int64(x.rank) == low })
		b.ranks.OfKey(key(low), yield)
	case 3:
		some(byRank(), func(x single) bool { return int64(x.rank) == low })
		id, count := b.ranks.First(key(low))
		if count != len(want) {
			return fmt.Sprint(count, " of ", low, ", not ", len(want))
		}
		first(id, count > 0)
	case 4:
		some(byText(), func(x single) bool { return string(x.text) == word })
		b.texts[0].OfText(word, yield)
	case 5:
		some(byText(), func(x single) bool { return string(x.text) == word })
		first(b.texts[0].FirstOfText(word))
	case 6:
		some(byText(), func(x single) bool { return string(x.text) >= word && string(x.text) <= top })
		b.texts[1].EachText(word, top, yield)
	default:
		lists, list := b.ranks, byRank
		if b.r.IntN(2) == 0 {
			lists, list = b.texts[1], byText
		}
		some(list(), func(single) bool { return true })
		for _, o := range lists.Append(nil) {
			yield(b.a.Objects.At(o))
		}
	}
	if !slices.Equal(want, got) {
		return fmt.Sprint("question ", n, " of ", low, high, word, top, ": ", got, ", not ", want)
	}
	return ""
}

// loop queries while the world changes: each yielded object has the value then, objects ascend, and
// no object that has the value all the time is missing.
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

// TestTablesAgainstValues: whatever happens between queries, to one object, to many or to all
// bytes, tables return the objects that the values give, and names and global ids are found as in
// maps.
func TestTablesAgainstValues(t *testing.T) {
	for _, c := range []struct{ objects, few, steps, between int }{
		{4, 3, 4000, 1}, {40, 3, 4000, 2}, {70, 4, 4000, 2}, {300, 12, 3000, 6}, {800, 4, 1500, 3}, {1000, math.MaxInt16, 800, 40},
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
