package lab_test

import (
	"context"
	"flag"
	"log"
	"os"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/lab"
)

// The epidemic on many machines: epidemic --part 3/100 --journal parts/3, and epidemic --join parts.
func ExampleFlags() {
	sweep := lab.Sweep[Outbreak]{
		Params: []Outbreak{{People: 2000, Contagion: 0.3, Recovery: 0.1, Travel: 0.02}},
		Seeds:  lab.Seeds(1, 1000), Counts: Outbreak.Counts,
		Setup: func(s world.State, o Outbreak) (world.State, error) { return o.Setup(s) },
		Step:  func(s world.State) (world.State, error) { return Day(s), nil },
		Steps: 60, Reports: findings,
	}
	var flags lab.Flags
	flags.Add(flag.CommandLine)
	flag.Parse()
	if missing, err := flags.Join(); err != nil {
		log.Fatal(err)
	} else if missing > 0 {
		log.Printf("%d runs are missing and made here", missing)
	}
	sweep.Part, sweep.Parts, sweep.Journal = flags.Part, flags.Parts, flags.Journal
	if err := sweep.Run(context.Background(), lab.NewCSV(os.Stdout)); err != nil {
		log.Fatal(err)
	}
}
