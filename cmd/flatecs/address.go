package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strconv"
	"strings"

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

// names returns the host of an address, if that is a name.
func (a address) names() []string {
	host, _, _ := net.SplitHostPort(string(a)) // an address always has both
	if net.ParseIP(host) != nil {
		return nil
	}
	return []string{host}
}

// isOwn reports whether this machine alone reaches an address.
func (a address) isOwn() bool {
	host, _, _ := net.SplitHostPort(string(a))
	return a == "" || server.NamesLoopback(host)
}

// refuseOthers refuses an address that other machines reach, and says what they would.
func (a address) refuseOthers(flag, shows string, anyone bool) error {
	if anyone || a.isOwn() {
		return nil
	}
	_, port, _ := net.SplitHostPort(string(a))
	return fmt.Errorf("%s %s: other machines can reach this address, and could %s; "+
		"give %s, or add %[1]s-anyone", flag, a, shows, net.JoinHostPort(loopback, port))
}

// serveAt serves pages by a listener until the function that it returns is called, and logs where
// they are.
func (a address) serveAt(
	l net.Listener, path, what, shows string, stderr io.Writer, serve func(context.Context) error,
) (stop func() error) {
	announce(stderr, l.Addr(), path, !a.isOwn(), shows, what+" listens")
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- serve(ctx) }()
	return func() error { cancel(); return <-ended }
}

// announce logs where pages are that are served at an address, and what others can that reach it.
func announce(
	stderr io.Writer, at net.Addr, path string, remote bool, shows, what string, more ...any,
) {
	log := slog.New(slog.NewTextHandler(stderr, nil))
	here, others := urls(at, path)
	if remote {
		log.Warn("other machines can "+shows, "url", others)
	}
	log.Info(what, append(more, "url", here)...)
}

// isLoopback reports whether this machine alone reaches a listener.
func isLoopback(l net.Listener) bool {
	tcp, isTCP := l.Addr().(*net.TCPAddr)
	return isTCP && tcp.IP.IsLoopback()
}

// urls returns where a page is that is served at an address: one that this machine reaches, and
// those that others do.
func urls(at net.Addr, path string) (here, others string) {
	tcp, ok := at.(*net.TCPAddr)
	if !ok || !tcp.IP.IsUnspecified() {
		return "http://" + at.String() + path, ""
	}
	url := func(ip string) string {
		return "http://" + net.JoinHostPort(ip, strconv.Itoa(tcp.Port)) + path
	}
	found, _ := net.InterfaceAddrs()
	var list []string
	for _, a := range found {
		n, ok := a.(*net.IPNet)
		if ok && n.IP.IsGlobalUnicast() && (n.IP.To4() != nil || tcp.IP.To4() == nil) {
			list = append(list, url(n.IP.String()))
		}
	}
	return url(loopback), strings.Join(list, " ")
}
