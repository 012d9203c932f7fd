package manager

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flatecs/flatecs/layout"
)

// TestTwoOnlys: an object must have all kinds of both rules, and no kind that either rule does not
// name, so that rules with different kinds match no object.
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

// TestWholeBlocksOfTwoGroups: every sequence of a few changes of the last block of a group and the
// first block of the next one: which blocks are complete, and joined to the block before.
func TestWholeBlocksOfTwoGroups(t *testing.T) {
	const objects = 66 * 64
	newWorld := func() *Arena {
		return sure(NewArena(Sizes{Objects: objects, Kinds: []layout.Count{modelKind.Count(2 * objects)}}))
	}
	blank, a := newWorld(), newWorld()
	for range objects {
		_ = sure(blank.Objects.Create(0))
	}
	m := &a.Managers[0]
	var deeds []func()
	for block := uint32(63); block < 65; block++ {
		absent := func() uint64 { return full &^ m.Blocks.Present(block) }
		deeds = append(
			deeds,
			func() { m.AddBlock(block, absent()) },
			func() { m.DropBlock(block, m.Blocks.Present(block)) },
			func() { m.Drop(block<<6 + 5) },
			func() { // its row is not beside the others
				if m.Drop(block<<6 + 9); m.Rows.High() < m.Rows.Cap() {
					_ = sure(m.Create())
				}
			},
		)
	}
	for sequence := range 1 << 15 { // five of eight
		a.CopyFrom(blank, 0)
		for rest := sequence; ; rest >>= 3 {
			deeds[rest&7]()
			if rest < 8 {
				break
			}
		}
		for block := uint32(62); block < 66; block++ {
			whole := m.Blocks.Groups[block>>6].Whole>>(block&63)&1 != 0
			if whole != m.Blocks.whole(block) {
				t.Fatalf("after sequence %o block %d is whole: %t", sequence, block, whole)
			}
		}
	}
}
