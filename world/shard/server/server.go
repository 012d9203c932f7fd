// Package server embeds a NATS server with JetStream, for the shards of one machine and for tests.
// Every message is on the disk before it is answered.
//
//	s, err := server.Start(server.Options{Dir: "store"})
//	nc, err := shard.Connect(shard.Server{URL: s.URL()})
//	…
//	err = s.Stop()
//
// Start and stop: [Start] of [Options] returns a [Server]; [Server.URL], [Server.Wait],
// [Server.Stop]. Errors: [ErrNotReady], [ErrStore], and [shard.ErrOpen].
package server

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/flatecs/flatecs/world/internal/mapping"
	"github.com/flatecs/flatecs/world/shard"
)

// ErrNotReady is the error of a server that takes no connections, as when the port is taken, or
// another server has its store.
var ErrNotReady = errors.New("shard/server: the server does not get ready")

// ErrStore is the error of a server that cannot store anything any more, as when its disk is full.
// What it stored is whole.
var ErrStore = errors.New("shard/server: the store has stopped")

// Options say where a server listens and stores.
type Options struct {
	Dir            string        // of the store; created if it is not there
	Host           string        // to listen on; "": 127.0.0.1
	Port           int           // 0: any free one
	User, Password string        // that clients give, both; "": none, on loopback alone
	TLS            *tls.Config   // nil: none
	Config         string        // a file of nats-server, for users, permissions and TLS; "": none
	MaxPayload     int           // bytes of a message; 0: 8 MiB
	MaxStore       int64         // bytes of the store; 0: three quarters of the free disk
	Ready          time.Duration // for the server to start, to answer, to end; 0: 30 seconds
	Log            *slog.Logger  // of errors and warnings, such as those of the disk; nil: none
}

// A Server is a NATS server in this process.
type Server struct {
	s     *server.Server
	dir   string
	lock  *os.File      // of the store
	limit time.Duration // of what it is asked to do
}

const (
	look       = 100 * time.Millisecond // between two looks at the store
	maxPayload = 8 << 20
	tidy       = 2 * time.Second // after which files with removed messages are rewritten
)

// Start starts a server. The error wraps [shard.ErrOpen] if it would listen to a network without a
// user, or [ErrNotReady], or is one of nats-server. What Options say counts before what Config
// says. On Linux a store that another server has open, in whatever program, is refused: each would
// overwrite what the other one stores.
func Start(o Options) (*Server, error) {
	if o.Ready == 0 {
		o.Ready = 30 * time.Second
	}
	c, err := o.configure()
	if err != nil {
		return nil, err
	}
	if !hasUsers(c) && !shard.IsLoopback(c.Host) {
		return nil, fmt.Errorf("%w: it would listen on %s; give it a User and a Password, or a "+
			"Config with users", shard.ErrOpen, c.Host)
	}
	lock, err := lockStore(o.Dir)
	if err != nil {
		return nil, err
	}
	s, err := server.NewServer(c)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("shard/server: %w", err), lock.Close())
	}
	if o.Log != nil {
		s.SetLoggerV2(logger{o.Log}, false, false, false)
	}
	s.Start()
	if !s.ReadyForConnections(o.Ready) {
		s.Shutdown()
		_ = lock.Close() // nothing was written to it
		return nil, fmt.Errorf("%w in %v on %s:%d; is the port taken, or %s not writable?",
			ErrNotReady, o.Ready, c.Host, c.Port, o.Dir)
	}
	return &Server{s, o.Dir, lock, o.Ready}, nil
}

// lockStore locks a file in the folder of a store until it is closed, or the program ends.
func lockStore(dir string) (*os.File, error) {
	dir = cmp.Or(dir, filepath.Join(os.TempDir(), "nats")) // as nats-server does
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return nil, fmt.Errorf("shard/server: %w", err)
	}
	f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("shard/server: %w", err)
	}
	ours, err := mapping.Lock(f, 0, mapping.Writing)
	if ours || errors.Is(err, errors.ErrUnsupported) {
		return f, nil
	}
	if err == nil {
		err = fmt.Errorf("%w: another server has the store %s; stop it first, or give another Dir",
			ErrNotReady, dir)
	}
	return nil, errors.Join(err, f.Close())
}

