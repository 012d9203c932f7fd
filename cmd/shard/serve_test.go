package main

import (
	"bytes"
	"context"
	"encoding/pem"
	"io"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/shard"
)

// A password comes from a flag, a file or the environment, and belongs to a user.
func TestPasswords(t *testing.T) {
	file, empty := filepath.Join(t.TempDir(), "word"), filepath.Join(t.TempDir(), "empty")
	for _, end := range []string{"", "\n", "\r", "\r\n"} {
		require.NoError(t, os.WriteFile(file, []byte("\ufeffof a file"+end), 0o600))
		got := world.Must((&secret{"u", "", file}).password(os.Getenv))
		require.Equal(t, "of a file", got, "%q", end)
	}
	require.NoError(t, os.WriteFile(empty, []byte("\n"), 0o600))
	for name, x := range map[string]struct {
		secret
		environment, want, says string
	}{
		"none":             {},
		"of a flag":        {secret{"u", "f", ""}, "e", "f", ""},
		"of a file":        {secret{"u", "", file}, "e", "of a file", ""},
		"of environment":   {secret{"u", "", ""}, "e", "e", ""},
		"environment only": {secret{}, "e", "", ""}, // it may be for others
		"user alone":       {secret{"u", "", ""}, "", "", "FLATECS_SHARD_PASSWORD"},
		"flag alone":       {secret{"", "f", ""}, "", "", "--user"},
		"file alone":       {secret{"", "", file}, "", "", "--user"},
		"both":             {secret{"u", "f", file}, "", "", "give one"},
		"empty":            {secret{"u", "", empty}, "e", "", "no password in " + empty},
		"missing":          {secret{"u", "", "no file"}, "", "", "no file"},
	} {
		got, err := x.password(func(string) string { return x.environment })
		if x.says != "" {
			require.ErrorContains(t, err, x.says, name)
			continue
		}
		require.NoError(t, err, name)
		assert.Equal(t, x.want, got, name)
	}
}

// served starts a server by the command, and returns its URL and what stops it.
func served(t *testing.T, f serveFlags, log io.Writer) (url string, stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	in, out := io.Pipe()
	done := make(chan error)
	go func() { done <- f.run(ctx, nil, out, log) }()
	stop = sync.OnceFunc(func() {
		cancel()
		assert.NoError(t, <-done)
	})
	t.Cleanup(stop)
	b := make([]byte, 1000)
	n := world.Must(in.Read(b))
	url, ok := strings.CutPrefix(strings.TrimSpace(string(b[:n])), "ready ")
	require.True(t, ok, "%s", b[:n])
	return url, stop
}

// Shards give the password of the environment to a server that has it from there, too.
func TestAUserIsAskedForAPassword(t *testing.T) {
	t.Setenv(passwordKey, "secret")
	url, _ := served(t, serveFlags{secret: secret{User: "crowd"}, Dir: t.TempDir(), Port: new(int)}, io.Discard)
	f := joinFlags{
		client: client{secret: secret{User: "crowd"}, URL: url}, Patience: time.Minute,
		simulation: simulation{Shards: 2, Objects: 500, Seed: 2, Speed: 1, Every: 10, Workers: 1},
	}
	all, _ := joinBoth(t, f, 3)
	assert.Equal(t, 500, all.objects)
	f.Password = "other"
	err := f.run(t.Context(), nil, io.Discard, io.Discard)
	require.ErrorIs(t, err, shard.ErrRefused)
	f.User = ""
	require.ErrorContains(t, f.run(t.Context(), nil, io.Discard, io.Discard), "--user")
}

// What the server has to say is in the log of serve: that a password is wrong, say.
func TestServeLogs(t *testing.T) {
	var log bytes.Buffer
	url, stop := served(t, serveFlags{
		secret: secret{User: "crowd", Password: "secret"}, Dir: t.TempDir(), Port: new(int),
	}, &log)
	_, err := shard.Connect(shard.Server{URL: url, User: "crowd", Password: "wrong"})
	require.ErrorIs(t, err, shard.ErrRefused)
	stop()
	assert.Contains(t, log.String(), "level=ERROR")
	assert.Contains(t, log.String(), "authentication error")
}

// A shard that waits for nobody gives up after --patience, and says what to do.
func TestJoinWaitsAsLongAsItIsTold(t *testing.T) {
	url, _ := served(t, serveFlags{Dir: t.TempDir(), Port: new(int)}, io.Discard)
	f := joinFlags{
		client: client{URL: url}, Patience: 300 * time.Millisecond,
		simulation: simulation{
			Shards: 2, Objects: 500, Ticks: 3, Seed: 2, Speed: 1, Every: 10, Workers: 1,
		},
	}
	err := f.run(t.Context(), nil, io.Discard, io.Discard)
	require.ErrorIs(t, err, shard.ErrSilent)
	require.ErrorContains(t, err, "in 300ms")
	assert.ErrorContains(t, err, "start all shards again")
}

// The units of docs/SCALE.md have flags that the command knows.
func TestUnitsOfTheDocs(t *testing.T) {
	doc := world.Must(os.ReadFile("../../docs/SCALE.md"))
	n := 0
	for _, text := range strings.Split(string(doc), "ExecStart=/usr/local/bin/shard ")[1:] {
		line, _, _ := strings.Cut(text, "\n")
		line = strings.ReplaceAll(line, "%i", "1")
		k := world.Must(kong.New(new(flags), helps))
		_, err := k.Parse(strings.Fields(line))
		require.NoError(t, err, line)
		n++
	}
	assert.Equal(t, 2, n, "the server's and the shards'")
}

// The table of measured runs is one that docs/SCALE.md can take.
func TestMeasure(t *testing.T) {
	f := measureFlags{Objects: 500, Ticks: 3, Speeds: []float32{1}, Shards: []int{2}, Rounds: 1}
	var out bytes.Buffer
	require.NoError(t, f.run(t.Context(), &out, io.Discard))
	assert.Regexp(t, `(?s)processors, load .*\| 2 shards \| ratio \|\n(\|---:){5}\|\n`+
		`\| \d+ \| [\d.]+ s \| [\d.]+ s \| [\d.]+ s \| [\d.]+ \|\n`, out.String())
}

// A certificate may have been through any editor.
func TestCertificatesOfAnyEditor(t *testing.T) {
	s := httptest.NewTLSServer(nil)
	defer s.Close()
	ca := client{CA: filepath.Join(t.TempDir(), "ca.pem")}
	block := &pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}
	for _, end := range []string{"\n", "\r\n", "\r"} {
		text := "\ufeff" + strings.ReplaceAll(string(pem.EncodeToMemory(block)), "\n", end)
		for _, text := range []string{text, strings.TrimSuffix(text, end)} {
			require.NoError(t, os.WriteFile(ca.CA, []byte(text), 0o600))
			_, err := ca.server()
			require.NoError(t, err, "%q", end)
		}
	}
}
