//go:build browser && !js

package site

import (
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/arena"
	"github.com/flatecs/flatecs/cmd/web/browse"
	"github.com/flatecs/flatecs/cmd/web/server"
	"github.com/flatecs/flatecs/world/link"
)

// TestMain ends the browser after the tests.
func TestMain(m *testing.M) { os.Exit(browse.Main(m)) }

// Two browsers play over links that delay by 75 ms each way and lose one datagram in twenty, one
// over WebTransport, one without it, and a program over UDP. The browsers are on both sides. All
// tanks are the server's, to the bit, when they rest. Ten minutes of it:
//
//	cd cmd; go test -tags=browser ./arena/site -run Browsers -v -timeout 1h \
//		-args -lasting 10m -patience 15m
func TestTwoBrowsersPlay(t *testing.T) {
	program, err := server.Build(t.Context(), Program, nil)
	require.NoError(t, err)
	socket, err := net.ListenUDP("udp", nil)
	require.NoError(t, err)
	url := open(t, Options{
		Players: 64, Bots: 20, Seed: 1, Lag: link.Conditions{Loss: .05, Delay: 3, Seed: 1}, UDP: socket,
	}, program)
	sides := map[int]bool{}
	var tabs []browse.Tab
	for _, of := range [][2]string{
		{"", "WebTransport"}, {"delete globalThis.WebTransport", "WebSocket"},
	} {
		b := browse.Open(t, url+"/?pilot", of[0], 1280, 800)
		b.Until(`globalThis.arena?.now?.side >= 0`)
		assert.Equal(t, of[1], browse.Value[string](b, `arena.now.over`),
			browse.Value[string](b, `arena.now.fell ?? ""`))
		tabs = append(tabs, b)
		sides[browse.Value[int](b, `arena.now.side`)] = true
	}
	assert.Len(t, sides, 2)
	for i, b := range tabs {
		b.Until(`arena.now.sees > 0`)
		b.Shot("arena-" + []string{"first", "second"}[i])
		assert.Empty(t, browse.Value[string](b, `arena.now.error ?? ""`))
	}
	rounds, last := 0, overUDP(t, url)
	for began := time.Now(); rounds == 0 || time.Since(began) < *lasting; rounds++ {
		for stop := time.Now().Add(min(*lasting, 20*time.Second)); time.Now().Before(stop); {
			last.frame(t, (*arena.Player).Pilot)
		}
		togglePilots(tabs)
		for n, own := range []func() string{
			func() string { return browse.Value[string](tabs[0], `arena.now.own`) },
			func() string { return browse.Value[string](tabs[1], `arena.now.own`) },
			func() string { return last.Status().Tank() },
		} {
			rest(t, url, 20+n, last, own)
		}
		togglePilots(tabs)
	}
	for _, b := range tabs {
		assert.Empty(t, browse.Value[string](b, `arena.now.error ?? ""`))
	}
	t.Log(rounds, "times all tanks were the server's")
}

func togglePilots(tabs []browse.Tab) {
	for _, b := range tabs {
		browse.Value[bool](b, `(dispatchEvent(new KeyboardEvent("keydown", {code: "KeyP"})), true)`)
	}
}

// rest waits until the tank that a client has is the server's, while another one rests too.
func rest(t *testing.T, url string, client int, other program, own func() string) {
	t.Helper()
	equal := func() bool {
		other.frame(t, func(*arena.Player) arena.Input { return 0 })
		status, text := read(t, url+"/debug/ecs/api/client?number="+strconv.Itoa(client))
		require.Equal(t, http.StatusOK, status, text)
		return strings.HasPrefix(text, "tank "+own())
	}
	for end := time.Now().Add(time.Minute); !equal(); {
		require.True(t, time.Now().Before(end), "the tanks differ")
	}
}
