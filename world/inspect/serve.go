package inspect

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"syscall"
	"time"

	"github.com/flatecs/flatecs/world/internal/failure"
)

const (
	headerTimeout = 5 * time.Second
	writeTimeout  = 2 * streamFor   // of any answer, including the longest profile and stream
	idleTimeout   = 5 * time.Second // of a connection; pages send requests more often
	maxHeader     = 16 << 10        // bytes
	closeTimeout  = time.Second
)

// ErrAddress is the error of an address on which the inspector cannot listen.
var ErrAddress = errors.New("this address cannot be listened on")

// ErrRemote is the error of an address that other machines can reach.
var ErrRemote = errors.New("other machines reach this address")

// Listen returns a listener for [Inspector.ServeListener]. An address without a host is on the
// loopback interface; port 0 is any free port. The error wraps [ErrAddress], or [ErrRemote] if
// other machines can reach the address and Options.Remote is not set.
func (i *Inspector) Listen(addr string) (net.Listener, error) {
	return i.made().guard().Listen(addr)
}

// Listen is [Inspector.Listen] for a Guard.
func (g Guard) Listen(addr string) (net.Listener, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("inspect: %q: %w; give HOST:PORT, as 127.0.0.1:80", addr, ErrAddress)
	}
	if host == "" {
		host = "127.0.0.1"
	}
	if ip := net.ParseIP(host); !g.Remote && host != "localhost" &&
		(ip == nil || !ip.IsLoopback()) {
		return nil, fmt.Errorf("inspect: %s: %w, and could see all that it shows; "+
			"give 127.0.0.1:%s, or set Options.Remote", addr, ErrRemote, port)
	}
	l, err := net.Listen("tcp", net.JoinHostPort(host, port))
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("inspect: %s is in use by another program: %w; "+
			"give another port, or 0 for any that is free", addr, ErrAddress)
	case err != nil:
		return nil, failure.About("inspect", addr, fmt.Errorf("%w: %w", ErrAddress, err),
			"give HOST:PORT of this machine")
	}
	return l, nil
}

// Serve listens on an address and answers requests until ctx ends. Its errors are those of
// [Inspector.Listen] and [Inspector.ServeListener].
func (i *Inspector) Serve(ctx context.Context, addr string) error {
	l, err := i.Listen(addr)
	if err != nil {
		return err
	}
	return i.ServeListener(ctx, l)
}

// ServeListener answers requests until ctx ends, then closes l and returns nil.
func (i *Inspector) ServeListener(ctx context.Context, l net.Listener) error {
	return serve(ctx, l, i.Handler())
}

// Serve passes accepted requests to next until ctx ends, then closes l and returns nil. Each answer
// takes at most a minute.
func (g Guard) Serve(ctx context.Context, l net.Listener, next http.Handler) error {
	return serve(ctx, l, g.Handler(next))
}

func serve(ctx context.Context, l net.Listener, h http.Handler) error {
	if l == nil || ctx == nil {
		panic("inspect: ServeListener without a context or a listener; give it one of Listen")
	}
	server := &http.Server{
		Handler:           h,
		ReadHeaderTimeout: headerTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeader,
		BaseContext:       func(net.Listener) context.Context { return ctx },
	}
	stop := context.AfterFunc(ctx, func() {
		late, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
		defer cancel()
		if server.Shutdown(late) != nil {
			_ = server.Close()
		}
	})
	defer stop()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return failure.About("inspect", l.Addr().String(), err, "serve another listener")
	}
	return nil
}

func itoa(n uint64) string { return strconv.FormatUint(n, 10) }
