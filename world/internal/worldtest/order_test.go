package worldtest_test

import (
	"bytes"
	"fmt"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/delta"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/flatecs/flatecs/world/memory"
	"github.com/flatecs/flatecs/world/save"
	"github.com/flatecs/flatecs/world/share"
)

// A listed program declares three of each part of Counts, all of a part alike but for their names.
type listed struct {
	kinds     [3]layout.Field[uint32]
	recipes   [3]world.Recipe
	watchers  [3]world.Watcher
	resources [3]world.ResourceKind
	settings  [3]layout.Field[uint32]
	events    [3]world.Events
	numbers   [3]layout.Field[uint32]
	readers   [3]world.EventReader // of the first of events
}

var listedNames = [3]string{"b", "a", "c"}

// declared declares a program. Another one declares the same, as another program does.
func declared() (p listed) {
	for i, name := range listedNames {
		p.kinds[i] = layout.NewComponent[uint32]("kind " + name)
	}
	for i, name := range listedNames {
		p.settings[i] = layout.NewField[uint32]("setting")
		p.resources[i] = world.NewResource("resource "+name, p.settings[i])
		p.numbers[i] = layout.NewField[uint32]("number")
		p.events[i] = world.NewEvents("events "+name, p.numbers[i])
		p.recipes[i] = world.NewRecipe("recipe "+name, p.kinds[0], p.kinds[1])
		p.readers[i] = p.events[0].NewReader("reader " + name)
		p.watchers[i] = world.NewWatcher(world.NewQuery(world.With(p.kinds[0]))).
			Named("watcher " + name).Keep(p.kinds[0])
	}
	return p
}

// A lists says which of each part of Counts there are, in which order.
type lists struct{ kinds, recipes, watchers, resources, events, readers []int }

// each are the lists with which names are tried: part after part in every order of two, and with a
// third before, between and behind them.
func eachLists() (all []lists) {
	base := func() lists {
		return lists{
			[]int{0, 1}, []int{0, 1}, []int{0, 1}, []int{0, 1}, []int{0, 1}, []int{0, 1},
		}
	}
	others := [][]int{{1, 0}, {2, 0, 1}, {0, 2, 1}, {0, 1, 2}, {2, 1, 0}, {1, 2, 0}, {1, 0, 2}}
	all = append(all, base())
	for _, o := range others {
		for part := range 6 {
			l := base()
			*[]*[]int{&l.kinds, &l.recipes, &l.watchers, &l.resources, &l.events, &l.readers}[part] = o
			all = append(all, l)
		}
		all = append(all, lists{o, o, o, o, o, o})
	}
	return all
}

func (p *listed) counts(l lists) world.Counts {
	c := world.Counts{GameObjects: 300, Names: 5, Seed: 3}
	for _, i := range l.kinds {
		c.Kinds = append(c.Kinds, p.kinds[i].Counted())
	}
	for _, i := range l.recipes {
		c.Recipes = append(c.Recipes, p.recipes[i])
	}
	for _, i := range l.watchers {
		c.Watchers = append(c.Watchers, p.watchers[i])
	}
	for _, i := range l.resources {
		c.Resources = append(c.Resources, p.resources[i])
	}
	for _, i := range l.events {
		var readers []world.EventReader
		for _, r := range l.readers {
			if i == 0 {
				readers = append(readers, p.readers[r])
			}
		}
		c.Events = append(c.Events, p.events[i].Count(5+i, readers...))
	}
	return c
}

// live does something else to each of the first two of a part.
func (p *listed) live(s world.State) world.State {
	for i := range 2 {
		for n := range 20 + 3*i {
			var id world.GameObject
			s, id = world.Must2(world.Spawn(s, p.recipes[i]))
			s = world.Must(world.Set(s, id, p.kinds[0], uint32(100*i+n)))
			if (n+i)%2 == 0 {
				s = world.Must(world.Remove(s, id, p.kinds[1]))
			}
		}
		for n := range 3 + 2*i {
			var b world.EventBatch
			s, b = p.events[i].Send(s)
			world.EventColumn(b, p.numbers[i])[0] = uint32(10*i + n)
		}
		s = world.SetResource(s, p.settings[i], uint32(7+i))
	}
	s, _, _ = p.readers[0].Receive(s)
	s = p.watchers[0].Look(s)
	for id := range world.GameObjects(s) {
		if id.Index()%5 == 0 {
			s = world.Must(world.Dispose(s, id))
		}
	}
	s = p.watchers[1].Look(s)
	s, _ = p.watchers[1].Once(s)
	return s
}

