package world_test

import (
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
)

func queryOperations() []operation {
	return []operation{
		{"walk", func(s world.State) world.State {
			for b := range busyPairs.In(s) {
				pair, count := world.Column(b, busyPair), world.Column(b, busyCount)
				p := world.Column(b, heroes.Position)
				for i := range pair {
					pair[i][0] += p[i][1]
					count[i]++
				}
			}
			return s
		}},
		{"walk, and break", func(s world.State) world.State {
			for b := range busyPairs.In(s) {
				world.Flat[float32](b, busyPair)[0] = 9
				break
			}
			return s
		}},
		{"walks one inside the other", func(s world.State) world.State {
			for range busyOuter.In(s) {
				for b := range busyPairs.In(s) {
					world.Column(b, busyCount)[0]++
				}
			}
			return s
		}},
		{"ids of a walk", func(s world.State) world.State {
			for b := range busyEither.In(s) {
				for i := range b.Len() {
					_ = b.ID(i)
				}
			}
			return s
		}},
		{"Count", func(s world.State) world.State {
			_ = busyEither.Count(s)
			return s
		}},
	}
}

// busySeen keeps what is read, so that the reading is not left out.
var busySeen uint64

func saw(yes bool) {
	if yes {
		busySeen++
	}
}

func lookupOperations(ids []world.GameObject) []operation {
	id := ids[40]
	return []operation{
		{"rows by id", func(s world.State) world.State {
			busySeen += uint64(world.Must(world.RowOf(s, id, heroes.Position)))
			busySeen += uint64(world.Must(world.RowOf(s, id, heroes.Velocity)))
			busySeen += uint64(world.Must(world.RowOf(s, id, heroes.MaxVelocity)))
			busySeen += uint64(world.Must(world.RowOf(s, id, heroes.Instance)))
			busySeen += uint64(world.Must(world.RowOf(s, id, busyMixed)))
			return s
		}},
		{"Has", func(s world.State) world.State {
			saw(world.Has(s, id, busyMixed))
			saw(world.Has(s, id, heroes.Position) && world.Has(s, id, heroes.Velocity))
			saw(world.Has(s, id, heroes.MaxVelocity) && world.Has(s, id, heroes.Instance))
			saw(world.Has(s, ids[17], busyMixed)) // dead
			return s
		}},
		{"ObjectOf", func(s world.State) world.State {
			owner, ok := world.ObjectOf(s, heroes.Position, 9)
			saw(ok && owner != 0)
			return s
		}},
		{"Get", func(s world.State) world.State {
			saw(world.Must(world.Get(s, id, busyPair))[0] > 0)
			return s
		}},
		{"Reader", func(s world.State) world.State {
			r := world.Open(s, heroes.Position)
			for _, id := range ids {
				p, ok := r.At(id)
				saw(ok && p[1] != 0)
			}
			return s
		}},
		{"GameObjects", func(s world.State) world.State {
			for id := range world.GameObjects(s) {
				busySeen += uint64(id)
			}
			return s
		}},
		{"All", func(s world.State) world.State {
			for row := range world.All(s, heroes.Position) {
				busySeen += uint64(row)
			}
			return s
		}},
		{"numbers", func(s world.State) world.State {
			saw(world.Alive(s, id) && world.Live(s) > 0 && tool.MaxUID(s) > 0)
			saw(world.Must(tool.GameObjectAt(s, 40)) == id)
			saw(tool.MaxIndex(s, busyMixed) < tool.Cap(s, busyMixed))
			saw(tool.Mounted(s, busyMixed) > 0 && world.Tick(s) > 0)
			saw(len(tool.Buffer(s, busyMixed)) < world.Size(s) && len(world.Bytes(s)) > 0)
			return s
		}},
	}
}
