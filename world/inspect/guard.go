package inspect

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/flatecs/flatecs/world/internal/failure"
)

// A Guard rejects requests from pages of other sites. Such a page can reach a server on this
// machine in two ways: by its own host name that resolves to this machine, which the Host header
// shows, or by a cross-site request, which browsers mark. An [Inspector] uses a Guard; programs can
// put others in front of their own pages.
type Guard struct {
	Page   string   // the path that pages of other sites may link to
	Hosts  []string // as in [Options]
	Remote bool     // as in [Options]

	Posts []string // the paths that take posts
}

// Handler returns a handler that passes requests on to next if they do not come from another site,
// and are GET or HEAD without a body, or posts to one of Posts. Every answer tells browsers not
// to share it with other sites.
func (g Guard) Handler(next http.Handler) http.Handler {
	const maxQuery = 2048 // bytes of a request's query
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		secure(w.Header())
		edit := r.Method == http.MethodPost && slices.Contains(g.Posts, r.URL.Path)
		switch {
		case !g.knows(r.Host):
			refuse(w, http.StatusForbidden, "this server does not go by that name; "+
				"use localhost, or add the name to Options.Hosts")
		case !g.ownSite(r):
			refuse(w, http.StatusForbidden, "other sites are not answered; open the page itself")
		case !edit && r.Method != http.MethodGet && r.Method != http.MethodHead:
			w.Header().Set("Allow", "GET, HEAD")
			refuse(w, http.StatusMethodNotAllowed, "this server only shows; use GET")
		case !edit && r.ContentLength != 0:
			w.Header().Set("Connection", "close") // so that the rest of the body is not read
			refuse(w, http.StatusBadRequest, "this server reads no body; send none")
		case len(r.URL.RawQuery) > maxQuery:
			refuse(w, http.StatusRequestURITooLong, "the query is too long; shorten it")
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// secure sets the security headers of every answer.
func secure(h http.Header) {
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
}

// knows reports whether requests may be addressed to host. A numeric address cannot be another
// site's name for this machine.
func (g Guard) knows(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	if ip := net.ParseIP(strings.Trim(host, "[]")); ip != nil {
		return g.Remote || ip.IsLoopback()
	}
	same := func(name string) bool { return strings.EqualFold(name, host) }
	return same("localhost") || host != "" && slices.ContainsFunc(g.Hosts, same)
}

// ownSite reports whether a request comes from a page of this server, or from no page. The page
// itself may be opened from anywhere.
func (g Guard) ownSite(r *http.Request) bool {
	if origin := r.Header.Get("Origin"); origin != "" {
		u, err := url.Parse(origin)
		if err != nil || u.Host != r.Host || u.Scheme != "http" && u.Scheme != "https" {
			return false
		}
	}
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "none", "same-origin":
		return true
	}
	return r.Header.Get("Sec-Fetch-Mode") == "navigate" &&
		r.Header.Get("Sec-Fetch-Dest") == "document" && r.URL.Path == g.Page
}

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

// Listen is [Inspector.Listen] for a Guard.
func (g Guard) Listen(addr string) (net.Listener, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("inspect: %q: %w; give HOST:PORT, as 127.0.0.1:80", addr, ErrAddress)
	}
	host = cmp.Or(host, "127.0.0.1")
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