// configure returns the options of nats-server.
func (o *Options) configure() (*server.Options, error) {
	c := &server.Options{}
	if o.Config != "" {
		var err error
		if c, err = server.ProcessConfigFile(o.Config); err != nil {
			return nil, fmt.Errorf("shard/server: %w", err)
		}
	}
	c.Host = cmp.Or(o.Host, c.Host, "127.0.0.1")
	c.Port = cmp.Or(o.Port, c.Port, server.RANDOM_PORT)
	c.MaxPayload = cmp.Or(int32(o.MaxPayload), c.MaxPayload, maxPayload)
	c.MaxPending = cmp.Or(c.MaxPending, 256<<20)
	if o.User != "" {
		c.Username, c.Password = o.User, o.Password
	}
	if o.TLS != nil {
		c.TLS, c.TLSConfig = true, o.TLS
	}
	c.TLSTimeout = o.Ready.Seconds()
	c.JetStream, c.StoreDir, c.SyncAlways = true, o.Dir, true
	c.SyncInterval = cmp.Or(c.SyncInterval, tidy)
	c.JetStreamMaxStore = cmp.Or(o.MaxStore, c.JetStreamMaxStore)
	c.NoSigs, c.NoLog = true, o.Log == nil
	return c, nil
}

// hasUsers reports whether a server asks clients who they are.
func hasUsers(c *server.Options) bool {
	asks := c.Username != "" && c.Password != "" || c.Authorization != "" ||
		len(c.Users) > 0 || len(c.Nkeys) > 0 || len(c.TrustedOperators) > 0 || c.AuthCallout != nil
	return asks && c.NoAuthUser == ""
}

// checked returns s. It panics if s is nil.
func (s *Server) checked() *Server {
	if s == nil {
		panic("shard/server: a nil *Server; use what Start returned, if it returned no error")
	}
	return s
}

// URL returns where the server is.
func (s *Server) URL() string { return s.checked().s.ClientURL() }

// Wait waits for the end of ctx, and then returns nil. If the server cannot store anything any
// more, it returns an error that wraps [ErrStore]: stop the server, make room, and start it again.
func (s *Server) Wait(ctx context.Context) error {
	clock := time.NewTicker(look)
	defer clock.Stop()
	for s.checked().s.JetStreamEnabled() && s.within(ctx, s.state) {
		select {
		case <-ctx.Done():
			return nil
		case <-clock.C:
		}
	}
	return fmt.Errorf("%w: %s; has its disk room? The log says why. Start the server again then",
		ErrStore, s.dir)
}

// state asks for the state of all streams, of which the store says nothing once it is stuck: where
// a purge finds the disk full, nats-server 2.15 waits for a lock of its own.
func (s *Server) state() { _, _ = s.s.Jsz(&server.JSzOptions{Accounts: true, Streams: true}) }

// within reports whether f returns in time, or before ctx is done. Otherwise it is left to itself.
func (s *Server) within(ctx context.Context, f func()) bool {
	done, late := make(chan struct{}), time.NewTimer(s.limit)
	defer late.Stop()
	go func() {
		defer close(done)
		f()
	}()
	select {
	case <-done:
	case <-ctx.Done():
	case <-late.C:
		return false
	}
	return true
}

// Stop stops the server. What was stored stays in its folder. The error wraps [ErrStore] if the
// server does not end, as one whose disk is full may not: then this process has to, before another
// server is started in the folder.
func (s *Server) Stop() error {
	ended := s.checked().within(context.Background(), func() {
		s.s.Shutdown()
		s.s.WaitForShutdown()
	})
	if ended {
		_ = s.lock.Close() // nothing was written to it; closing it again is no fault
		return nil
	}
	return fmt.Errorf("%w: %s; the server does not end in %v: end this process, then make room",
		ErrStore, s.dir, s.limit)
}

// A logger takes what the server has to say, and passes errors and warnings on.
type logger struct{ to *slog.Logger }

func (l logger) Errorf(format string, v ...any) { l.to.Error(fmt.Sprintf(format, v...)) }
func (l logger) Fatalf(format string, v ...any) { l.to.Error(fmt.Sprintf(format, v...)) }
func (l logger) Warnf(format string, v ...any)  { l.to.Warn(fmt.Sprintf(format, v...)) }
func (l logger) Noticef(string, ...any)         {}
func (l logger) Debugf(string, ...any)          {}
func (l logger) Tracef(string, ...any)          {}
