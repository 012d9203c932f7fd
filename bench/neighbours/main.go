package main

import (
	"flag"
	"fmt"
	"math"
	"os"
	"slices"
	"time"
)

// A frame is one way to do the work.
type frame interface {
	build()       // cells
	play()        // the whole frame, build included
	sum() float64 // of all changes
}

type way struct {
	name         string
	frame        frame
	built, whole []float64 // ms, per round
}

func main() {
	objects := flag.Int("count", 100_000, "points")
	rounds := flag.Int("rounds", 20, "frames of each way")
	processes := flag.Bool("processes", false, "compare two workers with two processes")
	nearest := flag.Bool("nearest", false, "compare Nearest with a search over Near")
	following := flag.Bool("follow", false, "play some frames for each line of the input")
	flag.Parse()
	if *objects < 1 || *rounds < 1 {
		fmt.Fprintln(os.Stderr, "neighbours: give 1 object and 1 round, or more")
		os.Exit(2)
	}
	var err error
	switch {
	case *following:
		err = follow(os.Stdin, os.Stdout, newFlat(*objects, 1))
	case *nearest:
		err = compareNearest(os.Stdout, *rounds)
	case *processes:
		err = compareProcesses(os.Stdout, *objects, *rounds)
	default:
		err = compareWays(*objects, *rounds)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "neighbours:", err)
		os.Exit(1)
	}
}

func waysOf(objects int) []*way {
	return []*way{
		{name: "flatecs", frame: newFlat(objects, 1)},
		{name: "flatecs, 2 workers", frame: newFlat(objects, 2)},
		{name: "flatecs, by object", frame: newByObject(objects)},
		{name: "plain columns", frame: newPlain(objects)},
		{name: "plain, by object", frame: plainByObject{newPlain(objects)}},
		{name: "Ark, cells", frame: newArk(objects)},
		{name: "Ark, by object", frame: arkByObject{newArk(objects)}},
		{name: "map grid", frame: newMapped(objects)},
		{name: "Ark, map", frame: newArkMap(objects)},
	}
}

// compareWays lets all ways take turns.
func compareWays(objects, rounds int) error {
	ways := waysOf(objects)
	for range rounds + 1 {
		for _, w := range ways {
			w.built = append(w.built, took(w.frame.build))
			w.whole = append(w.whole, took(w.frame.play))
		}
	}
	for _, w := range ways {
		w.built, w.whole = w.built[1:], w.whole[1:] // the first warms up
	}
	if err := agree(ways); err != nil {
		return err
	}
	report(ways, objects)
	return nil
}

func took(f func()) float64 {
	start := time.Now()
	f()
	return float64(time.Since(start)) / 1e6
}

// agree returns an error unless all ways have come to the same sum.
func agree(ways []*way) error {
	want := ways[0].frame.sum()
	for _, w := range ways {
		if got := w.frame.sum(); math.Abs(got-want) > 1e-6*math.Abs(want)+1e-3 {
			return fmt.Errorf("%s comes to %v, %s to %v", w.name, got, ways[0].name, want)
		}
	}
	return nil
}

// report prints the least times, and the medians of the ratios of the first way to each.
func report(ways []*way, objects int) {
	first := ways[0]
	fmt.Printf("%d points; flatecs ÷ way is the median of %d rounds\n\n", objects, len(first.whole))
	fmt.Println("| way | build, ms | frame, ms | build, ns/point | flatecs ÷ way |")
	fmt.Println("|---|---:|---:|---:|---:|")
	for _, w := range ways {
		var ratios []float64
		for i := range w.whole {
			ratios = append(ratios, first.whole[i]/w.whole[i])
		}
		fmt.Printf("| %s | %.2f | %.2f | %.1f | %.2f |\n", w.name, slices.Min(w.built),
			slices.Min(w.whole), slices.Min(w.built)/float64(objects)*1e6, median(ratios))
	}
}
