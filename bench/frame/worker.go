package main

import (
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/flatecs/flatecs/bench/frame/game"
	"github.com/flatecs/flatecs/bench/turns"
)

// A worker is the process of one library.
type worker struct {
	Library string `arg:"" help:"Name of the library."`
}

// Run answers each line of the standard input by one line of JSON, until it ends.
func (w *worker) Run(s turns.Streams) error {
	l, err := named(w.Library)
	if err != nil {
		return err
	}
	runtime.LockOSThread() // whose time counts
	p := player{library: l}
	defer p.close()
	return turns.Serve(s.In, s.Out, p.answer)
}

// A turn is what a library has done.
type turn struct {
	game.Sum
	Spent    []float64 `json:",omitempty"` // nanoseconds of each system, per frame
	Frames   []float64 `json:",omitempty"` // nanoseconds of each, by the clock on the wall
	Worked   []float64 `json:",omitempty"` // nanoseconds of each, of all threads together
	Mallocs  float64   // per frame
	Bytes    float64   // allocated per frame
	Resident uint64    `json:",omitempty"` // bytes
}

// A player plays the frames of one library.
type player struct {
	library game.Library
	script  *game.Script
	game    game.Game
}

func (p *player) answer(line string) any {
	var number int
	if _, err := fmt.Sscanf(line, "start %d", &number); err == nil {
		p.close()
		p.script = game.NewScript(number)
		p.game = p.library.New(p.script)
		runtime.GC()
		return turn{Sum: game.SumOf(p.game.Each)}
	}
	if _, err := fmt.Sscanf(line, "play %d", &number); err == nil {
		return p.play(number)
	}
	if line != "end" {
		panic("what is " + line + "?")
	}
	return turn{Resident: turns.Resident()}
}

func (p *player) close() {
	if p.game != nil {
		p.game.Close()
		p.game = nil
	}
}

// play plays frames. What the script prepares is not timed.
func (p *player) play(frames int) (t turn) {
	var spent game.Spent
	var before, after runtime.MemStats
	t.Frames, t.Worked = make([]float64, 0, frames), make([]float64, 0, frames)
	runtime.ReadMemStats(&before)
	for range frames {
		p.script.Next()
		worked, start := turns.ProcessTime(), time.Now()
		p.game.Frame(&spent)
		t.Frames = append(t.Frames, float64(time.Since(start)))
		t.Worked = append(t.Worked, float64(turns.ProcessTime()-worked))
	}
	runtime.ReadMemStats(&after)
	n := float64(frames)
	for _, system := range spent {
		t.Spent = append(t.Spent, float64(system)/n)
	}
	t.Mallocs = float64(after.Mallocs-before.Mallocs) / n
	t.Bytes = float64(after.TotalAlloc-before.TotalAlloc) / n
	t.Sum = game.SumOf(p.game.Each)
	return t
}

// An errand plays some frames and ends: what a profiler looks at.
type errand struct {
	Library    string `arg:"" help:"Name of the library."`
	Frames     int    `arg:"" help:"How many frames."`
	Objects    int    `name:"count" help:"How many objects." default:"100000"`
	CPUProfile string `name:"cpuprofile" help:"Profile the frames, for go tool pprof." type:"path"`
}

// Run does the work.
func (e *errand) Run(s turns.Streams) error {
	l, err := named(e.Library)
	if err != nil {
		return err
	}
	runtime.LockOSThread()
	script := game.NewScript(e.Objects)
	p := player{library: l, script: script, game: l.New(script)}
	defer p.close()
	stop, err := turns.Profile(e.CPUProfile)
	if err != nil {
		return err
	}
	defer stop()
	t := p.play(e.Frames)
	for i, name := range game.Systems {
		_, _ = fmt.Fprintf(s.Out, "%-12s %8s µs\n", name, turns.Figure(t.Spent[i]/1e3))
	}
	_, err = fmt.Fprintf(s.Out, "%-12s %8s µs, %s by the wall, %s at best; %s allocations; "+
		"sum %x of %d\n", "frame", turns.Figure(mean(t.Worked)/1e3),
		turns.Figure(turns.Median(t.Frames)/1e3), turns.Figure(slices.Min(t.Frames)/1e3),
		turns.Figure(t.Mallocs), t.Hash, t.Count)
	return err
}
