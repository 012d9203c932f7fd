package harness

import (
	"errors"
	"runtime"
	"time"
)

// A player does the work of one contender, one case and size at a time.
type player struct {
	subject  *Subject
	who      string
	n        int // what Run is about
	work     Work
	repeats  int                  // of Run between two looks at the clock
	clock    func() time.Duration // that counts
	overhead time.Duration        // of looking twice
}

// A Job is a case and a number of objects.
type Job struct {
	Case string
	N    int
}

// Prepare makes the work of a job, runs it three times, and says what came out.
func (p *player) Prepare(j Job, r *Result) error {
	p.drop()
	c, err := p.subject.Case(j.Case)
	if err != nil {
		return err
	}
	if p.work, err = c.Work(p.who, j.N); err != nil {
		return err
	}
	if p.n = j.N; p.work.Of > 0 {
		p.n = p.work.Of
	}
	*r = Outcome(p.work)
	p.calibrate()
	runtime.GC()
	return nil
}

// Turn works for so long.
func (p *player) Turn(budget time.Duration, t *Turn) error {
	if p.work.Run == nil {
		return errors.New("nothing was prepared")
	}
	if p.work.Turn != nil {
		*t = p.work.Turn(budget)
	} else {
		t.Figures = []Measured{{Measure: "time", Unit: "ns", Value: p.turn(budget)}}
	}
	return nil
}

// Outcome is what work has come to after three runs.
func Outcome(w Work) Result {
	for range 3 {
		w.Once()
	}
	return w.Check()
}

// Once runs work, and makes the next run possible.
func (w *Work) Once() {
	w.Run()
	if w.Reset != nil {
		w.Reset()
	}
}

func (p *player) drop() {
	if p.work.Close != nil {
		p.work.Close()
	}
	p.work = Work{}
	runtime.GC()
}

// calibrate finds how often to Run so that the clock does not matter.
func (p *player) calibrate() {
	p.clock = ThreadTime
	if p.work.Wall {
		p.clock = Wall
	}
	p.overhead = Overhead(p.clock)
	p.repeats = 1
	for p.work.Reset == nil && p.work.Turn == nil && p.timed() < 100*time.Microsecond {
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
	return max(0, float64(spent)) / float64(runs) / float64(p.n)
}
