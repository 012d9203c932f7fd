package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/flatecs/flatecs/world/shard"
)

// run runs all shards, and writes the digest of all objects to out.
func (f *runFlags) run(ctx context.Context, out, log io.Writer) error {
	var results []result
	var err error
	log = &lines{w: log}
	if f.Shards == 1 {
		results, err = f.alone(ctx)
	} else {
		results, err = f.together(ctx, log)
	}
	if err != nil {
		return err
	}
	var sum uint64
	objects := 0
	for i, r := range results {
		fmt.Fprintf(log,
			"shard %2d: %7d objects, %d left it, %d bytes per tick; step %v, exchange %v\n",
			i, r.objects, r.left, r.bytes, r.step.Round(time.Microsecond),
			r.exchange.Round(time.Microsecond))
		sum += r.sum
		objects += r.objects
	}
	_, err = fmt.Fprintf(out, "digest ticks=%d objects=%d sum=%016x\n", f.Ticks, objects, sum)
	return err
}

// lines takes what several processes write, one write after the other.
type lines struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(b)
}

// alone runs the one shard in this process.
func (f *runFlags) alone(ctx context.Context) ([]result, error) {
	o, err := f.options(0)
	if err != nil {
		return nil, err
	}
	defer o.Schedule.Close()
	s, err := shard.Start(ctx, nil, o)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	r, err := play(ctx, s, f.Ticks, func(uint64) error { return nil })
	return []result{r}, err
}

// An event is what a process did; shard is theServer for the server.
type event struct {
	shard int
	line  string
	ended bool
	err   error // of a process that ended
}

const theServer = -1

// A run is the processes of a machine.
type run struct {
	*runFlags
	log     io.Writer
	exe     string
	dir     string
	url     string
	events  chan event
	live    map[int]*process
	results []result
	done    []bool
	kills   []uint64 // ticks at which something is killed, ascending
	random  *rand.Rand
	killed  map[int]bool
}

type process struct {
	cmd   *exec.Cmd
	stdin io.Closer
}

// together runs a server and the shards in processes of their own.
func (f *runFlags) together(ctx context.Context, log io.Writer) (_ []result, err error) {
	r := &run{
		runFlags: f, log: log, dir: f.Dir, events: make(chan event), live: map[int]*process{},
		results: make([]result, f.Shards), done: make([]bool, f.Shards), killed: map[int]bool{},
		random: rand.New(rand.NewPCG(f.Seed, uint64(f.Kill))),
	}
	if _, err := f.options(0); err != nil {
		return nil, err
	}
	if r.exe, err = os.Executable(); err != nil {
		return nil, err
	}
	if r.dir == "" {
		if r.dir, err = os.MkdirTemp("", "flatecs-shard"); err != nil {
			return nil, err
		}
		defer os.RemoveAll(r.dir)
	}
	for range f.Kill {
		r.kills = append(r.kills, 1+r.random.Uint64N(max(f.Ticks, 2)-1))
	}
	slices.Sort(r.kills)
	defer r.end()
	return r.results, r.supervise(ctx)
}

// supervise starts everything, and again what was killed, until all shards are done.
func (r *run) supervise(ctx context.Context) error {
	if err := r.serve("0"); err != nil {
		return err
	}
	for left := r.Shards; left > 0; {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case e := <-r.events:
			done, err := r.handle(e)
			if err != nil {
				return err
			}
			if done {
				left--
			}
		}
	}
	return nil
}

// handle does what follows from an event. It returns whether a shard is done.
func (r *run) handle(e event) (done bool, err error) {
	word, rest, _ := strings.Cut(e.line, " ")
	switch {
	case e.ended:
		return r.restart(e)
	case word == "ready" && r.url == "":
		r.url = rest
		for i := range r.Shards {
			if err := r.join(i); err != nil {
				return false, err
			}
		}
	case word == "tick":
		tick, err := strconv.ParseUint(rest, 10, 64)
		if err == nil && len(r.kills) > 0 && tick >= r.kills[0] {
			r.kills = r.kills[1:]
			r.kill(tick)
		}
		return false, err
	case word == "result":
		return false, r.results[e.shard].parse(e.line)
	}
	return false, nil
}

// restart starts a process again that was killed.
func (r *run) restart(e event) (done bool, err error) {
	delete(r.live, e.shard)
	switch {
	case r.killed[e.shard]:
		delete(r.killed, e.shard)
		if e.shard == theServer {
			return false, r.serve(r.url[strings.LastIndexByte(r.url, ':')+1:])
		}
		return false, r.join(e.shard)
	case e.err == nil && e.shard != theServer:
		r.done[e.shard] = true
		return true, nil
	}
	return false, fmt.Errorf("shard: process %d ended: %w", e.shard, e.err)
}

// kill kills a random shard that is not done, or the server.
func (r *run) kill(tick uint64) {
	var candidates []int
	for i := theServer; i < r.Shards; i++ {
		if r.live[i] != nil && !r.killed[i] {
			candidates = append(candidates, i)
		}
	}
	if len(candidates) == 0 {
		return
	}
	i := candidates[r.random.IntN(len(candidates))]
	r.killed[i] = true
	name := fmt.Sprint("shard ", i)
	if i == theServer {
		name = "the server"
	}
	fmt.Fprintf(r.log, "tick %d: killing %s\n", tick, name)
	_ = r.live[i].cmd.Process.Kill() // it may have ended
}

func (r *run) serve(port string) error {
	return r.start(theServer, "serve", "--dir", r.dir, "--port", port, "--attached")
}

func (r *run) join(i int) error {
	return r.start(i, "join", "--attached", "--url", r.url, "--shard", strconv.Itoa(i),
		"--holder", fmt.Sprint("run ", os.Getpid()),
		"--shards", strconv.Itoa(r.Shards), "--objects", strconv.Itoa(r.Objects),
		"--ticks", strconv.FormatUint(r.Ticks, 10), "--seed", strconv.FormatUint(r.Seed, 10),
		"--speed", fmt.Sprint(r.Speed), "--every", strconv.Itoa(r.Every),
		"--workers", strconv.Itoa(r.Workers))
}

// start starts a process, and sends what it writes and its end as events.
func (r *run) start(i int, args ...string) error {
	cmd := exec.Command(r.exe, args...)
	cmd.Stderr = r.log
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	r.live[i] = &process{cmd, stdin}
	go func() {
		lines := bufio.NewScanner(stdout)
		for lines.Scan() {
			r.events <- event{shard: i, line: lines.Text()}
		}
		r.events <- event{shard: i, ended: true, err: cmd.Wait()}
	}()
	return nil
}

// end ends all processes: at the end of their stdin, or else by force.
func (r *run) end() {
	for _, p := range r.live {
		_ = p.stdin.Close() // it may have ended
	}
	force := time.After(10 * time.Second)
	for len(r.live) > 0 {
		select {
		case e := <-r.events:
			if e.ended {
				delete(r.live, e.shard)
			}
		case <-force:
			for _, p := range r.live {
				_ = p.cmd.Process.Kill() // it may have ended
			}
		}
	}
}
