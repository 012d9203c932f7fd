package shard

import (
	"crypto/tls"
	"fmt"
	"net"
	"net/url"
	"time"

	"github.com/nats-io/nats.go"
)

// A Server says how a NATS server with JetStream is reached.
type Server struct {
	URL            string      // nats://host:port, or tls://host:port
	User, Password string      // of an account, or
	Seed           string      // a file with an nkey's seed, or
	Credentials    string      // a file with a user's JWT and seed
	TLS            *tls.Config // nil: that of the system, for tls://
}

// Connect connects to a server, and again whenever the connection is lost, for as long as it takes.
// The error wraps [ErrOpen] if the server is not on loopback and there is no authentication, or is
// one of nats.go. Close the connection after the shard.
func Connect(s Server) (*nats.Conn, error) {
	options := []nats.Option{
		nats.MaxReconnects(-1), nats.ReconnectWait(50 * time.Millisecond),
		nats.RetryOnFailedConnect(true),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}),
		nats.ReconnectBufSize(-1), // a call fails at once, and is made again
	}
	switch {
	case s.User != "":
		options = append(options, nats.UserInfo(s.User, s.Password))
	case s.Seed != "":
		key, err := nats.NkeyOptionFromSeed(s.Seed)
		if err != nil {
			return nil, fmt.Errorf("shard: nkey %s: %w", s.Seed, err)
		}
		options = append(options, key)
	case s.Credentials != "":
		options = append(options, nats.UserCredentials(s.Credentials))
	default:
		if err := onLoopback(s.URL); err != nil {
			return nil, err
		}
	}
	if s.TLS != nil {
		options = append(options, nats.Secure(s.TLS))
	}
	nc, err := nats.Connect(s.URL, options...)
	if err != nil {
		return nil, fmt.Errorf("shard: %s: %w", s.URL, err)
	}
	return nc, nil
}

// onLoopback returns an error if a URL without a user leads to another machine.
func onLoopback(text string) error {
	u, err := url.Parse(text)
	if err != nil {
		return fmt.Errorf("shard: %w", err)
	}
	if u.User != nil || IsLoopback(u.Hostname()) {
		return nil
	}
	return fmt.Errorf("%w: %s; give it a user, a seed or credentials", ErrOpen, u.Host)
}

// IsLoopback reports whether a host is this machine alone.
func IsLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
