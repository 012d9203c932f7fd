//go:build !js

package site

import (
	"context"
	"flag"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/arena"
	"github.com/flatecs/flatecs/cmd/web/server"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/link"
	"github.com/flatecs/flatecs/world/link/udp"
	"github.com/flatecs/flatecs/world/link/web"
	"github.com/flatecs/flatecs/world/record"
)

// open serves a room until the test is over, and returns its address.
func open(t *testing.T, o Options, p server.Program) string {
	t.Helper()
	s := httptest.NewUnstartedServer(nil)
	tcp := s.Listener.Addr().(*net.TCPAddr)
	o.QUIC, _ = net.ListenUDP("udp", &net.UDPAddr{IP: tcp.IP, Port: tcp.Port}) // if it is free
	room := world.Must(New(o, p))
	s.Config.Handler = room
	s.Start()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- room.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		assert.NoError(t, <-done)
		s.Close()
	})
	return s.URL
}

// read returns what is at an address.
func read(t *testing.T, url string) (status int, text string) {
	t.Helper()
	answer := world.Must(http.Get(url))
	all := world.Must(io.ReadAll(answer.Body))
	require.NoError(t, answer.Body.Close())
	return answer.StatusCode, string(all)
}

var lasting = flag.Duration("lasting", 0, "how long TestTwoBrowsersPlay plays on")

// A program is a player whose pilot plays, over any link.
type program struct {
	*arena.Player
	conn interface {
		link.Link
		Err() error
		Close() error
	}
	began time.Time
}

func newProgram(t *testing.T, p program) program {
	t.Helper()
	player := world.Must(arena.NewPlayer(p.conn, 1))
	p.Player, p.began = player, time.Now()
	t.Cleanup(func() {
		assert.NoError(t, p.conn.Close())
		player.Close()
	})
	return p
}

func (p program) frame(t *testing.T, press func(*arena.Player) arena.Input) {
	t.Helper()
	time.Sleep(10 * time.Millisecond)
	require.NoError(t, p.conn.Err())
	require.NoError(t, p.Frame(time.Since(p.began), press))
	require.Less(t, time.Since(p.began), *lasting+time.Minute, "it takes too long")
}

// overWeb and overUDP connect to a room.
func overWeb(t *testing.T, url string) program {
	t.Helper()
	c := world.Must(web.Dial(t.Context(), "ws"+strings.TrimPrefix(url, "http")+"/play"))
	return newProgram(t, program{conn: c})
}

func overUDP(t *testing.T, url string) program {
	t.Helper()
	status, token := read(t, url+"/join")
	require.Equal(t, http.StatusOK, status)
	return newProgram(t, program{conn: world.Must(udp.Dial(t.Context(), []byte(token)))})
}

// Programs play in one game, over WebSocket and UDP, by bad links: their tanks are the server's
// when they rest. Who does not fit is sent away.
func TestProgramsPlay(t *testing.T) {
	socket := world.Must(net.ListenUDP("udp", nil))
	url := open(t, Options{
		Players: 4, Bots: 2, Seed: 1, Lag: link.Conditions{Loss: .05, Delay: 1, Seed: 1}, UDP: socket,
		Reveal: true,
	}, server.Program{})
	status, page := read(t, url+"/")
	assert.Equal(t, http.StatusOK, status)
	assert.Contains(t, page, "arena.js")

	programs := []program{overWeb(t, url)}
	for programs[0].Status().Side < 0 {
		programs[0].frame(t, (*arena.Player).Pilot)
	}
	programs = append(programs, overUDP(t, url))
	for programs[1].Status().Side < 0 || time.Since(programs[1].began) < time.Second {
		for _, p := range programs {
			p.frame(t, (*arena.Player).Pilot)
		}
	}
	assert.NotEqual(t, programs[0].Status().Side, programs[1].Status().Side)
	last := overUDP(t, url)
	for last.conn.Err() == nil {
		time.Sleep(time.Millisecond)
	}
	require.ErrorIs(t, last.conn.Err(), udp.ErrClosed)

	for n, p := range programs {
		for equal := false; !equal; {
			p.frame(t, func(*arena.Player) arena.Input { return 0 })
			status, text := read(t, url+"/debug/ecs/api/client?number="+strconv.Itoa(2+n))
			require.Equal(t, http.StatusOK, status, text)
			equal = strings.HasPrefix(text, "tank "+p.Status().Tank())
		}
	}
}

// A local room gives no tokens to pages of names that only lead here.
func TestLocalTokens(t *testing.T) {
	socket := world.Must(net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)}))
	url := open(t, Options{Players: 2, Seed: 1, Local: true, UDP: socket}, server.Program{})
	ask, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url+"/join", http.NoBody)
	require.NoError(t, err)
	ask.Host = "evil.example.com"
	answer := world.Must(http.DefaultClient.Do(ask))
	assert.Equal(t, http.StatusForbidden, answer.StatusCode)
	require.NoError(t, answer.Body.Close())
	overUDP(t, url)
}

// Each program records into a folder of its own, what ended the game too, and it replays.
func TestARoomIsRecorded(t *testing.T) {
	o := Options{Players: 4, Bots: 3, Seed: 1, Record: t.TempDir()}
	for _, name := range []string{"0000", "0001"} {
		room := world.Must(New(o, server.Program{}))
		for range 100 {
			require.NoError(t, room.halfTick(true))
		}
		require.ErrorIs(t, room.fail(io.ErrNoProgress), io.ErrNoProgress)
		require.NoError(t, room.recorder.End(room.host.State()))
		last := world.Digest(room.host.State())
		room.close()
		f := world.Must(record.Read(filepath.Join(o.Record, name)))
		require.NoError(t, f.Torn)
		assert.Equal(t, "arena players=4 seed=1", f.Head.Program)
		assert.Equal(t, io.ErrNoProgress.Error(), f.Notes[0].Text)
		assert.Equal(t, 99, f.Notes[0].Frame)
		var now uint64
		require.NoError(t, f.Replay(arena.Counts(4, 1), arena.Replay(), record.Options{},
			func(s world.State) { now = world.Digest(s) }))
		require.Equal(t, last, now)
	}
}

// A folder that cannot be made is an error at the begin.
func TestAFolderThatCannotBeMade(t *testing.T) {
	_, err := New(Options{Players: 4, Record: "/dev/null/folder"}, server.Program{})
	require.ErrorContains(t, err, "record into another folder")
}
