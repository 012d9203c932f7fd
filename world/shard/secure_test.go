package shard_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"log/slog"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/shard"
	"github.com/flatecs/flatecs/world/shard/server"
)

// certificates returns the settings of a server on loopback, and those of clients that trust it.
func certificates(t *testing.T) (ofServer, ofClients *tls.Config) {
	t.Helper()
	key := world.Must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))
	form := &x509.Certificate{
		SerialNumber: big.NewInt(1), IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		KeyUsage:    x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	raw := world.Must(x509.CreateCertificate(rand.Reader, form, form, key.Public(), key))
	made := world.Must(x509.ParseCertificate(raw))
	known := x509.NewCertPool()
	known.AddCert(made)
	return &tls.Config{
		MinVersion:   tls.VersionTLS12,
		Certificates: []tls.Certificate{{Certificate: [][]byte{raw}, PrivateKey: key}},
	}, &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: known}
}

// two runs two shards, each by a connection of its own, and compares with one.
func (c *scene) two(t *testing.T, connections [2]*nats.Conn) {
	t.Helper()
	const ticks = 12
	shards, errs := [2]*shard.Shard{}, [2]error{}
	var work sync.WaitGroup
	for i, nc := range connections {
		o := c.options(t, i, shard.Strips(2, 0, side))
		o.Name, o.Every, o.Patience = "crowd", 4, 20*time.Second
		work.Go(func() {
			if shards[i], errs[i] = shard.Start(t.Context(), nc, o); errs[i] == nil {
				errs[i] = shards[i].Run(t.Context(), ticks)
			}
		})
	}
	work.Wait()
	for i, s := range shards {
		require.NoError(t, errs[i])
		t.Cleanup(s.Close)
	}
	assert.Equal(t, c.alone(t, ticks), outcomeOf(t, shards[:]...))
}

func TestShardsTalkByTLSAndPasswords(t *testing.T) {
	ofServer, ofClients := certificates(t)
	s := serve(t, server.Options{User: "crowd", Password: "secret", TLS: ofServer})
	assert.Regexp(t, "^tls://", s.URL())
	good := shard.Server{URL: s.URL(), User: "crowd", Password: "secret", TLS: ofClients}
	nc := world.Must(shard.Connect(good))
	defer nc.Close()
	assert.NotEmpty(t, connected(t, nc).Version)
	(&scene{objects: 100}).two(t, [2]*nats.Conn{nc, nc})

	_, strangers := certificates(t)
	for name, change := range map[string]func(s *shard.Server){
		"password":    func(s *shard.Server) { s.Password = "other" },
		"user":        func(s *shard.Server) { s.User = "other" },
		"nobody":      func(s *shard.Server) { s.User, s.Password = "", "" },
		"certificate": func(s *shard.Server) { s.TLS = strangers },
		"system's":    func(s *shard.Server) { s.TLS = nil },
	} {
		bad := good
		change(&bad)
		nc, err := shard.Connect(bad)
		if assert.ErrorIs(t, err, shard.ErrRefused, name) {
			assert.NotContains(t, err.Error(), "secret", name)
		} else {
			nc.Close()
		}
	}
	plain := serve(t, server.Options{User: "crowd", Password: "secret"})
	good.URL = plain.URL()
	_, err := shard.Connect(good)
	require.ErrorIs(t, err, shard.ErrRefused, "a server without TLS, to whom TLS was asked for")
}

func connected(t *testing.T, nc *nats.Conn) tls.ConnectionState {
	t.Helper()
	state := world.Must(nc.TLSConnectionState())
	return state
}

// seed writes a new nkey to a file, and returns that and the public part.
func seed(t *testing.T) (file, public string) {
	t.Helper()
	key := world.Must(nkeys.CreateUser())
	secret := world.Must(key.Seed())
	public = world.Must(key.PublicKey())
	file = filepath.Join(t.TempDir(), "seed")
	require.NoError(t, os.WriteFile(file, secret, 0o600))
	return file, public
}

