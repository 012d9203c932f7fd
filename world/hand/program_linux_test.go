package hand_test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/hand"
	"github.com/flatecs/flatecs/world/save"
)

// The test binary is the program, too: its name says which version it is, and what goes wrong.
//
//	v1-…   bodies have a speed      panic  hang  taken  killed  …
//	v2-…   bodies have a pace and health
//	f1-…   v1 in free room, each with a speed of its own; it ends by itself with Close
//	f4-…   f1 without the speed
//	f5-…   f1 with fuel, of which each step burns one
//	…keeps what it says of its world travels with that
//	…look  with an inspector, whose page looks back

type vec [3]float32

var (
	speed    = layout.NewField[vec]("speed", vec{1, 2, 3})
	at       = layout.NewField[vec]("at")
	body     = layout.NewKind("body", speed, at)
	thing    = world.NewRecipe("thing", body)
	moving   = world.NewQuery(world.Write(at), world.Read(speed))
	pace     = layout.NewField("pace", [3]float64{1, 1, 1})
	health   = layout.NewField[uint16]("health", 100)
	at2      = layout.NewField[vec]("at")
	body2    = layout.NewKind("body", pace, health, at2)
	thing2   = world.NewRecipe("thing", body2)
	launched = world.NewQuery(world.Write(speed))
	moving2  = world.NewQuery(world.Write(at2), world.Read(pace))
)

// things is how many objects there are: 1000, or what the file count says.
var things = 1000

func TestMain(m *testing.M) {
	switch {
	case len(os.Args) > 2 && os.Args[1] == "play":
		os.Exit(play(filepath.Base(os.Args[0]), os.Args[2]))
	case len(os.Args) > 3 && os.Args[1] == "supervise":
		os.Exit(superviseFor(os.Args[2], os.Args[3]))
	}
	os.Exit(m.Run())
}

func counts1() world.Counts {
	return world.Counts{
		Kinds: layout.Kinds(body.Count(things)), Recipes: []world.Recipe{thing}, Seed: 3,
	}
}

func freeCounts() world.Counts {
	c := counts1()
	c.Kinds = layout.Kinds(body)
	return c
}

// freshFree returns the first world of versions in free room.
func freshFree() (world.State, error) {
	s, err := freshOf(freeCounts())
	if err != nil {
		return s, err
	}
	n := 0
	for b := range launched.In(s) {
		v := world.Column(b, speed)
		for i := range v {
			v[i][0] = float32(n % 100)
			n++
		}
	}
	return s, nil
}

func counts2() world.Counts {
	return world.Counts{
		Kinds: layout.Kinds(body2.Count(things)), Recipes: []world.Recipe{thing2}, Seed: 3,
	}
}

func fresh() (world.State, error) { return freshOf(counts1()) }

func freshOf(c world.Counts) (world.State, error) {
	s, err := world.CreateState(c)
	if err != nil {
		return s, err
	}
	return world.SpawnN(s, thing, things, nil)
}

func step(s world.State) world.State {
	s = world.Advance(s)
	for b := range moving.In(s) {
		p, v := world.Column(b, at), world.Column(b, speed)
		for i := range p {
			p[i][0] += v[i][0]
		}
	}
	s, stream := world.NextStream(s)
	_ = stream.Uint64()
	return s
}

func step2(s world.State) world.State {
	s = world.Advance(s)
	for b := range moving2.In(s) {
		p, v := world.Column(b, at2), world.Column(b, pace)
		for i := range p {
			p[i][0] += float32(v[i][0])
		}
	}
	s, stream := world.NextStream(s)
	_ = stream.Uint64()
	return s
}

func die(what string, err error) {
	if err != nil {
		panic(fmt.Sprint(what, ": ", err))
	}
}

// goesWrong does what the name of a version says, at a place that it names.
func goesWrong(version, where string) {
	switch {
	case strings.HasSuffix(version, "slow-panic-"+where):
		time.Sleep(3 * time.Second)
		panic("as it was to")
	case strings.HasSuffix(strings.TrimSuffix(version, "-serve"), "panic-"+where):
		panic("as it was to")
	case strings.HasSuffix(version, "hang-"+where):
		for parent := os.Getppid(); os.Getppid() == parent; { // and not longer than the test
			time.Sleep(10 * time.Millisecond)
		}
		panic("the supervisor is gone")
	case strings.HasSuffix(version, "kill-"+where):
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	case strings.HasSuffix(version, "exit-"+where):
		os.Exit(3) //nolint:revive // that is what is tested
	case strings.HasSuffix(version, "zero-"+where):
		os.Exit(0) //nolint:revive // as above
	case strings.HasSuffix(version, "stop-"+where):
		_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
		goesWrong("hang-"+where, where)
	case strings.HasSuffix(version, "killparent-"+where):
		_ = syscall.Kill(os.Getppid(), syscall.SIGKILL)
		time.Sleep(50 * time.Millisecond)
	case strings.HasSuffix(version, "soon-"+where):
		time.AfterFunc(time.Second, func() {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		})
	case strings.HasSuffix(version, "slow-"+where):
		time.Sleep(3 * time.Second)
	}
}

// declared returns what a version knows, how it steps, and how it begins.
func declared(version string) (
	c world.Counts, advance func(world.State) world.State, begin func() (world.State, error),
) {
	c, advance, begin = counts1(), step, fresh
	if strings.HasPrefix(version, "v2") {
		c, advance, begin = counts2(), step2, nil
	}
	if strings.HasPrefix(version, "f1") {
		c = freeCounts()
		begin = freshFree
	}
	if strings.HasPrefix(version, "f4") || strings.HasPrefix(version, "f5") {
		return changed(version)
	}
	if strings.HasPrefix(version, "v3") {
		c.GameObjects = 1 // no room for what there is
	}
	return c, advance, begin
}

