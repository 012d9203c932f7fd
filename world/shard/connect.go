package shard

import (
	"cmp"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
)

// A Server describes how to reach a NATS server with JetStream.
type Server struct {
	URL            string      // nats://host:port, or tls://host:port; comma-separated
	User, Password string      // of an account, or
	Seed           string      // a file with an nkey's seed, or
	Credentials    string      // a file with a user's JWT and seed
	TLS            *tls.Config // nil: the system's, for tls://

	Log *slog.Logger // receives later refusals of the server, such as of a subject; nil: none
}

// Connect connects to a server, and reconnects whenever the connection is lost, without a time
// limit. It returns [ErrOpen] if the server is not on loopback and there is no authentication, and
// [ErrRefused] if the server refuses the user or its certificate is invalid, both wrapped, and the
// errors of nats.go. An unreachable server is not an error, because it may start later. Close the
// connection after the shard.
func Connect(s Server) (*nats.Conn, error) {
	options, err := s.options()
	if err != nil {
		return nil, err
	}
	nc, err := nats.Connect(s.URL, options...)
	if err == nil {
		return nc, nil
	}
	if isRefusal(err) {
		return nil, fmt.Errorf("%w: %s: %w; see that the user, seed or certificates are those "+
			"that the server knows", ErrRefused, redacted(s.URL), err)
	}
	nc, err = nats.Connect(s.URL, append(options, nats.RetryOnFailedConnect(true))...)
	if err != nil {
		return nil, fmt.Errorf("shard: %s: %w", redacted(s.URL), err)
	}
	return nc, nil
}

// options returns the options of a connection.
func (s *Server) options() ([]nats.Option, error) {
	log := cmp.Or(s.Log, slog.New(slog.DiscardHandler))
	options := []nats.Option{
		nats.MaxReconnects(-1), nats.ReconnectWait(50 * time.Millisecond),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			log.Error("the server refuses", "error", err)
		}),
		nats.ReconnectBufSize(-1), // a call fails immediately, and is retried
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
	return options, nil
}

// isRefusal reports whether a retry is useless.
func isRefusal(err error) bool {
	for _, final := range []error{
		nats.ErrAuthorization, nats.ErrAuthExpired, nats.ErrAuthRevoked,
		nats.ErrAccountAuthExpired, nats.ErrNkeysNotSupported, nats.ErrSecureConnWanted,
		nats.ErrSecureConnRequired,
	} {
		if errors.Is(err, final) {
			return true
		}
	}
	var certificate *tls.CertificateVerificationError
	var header tls.RecordHeaderError
	return errors.As(err, &certificate) || errors.As(err, &header)
}

// redacted returns URLs without passwords.
func redacted(text string) string {
	list := strings.Split(text, ",")
	for i, one := range list {
		list[i] = "the server"
		if u, err := url.Parse(strings.TrimSpace(one)); err == nil {
			list[i] = u.Redacted()
		}
	}
	return strings.Join(list, ",")
}

// onLoopback returns an error if a URL has no user and leads to another machine.
func onLoopback(text string) error {
	for one := range strings.SplitSeq(text, ",") {
		u, err := url.Parse(strings.TrimSpace(one))
		if err != nil {
			return fmt.Errorf("shard: %s is not a URL; give nats://host:port,…", redacted(one))
		}
		if u.User == nil && !IsLoopback(u.Hostname()) {
			return fmt.Errorf("%w: %s; give it a user, a seed or credentials", ErrOpen, u.Host)
		}
	}
	return nil
}

// IsLoopback reports whether a host is a loopback address or name.
func IsLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
