package systems

import (
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestNamedWalks(t *testing.T) {
	s, ids := fullWorld(t)
	for _, i := range []int{5, 3, 1, 8, 6} {
		s = christen(t, s, ids[i], "a")
	}
	s = sure(Remove(s, ids[5], NameKind))
	s = christen(t, s, ids[5], "a") // its row is the first again, and its turn the last
	order := []GameObject{ids[3], ids[1], ids[8], ids[6], ids[5]}
	var want, got [][2]GameObject
	for _, a := range order {
		for _, b := range order {
			want = append(want, [2]GameObject{a, b})
		}
	}
	for a := range Named(s, "a") {
		for b := range Named(s, "a") {
			got = append(got, [2]GameObject{a, b})
		}
		for range Named(s, "a") {
			break
		}
	}
	assert.Equal(t, want, got)

	var turns []GameObject
	for id := range Named(s, "a") {
		turns = append(turns, id)
		switch id {
		case ids[3]:
			s = sure(Dispose(s, ids[1]))
			s = christen(t, s, ids[8], "b")
			s = christen(t, s, ids[2], "a")
		case ids[6]:
			s = christen(t, s, ids[8], "a")
		}
	}
	assert.Equal(t, []GameObject{ids[3], ids[6], ids[5]}, turns)
	whole(t, s)
}

func TestNamedWalksThatOverlap(t *testing.T) {
	s, ids := fullWorld(t)
	for i, name := range []string{"a", "a", "b", "b", "c", "c"} {
		s = christen(t, s, ids[i], name)
	}
	next := func(pull func() (GameObject, bool)) GameObject {
		id, _ := pull()
		return id
	}
	a, endA := iter.Pull(Named(s, "a"))
	assert.Equal(t, ids[0], next(a))
	b, endB := iter.Pull(Named(s, "b"))
	assert.Equal(t, ids[2], next(b))
	endA()
	c, endC := iter.Pull(Named(s, "c"))
	assert.Equal(t, ids[4], next(c))
	assert.Equal(t, ids[3], next(b))
	assert.Equal(t, ids[5], next(c))
	endB()
	endC()
}

func TestNamesOfOneHash(t *testing.T) {
	s, ids := fullWorld(t)
	s = christen(t, s, ids[3], "costarring")
	s = christen(t, s, ids[2], "liquid")
	s = christen(t, s, ids[1], "costarring")
	assert.Equal(t, []GameObject{ids[2]}, slices.Collect(Named(s, "liquid")))
	assert.Equal(t, []GameObject{ids[3], ids[1]}, slices.Collect(Named(s, "costarring")))
}

func TestNamedInATask(t *testing.T) {
	s, ids := fullWorld(t)
	s = christen(t, s, ids[3], "a")
	s = christen(t, s, ids[1], "a")
	w := NewWorkers(3)
	defer w.Close()
	task := Task{Run: []func(State) State{func(s State) State {
		for range 100 {
			assert.Equal(t, []GameObject{ids[3], ids[1]}, slices.Collect(Named(s, "a")))
		}
		_, err := SetName(s, ids[1], "b")
		assert.ErrorIs(t, err, ErrWalking)
		return s
	}}}
	s = RunTasks(s, w, []Task{task, task, task, task})
	whole(t, s)
}

// TestReadersByNameAndOfWatchers: several goroutines at once, and each finds all.
func TestReadersByNameAndOfWatchers(t *testing.T) {
	s, ids := fullWorld(t)
	for _, i := range []int{7, 2, 5} { // not in the order of their rows
		s = christen(t, s, ids[i], "a")
		s = christen(t, s, ids[i+1], "b")
	}
	s = sure(Remove(s, ids[7], NameKind))
	s = christen(t, s, ids[7], "a")
	want := []GameObject{ids[2], ids[5], ids[7]}
	w := NewWatcher(NewQuery(With(NameKind)))
	watched := sure(CreateState(Counts{GameObjects: 200, Names: 100, Watchers: []Watcher{w}}))
	for range 100 {
		watched = changed(createNamed(watched, "c"))
	}
	watched = w.Look(watched)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 200 {
				for range Named(s, "b") {
					assert.Equal(t, want, slices.Collect(Named(s, "a")))
				}
				n := 0
				for range w.Members(watched) {
					n++
				}
				for range w.Entered(watched) {
					n++
				}
				for range w.Left(watched) {
					n++
				}
				assert.Equal(t, 200, n)
			}
		})
	}
	all.Wait()
	w.Look(watched) // nobody is in a loop any more
}

// A census is names as anyone would keep them first.
type census struct {
	s     State
	r     *rand.Rand
	alive []GameObject
	names map[GameObject]string
	order map[GameObject]int
	last  int
}

var someNames = []string{
	"", "a", "b", "bird", "birds", strings.Repeat("long", 15), "é", "\x00", "a\x00b", "x", "x\x00",
	strings.Repeat("x", MaxName), "名前",
}

func (m *census) set(id GameObject, name string) {
	if _, ok := m.names[id]; !ok {
		m.last++
		m.order[id] = m.last
	}
	m.names[id] = name
}

func (m *census) step(t *testing.T) {
	t.Helper()
	var err error
	var id GameObject
	if len(m.alive) > 0 {
		id = m.alive[m.r.IntN(len(m.alive))]
	}
	name := someNames[m.r.IntN(len(someNames))]
	_, has := m.names[id]
	switch op := m.r.IntN(20); {
	case op < 4 || id == 0:
		if m.s, id, err = Create(m.s); err == nil {
			m.alive = append(m.alive, id)
		}
	case op < 6:
		if m.s, id, err = createNamed(m.s, name); err == nil {
			m.alive = append(m.alive, id)
			m.set(id, name)
		}
	case op < 12:
		m.s, err = SetName(m.s, id, name)
		require.Equal(t, !has && len(m.names) == 20, err != nil)
		if err == nil {
			m.set(id, name)
		}
	case op < 14:
		m.s, err = Remove(m.s, id, NameKind)
		require.Equal(t, has, err == nil)
		delete(m.names, id)
	case op < 17:
		m.s = sure(Dispose(m.s, id))
		m.alive = slices.DeleteFunc(m.alive, func(other GameObject) bool { return other == id })
		delete(m.names, id)
	case op < 18:
		m.s = sure(Tidy(m.s))
	default:
		m.s = sure(Clone(m.s))
	}
}

func (m *census) check(t *testing.T) {
	t.Helper()
	for _, name := range someNames {
		var want []GameObject
		for id, has := range m.names {
			if has == name {
				want = append(want, id)
			}
		}
		slices.SortFunc(want, func(a, b GameObject) int { return m.order[a] - m.order[b] })
		require.Equal(t, want, slices.Collect(Named(m.s, name)), "%q", name)
	}
	for _, id := range m.alive {
		want, has := m.names[id]
		name, err := NameOf(m.s, id)
		require.Equal(t, has, err == nil)
		require.Equal(t, want, name)
	}
	require.NoError(t, ArenaOf(m.s).Verify())
}

func TestNamesAgainstModel(t *testing.T) {
	OneGoroutine(t)
	for seed := range uint64(4) {
		s := sure(CreateState(Counts{GameObjects: 40, Names: 20, InOrder: seed%2 == 1}))
		m := census{
			s: s, r: rand.New(rand.NewPCG(seed, 9)),
			names: map[GameObject]string{}, order: map[GameObject]int{},
		}
		for range 600 {
			m.step(t)
			m.check(t)
		}
	}
}
