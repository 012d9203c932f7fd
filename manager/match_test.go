package manager

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flatecs/flatecs/layout"
)

// TestTwoOnlys: an object has all kinds of both rules, and none that one of them does not name, so
// that rules of different kinds match nobody.
func TestTwoOnlys(t *testing.T) {
	a := sure(NewArena(Sizes{
		Objects: 4, Kinds: []layout.Count{modelKind.Count(4), modelMark.Count(0)},
	}))
	kind, mark := &a.Managers[0], &a.Managers[1]
	for object := range uint32(4) { // nothing, the kind, the mark, both
		_ = sure(a.Objects.Create(0))
		for i, m := range []*Manager{kind, mark} {
			if object>>i&1 != 0 {
				_ = sure(m.Add(object))
			}
		}
	}
	one, both := []*Manager{kind}, []*Manager{kind, mark}
	for name, c := range map[string]struct {
		rules [][]*Manager
		want  uint64
	}{
		"one":             {[][]*Manager{one}, 1 << 1},
		"both":            {[][]*Manager{both}, 1 << 3},
		"one twice":       {[][]*Manager{one, one}, 1 << 1},
		"both twice":      {[][]*Manager{both, both}, 1 << 3},
		"one, then both":  {[][]*Manager{one, both}, 0},
		"both, then one":  {[][]*Manager{both, one}, 0},
		"one of each":     {[][]*Manager{one, {mark}}, 0},
		"both and either": {[][]*Manager{both, one, {mark}}, 0},
	} {
		m := a.NewMatch()
		for _, kinds := range c.rules {
			m.RequireOnly(kinds)
		}
		assert.Equal(t, c.want, m.Block(0), name)
	}
}
