package main

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"strconv"
	"strings"
	"time"

	"github.com/flatecs/flatecs/cmd/web/server"
)

const loopback = "127.0.0.1"

// address is a TCP address to listen on. Without a host it is on the loopback interface.
type address string

// UnmarshalText reads PORT, :PORT or HOST:PORT.
func (a *address) UnmarshalText(text []byte) error {
	value := string(text)
	if !strings.Contains(value, ":") {
		value = ":" + value
	}
	host, port, err := net.SplitHostPort(value)
	if err != nil {
		return errAddress
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return errAddress
	}
	if host == "" {
		host = loopback
	}
	*a = address(net.JoinHostPort(host, port))
	return nil
}

var errAddress = errors.New("expected PORT, :PORT or HOST:PORT")

// servePprof serves Go's profiles until the function it returns is called.
func servePprof(addr string, log *slog.Logger) (stop func() error, err error) {
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("pprof: %w", err)
	}
	server := &http.Server{
		Handler:           pprofHandler(listener.Addr()),
		ReadHeaderTimeout: 10 * time.Second,
	}
	go func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			log.Error("pprof ended", "error", err)
		}
	}()
	log.Info("pprof listens", "url", fmt.Sprintf("http://%s/debug/pprof/", listener.Addr()))
	return server.Close, nil
}

// pprofHandler has a mux of its own: nothing else that registers itself is served. On the loopback
// interface it answers requests that name this machine only, so that no web page can reach it
// through a host name that resolves here.
func pprofHandler(listening net.Addr) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	tcp, ok := listening.(*net.TCPAddr)
	if !ok || !tcp.IP.IsLoopback() {
		return mux
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !server.NamesLoopback(r.Host) {
			http.Error(w, "this server answers this machine only", http.StatusForbidden)
			return
		}
		mux.ServeHTTP(w, r)
	})
}
