package mcp_test

import (
	"fmt"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/hunt"
	"github.com/flatecs/flatecs/world/schedule"
)

// A bug is the name of a planted one; none: the sound game.
type bug string

// A planted game has bugs, one in each of its jobs at a time.
type planted struct {
	name  string
	begin func() world.State
	jobs  func(b bug) []schedule.Job
	holds []hunt.Property
	bugs  []bug
}

func component(name string) layout.Field[int32] { return layout.NewComponent[int32](name) }

var (
	pressed = layout.NewField[uint8]("pressed")
	button  = world.NewResource("button", pressed)
)

// press hands an input to the world.
func press(s world.State, input byte) world.State { return world.SetResource(s, pressed, input) }

// with returns the world of so many objects of a recipe.
func with(n int, r world.Recipe) world.State {
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: n, Recipes: []world.Recipe{r}, Resources: []world.ResourceKind{button},
	}))
	return world.Must(world.SpawnN(s, r, n, nil))
}

// do returns a job that goes through the objects of a query, with the input, and each one's number.
func do(name string, q world.Query, each func(b world.Batch, i, n, input int)) schedule.Job {
	return schedule.Job{Name: name, Do: func(s world.State) (world.State, error) {
		input := int(world.Resource(s, pressed))
		for b := range q.In(s) {
			for i := range b.Len() {
				each(b, i, int(b.ID(i).Index()), input)
			}
		}
		return s, nil
	}}
}

// of returns the value of an object.
func of(b world.Batch, f layout.Field[int32], i int) *int32 { return &world.Column(b, f)[i] }

// between is the property that a field is from low to high.
func between(f layout.Field[int32], low, high int32) hunt.Property {
	q := world.NewQuery(world.Read(f))
	return hunt.Check(fmt.Sprint(f, " in its bounds"), func(s world.State) error {
		for b := range q.In(s) {
			for i, x := range world.Column(b, f) {
				if x < low || x > high {
					return fmt.Errorf("%v of object %v is %d", f, b.ID(i), x)
				}
			}
		}
		return nil
	})
}

// sum is the property that the fields of all objects have the sum that they began with.
func sum(name string, fields ...layout.Field[int32]) hunt.Property {
	return hunt.Same(name, func(s world.State) (all int64) {
		for _, f := range fields {
			for b := range world.NewQuery(world.Read(f)).In(s) {
				for _, x := range world.Column(b, f) {
					all += int64(x)
				}
			}
		}
		return all
	})
}

// The depot: who is called gets ore for money, presses it to plates, and ships them for money.
var (
	ore, money   = component("ore"), layout.NewComponent[int32]("money", 50)
	plates, sent = component("plates"), component("sent")
	mill         = world.NewRecipe("mill", ore, money, plates, sent)
	mills        = world.NewQuery(world.Write(ore, money, plates, sent))
)

var depot = planted{
	name: "factory", begin: func() world.State { return with(6, mill) },
	holds: []hunt.Property{
		between(ore, 0, 9), between(plates, 0, 5), sum("worth", ore, money, plates, plates, sent, sent),
		between(money, 0, 200),
	},
	bugs: []bug{"free", "overfull", "in debt", "cheap", "pressed out", "lost", "sold twice", "below"},
	jobs: func(b bug) []schedule.Job {
		return []schedule.Job{
			do("order", mills, func(x world.Batch, i, n, input int) {
				if input&7 != n || input>>3&1 == 0 {
					return
				}
				o, m := of(x, ore, i), of(x, money, i)
				if (*m >= 3 || b == "in debt") && (*o <= 6 || b == "overfull") {
					*o += 3
					if b != "free" || n != 4 {
						*m -= 3
					}
				}
			}),
			do("press", mills, func(x world.Batch, i, n, _ int) {
				o, p := of(x, ore, i), of(x, plates, i)
				if *o >= 2 && (*p < 5 || b == "pressed out" && n == 2) {
					*o -= 2
					*p++
					if b == "cheap" && *p == 3 {
						*o++
					}
				}
			}),
			do("ship", mills, func(x world.Batch, i, n, input int) {
				p, m, out := of(x, plates, i), of(x, money, i), of(x, sent, i)
				if input&7 == n && input>>4&1 == 1 && (*p > 0 || b == "below") {
					*p--
					if b != "lost" || n != 5 {
						*out++
					}
					if b == "sold twice" && *out == 2 {
						*m += 2
					}
				}
			}),
		}
	},
}

// The cards: who is called draws, plays or gives away.
var (
	hand, points   = layout.NewComponent[int32]("hand", 4), layout.NewComponent[int32]("points", 20)
	drawn, played  = component("drawn"), component("played")
	seat           = world.NewRecipe("seat", hand, points, drawn, played)
	seats          = world.NewQuery(world.Write(hand, points, drawn, played))
	cardsOf, prize = int32(7), int32(5)
)

var cards = planted{
	name: "cards", begin: func() world.State { return with(4, seat) },
	holds: []hunt.Property{
		between(hand, 0, cardsOf), between(points, 0, 60),
		hunt.Check("each card once", func(s world.State) error {
			for x := range seats.In(s) {
				for i := range x.Len() {
					if h := *of(x, hand, i); h != 4+*of(x, drawn, i)-*of(x, played, i) {
						return fmt.Errorf("object %v holds %d", x.ID(i), h)
					}
				}
			}
			return nil
		}),
	},
	bugs: []bug{"one too many", "unnoted", "two at once", "played from none", "no card", "richer", "no end"},
	jobs: func(b bug) []schedule.Job {
		return []schedule.Job{
			do("draw", seats, func(x world.Batch, i, n, input int) {
				h := of(x, hand, i)
				if input&3 != n || input>>2&3 != 1 || *h >= cardsOf && b != "one too many" {
					return
				}
				*h++
				if b != "unnoted" || *h != 6 {
					*of(x, drawn, i)++
				}
				if b == "two at once" && *h == 5 && n == 3 {
					*h++
				}
			}),
			do("play", seats, func(x world.Batch, i, n, input int) {
				h := of(x, hand, i)
				if input&3 != n || input>>2&3 != 2 || *h == 0 && b != "played from none" {
					return
				}
				*h--
				if b != "no card" || n != 1 {
					*of(x, played, i)++
				}
			}),
			do("pay", seats, func(x world.Batch, i, n, input int) {
				p := of(x, points, i)
				if input&3 != n || input>>2&3 != 3 {
					return
				}
				switch {
				case input>>4&1 == 1 && (*p+prize <= 60 || b == "richer"):
					*p += prize
				case input>>4&1 == 0 && (*p >= prize || b == "no end"):
					*p -= prize
				}
			}),
		}
	},
}
