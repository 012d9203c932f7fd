//go:build !js

package main

import (
	"context"
	"io"
	"net"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/arena/site"
	"github.com/flatecs/flatecs/cmd/web/server"
)

// A terminal joins an arena, and draws its tank; without a server it says what to do.
func TestJoinPlaysInATerminal(t *testing.T) {
	socket, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	require.NoError(t, err)
	room, err := site.New(site.Options{Players: 8, Bots: 4, Seed: 1, UDP: socket}, server.Program{})
	require.NoError(t, err)
	s := httptest.NewServer(room)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- room.Run(ctx) }()
	c := join{URL: s.URL, Pilot: true, Frames: 45}
	out, err := os.Create(filepath.Join(t.TempDir(), "out"))
	require.NoError(t, err)
	defer out.Close()
	for _, c.UDP = range []bool{true, false} {
		require.NoError(t, out.Truncate(0))
		require.NoError(t, c.Run(t.Context(), streams{in: nil, out: out, err: io.Discard}))
		text, err := os.ReadFile(out.Name())
		require.NoError(t, err)
		assert.Contains(t, string(text), "   armour 3")
	}
	cancel()
	require.NoError(t, <-done)
	s.Close()

	err = c.Run(t.Context(), streams{out: out, err: io.Discard})
	require.ErrorContains(t, err, "join: "+s.URL)
	require.ErrorContains(t, err, "serve an arena there first")
	refused(t, 1, map[string]string{
		"join 127.0.0.1:8080": `flatecs: join: "127.0.0.1:8080" is no address of an arena, such as http://`,
		"join ftp://x":        `flatecs: join: "ftp://x" is no address of an arena`,
		"join http://x":       "flatecs: join: this is no terminal, nor a file",
	})
}
