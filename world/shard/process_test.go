package shard_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/schedule"
	"github.com/flatecs/flatecs/world/shard"
)

// TestMain is a shard where a test starts its own program again; see startProcess.
func TestMain(m *testing.M) {
	if len(os.Args) < 2 || os.Args[1] != "one-shard" {
		os.Exit(m.Run())
	}
	go func() { // no process outlives its test
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(3)
	}()
	if err := processMain(os.Args[2:]); err != nil {
		fmt.Println("error", err)
		os.Exit(1)
	}
}

const processObjects = 200

// processMain runs the first of three strips: by a server, as a holder, up to a tick.
// With a tick of death, the process dies there between its input and its step.
func processMain(args []string) error {
	ticks, _ := strconv.ParseUint(args[2], 10, 64)
	death, _ := strconv.ParseUint(args[3], 10, 64)
	nc, err := shard.Connect(shard.Server{URL: args[0]})
	if err != nil {
		return err
	}
	defer nc.Close()
	c := &scene{objects: processObjects}
	s := schedule.New(1)
	defer s.Close()
	if err := s.Register(c.pipeline()); err != nil {
		return err
	}
	o := c.settings(s, 0, shard.Strips(3, 0, side))
	o.Holder, o.Lease = args[1], 4*time.Second // renewed also where much else runs
	if death != 0 {
		withInputs(&o, byte(os.Getpid()))
		dieAt(&o, death)
	}
	o.Log = slog.New(slog.NewTextHandler(os.Stdout, nil))
	sh, err := shard.Start(context.Background(), nc, o)
	if err != nil {
		return err
	}
	defer sh.Close()
	for sh.Tick() < ticks {
		if err := sh.Step(context.Background()); err != nil {
			return err
		}
		fmt.Println("tick", sh.Tick())
	}
	sum, objects, err := sh.Digest()
	fmt.Println("result", sum, objects)
	return err
}

// dieAt kills this process when the input of a tick is stored and not applied yet.
func dieAt(o *shard.Options, death uint64) {
	now, input, apply := uint64(0), o.Input, o.Apply
	o.Input = func(tick uint64) []byte {
		now = tick
		return input(tick)
	}
	o.Apply = func(s world.State, b []byte) (world.State, error) {
		if now == death {
			self, _ := os.FindProcess(os.Getpid())
			_ = self.Kill()
			select {}
		}
		return apply(s, b)
	}
}

// withInputs gives a shard inputs of one byte, which is added to what its objects have seen.
func withInputs(o *shard.Options, b byte) {
	o.Every = 1000 // all inputs stay
	o.Input = func(uint64) []byte { return []byte{b} }
	o.Apply = func(s world.State, b []byte) (world.State, error) {
		for batch := range walking.In(s) {
			h := world.Column(batch, seen)
			for i := range h {
				h[i] += uint32(b[0])
			}
		}
		return s, nil
	}
}

// A process is a shard that runs as a program of its own.
type process struct {
	cmd   *exec.Cmd
	lines chan string // what it says; closed at its end
}

func startProcess(t *testing.T, url, holder string, ticks, death uint64) *process {
	t.Helper()
	exe := world.Must(os.Executable())
	cmd := exec.Command(exe, "one-shard", url, holder,
		strconv.FormatUint(ticks, 10), strconv.FormatUint(death, 10))
	cmd.Stderr = os.Stderr
	world.Must(cmd.StdinPipe())
	out := world.Must(cmd.StdoutPipe())
	require.NoError(t, cmd.Start())
	p := &process{cmd: cmd, lines: make(chan string, 10_000)}
	go func() {
		defer close(p.lines)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			p.lines <- lines.Text()
		}
		_ = cmd.Wait()
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // it may have ended
		p.end()
	})
	return p
}

// end waits for the end of a process.
func (p *process) end() {
	for range p.lines { // until it is closed
	}
}

// await reads what a process says up to a line with a word, and returns the line.
func (p *process) await(t *testing.T, word string) string {
	t.Helper()
	late := time.After(patience)
	for {
		select {
		case line, ok := <-p.lines:
			if !ok {
				require.Fail(t, "the process ended", "before %q", word)
			}
			if strings.Contains(line, word) {
				return line
			}
		case <-late:
			require.Fail(t, "too late", "for %q", word)
		}
	}
}

// outcome returns the digest that a process says at its end.
func (p *process) outcome(t *testing.T) (o outcome) {
	t.Helper()
	_, err := fmt.Sscanf(p.await(t, "result"), "result %d %d", &o.sum, &o.objects)
	assert.NoError(t, err)
	return o
}
