//go:build browser && !js

package site

import (
	"net/http"
	"os"
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

// Two browsers play over links that delay by 75 ms each way and lose one datagram in twenty. They
// are on both sides; the first one's tank is the server's, to the bit, when it rests.
func TestTwoBrowsersPlay(t *testing.T) {
	program, err := server.Build(t.Context(), Program, nil)
	require.NoError(t, err)
	url := open(t, Options{
		Players: 64, Bots: 20, Seed: 1, Lag: link.Conditions{Loss: .05, Delay: 3, Seed: 1},
	}, program)
	sides := map[int]bool{}
	var tabs []browse.Tab
	for range 2 {
		b := browse.Open(t, url+"/?pilot", "", 1280, 800)
		b.Until(`globalThis.arena?.now?.side >= 0`)
		tabs = append(tabs, b)
		sides[browse.Value[int](b, `arena.now.side`)] = true
	}
	assert.Len(t, sides, 2)
	for i, b := range tabs {
		b.Until(`arena.now.sees > 0`)
		b.Shot("arena-" + []string{"first", "second"}[i])
		assert.Empty(t, browse.Value[string](b, `arena.now.error ?? ""`))
	}
	browse.Value[bool](tabs[0], `(dispatchEvent(new KeyboardEvent("keydown", {code: "KeyP"})), true)`)
	equal := func() bool { // the first client behind the bots
		status, text := read(t, url+"/debug/ecs/api/client?number=20")
		require.Equal(t, http.StatusOK, status, text)
		return strings.HasPrefix(text, "tank "+browse.Value[string](tabs[0], `arena.now.own`))
	}
	for end := time.Now().Add(time.Minute); !equal(); time.Sleep(50 * time.Millisecond) {
		require.True(t, time.Now().Before(end), "the tanks differ")
	}
}
