package systems

import (
	"bytes"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
)

// kindSet is who has what, in a world of maps.
type kindSet = map[GameObject]map[Kind]bool

// A memory is a watcher of maps.
type memory struct {
	watcher Watcher
	rule    rule
	members map[GameObject]bool // at the last look
	gone    map[GameObject]bool // of them: did not match at some time since
	found   [2]int              // objects that left, and that entered
}

// newMemories returns a watcher of every sort of rule; some are watched twice.
func newMemories() (all []*memory, watchers []Watcher) {
	for _, ru := range slices.Concat(rules, rules[:4]) {
		w := NewWatcher(NewQuery(ru.terms...))
		all = append(all, &memory{watcher: w, rule: ru, gone: map[GameObject]bool{}})
		watchers = append(watchers, w)
	}
	return all, watchers
}

func (m *memory) matches(has kindSet, id GameObject) bool {
	h, alive := has[id]
	return alive && m.rule.match(h)
}

// note notes that an object was changed.
func (m *memory) note(has kindSet, id GameObject) {
	if m.members[id] && !m.matches(has, id) {
		m.gone[id] = true
	}
}

// look has both watchers look, and compares what they find.
func (m *memory) look(t *testing.T, s State, has kindSet) State {
	t.Helper()
	var left, entered ids
	now := map[GameObject]bool{}
	for id := range has {
		if m.matches(has, id) {
			now[id] = true
			if !m.members[id] || m.gone[id] {
				entered = append(entered, id)
			}
		}
	}
	for id := range m.members {
		if !now[id] || m.gone[id] {
			left = append(left, id)
		}
	}
	m.members, m.gone = now, map[GameObject]bool{}
	m.found[0] += len(left)
	m.found[1] += len(entered)

	s = m.watcher.Look(s)
	require.Equal(t, len(now), m.watcher.Count(s), m.rule.name)
	require.Equal(t, ascending(left), slices.Collect(m.watcher.Left(s)), m.rule.name)
	require.Equal(t, ascending(entered), slices.Collect(m.watcher.Entered(s)), m.rule.name)
	members := ascending(slices.Collect(maps.Keys(now)))
	require.Equal(t, members, slices.Collect(m.watcher.Members(s)), m.rule.name)
	return s
}

// lookOrForget has both watchers look, or forget: then the next look finds all that match.
func (m *memory) lookOrForget(t *testing.T, s State, has kindSet, r *rand.Rand) State {
	t.Helper()
	if r.IntN(8) > 0 {
		return m.look(t, s, has)
	}
	m.members, m.gone = map[GameObject]bool{}, map[GameObject]bool{}
	s = m.watcher.Forget(s)
	require.Zero(t, m.watcher.Count(s), m.rule.name)
	return s
}

// copied looks in a copy of the world, and finds the same as the world itself.
func (m *memory) copied(t *testing.T, s State) State {
	t.Helper()
	for range 2 {
		other := sure(Clone(s))
		require.Equal(t, slices.Collect(m.watcher.Left(s)), slices.Collect(m.watcher.Left(other)))
		require.Equal(t, slices.Collect(m.watcher.Entered(s)), slices.Collect(m.watcher.Entered(other)))
		require.Equal(t, m.watcher.Count(s), m.watcher.Count(other))
		other, s = m.watcher.Look(other), m.watcher.Look(s)
		require.True(t, bytes.Equal(Bytes(s), Bytes(other)))
	}
	return s
}

// A crowd is a world of maps that changes one object at a time.
type crowd struct {
	*stage
	r        *rand.Rand
	live     []GameObject
	has      kindSet
	memories []*memory
}

func newCrowd(t *testing.T, objects int, seed uint64) *crowd {
	t.Helper()
	memories, watchers := newMemories()
	return &crowd{
		newStage(t, objects, watchers...), rand.New(rand.NewPCG(seed, 2)), nil, kindSet{}, memories,
	}
}

