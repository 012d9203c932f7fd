//go:build browser && !js

package site

import (
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/web/browse"
	"github.com/flatecs/flatecs/cmd/web/server"
	"github.com/flatecs/flatecs/world/link"
)

// TestMain ends the browser after the tests.
func TestMain(m *testing.M) { os.Exit(browse.Main(m)) }

// Two browsers play over links that delay by 75 ms each way and lose one datagram in twenty, one
// over WebTransport, one without it. They are on both sides, and their tanks are the server's, to
// the bit, when they rest.
func TestTwoBrowsersPlay(t *testing.T) {
	program, err := server.Build(t.Context(), Program, nil)
	require.NoError(t, err)
	url := open(t, Options{
		Players: 64, Bots: 20, Seed: 1, Lag: link.Conditions{Loss: .05, Delay: 3, Seed: 1},
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
	for n, b := range tabs {
		browse.Value[bool](b, `(dispatchEvent(new KeyboardEvent("keydown", {code: "KeyP"})), true)`)
		equal := func() bool { // the clients behind the bots
			status, text := read(t, url+"/debug/ecs/api/client?number="+strconv.Itoa(20+n))
			require.Equal(t, http.StatusOK, status, text)
			return strings.HasPrefix(text, "tank "+browse.Value[string](b, `arena.now.own`))
		}
		for end := time.Now().Add(time.Minute); !equal(); time.Sleep(50 * time.Millisecond) {
			require.True(t, time.Now().Before(end), "the tanks differ")
		}
	}
}
