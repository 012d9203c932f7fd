package manager

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
)

// watched returns an arena of n live objects without components, and a watcher of each of rules.
func watched(t *testing.T, n int, rules ...ruled) *Arena {
	t.Helper()
	a := sure(NewArena(Sizes{Objects: n, Watchers: make([]string, len(rules)), Kinds: []layout.Count{modelKind.Count(n), modelMark.Count(0)}}))
	for i, rule := range rules {
		m := a.NewMatch()
		rule.add(a, &m)
		a.Watch(i, rule.key, m)
	}
	for range n {
		_ = sure(a.Objects.Create(0))
	}
	return a
}

// A ruled is rules with their key.
type ruled struct {
	key string
	add func(a *Arena, m *Match)
}

var (
	withModel  = ruled{"model", func(a *Arena, m *Match) { m.Require(&a.Managers[0]) }}
	withMark   = ruled{"mark", func(a *Arena, m *Match) { m.Require(&a.Managers[1]) }}
	withoutAny = ruled{"none", func(a *Arena, m *Match) { m.Forbid(&a.Managers[0], &a.Managers[1]) }}
	onlyMark   = ruled{"only", func(a *Arena, m *Match) { m.RequireOnly([]*Manager{&a.Managers[1]}) }}
	anyOfBoth  = ruled{"any", func(a *Arena, m *Match) {
		m.RequireAny([]*Manager{&a.Managers[0], &a.Managers[1]})
	}}
)

func TestWatchIsToldOfItsKindsOnly(t *testing.T) {
	a := watched(t, 10, withModel, withMark, withModel, withoutAny, onlyMark, anyOfBoth)
	require.Len(t, a.Watches, 5)
	assert.Len(t, a.Watches[0].Watchers, 2)
	assert.Equal(t, []*Watch{a.Watches[0], a.Watches[2], a.Watches[3], a.Watches[4]}, a.Managers[0].watches)
	assert.Equal(t, []*Watch{a.Watches[1], a.Watches[2], a.Watches[3], a.Watches[4]}, a.Managers[1].watches)
	assert.Equal(t, []*Watch{a.Watches[2]}, a.bare)
}

// TestLastGeneration: an index in its last generation leaves like any other.
func TestLastGeneration(t *testing.T) {
	a := watched(t, 3, withoutAny)
	a.Objects.Generations[1] = gameobject.LastGeneration
	w := &a.Watchers[0]
	w.Look()
	a.Objects.Dispose(1)
	w.Look()
	assert.Equal(t, []gameobject.ID{gameobject.MakeID(1, gameobject.LastGeneration)}, slices.Collect(w.Left))
	w.Look()
	assert.Empty(t, slices.Collect(w.Left))
}