// play plays as the version says. Its folder has world.flat at the end, and says, a line for what
// it has played.
func play(version, dir string) (code int) {
	if n, err := os.ReadFile(filepath.Join(dir, "count")); err == nil {
		_, _ = fmt.Sscan(string(n), &things)
	}
	goesWrong(version, "start")
	h, err := hand.Join(hand.Options{
		File: filepath.Join(dir, "world.flat"), Save: migrations(version), Out: io.Discard,
	})
	die("join", err)
	h.OnOffer(func(*hand.Offer) error { goesWrong(version, "offer"); return nil })
	c, advance, begin := declared(version)
	s, err := h.World(c, begin)
	die("world", err)
	if strings.Contains(version, "keeps") {
		keeps(h, dir, &s)
	}
	var r *room
	if strings.Contains(version, "serve") {
		r = serve(h)
	}
	goesWrong(version, "taken")
	die("ready", h.Ready())
	if r != nil {
		conns, err := h.Conns()
		die("conns", err)
		for _, c := range conns {
			r.add(c.Name, c.Conn, c.Unread)
		}
	}
	goesWrong(version, "ready")
	last := uint64(0)
	if until, err := os.ReadFile(filepath.Join(dir, "until")); err == nil {
		_, _ = fmt.Sscan(string(until), &last)
	}
	var tape *hand.Tape
	if strings.Contains(version, "tape") {
		tape, err = h.NewTape(s, 1000, 1)
		die("tape", err)
	}
	l := look(version, s, advance)
	defer l.close()
	for h.Continue(s) {
		if last != 0 && world.Tick(s) >= last {
			said(dir, version, s)
			if strings.HasPrefix(version, "f1") {
				h.Close()
			}
			return 0
		}
		name := version
		if tape != nil {
			var input []byte
			s, input, err = tape.Next(s, []byte{byte(world.Tick(s))})
			die("next", err)
			name = fmt.Sprint(version, "/", input[0])
		}
		var steps int
		if s, steps = l.turn(s, advance); things <= 1000 && steps > 0 {
			said(dir, name, s)
		}
		time.Sleep(200 * time.Microsecond)
		goesWrong(version, "step")
		if _, err := os.Lstat(filepath.Join(dir, "now")); err == nil {
			goesWrong(version, "later")
		}
	}
	return h.Code()
}

func migrations(version string) save.Options {
	if !strings.HasPrefix(version, "v2") {
		return save.Options{}
	}
	return save.Options{Migrations: []save.Migration{
		save.Migrate("body.speed", pace, func(old vec) [3]float64 {
			return [3]float64{10 * float64(old[0]), 0, 0}
		}),
	}}
}

// said writes which version has played which tick, and what came of it.
func said(dir, version string, s world.State) {
	f, err := os.OpenFile(filepath.Join(dir, "says"), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	die("says", err)
	_, err = fmt.Fprintf(f, "%s %d %x\n", version, world.Tick(s), world.Digest(s))
	die("says", errors.Join(err, f.Close()))
}

// serve echoes lines on a listener, and hands its connections over.
func serve(h *hand.Hand) *room {
	l, err := h.Listen("tcp", "127.0.0.1:0")
	die("listen", err)
	die("address", os.WriteFile(filepath.Join(os.Args[2], "address"), []byte(l.Addr().String()), 0o600))
	r := &room{conns: map[string]net.Conn{}, unread: map[string][]byte{}}
	h.OnOffer(func(o *hand.Offer) error {
		o.OnRefused(r.resume)
		return r.offer(o)
	})
	go func() {
		for n := 0; ; n++ {
			c, err := l.Accept()
			if err != nil {
				return
			}
			r.add(c.RemoteAddr().String(), c, nil)
		}
	}()
	return r
}

// A room answers every second byte with the two.
type room struct {
	sync.Mutex
	conns   map[string]net.Conn
	unread  map[string][]byte
	readers sync.WaitGroup
}

func (r *room) add(name string, c net.Conn, unread []byte) {
	r.Lock()
	defer r.Unlock()
	r.conns[name], r.unread[name] = c, unread
	r.readers.Add(1)
	go r.read(name, c)
}

func (r *room) read(name string, c net.Conn) {
	defer r.readers.Done()
	b := make([]byte, 1)
	for {
		n, err := c.Read(b)
		r.Lock()
		r.unread[name] = append(r.unread[name], b[:n]...)
		if u := r.unread[name]; len(u) == 2 {
			_, _ = c.Write(u)
			r.unread[name] = nil
		}
		gone := err != nil && !errors.Is(err, os.ErrDeadlineExceeded)
		if gone {
			delete(r.conns, name)
			_ = c.Close()
		}
		r.Unlock()
		if err != nil {
			return
		}
	}
}

// resume reads again, where an offer was for nothing.
func (r *room) resume() {
	r.Lock()
	defer r.Unlock()
	for name, c := range r.conns {
		_ = c.SetReadDeadline(time.Time{})
		r.readers.Add(1)
		go r.read(name, c)
	}
}

func (r *room) offer(o *hand.Offer) error {
	r.Lock()
	for _, c := range r.conns {
		_ = c.SetReadDeadline(time.Unix(1, 0))
	}
	r.Unlock()
	r.readers.Wait()
	for name, c := range r.conns {
		if err := o.Conn(name, c, r.unread[name]); err != nil {
			return err
		}
	}
	return nil
}
