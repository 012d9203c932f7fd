package hand_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/hand"
	"github.com/flatecs/flatecs/world/inspect"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/flatecs/flatecs/world/save"
	"github.com/flatecs/flatecs/world/timeline"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const long = time.Minute // longer than anything takes

// hung is when a program counts as one that hangs: a busy machine takes seconds to start another.
const hung = 5 * time.Second

// A stage is a supervisor in the test, and the folder of its programs.
type stage struct {
	t      *testing.T
	dir    string
	orders chan hand.Order
	events chan hand.Event
	ended  chan int
	said   []line
	read   int64 // bytes of the file that said is in
}

func (g *stage) version(name string) string {
	path := filepath.Join(g.dir, name)
	if _, err := os.Lstat(path); err != nil {
		require.NoError(g.t, os.Symlink(world.Must(os.Executable()), path))
	}
	return path
}

func newStage(t *testing.T, first string, until int, s hand.Supervisor) *stage {
	t.Helper()
	g := &stage{
		t: t, dir: t.TempDir(), orders: make(chan hand.Order), events: make(chan hand.Event, 1000),
		ended: make(chan int, 1),
	}
	if until > 0 {
		file := filepath.Join(g.dir, "until")
		require.NoError(t, os.WriteFile(file, []byte(fmt.Sprint(until)), 0o600))
	}
	if s.Still == 0 {
		s.Still = long // whatever else the machine does
	}
	s.Path, s.Args, s.Orders = g.version(first), []string{"play", g.dir}, g.orders
	s.Told = func(e hand.Event) { g.events <- e }
	go func() {
		code, err := hand.Supervise(s)
		assert.NoError(t, err)
		g.ended <- code
	}()
	return g
}

// playing is newStage whose first program plays.
func playing(t *testing.T, first string, until int, s hand.Supervisor) *stage {
	t.Helper()
	g := newStage(t, first, until, s)
	g.after(hand.Plays)
	return g
}

// takesOver lets a version take over, and waits until it plays.
func (g *stage) takesOver(version string) {
	g.t.Helper()
	g.replace(g.version(version))
	g.after(hand.Plays)
}

// terminate ends the supervisor by a signal.
func (g *stage) terminate() {
	g.t.Helper()
	require.NoError(g.t, syscall.Kill(os.Getpid(), syscall.SIGTERM))
	assert.Equal(g.t, 143, g.end())
}

// replace lets a version take over.
func (g *stage) replace(path string) { g.orders <- hand.Order{Path: path} }

// after returns the next event, which is of a kind.
func (g *stage) after(what hand.EventKind) hand.Event {
	g.t.Helper()
	select {
	case e := <-g.events:
		require.Equal(g.t, what, e.What, "%v", e)
		return e
	case code := <-g.ended:
		g.ended <- code
		require.Fail(g.t, "it has ended", "code %d, and %d events", code, len(g.events))
	case <-time.After(long):
		require.Fail(g.t, "nothing happens")
	}
	return hand.Event{}
}

func (g *stage) end() int {
	g.t.Helper()
	select {
	case code := <-g.ended:
		return code
	case <-time.After(long):
		require.Fail(g.t, "it does not end")
	}
	return -1
}

// played waits until a version has played a number of further steps.
func (g *stage) played(steps int) {
	g.t.Helper()
	from := len(g.says())
	require.Eventually(g.t, func() bool { return len(g.says()) >= from+steps }, long, time.Millisecond)
}

// requireOneLife checks that each tick was played once, one after the other, as in an undisturbed
// world.
func (g *stage) requireOneLife() []line {
	g.t.Helper()
	all := g.says()
	require.NotEmpty(g.t, all)
	want := inCountedRoom()
	for i, l := range all {
		if i > 0 && all[i-1].tick != l.tick { // the last one is said twice
			require.Equal(g.t, all[i-1].tick+1, l.tick, "%v after %v", l, all[i-1])
		}
		require.Equal(g.t, want.at(uint64(l.tick)), l.digest, "tick %d of %s", l.tick, l.version)
	}
	return all
}

// TestManyRestarts: after many restarts in a row the world equals an undisturbed run's.
func TestManyRestarts(t *testing.T) { manyRestarts(t, 20, "v1-a", "v1-b") }

