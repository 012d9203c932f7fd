package why_test

import (
	"errors"
	"fmt"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/schedule"
	"github.com/flatecs/flatecs/world/timeline"
	"github.com/flatecs/flatecs/world/why"
)

var (
	Purse  = layout.NewComponent[int32]("purse")
	Price  = layout.NewComponent[int32]("price")
	buyers = world.NewQuery(world.Write(Purse), world.Read(Price))
	payees = world.NewQuery(world.Write(Purse))
)

func buy(s world.State) world.State {
	for b := range buyers.In(s) {
		purses, prices := world.Column(b, Purse), world.Column(b, Price)
		for i := range purses {
			purses[i] -= prices[i]
		}
	}
	return s
}

func pay(s world.State) world.State {
	for b := range payees.In(s) {
		purses := world.Column(b, Purse)
		for i := range purses {
			purses[i] += 3
		}
	}
	return s
}

// A hero's purse is empty: which jobs wrote to it last, and when?
func Example() {
	jobs := schedule.New(2)
	defer jobs.Close()
	err := jobs.Register(schedule.Pipeline{
		Name:   "day",
		Groups: []schedule.Group{{Name: "all", Elements: []string{"pay", "buy"}}},
		Jobs: []schedule.Job{
			{Name: "pay", Run: pay, Queries: []world.Query{payees}, When: everyFifthDay},
			{Name: "buy", Run: buy, Queries: []world.Query{buyers}},
		},
	})
	check(err)
	step := func(s world.State, _ []byte) world.State { return world.Must(jobs.Run(s, "day")) }

	state := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(Purse, Price)}))
	state, hero := world.Must2(world.CreateWith(state, Purse, Price))
	state = world.Must(world.Set(state, hero, Price, 1))
	timeline, err := timeline.New(state, timeline.Options{Step: step, Frames: 3600})
	check(err)
	defer timeline.Close()
	for range 1000 {
		check(timeline.Record(state, nil))
		state = step(state, nil)
	}

	past := why.Past{Timeline: timeline, Jobs: jobs}
	before := uint64(why.Now)
	for range 3 {
		w, err := past.Wrote(hero, Purse, before)
		check(err)
		fmt.Println(w)
		before = w.Tick
	}
	_, err = past.Wrote(hero, Price, before)
	fmt.Println("price was not written:", errors.Is(err, why.ErrUnwritten))
	world.Close(state)
	// Output:
	// tick 2001, frame 999, job "buy": purse of object 0: -399 → -400; reads price, purse
	// tick 2000, frame 999, job "pay": purse of object 0: -402 → -399; reads purse
	// tick 1999, frame 998, job "buy": purse of object 0: -401 → -402; reads price, purse
	// price was not written: true
}

func everyFifthDay(s world.State) bool { return world.Tick(s)%5 == 0 }

func check(err error) {
	if err != nil {
		panic(err)
	}
}
