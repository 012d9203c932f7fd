package main

import (
	"cmp"
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
	*a = address(net.JoinHostPort(cmp.Or(host, loopback), port))
	return nil
}

var errAddress = errors.New("expected PORT, :PORT or HOST:PORT")

// names returns the host of an address as a list if it is a name, and nil otherwise.
func (a address) names() []string {
	host, _, _ := net.SplitHostPort(string(a)) // UnmarshalText guarantees both
	if net.ParseIP(host) != nil {
		return nil
	}
	return []string{host}
}

// isOwn reports whether only this machine can reach an address.
func (a address) isOwn() bool {
	host, _, _ := net.SplitHostPort(string(a))
	return a == "" || server.NamesLoopback(host)
}

// refuseOthers returns an error if other machines can reach an address, and says what it would show
// them.
func (a address) refuseOthers(flag, shows string, anyone bool) error {
	if anyone || a.isOwn() {
		return nil
	}
	_, port, _ := net.SplitHostPort(string(a))
	return fmt.Errorf("%s %s: other machines can reach this address, and could %s; "+
		"give %s, or add %[1]s-anyone", flag, a, shows, net.JoinHostPort(loopback, port))
}

// serveAt serves pages by a listener until the returned function is called, and logs their URL.
func (a address) serveAt(
	l net.Listener, path, what, shows string, stderr io.Writer, serve func(context.Context) error,
) (stop func() error) {
	announce(stderr, l.Addr(), path, !a.isOwn(), shows, what+" listens")
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- serve(ctx) }()
	return func() error { cancel(); return <-ended }
}

// announce logs the URLs of pages, and what other machines can do that reach them.
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

// isLoopback reports whether only this machine can reach a listener.
func isLoopback(l net.Listener) bool {
	tcp, isTCP := l.Addr().(*net.TCPAddr)
	return isTCP && tcp.IP.IsLoopback()
}

// urls returns the URLs of a page: one for this machine, and those for other machines.
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