// TestManyRestartsWithTheTimelineOpen: so it is while a page looks back at each program's past.
func TestManyRestartsWithTheTimelineOpen(t *testing.T) {
	restarts := 8
	if worldtest.AtLength() {
		restarts = 200
	}
	manyRestarts(t, restarts, "v1-look-a", "v1-look-b")
}

// manyRestarts lets two versions take over from each other.
func manyRestarts(t *testing.T, restarts int, a, b string) {
	t.Helper()
	g := playing(t, a, 0, hand.Supervisor{})
	for i := range restarts {
		g.replace(g.version([]string{b, a}[i%2]))
		assert.Positive(t, g.after(hand.Plays).Still)
		g.played(1)
	}
	g.terminate()
	all := g.requireOneLife()
	s, _ := world.Must2(save.Load(filepath.Join(g.dir, "world.flat"), counts1(), save.Options{}))
	assert.Equal(t, all[len(all)-1].digest, fmt.Sprintf("%x", world.Digest(s)), "it was saved")
}

// TestFailuresLeaveTheOldProgram: whatever goes wrong before a program is ready.
func TestFailuresLeaveTheOldProgram(t *testing.T) {
	g := playing(t, "v1-a", 0, hand.Supervisor{Deadline: hung, Still: hung})
	for _, c := range []struct{ version, why string }{
		{"v1-panic-start", "exit status 2"},
		{"v1-hang-start", "did not ask"},
		{"v1-kill-start", "killed"},
		{"v1-panic-taken", "exit status 2\npanic: as it was to\n\ngoroutine"},
		{"v1-hang-taken", "not ready"},
		{"v1-kill-taken", "killed"},
		{"v3", ""},
		{"none", "none"},
	} {
		path := filepath.Join(g.dir, c.version)
		if c.version != "none" {
			path = g.version(c.version)
		}
		g.replace(path)
		assert.Contains(t, g.after(hand.Refused).Why, c.why, c.version)
		g.played(2)
	}
	g.terminate()
	for _, l := range g.requireOneLife() {
		require.Equal(t, "v1-a", l.version)
	}
}

// TestATrialIsTakenBack: a program that dies in its trial has never been.
func TestATrialIsTakenBack(t *testing.T) {
	g := playing(t, "v1-a", 0, hand.Supervisor{Trial: long})
	for _, version := range []string{"v1-panic-step", "v1-kill-step", "v1-kill-ready"} {
		g.played(3)
		g.replace(g.version(version))
		e := g.after(hand.Plays)
		if version == "v1-kill-ready" {
			assert.Equal(t, version, filepath.Base(e.Path))
		}
		g.after(hand.Back)
		g.played(3)
	}
	g.takesOver("v1-b")
	g.played(3)
	g.replace(g.version("v1-c")) // which ends the trial
	g.after(hand.Kept)
	g.after(hand.Plays)
	g.played(3)
	require.NoError(t, syscall.Kill(os.Getpid(), syscall.SIGTERM))
	g.after(hand.Kept)
	assert.Equal(t, 143, g.end())
	want := inCountedRoom()
	for _, l := range g.says() {
		require.Equal(t, want.at(uint64(l.tick)), l.digest)
	}
}

// TestAnotherFingerprint: new fields have defaults, others are migrated, and on it goes.
func TestAnotherFingerprint(t *testing.T) {
	g := playing(t, "v1-a", 0, hand.Supervisor{})
	g.played(5)
	g.takesOver("v2-a")
	g.played(5)
	g.takesOver("v2-b")
	g.played(5)
	g.terminate()
	s, _ := world.Must2(save.Load(filepath.Join(g.dir, "world.flat"), counts2(), save.Options{}))
	require.NoError(t, tool.Verify(s))
	all, first := g.says(), 0
	for i, l := range all {
		if first == 0 && strings.HasPrefix(l.version, "v2") {
			first = i
		}
	}
	later := float32(len(all) - first)
	for id := range moving2.Objects(s) {
		assert.InDelta(t, float32(first)+10*later, world.Must(world.Get(s, id, at2))[0], 0)
		assert.Equal(t, uint16(100), world.Must(world.Get(s, id, health)))
		break
	}
}

