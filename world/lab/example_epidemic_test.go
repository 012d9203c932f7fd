package lab_test

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/inspect"
	"github.com/flatecs/flatecs/world/lab"
	"github.com/flatecs/flatecs/world/stage"
)

// Health is what a person is.
type Health uint8

// The states of health.
const (
	Susceptible Health = iota
	Infected
	Recovered
)

const regions = 8

// Outbreak is the parameters of an epidemic.
type Outbreak struct {
	People    int64
	Contagion float64 // people that a person infects per day, while nobody else is ill
	Recovery  float64 // chance per day
	Travel    float64 // chance per day to be in another region
}

var (
	Region   = layout.NewField[uint8]("region")
	State    = layout.NewField[Health]("health")
	Person   = layout.NewKind("person", Region, State)
	Resident = world.NewRecipe("resident", Person)
	census   = world.NewQuery(world.Read(Region, State))
	people   = world.NewQuery(world.Write(Region, State))

	Rules    = layout.NewField[Outbreak]("rules")
	Epidemic = world.NewResource("epidemic", Rules)
)

func (o Outbreak) Counts() world.Counts {
	return world.Counts{
		Kinds:     layout.Kinds(Person.Count(int(o.People))),
		Recipes:   []world.Recipe{Resident},
		Queries:   []world.Query{census, people},
		Resources: []world.ResourceKind{Epidemic},
	}
}

func (o Outbreak) Setup(s world.State) (world.State, error) {
	s = world.SetResource(s, Rules, o)
	r, n := world.Random(s), 0
	return world.SpawnN(s, Resident, int(o.People), func(b world.Batch) {
		region, health := world.Column(b, Region), world.Column(b, State)
		for i := range region {
			region[i] = uint8(r.IntN(regions))
			if n++; n <= 10 {
				region[i], health[i] = 0, Infected
			}
		}
	})
}

func Day(s world.State) world.State {
	rules := world.Resource(s, Rules)
	var ill, all [regions]float64
	for b := range census.In(s) {
		region, health := world.Column(b, Region), world.Column(b, State)
		for i := range region {
			all[region[i]]++
			if health[i] == Infected {
				ill[region[i]]++
			}
		}
	}
	for b := range people.In(s) {
		region, health := world.Column(b, Region), world.Column(b, State)
		for i := range region {
			r := world.Random(s, uint64(b.ID(i)))
			risk := rules.Contagion * ill[region[i]] / all[region[i]]
			switch {
			case health[i] == Susceptible && r.Float64() < risk:
				health[i] = Infected
			case health[i] == Infected && r.Float64() < rules.Recovery:
				health[i] = Recovered
			}
			if r.Float64() < rules.Travel {
				region[i] = uint8(r.IntN(regions))
			}
		}
	}
	return world.Advance(s)
}

func is(state Health) func(Health) float64 {
	return func(h Health) float64 {
		if h == state {
			return 1
		}
		return 0
	}
}

var findings = []lab.Reporter{
	lab.OfFunc(State, is(Infected)).Sum("ill"),
	lab.OfFunc(State, is(Susceptible)).Mean("spared"),
}

func ExampleSweep() {
	base := Outbreak{People: 2000, Contagion: 0.3, Recovery: 0.1, Travel: 0.02}
	sets, err := lab.Grid(base, lab.Range("contagion", 0.1, 0.3, 3))
	if err != nil {
		panic(err)
	}
	sweep := lab.Sweep[Outbreak]{
		Params: sets, Seeds: lab.Seeds(1, 2), Counts: Outbreak.Counts,
		Setup: func(s world.State, o Outbreak) (world.State, error) { return o.Setup(s) },
		Step:  func(s world.State) (world.State, error) { return Day(s), nil },
		Steps: 60, Reports: findings,
	}
	if err := sweep.Run(context.Background(), lab.NewCSV(os.Stdout)); err != nil {
		panic(err)
	}
	// Output:
	// people,contagion,recovery,travel,seed,step,ill,spared,error
	// 2000,0.1,0.1,0.02,1643822163114873686,60,0,0.971,
	// 2000,0.1,0.1,0.02,1890700816702069259,60,10,0.9695,
	// 2000,0.2,0.1,0.02,1643822163114873686,60,211,0.6695,
	// 2000,0.2,0.1,0.02,1890700816702069259,60,244,0.5045,
	// 2000,0.3,0.1,0.02,1643822163114873686,60,290,0.101,
	// 2000,0.3,0.1,0.02,1890700816702069259,60,189,0.0865,
}

