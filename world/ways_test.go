package world_test

import (
	"bytes"
	"cmp"
	"math"
	"slices"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/delta"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/index"
	lists "github.com/flatecs/flatecs/world/list"
	"github.com/flatecs/flatecs/world/memory"
	"github.com/flatecs/flatecs/world/save"
)

var (
	stampFirst  = layout.NewComponent("stamp first", uint8(1))
	stampSecond = world.NewWatcher(world.NewQuery(world.With(stampBody, heroes.Position)))
	stampPoster = world.NewResource("stamp poster", layout.NewField[uint16]("stamp size"))
	stampLate   = stampHits.NewReader("stamp late reader")
	stampByB    = index.New(stampB)
	stampByText = index.OfText(stampTitle)
)

// counts returns the counts of the world: at first those of all lives; then of more kinds and the
// like, in one order or another.
func (l *stampLife) counts() world.Counts {
	c := stampCounts(l.counted)
	if l.resized == 0 {
		return c
	}
	c.Kinds = append(c.Kinds, stampFirst.Count(9))
	c.Resources = append(c.Resources, stampPoster)
	c.Watchers = append(c.Watchers, stampSecond)
	c.Events = []world.EventCount{stampHits.Count(90+l.resized%2, stampLate, stampOther, stampReader)}
	c.Names, c.Globals = c.Names+l.resized%9, c.Globals+l.resized%9
	if l.resized%2 == 1 {
		slices.Reverse(c.Kinds)
		slices.Reverse(c.Recipes)
		slices.Reverse(c.Resources)
		slices.Reverse(c.Watchers)
	}
	return c
}

// A stampWay makes an equal world, in which the life goes on.
type stampWay struct {
	name string
	make func(l *stampLife) world.State
}

var stampWays = []stampWay{
	{"Clone", func(l *stampLife) world.State { return world.Must(world.Clone(l.s)) }},
	{"a file", func(l *stampLife) world.State {
		file := l.file()
		s, _, err := save.Read(bytes.NewReader(file), int64(len(file)), l.counts(), save.Options{})
		return world.Must(s, err)
	}},
	{"a file, in the memory of another world", func(l *stampLife) world.State {
		file, spare := l.file(), world.Must(world.Clone(l.s))
		spare = world.Must(world.SpawnN(spare, stampRock, 9, nil))
		s, _, err := save.Reread(bytes.NewReader(file), int64(len(file)), spare, save.Options{})
		return world.Must(s, err)
	}},
	{"a delta from the beginning", func(l *stampLife) world.State {
		s := world.Must(world.CreateState(l.counts()))
		return world.Must(delta.Apply(s, world.Must(delta.Append(nil, s, l.s))))
	}},
	{"memory.Copy", func(l *stampLife) world.State {
		return world.Must(memory.Copy(l.counts(), l.memory()))
	}},
	{"memory.Open", func(l *stampLife) world.State {
		return world.Must(memory.Open(l.counts(), l.memory()))
	}},
	{"Resized to the same", func(l *stampLife) world.State {
		return world.Must(world.Resized(l.s, l.counts()))
	}},
	{"Resized", func(l *stampLife) world.State {
		l.resized++
		for i := range l.held { // of a world with other counts
			if l.held[i].snapshot != nil {
				l.held[i].snapshot.Close()
			}
			l.held[i] = stampHeld{}
		}
		return world.Must(world.Resized(l.s, l.counts()))
	}},
}

func (l *stampLife) file() []byte {
	var b bytes.Buffer
	require.NoError(l.t, save.Write(&b, l.s, save.Options{}))
	return b.Bytes()
}

func (l *stampLife) memory() []byte {
	b := memory.Make(world.Must(memory.SizeOf(l.counts())))
	p := world.Must(memory.NewSnapshot(l.s, b))
	require.NoError(l.t, p.Take(l.s))
	return b
}

// elsewhere goes on in an equal world.
func (l *stampLife) elsewhere(w *stampWay, when string) {
	l.t.Helper()
	digest, before := world.Digest(l.s), l.resized
	s := w.make(l)
	when = w.name + " after " + when
	require.NoError(l.t, tool.Verify(s), when)
	require.True(l.t, before != l.resized || digest == world.Digest(s), when)
	world.Close(l.s)
	l.s = s
}

// indexed compares what indexes find with what the objects have.
func (l *stampLife) indexed(when string) {
	l.t.Helper()
	var byB, byText []world.GameObject
	numbers, texts := map[world.GameObject]uint32{}, map[world.GameObject]string{}
	for id := range world.GameObjects(l.s) {
		if n, err := world.Get(l.s, id, stampB); err == nil {
			byB, numbers[id] = append(byB, id), n
		}
		if text, err := lists.Text(l.s, id, stampTitle); err == nil {
			byText, texts[id] = append(byText, id), text
		}
	}
	slices.SortStableFunc(byB, func(a, b world.GameObject) int {
		return cmp.Compare(numbers[a], numbers[b])
	})
	slices.SortStableFunc(byText, func(a, b world.GameObject) int {
		return cmp.Compare(texts[a], texts[b])
	})
	require.Equal(l.t, byB, slices.Collect(stampByB.Between(l.s, 0, math.MaxUint32)), when)
	require.Equal(l.t, byText, slices.Collect(stampByText.Between(l.s, "", "z")), when)
}

// walksInOrder writes the field by which the walk goes.
func (l *stampLife) walksInOrder() {
	for b := range stampByB.Sorted(l.s, stampFar) {
		for i := range world.Column(b, stampB) {
			world.Column(b, stampB)[i] *= 3
		}
		if l.r.IntN(3) == 0 {
			break
		}
	}
}

// setsFound changes what a loop over an index finds.
func (l *stampLife) setsFound() {
	for id := range stampByB.Between(l.s, 0, math.MaxUint32/2) {
		if l.r.IntN(4) == 0 {
			l.try(world.Set(l.s, id, stampB, math.MaxUint32-l.r.Uint32N(99)))
		}
	}
}