// TestKillsInEachPhase: whichever process is killed, no tick is played twice, and if a program with
// the world remains, the world is saved.
func TestKillsInEachPhase(t *testing.T) {
	for _, c := range []struct {
		first, next string
		saved       bool
	}{
		{"v1-a", "v1-killparent-start", true},
		{"v1-a", "v1-killparent-taken", true},
		{"v1-a", "v1-killparent-ready", true},
		{"v1-a", "v1-killparent-step", true},
		{"v1-killparent-offer", "v1-a", true},
		{"v1-kill-offer", "v1-a", false},
	} {
		t.Run(c.first+" "+c.next, func(t *testing.T) {
			g := &stage{t: t, dir: t.TempDir()}
			self := world.Must(os.Executable())
			first, next := g.version(c.first), g.version(c.next)
			run := exec.Command(self, "supervise", g.dir, first) //nolint:gosec // this test
			in := world.Must(run.StdinPipe())
			require.NoError(t, run.Start())
			require.Eventually(t, func() bool { return len(g.says()) > 3 }, long, time.Millisecond)
			ended, end := context.WithCancel(t.Context())
			go func() { _ = run.Wait(); end() }()
			for ended.Err() == nil { // a busy machine may refuse the next version at first
				_, _ = fmt.Fprintln(in, next)
				select {
				case <-ended.Done():
				case <-time.After(10 * time.Second):
				}
			}
			file := filepath.Join(g.dir, "world.flat")
			if !c.saved {
				g.requireOneLife()
				return
			}
			var s world.State
			require.Eventually(t, func() bool {
				var err error
				s, _, err = save.Load(file, counts1(), save.Options{})
				return err == nil
			}, long, time.Millisecond)
			time.Sleep(100 * time.Millisecond) // a remaining program would continue
			all := g.requireOneLife()
			last := all[len(all)-1]
			assert.Equal(t, last.tick, int(world.Tick(s)))
			assert.Equal(t, last.digest, fmt.Sprintf("%x", world.Digest(s)))
		})
	}
}

// superviseFor supervises, and starts each program that is named on stdin.
func superviseFor(dir, first string) (code int) {
	orders := make(chan hand.Order)
	go func() {
		for in := bufio.NewScanner(os.Stdin); in.Scan(); {
			orders <- hand.Order{Path: in.Text()}
		}
	}()
	code, err := hand.Supervise(hand.Supervisor{
		Path: first, Args: []string{"play", dir}, Orders: orders, Still: long, Told: func(hand.Event) {},
	})
	if err != nil {
		return 9
	}
	return code
}

// TestTheOldProgramIsKilledAfterItsOffer: the new one has the world then, and goes on.
func TestTheOldProgramIsKilledAfterItsOffer(t *testing.T) {
	g := playing(t, "v1-soon-offer", 0, hand.Supervisor{Trial: long})
	g.played(3)
	g.takesOver("v1-slow-taken")
	g.played(3)
	g.takesOver("v1-a") // there is no trial to end
	g.played(3)
	require.NoError(t, syscall.Kill(os.Getpid(), syscall.SIGTERM))
	g.after(hand.Kept)
	assert.Equal(t, 143, g.end())
	g.requireOneLife()
}

func TestTheEndOfAProgram(t *testing.T) {
	g := playing(t, "v1-a", 20, hand.Supervisor{})
	assert.Zero(t, g.end())
	g = playing(t, "v1-panic-step", 0, hand.Supervisor{})
	assert.Equal(t, 2, g.end())
	g = playing(t, "v1-kill-step", 0, hand.Supervisor{})
	assert.Equal(t, 137, g.end())
	if !testing.Short() {
		g = playing(t, "v1-soon-offer", 0, hand.Supervisor{Still: 2 * time.Second})
		g.replace(g.version("v1-hang-taken"))
		assert.Contains(t, g.after(hand.Died).String(), "nobody plays", "both are gone")
		assert.Equal(t, 137, g.end())
	}
}

// A line is what a program has said.
type line struct {
	version string
	tick    int
	digest  string
}

