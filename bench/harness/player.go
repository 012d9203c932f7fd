package harness

import (
	"fmt"
	"io"
	"runtime"
	"time"
)

// Play is the process of a contender: it answers each line of in by a line of JSON, until in ends.
func Play(s *Subject, who string, in io.Reader, out io.Writer) error {
	runtime.LockOSThread() // whose time counts
	p := player{subject: s, who: who}
	defer p.drop()
	return Serve(in, out, p.answer)
}

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

func (p *player) answer(line string) any {
	var name string
	var number int
	if _, err := fmt.Sscanf(line, "prepare %s %d", &name, &number); err == nil {
		return p.prepare(name, number)
	}
	if _, err := fmt.Sscanf(line, "turn %d", &number); err != nil || p.work.Run == nil {
		panic("what is " + line + "?")
	}
	if p.work.Turn != nil {
		return p.work.Turn(time.Duration(number))
	}
	value := p.turn(time.Duration(number))
	return Turn{Figures: []Measured{{Measure: "time", Unit: "ns", Value: value}}}
}

// prepare makes the work, runs it three times, and says what came out.
func (p *player) prepare(name string, n int) Result {
	p.drop()
	c, err := p.subject.Case(name)
	check(err)
	p.work, err = c.Work(p.who, n)
	check(err)
	if p.n = n; p.work.Of > 0 {
		p.n = p.work.Of
	}
	result := Outcome(p.work)
	p.calibrate()
	runtime.GC()
	return result
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// Outcome is what work has come to after three runs.
func Outcome(w Work) Result {
	for range 3 {
		w.once()
	}
	return w.Check()
}

func (w *Work) once() {
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