// born creates an object in both worlds, if there is room.
func (c *crowd) born() {
	s, id, err := CreateGameObject(c.s)
	if c.s = s; err == nil {
		c.live, c.has[id] = append(c.live, id), map[Kind]bool{}
	}
}

// change does one random change of structure on both worlds.
func (c *crowd) change() {
	c.Helper()
	op := c.r.IntN(20)
	if len(c.live) == 0 || op < 3 {
		c.born()
		return
	}
	i := c.r.IntN(len(c.live))
	id, k := c.live[i], tried[c.r.IntN(len(tried))]
	switch {
	case op < 6:
		c.dispose(id)
		c.live = slices.Delete(c.live, i, i+1)
		delete(c.has, id)
	case c.has[id][k]:
		c.remove(id, k)
		delete(c.has[id], k)
	default:
		c.add(id, k)
		c.has[id][k] = true
	}
	for _, m := range c.memories {
		m.note(c.has, id)
	}
}

// TestSeed_A11_AgainstModel: watchers of every sort of rule, each looking now and then at a world of
// random history, against maps.
func TestSeed_A11_AgainstModel(t *testing.T) {
	for _, size := range []struct{ objects, operations, every int }{
		{1, 2_000, 1}, {64, 20_000, 3}, {150, 100_000, 15}, {9_000, 60_000, 1_000},
	} {
		if !atLength() {
			size.operations /= 20
		}
		seed := rand.Uint64()
		t.Log("objects", size.objects, "seed", seed)
		c := newCrowd(t, size.objects, seed)
		for range size.objects / 2 {
			c.born()
		}
		for range size.operations {
			c.change()
			if m := c.memories[c.r.IntN(len(c.memories))]; c.r.IntN(size.every) == 0 {
				c.s = m.lookOrForget(t, c.s, c.has, c.r)
			}
		}
		require.NoError(t, ArenaOf(c.s).Verify())
		for _, m := range c.memories {
			c.s = m.look(t, c.s, c.has)
			if size.objects > 1 && atLength() && m.found == [2]int{} &&
				m.rule.name != "none of any" {
				t.Errorf("%s: nothing was found", m.rule.name)
			}
		}
		for range 100 {
			c.change()
		}
		for _, m := range c.memories {
			c.s = m.copied(t, c.s)
		}
	}
}

// TestWatchersAgainstMirror: the same with every other way to change a world: spawning, copying,
// disposing and changing in bulk, tidying; packed kinds, and indexes in order.
func TestWatchersAgainstMirror(t *testing.T) {
	OneGoroutine(t)
	rounds := 8
	if !atLength() {
		rounds = 2
	}
	for round := range rounds {
		seed := rand.Uint64()
		t.Log("seed", seed)
		memories, watchers := newMemories()
		m := newMirror(t, 700, 700, seed)
		m.s = mirrorState(t, m.r, watchers)
		m.between = func() {
			for _, y := range memories {
				for id := range y.members {
					y.note(m.has, id)
				}
			}
		}
		for range 1500 {
			require.NoError(t, m.change())
			m.between()
			if y := memories[m.r.IntN(len(memories))]; m.r.IntN(10+round) == 0 {
				m.s = y.lookOrForget(t, m.s, m.has, m.r)
				require.NoError(t, ArenaOf(m.s).Verify())
			}
		}
		for _, y := range memories {
			m.s = y.look(t, m.s, m.has)
			m.s = y.copied(t, m.s)
		}
	}
}

// mirrorState returns a world as a mirror has it, and watchers.
func mirrorState(t *testing.T, r *rand.Rand, watchers []Watcher) State {
	t.Helper()
	s := sure(CreateState(Counts{
		GameObjects: 700, Recipes: []Recipe{recipeAC, recipeAB}, InOrder: r.IntN(2) == 0,
		Watchers: watchers,
		Kinds: []layout.Count{
			kindA.Count(700), kindB.Count(700), markX.Count(0), markY.Count(0),
			{Kind: kindC, Rows: 700, Packed: r.IntN(2) == 0},
		},
	}))
	return s
}
