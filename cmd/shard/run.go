package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/flatecs/flatecs/world/shard"
	"github.com/flatecs/flatecs/world/shard/report"
)

// run runs all shards, and writes the digest of all objects to out.
func (f *runFlags) run(ctx context.Context, out, log io.Writer) error {
	var results []result
	_, err := f.options(0)
	if err != nil {
		return err
	}
	b := newBoard(&f.simulation)
	d := newDisplay(log, b.table, os.Getenv)
	if f.Shards == 1 && f.Prove {
		return errors.New("shard: --prove compares shards with one process, and this is one; " +
			"give --shards from 2")
	}
	if f.Shards == 1 && (f.Dir != "" || f.Kill != 0) {
		return errors.New("shard: one shard runs in this process, and stores nothing: --dir and " +
			"--kill need --shards from 2")
	}
	if f.Shards == 1 {
		results, err = f.alone(ctx, b, d)
	} else {
		results, err = f.together(ctx, b, d)
	}
	if err != nil {
		return err
	}
	var sum uint64
	objects := 0
	for _, r := range results {
		sum += r.sum
		objects += r.objects
	}
	for _, r := range b.reports() {
		fmt.Fprintln(log, summary(&r))
	}
	_, err = fmt.Fprintf(out, "digest ticks=%d objects=%d sum=%016x\n", f.Ticks, objects, sum)
	if err == nil && f.Prove {
		err = f.prove(ctx, sum, out, log)
	}
	return err
}

// prove repeats the run in one process, and compares the digests.
func (f *runFlags) prove(ctx context.Context, sum uint64, out, log io.Writer) error {
	one := runFlags{simulation: f.simulation}
	one.Shards = 1
	fmt.Fprintln(log, "The same in one process:")
	b := newBoard(&one.simulation)
	r, err := one.alone(ctx, b, newDisplay(log, b.table, os.Getenv))
	if err != nil {
		return err
	}
	if r[0].sum != sum {
		fmt.Fprintln(out, "equal to one process: no")
		return fmt.Errorf("shard: one process has sum=%016x", r[0].sum)
	}
	_, err = fmt.Fprintln(out, "equal to one process: yes")
	return err
}

// summary describes the work of a shard per tick, for its last process.
func summary(r *report.Report) string {
	s := &r.Stats
	n := max(s.Ticks, 1)
	each := func(d time.Duration) time.Duration {
		return (d / time.Duration(n)).Round(time.Microsecond)
	}
	return fmt.Sprintf("shard %2d: %7d objects; a tick: step %v, exchange %v (sending %v, "+
		"waiting %v), %d bytes sent, %.1f objects left", r.Shard, r.Objects, each(s.Step),
		each(s.Exchange), each(s.Sending), each(s.Waiting), s.Sent/n, float64(s.Left)/float64(n))
}

// alone runs the only shard in this process.
func (f *runFlags) alone(ctx context.Context, b *board, d *display) ([]result, error) {
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
	w, err := watch(s, o, b, f.Inspect, d)
	if err != nil {
		return nil, err
	}
	defer w.close()
	defer d.end()
	r, err := w.play(ctx, f.Ticks, func(tick uint64, r *report.Report) error {
		if r != nil {
			d.show(fmt.Sprintf("tick %d of %d · one process", tick, f.Ticks))
		}
		return nil
	})
	if err == nil {
		b.state(0, ended)
	}
	return []result{r}, err
}

// An event is an event of a process; shard is theServer for the server.
type event struct {
	shard int
	line  string
	ended bool
	err   error // how the process ended
}

const theServer = -1

// A run is the processes of this machine.
type run struct {
	*runFlags
	log     *display
	board   *board
	exe     string
	dir     string
	url     string
	events  chan event
	live    map[int]*process
	results []result
	done    []bool
	wanted  chan int // shards to kill, as requested on the page
	kills   []uint64 // ticks at which to kill a process, ascending
	random  *rand.Rand
	killed  map[int]bool
}

type process struct {
	cmd   *exec.Cmd
	stdin io.Closer
}

