// Package server embeds a NATS server with JetStream, for the shards of one machine and for tests.
// The server writes each message to the disk before it answers.
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

// ErrNotReady is the error of a server that accepts no connections, for example because the port is
// taken, or another server uses its store.
var ErrNotReady = errors.New("shard/server: the server does not get ready")

// ErrStore is the error of a server that cannot store data any more, for example because its disk
// is full. The stored data is complete.
var ErrStore = errors.New("shard/server: the store has stopped")

// Options configure a server.
type Options struct {
	Dir            string        // of the store; created if missing
	Host           string        // to listen on; "": 127.0.0.1
	Port           int           // 0: any free one
	User, Password string        // required from clients, both; "": none, only on loopback
	TLS            *tls.Config   // nil: none
	Config         string        // a file of nats-server, for users, permissions and TLS; "": none
	MaxPayload     int           // limit of a message in bytes; 0: 8 MiB
	MaxStore       int64         // limit of the store in bytes; 0: three quarters of the free disk
	Ready          time.Duration // limit for starting, answering and stopping; 0: 30 seconds
	Log            *slog.Logger  // receives errors and warnings, such as from the disk; nil: none
}

// A Server is a NATS server in this process.
type Server struct {
	s     *server.Server
	dir   string
	lock  *os.File      // of the store
	limit time.Duration // time limit of a request
}

const (
	look       = 100 * time.Millisecond // interval of checks of the store
	maxPayload = 8 << 20
	tidy       = 2 * time.Second // age at which files with removed messages are rewritten
)

// Start starts a server. It returns [shard.ErrOpen] if the server would listen to a network without
// a user, and [ErrNotReady], both wrapped, and the errors of nats-server. Options take precedence
// over the file Config. On Linux, Start refuses a store that another server has open, in any
// program: each would overwrite the data of the other.
func Start(o Options) (*Server, error) {
	o.Ready = cmp.Or(o.Ready, 30*time.Second)
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
		_ = lock.Close() // closing a file without writes
		return nil, fmt.Errorf("%w in %v on %s:%d; is the port taken, or %s not writable?",
			ErrNotReady, o.Ready, c.Host, c.Port, o.Dir)
	}
	return &Server{s, o.Dir, lock, o.Ready}, nil
}

// lockStore locks a file in the folder of a store until the file is closed or the program ends.
func lockStore(dir string) (*os.File, error) {
	dir = cmp.Or(dir, filepath.Join(os.TempDir(), "nats")) // the default of nats-server
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

// hasUsers reports whether a server authenticates clients.
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

// URL returns the address of the server.
func (s *Server) URL() string { return s.checked().s.ClientURL() }

// Wait waits until ctx is done, and then returns nil. If the server cannot store data any more,
// Wait returns [ErrStore], wrapped: stop the server, make room, and start it again.
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

// state requests the state of all streams. It hangs once the store is stuck: if a purge finds the
// disk full, nats-server 2.15 deadlocks on a lock of its own.
func (s *Server) state() { _, _ = s.s.Jsz(&server.JSzOptions{Accounts: true, Streams: true}) }

// within reports whether f returns in time, before ctx is done. Otherwise f continues in its
// goroutine.
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

// Stop stops the server. The stored data stays in its folder. Stop returns [ErrStore], wrapped, if
// the server does not end, which can happen if its disk is full: then end this process before you
// start another server in the folder.
func (s *Server) Stop() error {
	ended := s.checked().within(context.Background(), func() {
		s.s.Shutdown()
		s.s.WaitForShutdown()
	})
	if ended {
		_ = s.lock.Close() // closing a file without writes, perhaps again
		return nil
	}
	return fmt.Errorf("%w: %s; the server does not end in %v: end this process, then make room",
		ErrStore, s.dir, s.limit)
}

// A logger receives the server's log, and passes on errors and warnings.
type logger struct{ to *slog.Logger }

func (l logger) Errorf(format string, v ...any) { l.to.Error(fmt.Sprintf(format, v...)) }
func (l logger) Fatalf(format string, v ...any) { l.to.Error(fmt.Sprintf(format, v...)) }
func (l logger) Warnf(format string, v ...any)  { l.to.Warn(fmt.Sprintf(format, v...)) }
func (l logger) Noticef(string, ...any)         {}
func (l logger) Debugf(string, ...any)          {}
func (l logger) Tracef(string, ...any)          {}
