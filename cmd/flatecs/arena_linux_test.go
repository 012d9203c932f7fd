package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/arena"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/hand"
	"github.com/flatecs/flatecs/world/link/udp"
	"github.com/flatecs/flatecs/world/link/web"
)

// A served arena is a supervisor in the test, its programs, and its players.
type servedArena struct {
	*testing.T
	dir    string
	url    string
	orders chan hand.Order
	events chan hand.Event
	seats  []*arena.Seat
	drives bool
	end    func()
	began  time.Time
}

func serveArena(t *testing.T, more ...string) *servedArena {
	t.Helper()
	free := httptest.NewServer(nil)
	address := free.Listener.Addr().String()
	free.Close()
	t.Setenv(asProgram, "1")
	a := &servedArena{
		T: t, dir: t.TempDir(), url: "http://" + address, began: time.Now(),
		orders: make(chan hand.Order), events: make(chan hand.Event, 100),
	}
	done := make(chan error)
	go func() {
		_, err := hand.Supervise(hand.Supervisor{
			Path: a.version("first"),
			Args: append([]string{
				"serve", "arena", "--bots", "0", "--addr", address, "--udp", "127.0.0.1:0", "--reveal",
			}, more...),
			Orders: a.orders, Told: func(e hand.Event) { a.events <- e },
			Keep: 20 * time.Millisecond, Revive: time.Nanosecond, Undo: 1, Trial: time.Millisecond,
			Deadline: time.Minute, Still: time.Minute,
		})
		done <- err
	}()
	a.end = sync.OnceFunc(func() {
		for _, s := range a.seats {
			_ = s.Close()
		}
		assert.NoError(t, syscall.Kill(os.Getpid(), syscall.SIGTERM))
		assert.NoError(t, <-done)
	})
	t.Cleanup(a.end)
	a.after(hand.Plays)
	return a
}

func (a *servedArena) version(name string) string {
	a.Helper()
	self := world.Must(os.Executable())
	path := filepath.Join(a.dir, name)
	require.NoError(a, os.Symlink(self, path))
	return path
}

// sits adds a player.
func (a *servedArena) sits(overUDP bool) {
	a.Helper()
	as := uint64(len(a.seats)) + 1
	s := arena.NewSeat(as, func() (arena.Connection, error) { return a.dial(overUDP, as) })
	a.seats = append(a.seats, s)
	a.until("somebody joins", func() bool { return s.Player() != nil })
}

// dial connects a player to the playing program.
func (a *servedArena) dial(overUDP bool, as uint64) (arena.Connection, error) {
	ctx, stop := context.WithTimeout(context.Background(), 10*time.Second)
	defer stop()
	if !overUDP {
		return web.Dial(ctx, fmt.Sprintf("ws%s/play?as=%x", strings.TrimPrefix(a.url, "http"), as))
	}
	ask := world.Must(http.NewRequestWithContext(ctx, http.MethodGet, a.url+"/join", http.NoBody))
	answer, err := http.DefaultClient.Do(ask)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	token, err := io.ReadAll(answer.Body)
	if err != nil {
		return nil, err
	}
	return udp.Dial(ctx, token)
}

// until plays until something is so.
func (a *servedArena) until(what string, f func() bool) {
	a.Helper()
	for end := time.Now().Add(time.Minute); !f(); time.Sleep(5 * time.Millisecond) {
		require.True(a, time.Now().Before(end), "this does not come about: %s", what)
		for _, s := range a.seats {
			require.NoError(a, s.Frame(time.Since(a.began), func(*arena.Player) arena.Input {
				if a.drives {
					return arena.Forward | arena.Right
				}
				return 0
			}))
		}
	}
}

func (a *servedArena) after(what hand.EventKind) {
	a.Helper()
	var e hand.Event
	a.until(fmt.Sprint("event ", what), func() bool {
		select {
		case e = <-a.events:
			return true
		default:
			return false
		}
	})
	require.Equal(a, what, e.What, "%v", e)
	a.Logf("%v %v", time.Since(a.began), e)
}

// kill kills the program that plays.
func (a *servedArena) kill() {
	a.Helper()
	for _, path := range world.Must(filepath.Glob("/proc/[0-9]*/stat")) {
		stat, _ := os.ReadFile(path)
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		_, after, _ := bytes.Cut(stat, []byte(") ")) // a letter, which is what it does, and the parent
		if err != nil || len(after) < 2 ||
			!bytes.HasPrefix(after[1:], fmt.Appendf(nil, " %d ", os.Getpid())) {
			continue
		}
		line, _ := os.ReadFile(filepath.Join(filepath.Dir(path), "cmdline"))
		if strings.HasPrefix(string(line), a.dir) {
			require.NoError(a, syscall.Kill(pid, syscall.SIGKILL))
			return
		}
	}
	require.Fail(a, "nobody plays")
}

// rests waits until each player's own tank is what the server has for that player, and stays that:
// one that still rolls may be the server's, too.
func (a *servedArena) rests() {
	a.Helper()
	a.drives = false
	client := &http.Client{Transport: &http.Transport{
		DisableKeepAlives: true, DialContext: (&net.Dialer{Timeout: time.Second}).DialContext,
	}}
	sees := func(number int) string {
		answer, err := client.Get(fmt.Sprint(a.url, "/debug/ecs/api/client?number=", number))
		if err != nil {
			return ""
		}
		defer answer.Body.Close()
		var text bytes.Buffer
		_, _ = text.ReadFrom(answer.Body)
		return text.String()
	}
	for n, s := range a.seats {
		var was arena.Status
		a.until("a tank rests, and is the server's", func() bool {
			now := s.Player().Status()
			if now.Own != was.Own || now.Side < 0 {
				was = now
			}
			return now.Side >= 0 && now.Tick > was.Tick+10 &&
				strings.HasPrefix(sees(n), "tank "+now.Tank())
		})
	}
	assert.NotContains(a, sees(len(a.seats)), "tank ", "nobody has joined again")
}

// quic reports whether pages may play over WebTransport.
func (a *servedArena) quic() bool {
	a.Helper()
	answer := world.Must(http.Get(a.url + "/quic"))
	defer answer.Body.Close()
	n, _ := answer.Body.Read(make([]byte, 1))
	return n > 0
}

// A browser's player and one over UDP stay in an arena through kill -9 and another build.
func TestPlayersStayInAnArena(t *testing.T) {
	a := serveArena(t)
	a.sits(false)
	a.sits(true)
	a.rests()
	quic, rounds := a.quic(), 4 // the port of that number may be taken
	if testing.Short() {
		rounds = 2
	}
	for n := range rounds {
		var before []arena.Status
		for _, s := range a.seats {
			before = append(before, s.Player().Status())
		}
		if n%2 == 0 {
			a.orders <- hand.Order{Path: a.version(fmt.Sprint("next-", n))}
			a.after(hand.Plays)
			a.after(hand.Kept)
		} else {
			a.kill()
			a.after(hand.Died)
			a.after(hand.Plays)
		}
		a.rests()
		assert.Equal(t, quic, a.quic(), "pages have WebTransport again")
		for i, s := range a.seats {
			now := s.Player().Status()
			assert.Greater(t, now.Tick, before[i].Tick)
			assert.Equal(t, before[i].Side, now.Side)
			if n%2 == 0 {
				assert.Equal(t, before[i].Own, now.Own, "the tank is where it was")
			}
		}
		a.drives = true
		until := a.seats[0].Player().Status().Tick + 20
		t.Log(time.Since(a.began), "at rest")
		a.until("ticks", func() bool { return a.seats[0].Player().Status().Tick > until })
		a.rests()
	}
}