// together runs a server and the shards as processes.
func (f *runFlags) together(ctx context.Context, b *board, d *display) (_ []result, err error) {
	r := &run{
		runFlags: f, log: d, board: b, dir: f.Dir,
		events: make(chan event), wanted: make(chan int), live: map[int]*process{},
		results: make([]result, f.Shards), done: make([]bool, f.Shards), killed: map[int]bool{},
		random: rand.New(rand.NewPCG(f.Seed, uint64(f.Kill))),
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
	if f.Inspect != "" {
		p, err := servePages(f.Inspect, r.page())
		if err != nil {
			return nil, err
		}
		defer p.stop()
		fmt.Fprintf(d, "inspector: %s%s\n", p.url, shardsPath)
	}
	defer d.end()
	defer r.end()
	return r.results, r.supervise(ctx)
}

// supervise starts all processes, and restarts killed ones, until all shards are done.
func (r *run) supervise(ctx context.Context) error {
	if err := r.serve("0"); err != nil {
		return err
	}
	clock := time.NewTicker(redraw)
	defer clock.Stop()
	for left := r.Shards; left > 0; {
		select {
		case <-clock.C:
			r.show()
		case <-ctx.Done():
			return ctx.Err()
		case i := <-r.wanted:
			r.kill(i, r.board.reports()[i].Tick)
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
	r.show()
	return nil
}

// show shows the progress of all shards.
func (r *run) show() {
	slow := slices.MinFunc(r.board.reports(), func(a, b report.Report) int {
		return cmp.Compare(a.Tick, b.Tick)
	})
	server := "server runs"
	if r.killed[theServer] || r.live[theServer] == nil {
		server = "server " + restarts
	}
	r.log.show(fmt.Sprintf("tick %d of %d · %s · %d to kill · last: shard %d %s, %d ticks "+
		"behind", slow.Tick, r.Ticks, server, len(r.kills), slow.Shard, slow.State, slow.Lag))
}

// handle handles an event. It returns whether a shard is done.
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
		r.board.tick(e.shard, tick)
		if err == nil && len(r.kills) > 0 && tick >= r.kills[0] {
			r.kills = r.kills[1:]
			r.killAny(tick)
		}
		return false, err
	case word == "from":
		fmt.Fprintf(r.log, "shard %d continues from tick %s of %s\n", e.shard, rest, r.dir)
	case word == "report":
		return false, r.board.put(e.shard, []byte(rest))
	case word == "result":
		return false, r.results[e.shard].parse(e.line)
	}
	return false, nil
}

// restart restarts a killed process.
func (r *run) restart(e event) (done bool, err error) {
	delete(r.live, e.shard)
	switch {
	case r.killed[e.shard]:
		delete(r.killed, e.shard)
		if e.shard == theServer {
			return false, r.serve(r.url[strings.LastIndexByte(r.url, ':')+1:])
		}
		r.board.state(e.shard, restarts)
		return false, r.join(e.shard)
	case e.err == nil && e.shard != theServer:
		r.board.state(e.shard, ended)
		r.done[e.shard] = true
		return true, nil
	}
	if e.shard == theServer {
		return false, fmt.Errorf("shard: the server ended: %w", e.err)
	}
	return false, fmt.Errorf("shard: process %d ended: %w", e.shard, e.err)
}

// killAny kills a random unfinished shard, or the server.
func (r *run) killAny(tick uint64) {
	var candidates []int
	for i := theServer; i < r.Shards; i++ {
		if r.live[i] != nil && !r.killed[i] {
			candidates = append(candidates, i)
		}
	}
	if len(candidates) > 0 {
		r.kill(candidates[r.random.IntN(len(candidates))], tick)
	}
}

// kill kills a process if it is running.
func (r *run) kill(i int, tick uint64) {
	if r.live[i] == nil || r.killed[i] {
		return
	}
	r.killed[i] = true
	name := fmt.Sprint("shard ", i)
	if i == theServer {
		name = "the server"
	}
	fmt.Fprintf(r.log, "tick %d: killing %s\n", tick, name)
	if i != theServer {
		r.board.state(i, restarts)
	}
	_ = r.live[i].cmd.Process.Kill() // it may have ended
}

func (r *run) serve(port string) error {
	return r.start(theServer, "serve", "--dir", r.dir, "--port", port, "--attached")
}

func (r *run) join(i int) error {
	args := []string{
		"join", "--attached", "--url", r.url, "--shard", strconv.Itoa(i),
		"--holder", fmt.Sprint("run ", os.Getpid()),
		"--shards", strconv.Itoa(r.Shards), "--count", strconv.Itoa(r.Objects),
		"--ticks", strconv.FormatUint(r.Ticks, 10), "--seed", strconv.FormatUint(r.Seed, 10),
		"--speed", fmt.Sprint(r.Speed), "--every", strconv.Itoa(r.Every),
		"--workers", strconv.Itoa(r.Workers),
	}
	if r.Inspect != "" {
		args = append(args, "--inspect", "127.0.0.1:0")
	}
	return r.start(i, args...)
}

// start starts a process, and sends its output and its end as events.
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

// end ends all processes by closing their stdin, and by force if that fails.
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
