package harness

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/rpc"
	"net/rpc/jsonrpc"
	"os"
	"os/exec"
	"runtime"
	"slices"
)

// Seats are the contenders of a subject, each in a process of its own that starts when it is first
// called.
type Seats struct {
	Command []string // of a process, to which the contender's name is appended

	seats map[string]*seat
}

// NewSeats returns those of a subject, whose processes are this program with the command work.
func NewSeats(s *Subject) (*Seats, error) {
	program, err := os.Executable()
	return &Seats{Command: []string{program, "work", s.Name}}, err
}

// Call has a contender carry out a method of a player, until ctx ends.
func (s *Seats) Call(ctx context.Context, who, method string, what, answer any) error {
	if s.seats == nil {
		s.seats = map[string]*seat{}
	}
	if s.seats[who] == nil {
		seat, err := start(ctx, append(slices.Clone(s.Command), who))
		if err != nil {
			return err
		}
		s.seats[who] = seat
	}
	err := s.seats[who].Call(service+"."+method, what, answer)
	if ctx.Err() != nil { // which ends the process
		return ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("%s, at %s %v: %w", who, method, what, err)
	}
	return nil
}

// Close ends all processes.
func (s *Seats) Close() {
	for _, seat := range s.seats {
		_ = seat.Close()
		_ = seat.wait()
	}
	clear(s.seats)
}

// A seat is the process of a contender.
type seat struct {
	*rpc.Client
	wait func() error
}

// A pipe is what a process reads and writes.
type pipe struct {
	io.Reader
	io.Writer
	io.Closer
}

func start(ctx context.Context, line []string) (*seat, error) {
	command := exec.CommandContext(ctx, line[0], line[1:]...)
	command.Stderr = os.Stderr
	in, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	return &seat{jsonrpc.NewClient(pipe{out, in, in}), command.Wait}, nil
}

const service = "Player"

// Play is the process of a contender: it carries out one call after the other, until in ends.
func Play(s *Subject, who string, in io.Reader, out io.Writer) error {
	runtime.LockOSThread() // whose time counts
	p := &player{subject: s, who: who}
	defer p.drop()
	server := rpc.NewServer()
	if err := server.RegisterName(service, p); err != nil {
		return err
	}
	for codec := jsonrpc.NewServerCodec(pipe{in, out, io.NopCloser(nil)}); ; {
		if err := server.ServeRequest(codec); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}