// says returns all that programs have said so far. It reads what came since the last call.
func (g *stage) says() []line {
	f, err := os.Open(filepath.Join(g.dir, "says"))
	if err != nil {
		return nil
	}
	defer f.Close()
	text, err := io.ReadAll(io.NewSectionReader(f, g.read, math.MaxInt64-g.read))
	if err != nil {
		return g.said
	}
	text = text[:bytes.LastIndexByte(text, '\n')+1]
	g.read += int64(len(text))
	for text := range bytes.Lines(text) {
		var l line
		if words := strings.Fields(string(text)); len(words) == 3 {
			l.version, l.digest = words[0], words[2]
			if l.tick, err = strconv.Atoi(words[1]); err == nil {
				g.said = append(g.said, l)
			}
		}
	}
	return g.said
}

// An undisturbed world is never handed over. It plays as far as requested.
type undisturbed struct {
	s       world.State
	step    func(world.State) world.State
	digests []string // of the ticks from the first one on
}

var (
	inCountedRoom = sync.OnceValue(func() *undisturbed {
		return &undisturbed{s: world.Must(fresh()), step: step}
	})
	inFreeRoom = sync.OnceValue(func() *undisturbed {
		return &undisturbed{s: world.Must(freshFree()), step: step}
	})
)

// at returns the digest at a tick, or "" beyond the ticks of all tests.
func (u *undisturbed) at(tick uint64) string {
	const first, most = 1, 100_000
	if tick < first || tick > most {
		return ""
	}
	for uint64(len(u.digests)) <= tick-first {
		if len(u.digests) > 0 {
			u.s = u.step(u.s)
		}
		u.digests = append(u.digests, fmt.Sprintf("%x", world.Digest(u.s)))
	}
	return u.digests[tick-first]
}

// A looked is a world's inspector, with a past, and a page that looks back all the time.
type looked struct {
	page *inspect.Inspector
	past *timeline.Timeline
	asks chan string // what the page was refused; closed when it is gone
	ends chan struct{}
}

// look returns the inspector of a version that has one, or nil, which takes a step in each turn.
func look(version string, s world.State, advance func(world.State) world.State) *looked {
	if !strings.Contains(version, "look") {
		return nil
	}
	step := func(s world.State, _ []byte) world.State { return advance(s) }
	past, err := timeline.New(s, timeline.Options{Step: step, Frames: 1000})
	die("past", err)
	begin := time.Now()
	page, err := inspect.New(s, inspect.Options{
		Clock: func() time.Duration { return time.Since(begin) }, Past: past, Step: step,
	})
	die("inspector", err)
	l := &looked{page, past, make(chan string, 1), make(chan struct{})}
	go l.watch()
	return l
}

// watch looks at the first frame that is kept, and at the newest, in turn.
func (l *looked) watch() {
	defer close(l.asks)
	h := l.page.Handler()
	ask := func(path string) []byte {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://localhost/debug/ecs/api/"+path, nil))
		select {
		case <-l.ends: // so does the program
		default:
			if w.Code != http.StatusOK && len(l.asks) == 0 {
				l.asks <- fmt.Sprint(path, ": ", w.Body)
			}
		}
		return w.Body.Bytes()
	}
	for {
		select {
		case <-l.ends:
			return
		default:
		}
		var said struct{ First, Next int }
		if json.Unmarshal(ask("time"), &said) == nil && said.Next > said.First {
			ask(fmt.Sprint("overview?at=", said.First))
			ask(fmt.Sprint("object?id=0&at=", said.Next-1))
		}
	}
}

// turn takes the steps that the page requests.
func (l *looked) turn(
	s world.State, advance func(world.State) world.State,
) (_ world.State, steps int) {
	if l == nil {
		return advance(s), 1
	}
	s, steps = l.page.Turn(s)
	for range steps {
		l.page.Input(nil)
		die("record", l.past.Record(s, nil))
		s = advance(s)
	}
	die("publish", l.page.Publish(s))
	return s, steps
}

// close ends the page, which was refused nothing.
func (l *looked) close() {
	if l == nil {
		return
	}
	close(l.ends)
	l.page.Close()
	for refused := range l.asks {
		panic(refused)
	}
	l.past.Close()
}
