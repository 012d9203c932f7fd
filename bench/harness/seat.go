package harness

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// Seats are the contenders of a subject, each in a process of its own that starts when it is first
// asked: a line goes in, and JSON comes out.
type Seats struct {
	Command []string // of a process, to which the contender's name is appended

	seats map[string]*seat
}

// NewSeats returns those of a subject, whose processes are this program with the command work.
func NewSeats(s *Subject) (*Seats, error) {
	program, err := os.Executable()
	return &Seats{Command: []string{program, "work", s.Name}}, err
}

// Ask asks a contender, and ends when ctx does.
func (s *Seats) Ask(ctx context.Context, name, line string, answer any) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if s.seats == nil {
		s.seats = map[string]*seat{}
	}
	if s.seats[name] == nil {
		seat, err := start(ctx, name, append(slices.Clone(s.Command), name))
		if err != nil {
			return err
		}
		s.seats[name] = seat
	}
	err := s.seats[name].ask(line, answer)
	if ctx.Err() != nil { // which ends the process
		return ctx.Err()
	}
	return err
}

// Close ends all processes.
func (s *Seats) Close() {
	for _, seat := range s.seats {
		seat.leave()
	}
	clear(s.seats)
}

// A seat is the process of a contender.
type seat struct {
	name    string
	lines   io.WriteCloser
	answers *json.Decoder
	wait    func() error
}

func start(ctx context.Context, name string, line []string) (*seat, error) {
	command := exec.CommandContext(ctx, line[0], line[1:]...)
	command.Stderr = os.Stderr
	lines, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	answers, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	return &seat{name, lines, json.NewDecoder(answers), command.Wait}, nil
}

// ask has a line answered. The error is also that of an answer with a field "Error".
func (s *seat) ask(line string, answer any) (err error) {
	var raw json.RawMessage
	if _, err = io.WriteString(s.lines, line+"\n"); err == nil {
		err = s.answers.Decode(&raw)
	}
	if err != nil {
		return fmt.Errorf("%s, at %q: its process ended: %w", s.name, line, err)
	}
	var refused struct{ Error string }
	if err := json.Unmarshal(raw, &refused); err != nil {
		return fmt.Errorf("%s, at %q: %w", s.name, line, err)
	}
	if refused.Error != "" {
		return fmt.Errorf("%s, at %q: %s", s.name, line, strings.TrimSpace(refused.Error))
	}
	return json.Unmarshal(raw, answer)
}

func (s *seat) leave() {
	_ = s.lines.Close()
	_ = s.wait()
}

// Serve answers each line of in by one line of JSON on out, until in ends. What panics becomes an
// answer with the field "Error".
func Serve(in io.Reader, out io.Writer, answer func(line string) any) error {
	answers := json.NewEncoder(out)
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		if err := answers.Encode(caught(answer, lines.Text())); err != nil {
			return err
		}
	}
	return lines.Err()
}

func caught(answer func(string) any, line string) (a any) {
	defer func() {
		if cause := recover(); cause != nil {
			a = struct{ Error string }{fmt.Sprint(cause)}
		}
	}()
	return answer(line)
}