// census says by name what a world has of those that listed.live has seen, and of each other part
// that it is new. What is next in a world is found out in a copy.
func (p *listed) census(s world.State, l lists) string {
	var b strings.Builder
	for id := range world.GameObjects(s) {
		fmt.Fprint(&b, id)
		for i := range 2 {
			v, err := world.Get(s, id, p.kinds[i])
			fmt.Fprint(&b, " ", v, err == nil)
		}
	}
	for i := range 2 {
		w := p.watchers[i]
		fmt.Fprint(&b, "\nwatcher ", i, w.Count(s), slices.Collect(w.Left(s)), slices.Collect(w.Entered(s)))
		fmt.Fprint(&b, "\nresource ", i, world.Resource(s, p.settings[i]))
		got, missed := p.readers[i].Unread(s)
		fmt.Fprint(&b, "\nreader ", i, missed)
		for _, batch := range got.Batches() {
			fmt.Fprint(&b, world.EventColumn(batch, p.numbers[0]))
		}
	}
	next := world.Must(world.Clone(s))
	for i := range 2 {
		var id world.GameObject
		next, id = world.Must2(world.Spawn(next, p.recipes[i]))
		var first bool
		next, first = p.watchers[i].Once(next)
		next = p.watchers[i].Look(next)
		fmt.Fprint(&b, "\nnext ", i, id, first, slices.Collect(p.watchers[i].Left(next)))
	}
	world.Close(next)
	if slices.Contains(l.watchers, 2) && p.watchers[2].Count(s) != 0 {
		b.WriteString("the new watcher has seen something")
	}
	if slices.Contains(l.readers, 2) {
		if got, missed := p.readers[2].Unread(s); got.Len()+missed != 0 {
			b.WriteString("the new reader reads what was sent before")
		}
	}
	return b.String()
}

// An otherWay leads from a world to that of another program with other lists, or refuses it.
type otherWay struct {
	name string
	any  bool // it takes any lists
	take func(t *testing.T, s world.State, c world.Counts) (world.State, error)
}

var otherWays = []otherWay{
	{"load", true, func(_ *testing.T, s world.State, c world.Counts) (world.State, error) {
		return loaded(s, c)
	}},
	{"load what memory holds", true, func(_ *testing.T, s world.State, c world.Counts) (world.State, error) {
		m := inMemory(s)
		attached := world.Must(world.Must(memory.Read(m)).Attach(m))
		defer world.Close(attached)
		return loaded(attached, c)
	}},
	{"memory", false, func(_ *testing.T, s world.State, c world.Counts) (world.State, error) {
		return memory.Copy(c, inMemory(s))
	}},
	{"open", false, func(_ *testing.T, s world.State, c world.Counts) (world.State, error) {
		return memory.Open(c, inMemory(s))
	}},
	{"share", false, func(t *testing.T, s world.State, c world.Counts) (world.State, error) {
		t.Helper()
		if runtime.GOOS != "linux" {
			return memory.Copy(c, inMemory(s))
		}
		path := filepath.Join(t.TempDir(), "shared")
		p := world.Must(share.Publish(path, s, share.Options{}))
		defer p.Close()
		check(p.Offer(s))
		r, err := share.Open(path, c)
		if err != nil {
			return world.State{}, err
		}
		defer r.Close()
		frame, err := r.Pin()
		if err != nil {
			return world.State{}, err
		}
		defer frame.Unpin()
		return world.Clone(frame.State())
	}},
	{"delta", false, func(_ *testing.T, s world.State, c world.Counts) (world.State, error) {
		base := world.Must(world.CreateState(world.CountsOf(s)))
		return delta.Apply(world.Must(world.CreateState(c)), world.Must(delta.Append(nil, base, s)))
	}},
}

