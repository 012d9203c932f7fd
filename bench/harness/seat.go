package harness

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

// A Seat is where a contender is asked: a line goes in, and JSON comes out into answer.
type Seat interface {
	Ask(line string, answer any) error
	Leave()
}

// Seats are the contenders of a command, each of which is hired when it is first asked.
type Seats struct {
	// Hire starts a contender.
	Hire func(ctx context.Context, name string) (Seat, error)

	seats map[string]Seat
}

// Ask asks a contender, and ends when ctx does.
func (s *Seats) Ask(ctx context.Context, name, line string, answer any) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if s.seats == nil {
		s.seats = map[string]Seat{}
	}
	if s.seats[name] == nil {
		seat, err := s.Hire(ctx, name)
		if err != nil {
			return err
		}
		s.seats[name] = seat
	}
	err := s.seats[name].Ask(line, answer)
	if ctx.Err() != nil { // which ends the process
		return ctx.Err()
	}
	return err
}

// Leave ends the process of one contender, if it has one.
func (s *Seats) Leave(name string) {
	if s.seats[name] != nil {
		s.seats[name].Leave()
		delete(s.seats, name)
	}
}

// Close ends all processes.
func (s *Seats) Close() {
	for name := range s.seats {
		s.Leave(name)
	}
}

// outside is a contender in a process of its own.
type outside struct {
	name    string
	lines   io.WriteCloser
	answers *json.Decoder
	wait    func() error
}

// Start starts a program as the process of a contender.
func Start(ctx context.Context, name, program string, arguments ...string) (Seat, error) {
	command := exec.CommandContext(ctx, program, arguments...)
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
	return &outside{name, lines, json.NewDecoder(answers), command.Wait}, nil
}

// Ask has a line answered. The error is also that of an answer with a field "Error".
func (o *outside) Ask(line string, answer any) (err error) {
	var raw json.RawMessage
	if _, err = io.WriteString(o.lines, line+"\n"); err == nil {
		err = o.answers.Decode(&raw)
	}
	if err != nil {
		return fmt.Errorf("%s, at %q: its process ended: %w", o.name, line, err)
	}
	var refused struct{ Error string }
	if err := json.Unmarshal(raw, &refused); err != nil {
		return fmt.Errorf("%s, at %q: %w", o.name, line, err)
	}
	if refused.Error != "" {
		return fmt.Errorf("%s, at %q: %s", o.name, line, strings.TrimSpace(refused.Error))
	}
	return json.Unmarshal(raw, answer)
}

func (o *outside) Leave() {
	_ = o.lines.Close()
	_ = o.wait()
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
