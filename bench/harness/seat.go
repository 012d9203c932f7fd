package harness

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"time"
)

// A seat is the process of a contender for one case at one size: this program with the command
// work. It reads the duration of a turn, and writes the results of the turn.
type seat struct {
	process *exec.Cmd
	in      io.WriteCloser
	out     *json.Decoder
}

// sit starts a process, and returns the result of three runs.
func sit(ctx context.Context, subject string, c *Case, who string, n int) (*seat, Result, error) {
	var t Turn
	program, err := os.Executable()
	if err != nil {
		return nil, t.Result, err
	}
	process := exec.CommandContext(ctx, program, "work", subject, c.Name, who, strconv.Itoa(n))
	process.Stderr = os.Stderr
	in, err := process.StdinPipe()
	if err != nil {
		return nil, t.Result, err
	}
	out, err := process.StdoutPipe()
	if err != nil {
		return nil, t.Result, err
	}
	if err := process.Start(); err != nil {
		return nil, t.Result, err
	}
	s := &seat{process, in, json.NewDecoder(out)}
	if err := s.out.Decode(&t); err != nil {
		return nil, t.Result, errors.Join(err, s.close())
	}
	return s, t.Result, nil
}

// turn runs a turn of the contender.
func (s *seat) turn(budget time.Duration) (t Turn, err error) {
	if _, err = fmt.Fprintln(s.in, int64(budget)); err == nil {
		err = s.out.Decode(&t)
	}
	return t, err
}

func (s *seat) close() error {
	if s == nil {
		return nil
	}
	_ = s.in.Close()
	return s.process.Wait()
}

// Play is the process of a contender: it runs one turn after the other, until in ends.
func Play(w Work, in io.Reader, out io.Writer) error {
	runtime.LockOSThread() // the clock belongs to the thread
	defer w.Close()
	from, to := json.NewDecoder(in), json.NewEncoder(out)
	t := Turn{Result: w.Outcome()}
	p := player{Work: w, overhead: overhead(), repeats: 1}
	for w.Reset == nil && w.Turn == nil && p.timed() < 100*time.Microsecond {
		p.repeats *= 2
	}
	runtime.GC()
	for {
		if err := to.Encode(t); err != nil {
			return err
		}
		var budget time.Duration
		if err := from.Decode(&budget); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if w.Turn != nil {
			t = w.Turn(budget)
		} else {
			t = Turn{Figures: []Measured{{Measure: "time", Unit: "ns", Value: p.turn(budget)}}}
		}
	}
}

// A player times work.
type player struct {
	Work
	repeats  int           // runs between two readings of the clock, to hide its cost
	overhead time.Duration // of two readings
}

// timed returns the time of p.repeats runs.
func (p *player) timed() time.Duration {
	run := p.Run
	start := ThreadTime()
	for range p.repeats {
		run()
	}
	return ThreadTime() - start
}

// turn works until the budget is spent, and returns the nanoseconds per object. Untimed work may
// take at most three times as long as timed work.
func (p *player) turn(budget time.Duration) float64 {
	var spent time.Duration
	runs := 0
	for start := time.Now(); spent < budget && time.Since(start) < 4*budget || runs == 0; {
		spent += p.timed() - p.overhead
		runs += p.repeats
		if p.Reset != nil {
			p.Reset()
		}
	}
	return max(0, float64(spent)) / float64(runs) / float64(p.Of)
}
