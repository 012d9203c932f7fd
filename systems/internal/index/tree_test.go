package index

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTreeAgainstModel: after batches of changes, also of all entries in a row or behind the last
// one, a tree has the entries that a sorted slice has, and finds each.
func TestTreeAgainstModel(t *testing.T) {
	const room = 2000
	r := rand.New(rand.NewPCG(3, 3))
	for range 8 {
		var tree tree
		var w waiting
		spare := pairs{make([]uint64, room), make([]uint32, room)}
		memory, _ := Reserve(func(c *Cutter) {
			tree.carve(c, room)
			w.carve(c, 64*room)
		})
		tree.fill(nil, nil)
		model := map[entry]bool{}
		top, keys := uint64(1000), 1+r.Uint64N(500)
		for range 60 {
			draw := func() entry { return entry{r.Uint64N(keys), r.Uint32N(50)} }
			switch n := r.IntN(200); r.IntN(4) {
			case 0: // the last ones go
				for _, e := range sorted(model)[max(0, len(model)-n):] {
					w.gone.add(e)
					delete(model, e)
				}
			case 1: // others come behind the last one
				for range min(n, room-len(model)) {
					top++
					w.come.add(entry{top, 1})
					model[entry{top, 1}] = true
				}
			default:
				for range n {
					switch e := draw(); {
					case model[e]:
						w.gone.add(e)
						delete(model, e)
					case len(model) < room:
						w.come.add(e)
						model[e] = true
					}
				}
			}
			want := sorted(model)
			if !w.apply(&tree, spare) {
				var all pairs
				for _, e := range want {
					all.add(e)
				}
				tree.fill(all.keys, all.objects)
			}
			p := place{}
			for _, e := range want {
				got, ok := tree.get(&p)
				q := tree.seek(e)
				if found, _ := tree.get(&q); !ok || got != e || found != e {
					t.Fatalf("%v and %v; want %v", got, found, e)
				}
				p.i++
			}
			_, ok := tree.get(&p)
			require.False(t, ok)
		}
		memory.Free()
	}
}

func sorted(model map[entry]bool) (list []entry) {
	for e := range model {
		list = append(list, e)
	}
	slices.SortFunc(list, entry.compare)
	return list
}
