package main

import (
	"fmt"
	"runtime"
	"time"

	"github.com/flatecs/flatecs/bench/suite"
	"github.com/flatecs/flatecs/bench/turns"
)

// A worker is the process of one contender.
type worker struct {
	Contender string `arg:"" help:"Name of the contender."`
}

// Run answers each line of the standard input by one line of JSON, until it ends.
func (w *worker) Run(s turns.Streams) error {
	c, ok := contenderNamed(w.Contender)
	if !ok {
		return fmt.Errorf("no contender %q", w.Contender)
	}
	runtime.LockOSThread() // whose time counts
	p := player{contender: c}
	return turns.Serve(s.In, s.Out, func(line string) any { return p.answer(line) })
}

// An answer is what a contender says to a line.
type answer struct {
	suite.Result
	Nanoseconds float64   `json:",omitempty"` // of one object, or what the figure is of
	Frames      []float64 `json:",omitempty"` // nanoseconds of each, of a loop of frames
}

// A player does the work of one contender, one definition and n at a time.
type player struct {
	contender suite.Contender
	work      suite.Case
	of        int                  // what Run is about
	repeats   int                  // of Run between two looks at the clock
	clock     func() time.Duration // that counts
	overhead  time.Duration        // of looking twice
}

func (p *player) answer(line string) answer {
	var definition string
	var number int
	if _, err := fmt.Sscanf(line, "prepare %s %d", &definition, &number); err == nil {
		return p.prepare(definition, number)
	}
	if _, err := fmt.Sscanf(line, "turn %d", &number); err == nil && p.work.Run != nil {
		switch budget := time.Duration(number); {
		case p.work.Value != nil:
			return answer{Nanoseconds: p.work.Value()}
		case p.work.Beside != nil:
			frames := p.frames(50 * budget)
			return answer{Nanoseconds: turns.Median(frames), Frames: frames}
		default:
			return answer{Nanoseconds: p.turn(budget)}
		}
	}
	panic("what is " + line + "?")
}

// prepare makes a case, runs it three times, and says what came out.
func (p *player) prepare(definition string, n int) answer {
	p.drop()
	d, ok := definitionNamed(definition)
	if !ok || !d.Has(p.contender.Name) {
		panic(p.contender.Name + " does not do " + definition)
	}
	p.work, p.of = d.Make(p.contender, n), n
	if p.work.Of > 0 {
		p.of = p.work.Of
	}
	for range 3 {
		p.once()
	}
	result := p.work.Check()
	p.calibrate()
	runtime.GC()
	return answer{Result: result}
}

func (p *player) drop() {
	if p.work.Close != nil {
		p.work.Close()
	}
	p.work = suite.Case{}
	runtime.GC()
}

// calibrate finds how often to Run so that the clock does not matter.
func (p *player) calibrate() {
	p.clock = turns.ThreadTime
	if p.work.Wall {
		p.clock = turns.Wall
	}
	p.overhead = turns.Overhead(p.clock)
	p.repeats = 1
	for p.work.Reset == nil && p.timed() < 100*time.Microsecond {
		p.repeats *= 2
	}
}

// timed returns the time of p.repeats runs.
func (p *player) timed() time.Duration {
	run := p.work.Run
	start := p.clock()
	for range p.repeats {
		run()
	}
	return p.clock() - start
}

func (p *player) once() {
	p.work.Run()
	if p.work.Reset != nil {
		p.work.Reset()
	}
}

// turn works until the time is over, and returns the nanoseconds of one object. What is not timed
// may take three times as long as what is, but not more.
func (p *player) turn(budget time.Duration) float64 {
	var spent time.Duration
	runs := 0
	for start := time.Now(); spent < budget && time.Since(start) < 4*budget || runs == 0; {
		spent += p.timed() - p.overhead
		runs += p.repeats
		if p.work.Reset != nil {
			p.work.Reset()
		}
	}
	return max(0, float64(spent)) / float64(runs) / float64(p.of)
}

// frames runs a loop of sixty frames a second until the time is over, and returns the nanoseconds
// of each.
func (p *player) frames(budget time.Duration) (frames []float64) {
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		p.work.Beside(stop)
	}()
	defer func() {
		close(stop)
		<-stopped
	}()
	tick := time.NewTicker(time.Second / 60)
	defer tick.Stop()
	for start := time.Now(); time.Since(start) < budget; {
		<-tick.C
		begin := time.Now()
		p.work.Run()
		frames = append(frames, float64(time.Since(begin)))
	}
	return frames
}

func contenderNamed(name string) (suite.Contender, bool) {
	for _, c := range suite.Contenders() {
		if c.Name == name {
			return c, true
		}
	}
	return suite.Contender{}, false
}

func definitionNamed(name string) (suite.Definition, bool) {
	for _, d := range suite.Definitions() {
		if d.Name == name {
			return d, true
		}
	}
	return suite.Definition{}, false
}