func ExampleTable_Where() {
	base := Outbreak{People: 2000, Recovery: 0.1, Travel: 0.02}
	sets := world.Must(lab.Grid(base, lab.Range("contagion", 0.05, 0.3, 2)))
	var table lab.Table
	err := lab.Sweep[Outbreak]{
		Params: sets, Seeds: lab.Seeds(1, 5), Counts: Outbreak.Counts,
		Setup: func(s world.State, o Outbreak) (world.State, error) { return o.Setup(s) },
		Step:  func(s world.State) (world.State, error) { return Day(s), nil },
		Steps: 60, Every: 20, Reports: findings,
	}.Run(context.Background(), &table)
	if err != nil {
		panic(err)
	}
	for day, ill := range table.Where("contagion", 0.3).Mean("ill") {
		fmt.Printf("day %d: %.1f people are ill\n", day, ill)
	}
	// Output:
	// day 0: 10.0 people are ill
	// day 20: 151.4 people are ill
	// day 40: 492.4 people are ill
	// day 60: 223.2 people are ill
}

func ExampleFork() {
	o := Outbreak{People: 2000, Contagion: 0.3, Recovery: 0.1, Travel: 0.02}
	counts := o.Counts()
	counts.Seed = 1
	s := world.Must(o.Setup(world.Must(world.CreateState(counts))))
	for range 30 {
		s = Day(s)
	}
	day30 := world.Must(world.NewSnapshot(s))
	if err := day30.Take(s); err != nil {
		panic(err)
	}
	for _, contagion := range []float64{0.3, 0.15} {
		o.Contagion = contagion
		least, most := 1.0, 0.0
		err := lab.Fork(day30, 20, func(s world.State, i int) (world.State, error) {
			s = world.SetResource(s, Rules, o)
			for range 60 {
				s = Day(s)
			}
			spared := 0.0
			for b := range census.In(s) {
				for _, h := range world.Column(b, State) {
					spared += is(Susceptible)(h) / float64(o.People)
				}
			}
			least, most = min(least, spared), max(most, spared)
			return s, nil
		})
		if err != nil {
			panic(err)
		}
		fmt.Printf("contagion %v: %.3f to %.3f are spared\n", contagion, least, most)
	}
	// Output:
	// contagion 0.3: 0.047 to 0.080 are spared
	// contagion 0.15: 0.290 to 0.356 are spared
}

// The epidemic on a page, with plots and sliders.
func Example_plots() {
	o := Outbreak{People: 2000, Contagion: 0.3, Recovery: 0.1, Travel: 0.02}
	counts := o.Counts()
	counts.Seed = 1
	s := world.Must(o.Setup(world.Must(world.CreateState(counts))))
	panel, err := lab.NewPanel(findings...)
	if err != nil {
		panic(err)
	}
	inspector, err := inspect.New(s, inspect.Options{
		Title: "epidemic", Clock: stage.Clock(time.Now), Edit: true, Model: panel,
		Controls: []inspect.Control{
			{Field: Rules, Part: "People", Fixed: true},
			{Field: Rules, Part: "Contagion", Max: 1},
			{Field: Rules, Part: "Recovery", Max: 1},
		},
	})
	if err != nil {
		panic(err)
	}
	go func() { panic(inspector.Serve(context.Background(), "127.0.0.1:8080")) }()
	for range time.Tick(50 * time.Millisecond) {
		s = inspector.Edit(Day(s))
		if err := inspector.Publish(s); err != nil {
			panic(err)
		}
	}
}
