//go:build netcode

package udp_test

import (
	"bufio"
	"bytes"
	"flag"
	"net"
	"net/netip"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world/link"
	"github.com/flatecs/flatecs/world/link/udp"
)

// reference is a checkout of github.com/mas-bandwidth/netcode:
//
//	go test -tags=netcode -run=Reference ./world/link/udp -args -reference DIR
var reference = flag.String("reference", "", "checkout of github.com/mas-bandwidth/netcode")

// theirKey is the key of the reference's example programs, whose protocol is game.
var theirKey = udp.Key{
	0x60, 0x6a, 0xbe, 0x6e, 0xc9, 0x19, 0x10, 0xea, 0x9a, 0x65, 0x62, 0xf6, 0x6f, 0x2b, 0x30, 0xe4,
	0x43, 0x71, 0xd6, 0x2c, 0xd1, 0x99, 0x27, 0x26, 0x6b, 0x3c, 0x60, 0xf4, 0xb7, 0x15, 0xab, 0xa1,
}

// theirs is the datagram that they send, 60 times a second; they abort if any other datagram
// arrives.
var theirs = func() (d [link.MaxDatagram]byte) {
	for i := range d {
		d[i] = byte(i)
	}
	return d
}()

// start compiles and starts one of their example programs.
func start(t *testing.T, program, argument string) {
	t.Helper()
	if *reference == "" {
		t.Fatal("give -reference DIR")
	}
	file := filepath.Join(t.TempDir(), program)
	build := exec.Command("gcc", "-O1", "-w", "-I.", "-Isodium", "-o", file, "netcode.c",
		"sodium/sodium.c", program+".c", "-lm")
	build.Dir = *reference
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))
	c := exec.Command(file, argument)
	said := &bytes.Buffer{}
	pipe := must(c.StdoutPipe())
	c.Stderr = c.Stdout
	require.NoError(t, c.Start())
	done := make(chan struct{})
	go func() {
		defer close(done)
		for lines := bufio.NewScanner(pipe); lines.Scan(); {
			said.WriteString(lines.Text() + "\n")
		}
	}()
	t.Cleanup(func() {
		_ = c.Process.Kill()
		<-done
		_ = c.Wait()
		t.Log(said.String())
	})
}

// exchange sends and receives for a second what they do.
func exchange(t *testing.T, l link.Link, flush func()) {
	t.Helper()
	n := 0
	for range 60 {
		l.Send(theirs[:])
		flush()
		time.Sleep(time.Second / 60)
		for d, ok := l.Receive(); ok; d, ok = l.Receive() {
			require.Equal(t, theirs[:], d)
			n++
		}
	}
	assert.Greater(t, n, 20)
}

func TestClientOfTheReference(t *testing.T) {
	l := must(udp.Listen(localhost(t), udp.Options{Protocol: game, Key: theirKey, Clients: 8}))
	defer l.Close()
	start(t, "client", l.Addr().String())
	s := accept(t, l)
	exchange(t, s, l.Flush)
	s.Close()
	time.Sleep(200 * time.Millisecond)
	assert.Zero(t, l.Stats().Clients)
	assert.LessOrEqual(t, l.Stats().Strange, 20, "what was on its way when it ended")
}

func TestServerOfTheReference(t *testing.T) {
	free := localhost(t)
	address := free.LocalAddr().(*net.UDPAddr).AddrPort()
	require.NoError(t, free.Close())
	start(t, "server", address.String())
	token := must(udp.Token{
		Protocol: game, Client: 5, Servers: []netip.AddrPort{address}, Timeout: 5 * time.Second,
	}.Seal(theirKey))
	c := dial(t, token)
	assert.Zero(t, c.Number())
	exchange(t, c, func() {})
	require.NoError(t, c.Err())
	require.NoError(t, c.Close())
}