// The example is a configuration that a server loads; two shards with keys of their own need no
// other permission than those it gives.
func TestShardsHavePermissionsPerSubject(t *testing.T) {
	example, err := os.ReadFile("server/shards.conf")
	require.NoError(t, err)
	var files []string
	text := regexp.MustCompile(`\bU[A-Z0-9]{55}\b`).ReplaceAllFunc(example, func([]byte) []byte {
		file, public := seed(t)
		files = append(files, file)
		return []byte(public)
	})
	require.Len(t, files, 2)
	config := filepath.Join(t.TempDir(), "shards.conf")
	require.NoError(t, os.WriteFile(config, text, 0o600))
	s := serve(t, server.Options{Config: config})

	var log bytes.Buffer
	heard := slog.New(slog.NewTextHandler(&guarded{w: &log}, nil))
	var connections [2]*nats.Conn
	for i, file := range files {
		connections[i], err = shard.Connect(shard.Server{URL: s.URL(), Seed: file, Log: heard})
		require.NoError(t, err)
		t.Cleanup(connections[i].Close)
	}
	(&scene{objects: 200}).two(t, connections)
	assert.Empty(t, log.String(), "a shard needs more than the example permits")

	foreign, _ := seed(t)
	_, err = shard.Connect(shard.Server{URL: s.URL(), Seed: foreign})
	require.ErrorIs(t, err, shard.ErrRefused)
	refusesForeignSubjects(t, connections[0])

	looks, err := shard.Connect(shard.Server{URL: s.URL(), User: "looks", Password: "change this"})
	require.NoError(t, err)
	defer looks.Close()
	assert.True(t, refuses(t, looks, "crowd.m.0.1.99.0"))
	tanks, err := shard.Connect(shard.Server{URL: s.URL(), User: "tanks", Password: "change this, too"})
	require.NoError(t, err)
	defer tanks.Close()
	all := world.Must(tanks.SubscribeSync("crowd.>"))
	require.NoError(t, tanks.Flush())
	require.NoError(t, connections[0].Publish("crowd.m.1.0.99.0", nil))
	require.NoError(t, connections[0].Flush())
	require.NoError(t, tanks.Flush())
	n, _ := world.Must2(all.Pending())
	assert.Zero(t, n, "an account hears nothing of another one")
}

// refusesForeignSubjects asks as shard 0 for what is another's.
func refusesForeignSubjects(t *testing.T, nc *nats.Conn) {
	t.Helper()
	for _, subject := range []string{
		"crowd.m.0.1.99.0", "crowd.i.1.99", "$KV.crowd.lease.1", "$KV.crowd.snapshot.1",
		"tanks.m.1.0.99.0", "$JS.API.STREAM.DELETE.crowd", "$JS.API.STREAM.PURGE.KV_crowd",
		"crowd.r.1.0.99.0",
	} {
		assert.True(t, refuses(t, nc, subject), subject)
	}
	assert.False(t, refuses(t, nc, "crowd.m.1.0.99.0"))
	world.Must(nc.SubscribeSync("crowd.r.1.>"))
	assert.True(t, refused(t, nc, "crowd.r.1.>"))
}

// refuses reports whether the server refuses what is published to a subject.
func refuses(t *testing.T, nc *nats.Conn, subject string) bool {
	t.Helper()
	require.NoError(t, nc.Publish(subject, []byte("foreign")))
	return refused(t, nc, subject)
}

// refused reports whether the server refused a subject before it answered.
func refused(t *testing.T, nc *nats.Conn, subject string) bool {
	t.Helper()
	require.NoError(t, nc.Flush())
	err := nc.LastError()
	return err != nil && errors.Is(err, nats.ErrPermissionViolation) &&
		strings.Contains(err.Error(), strconv.Quote(subject))
}

// A guarded writer may be used by several goroutines.
type guarded struct {
	mu sync.Mutex
	w  *bytes.Buffer
}

func (g *guarded) Write(b []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.w.Write(b)
}

// Nobody is asked for who he is on loopback alone.
func TestWithoutUsersServersAreOnLoopback(t *testing.T) {
	config := filepath.Join(t.TempDir(), "open.conf")
	require.NoError(t, os.WriteFile(config, []byte("host: 0.0.0.0\n"), 0o600))
	anybody := filepath.Join(t.TempDir(), "anybody.conf")
	require.NoError(t, os.WriteFile(anybody, []byte("host: 0.0.0.0\nno_auth_user: a\n"+
		"accounts { A { users: [ { user: a, password: b } ] } }\n"), 0o600))
	for name, o := range map[string]server.Options{
		"a host":      {Host: "0.0.0.0"},
		"a config":    {Config: config},
		"an any user": {Config: anybody},
		"a name":      {Host: "example.com"},
	} {
		o.Dir = t.TempDir()
		_, err := server.Start(o)
		require.ErrorIs(t, err, shard.ErrOpen, name)
	}
	_, err := server.Start(server.Options{Dir: t.TempDir(), Config: "no.conf"})
	require.ErrorIs(t, err, os.ErrNotExist)
}
