// Package server embeds a NATS server with JetStream, for the shards of one machine and for tests.
// Every message is on the disk before it is answered.
//
//	s, err := server.Start(server.Options{Dir: "store"})
//	nc, err := shard.Connect(shard.Server{URL: s.URL()})
//	…
//	s.Stop()
//
// Start and stop: [Start] of [Options] returns a [Server]; [Server.URL], [Server.Stop]. Errors:
// [ErrNotReady], and [shard.ErrOpen].
package server

import (
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/flatecs/flatecs/world/shard"
)

// ErrNotReady is the error of a server that takes no connections, as when the port is taken.
var ErrNotReady = errors.New("shard/server: the server does not get ready")

// Options say where a server listens and stores.
type Options struct {
	Dir            string        // of the store; created if it is not there
	Host           string        // to listen on; "": 127.0.0.1
	Port           int           // 0: any free one
	User, Password string        // that clients give; "": none, on loopback alone
	TLS            *tls.Config   // nil: none
	MaxPayload     int           // bytes of a message; 0: 8 MiB
	MaxStore       int64         // bytes of the store; 0: three quarters of the free disk
	Ready          time.Duration // for the server to get ready; 0: 30 seconds
	Log            *slog.Logger  // of errors and warnings, such as those of the disk; nil: none
}

// A Server is a NATS server in this process.
type Server struct{ s *server.Server }

const (
	maxPayload = 8 << 20
	tidy       = 2 * time.Second // after which files with removed messages are written anew
)

// Start starts a server. The error wraps [shard.ErrOpen] if it would listen to a network without a
// user, or [ErrNotReady], or is one of nats-server.
func Start(o Options) (*Server, error) {
	if o.Host == "" {
		o.Host = "127.0.0.1"
	}
	if o.User == "" && !shard.IsLoopback(o.Host) {
		return nil, fmt.Errorf("%w: it would listen on %s; give it a User", shard.ErrOpen, o.Host)
	}
	if o.Port == 0 {
		o.Port = server.RANDOM_PORT
	}
	if o.MaxPayload == 0 {
		o.MaxPayload = maxPayload
	}
	if o.Ready == 0 {
		o.Ready = 30 * time.Second
	}
	s, err := server.NewServer(&server.Options{
		Host: o.Host, Port: o.Port, Username: o.User, Password: o.Password,
		TLS: o.TLS != nil, TLSConfig: o.TLS, TLSTimeout: o.Ready.Seconds(),
		JetStream: true, StoreDir: o.Dir, SyncAlways: true, SyncInterval: tidy,
		JetStreamMaxStore: o.MaxStore,
		MaxPayload:        int32(o.MaxPayload), MaxPending: 256 << 20,
		NoSigs: true, NoLog: o.Log == nil,
	})
	if err != nil {
		return nil, fmt.Errorf("shard/server: %w", err)
	}
	if o.Log != nil {
		s.SetLoggerV2(logger{o.Log}, false, false, false)
	}
	s.Start()
	if !s.ReadyForConnections(o.Ready) {
		s.Shutdown()
		return nil, fmt.Errorf("%w in %v on %s:%d; is the port taken, or %s not writable?",
			ErrNotReady, o.Ready, o.Host, o.Port, o.Dir)
	}
	return &Server{s}, nil
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

// Stop stops the server. What was stored stays in its folder.
func (s *Server) Stop() {
	s.checked().s.Shutdown()
	s.s.WaitForShutdown()
}