func inMemory(s world.State) []byte {
	b := memory.Make(world.Must(memory.SizeOf(world.CountsOf(s))))
	p := world.Must(memory.NewSnapshot(s, b))
	check(p.Take(s))
	p.Close()
	return b
}

func loaded(s world.State, c world.Counts) (world.State, error) {
	var b bytes.Buffer
	check(save.Write(&b, s, save.Options{}))
	r := bytes.NewReader(b.Bytes())
	l, report, err := save.Read(r, r.Size(), c, save.Options{})
	if n := len(report.Kept) + len(report.Dropped); err == nil && n > 0 {
		err = fmt.Errorf("kept %q, dropped %q", report.Kept, report.Dropped)
	}
	return l, err
}

// TestNamesDecideAndNotOrder: a world goes to a program that lists all of Counts in another order,
// with more between. It is the same by name, or is refused.
func TestNamesDecideAndNotOrder(t *testing.T) {
	worldtest.OneGoroutine(t)
	p, q := declared(), declared() // the same program twice, as another one declares it
	base := eachLists()[0]
	for i, l := range eachLists() {
		if testing.Short() && i%5 != 0 {
			continue
		}
		s := p.live(world.Must(world.CreateState(p.counts(base))))
		want := p.census(s, base)
		resized := world.Must(world.Resized(s, p.counts(l)))
		require.NoError(t, tool.Verify(resized))
		require.Equal(t, want, p.census(resized, l), "resized, %v", l)
		world.Close(resized)
		same := slices.Equal(l.kinds, base.kinds) && slices.Equal(l.recipes, base.recipes) &&
			slices.Equal(l.resources, base.resources) && slices.Equal(l.events, base.events) &&
			len(l.watchers) == 2 && len(l.readers) == 2
		for _, way := range otherWays {
			other, err := way.take(t, s, q.counts(l)) //flatecs:allow usedup each way leaves it
			if err != nil {
				require.False(t, way.any || same, "%s, %v: %v", way.name, l, err)
				continue
			}
			require.NoError(t, tool.Verify(other), "%s, %v", way.name, l)
			require.Equal(t, want, q.census(other, l), "%s, %v", way.name, l)
			world.Close(other)
		}
		world.Close(s)
	}
}

// TestWatchersThatNothingTellsApart are found in the order of their declarations, and refused where
// there is another number of them.
func TestWatchersThatNothingTellsApart(t *testing.T) {
	kind := layout.NewComponent[uint32]("twin")
	var twins []world.Watcher
	for range 3 {
		twins = append(twins, world.NewWatcher(world.NewQuery(world.With(kind))))
	}
	counts := func(w ...world.Watcher) world.Counts {
		return world.Counts{GameObjects: 9, Kinds: layout.Kinds(kind), Watchers: w}
	}
	s := world.Must(world.CreateState(counts(twins[1], twins[0])))
	s, id := world.Must2(world.CreateWith(s, kind))
	s = twins[0].Look(s)
	ways := map[string]func(c world.Counts) (world.State, error){
		"load":    func(c world.Counts) (world.State, error) { return loaded(s, c) },
		"resized": func(c world.Counts) (world.State, error) { return world.Resized(s, c) },
	}
	for _, name := range slices.Sorted(maps.Keys(ways)) {
		for _, w := range [][]world.Watcher{{twins[0], twins[1]}, {twins[1], twins[0]}} {
			other := world.Must(ways[name](counts(w...)))
			require.Equal(t, []world.GameObject{id}, slices.Collect(twins[0].Members(other)), name)
			require.Zero(t, twins[1].Count(other), name)
		}
		for _, w := range [][]world.Watcher{twins[:1], twins, {twins[2], twins[0], twins[1]}} {
			_, err := ways[name](counts(w...))
			require.ErrorContains(t, err, `2 watchers of all of "twin" have no name`, name)
		}
		_, err := ways[name](counts(twins[0].Named("a"), twins[1]))
		require.ErrorContains(t, err, "have no name", name)
	}
	require.Panics(t, func() {
		_, _ = world.CreateState(counts(twins[0].Named("a"), twins[1].Named("a")))
	})
}
