package world_test

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/delta"
	"github.com/flatecs/flatecs/world/family"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/index"
	lists "github.com/flatecs/flatecs/world/list"
	"github.com/flatecs/flatecs/world/memory"
	"github.com/flatecs/flatecs/world/pack"
	"github.com/flatecs/flatecs/world/save"
	"github.com/flatecs/flatecs/world/schedule"
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
	digest, lines, before := world.Digest(l.s), linesOf(l.s), l.resized
	s := w.make(l)
	when = w.name + " after " + when
	require.NoError(l.t, tool.Verify(s), when)
	require.Equal(l.t, lines, linesOf(s), when)
	require.True(l.t, before != l.resized || digest == world.Digest(s), when)
	world.Close(l.s)
	l.s = s
}

// linesOf says all that a world holds, object by object.
func linesOf(s world.State) (lines []string) {
	kinds := append((*stampLife).all(nil), family.ChildOf.Kind())
	add := func(values ...any) { lines = append(lines, fmt.Sprint(values...)) }
	for id := range world.GameObjects(s) {
		name, _ := world.NameOf(s, id)
		global, _ := pack.GlobalOf(s, id)
		add(id, " ", name, " ", global)
		for _, k := range kinds {
			row, _ := world.RowOf(s, id, k)
			for _, f := range k.Spec().Fields {
				if value, _ := tool.ValueOf(s, f, id); value != nil {
					add(id, " ", f, " ", row, " ", tool.Text(f, value))
				}
			}
			if world.Has(s, id, k) && len(k.Spec().Fields) == 0 {
				add(id, " ", k)
			}
		}
		for end, by := range stampNet.Out(s, id) {
			add(id, " to ", end, " by ", by)
		}
	}
	for cell := range 36 {
		add(cell, ": ", stampYard.Occupant(s, cell))
	}
	add(world.Tick(s), world.Resource(s, stampScore), world.Must(lists.Of(s, 0, stampBest)))
	c := world.Must(world.Clone(s))
	defer func() { world.Close(c) }()
	for _, r := range []world.EventReader{stampReader, stampOther} {
		unread, missed := r.Unread(s)
		add(r, " missed ", missed)
		for _, b := range unread.Batches() {
			for _, power := range world.EventColumn(b, stampPower) {
				add(r, " ", power)
			}
		}
	}
	c, stream := world.NextStream(stampWatch.Look(c))
	add(slices.Collect(stampWatch.Entered(c)), slices.Collect(stampWatch.Left(c)))
	for id := range stampWatch.Left(c) {
		last, err := world.LastOf(c, stampWatch, id, stampA)
		add("last ", id, last, err)
	}
	add(stream.Uint64())
	return lines
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

// treeAsText spawns a tree, which is the one that its text says.
func (l *stampLife) treeAsText() {
	leaf := family.Tree{
		Name: "leaf", Recipe: stampHero, Kinds: []layout.AnyKind{family.ChildOf, stampFriend},
		Values: []layout.FieldValue{stampFriend.Value(family.Member(0)), stampB.Value(l.r.Uint32())},
	}
	tree := family.Tree{
		Recipe: stampRock, Kinds: []layout.AnyKind{stampBag}, Children: []family.Tree{leaf},
		Values: []layout.FieldValue{stampBag.Value(l.items()...)},
	}
	text := world.Must(family.AppendTrees(nil, tree))
	trees := world.Must(family.ParseTrees(string(text), l.counts()))
	other, _, err := family.Spawn(world.Must(world.Clone(l.s)), trees[0])
	l.made(family.Spawn(l.s, tree))
	require.Equal(l.t, err == nil, l.last != 0)
	require.Equal(l.t, world.Digest(l.s), world.Digest(other), "%s", text)
	world.Close(other)
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

func stampGrow(s world.State) world.State {
	for b := range stampBags.In(s) {
		bags := lists.Column(b, stampBag)
		for i := 0; i < bags.Len(); i += 5 {
			for k := range bags.At(i) {
				bags.At(i)[k]++
			}
		}
		b.Add(0, heroes.Velocity)
	}
	return s
}

func stampMove(s world.State) world.State {
	for b := range stampFar.In(s) {
		for i, v := range world.Column(b, heroes.Velocity) {
			world.Column(b, stampB)[i] += uint32(int32(v))
		}
		b.Dispose(b.Len() - 1)
	}
	return s
}

// newStampPlan returns a schedule whose jobs run side by side, and in parts.
func newStampPlan(workers int) *schedule.Schedule {
	p := schedule.New(workers)
	err := p.Register(schedule.Pipeline{
		Name: "step",
		Groups: []schedule.Group{
			{Name: "all", Elements: []string{"side", "apply"}},
			{Name: "side", Link: schedule.Merge, Elements: []string{"bags", "moves"}},
		},
		Jobs: []schedule.Job{
			{Name: "bags", Run: stampGrow, Queries: []world.Query{stampBags}, Split: true, Part: 1},
			{Name: "moves", Run: stampMove, Queries: []world.Query{stampFar}},
			{Name: "apply", Do: world.Apply},
		},
	})
	return world.Must(p, err)
}
