package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
)

const turnFrames = 10 // frames of a turn

// A process is this program, with a world and one worker of its own.
type process struct {
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
}

func startProcess(objects int) (*process, error) {
	path, err := os.Executable()
	if err != nil {
		return nil, err
	}
	p := &process{command: exec.Command(path, "--follow", "--count", strconv.Itoa(objects))}
	p.command.Stderr = os.Stderr
	if p.in, err = p.command.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = bufio.NewReader(out)
	return p, p.command.Start()
}

// begin lets p play some frames, and wait waits for them.
func (p *process) begin() error {
	_, err := io.WriteString(p.in, "play\n")
	return err
}

func (p *process) wait() error {
	_, err := p.out.ReadString('\n')
	return err
}

func (p *process) close() error {
	return errors.Join(p.in.Close(), p.command.Wait())
}

// follow plays some frames for each line of in, and says so.
func follow(in io.Reader, out io.Writer, f frame) error {
	for lines := bufio.NewScanner(in); lines.Scan(); {
		turn(f)
		if _, err := fmt.Fprintln(out, "played"); err != nil {
			return err
		}
	}
	return nil
}

func turn(f frame) {
	for range turnFrames {
		f.play()
	}
}

// compareProcesses measures how much two workers gain, and how much two processes do that know
// nothing of each other. In each round one worker, two workers, one process and two take turns.
func compareProcesses(w io.Writer, objects, rounds int) (err error) {
	first, err := startProcess(objects)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, first.close()) }()
	second, err := startProcess(objects)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, second.close()) }()
	one, two := newFlat(objects, 1), newFlat(objects, 2)
	var workers, processes, ratios []float64
	for round := range rounds + 1 {
		t1, t2 := took(func() { turn(one) }), took(func() { turn(two) })
		p1, err1 := together(first)
		p2, err2 := together(first, second)
		if err := errors.Join(err1, err2); err != nil {
			return err
		}
		if round > 0 { // the first warms up
			workers = append(workers, t1/t2)
			processes = append(processes, 2*p1/p2)
			ratios = append(ratios, t1/t2/(2*p1/p2))
		}
	}
	_, err = fmt.Fprintf(w, `%d points; medians of %d rounds of %d frames

| | speed-up |
|---|---:|
| two workers | %.2f |
| two independent processes | %.2f |
| workers ÷ processes | %.2f |
`, objects, rounds, turnFrames, median(workers), median(processes), median(ratios))
	return err
}

// together returns how long processes take that play at the same time.
func together(all ...*process) (ms float64, err error) {
	ms = took(func() {
		for _, p := range all {
			err = errors.Join(err, p.begin())
		}
		for _, p := range all {
			err = errors.Join(err, p.wait())
		}
	})
	return ms, err
}

func median(x []float64) float64 {
	slices.Sort(x)
	return x[len(x)/2]
}
