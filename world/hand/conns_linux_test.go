package hand_test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/hand"
	"github.com/flatecs/flatecs/world/internal/worldtest"
)

// TestConnectionsStay: none of a hundred is lost, nor a byte of what was read and not used.
func TestConnectionsStay(t *testing.T) {
	g := playing(t, "v1-serve-a", 0, hand.Supervisor{})
	address := world.Must(os.ReadFile(filepath.Join(g.dir, "address")))
	conns := make([]net.Conn, 100)
	for i := range conns {
		conns[i] = world.Must(net.Dial("tcp", string(address)))
		require.NoError(t, conns[i].SetDeadline(time.Now().Add(long)))
		world.Must(fmt.Fprint(conns[i], "xya"))
		answer(t, conns[i], "xy") // it has the a, and waits for another byte
	}
	for i, version := range []string{"v1-serve-b", "v1-serve-c", "v1-serve-a"} {
		g.takesOver(version)
		for _, c := range conns {
			world.Must(fmt.Fprint(c, "bcdefghijk"[2*i:2*i+2]))
			answer(t, c, "abcdefghijk"[2*i:2*i+2])
		}
	}
	c := world.Must(net.Dial("tcp", string(address)))
	world.Must(fmt.Fprint(c, "no"))
	answer(t, c, "no")
	g.terminate()
	g.requireOneLife()
}

// TestConnectionsAtEveryMoment: connections come all the time, and each is answered.
func TestConnectionsAtEveryMoment(t *testing.T) {
	g := playing(t, "v1-serve-a", 0, hand.Supervisor{Deadline: time.Minute})
	address := world.Must(os.ReadFile(filepath.Join(g.dir, "address")))
	done, failed := make(chan struct{}), make(chan error, 4)
	for range cap(failed) {
		go func() { failed <- dial(string(address), done) }()
	}
	for i := range 30 {
		g.replace(g.version([]string{"v1-serve-b", "v1-panic-taken-serve", "v1-serve-a"}[i%3]))
		if i%3 == 1 {
			g.after(hand.Refused)
		} else {
			g.after(hand.Plays)
		}
		time.Sleep(3 * time.Millisecond)
	}
	close(done)
	for range cap(failed) {
		require.NoError(t, <-failed)
	}
	g.terminate()
}

// dial connects, and waits for an answer, over and over.
func dial(address string, done <-chan struct{}) error {
	for n := 0; ; n++ {
		select {
		case <-done:
			return nil
		default:
		}
		c, err := net.Dial("tcp", address)
		if err != nil {
			return err
		}
		b := make([]byte, 2)
		err = errors.Join(c.SetDeadline(time.Now().Add(long)), c.(*net.TCPConn).SetLinger(0))
		if err == nil {
			_, err = c.Write([]byte("ab"))
		}
		if err == nil {
			_, err = io.ReadFull(c, b)
		}
		if err := errors.Join(err, c.Close()); err != nil {
			return fmt.Errorf("connection %d: %w", n, err)
		}
	}
}

func answer(t *testing.T, c net.Conn, want string) {
	t.Helper()
	b := make([]byte, len(want))
	world.Must(io.ReadFull(c, b))
	assert.Equal(t, want, string(b))
}

// TestALiveServer is handed over many times while players talk to it: each keeps its connection,
// and gets each answer once.
func TestALiveServer(t *testing.T) {
	times := 10
	if worldtest.AtLength() {
		times = 50
	}
	if testing.Short() {
		times = 4
	}
	g := playing(t, "f1-serve-a", 0, hand.Supervisor{Deadline: time.Minute})
	address := world.Must(os.ReadFile(filepath.Join(g.dir, "address")))
	done, failed := make(chan struct{}), make(chan error, 8)
	var answers atomic.Int64
	for i := range cap(failed) {
		go func() { failed <- talk(string(address), byte(i), &answers, done) }()
	}
	for i := range times {
		g.replace(g.version(fmt.Sprint("f1-serve-", i)))
		assert.Positive(t, g.after(hand.Plays).Still)
		from := answers.Load()
		require.Eventually(t, func() bool { return answers.Load() > from+int64(cap(failed)) }, long,
			time.Millisecond)
	}
	close(done)
	for range cap(failed) {
		require.NoError(t, <-failed)
	}
	g.terminate()
	g.requireTicksOnce()
}

// requireTicksOnce checks that each tick was played once.
func (g *stage) requireTicksOnce() {
	g.t.Helper()
	want := inFreeRoom()
	for i, l := range g.says() {
		require.Equal(g.t, i+2, l.tick)
		require.Equal(g.t, want.at(uint64(l.tick)), l.digest)
	}
}

// talk sends a pair of bytes after the other over one connection, and waits for each answer.
func talk(address string, who byte, answers *atomic.Int64, done <-chan struct{}) error {
	c, err := net.Dial("tcp", address)
	if err != nil {
		return err
	}
	defer c.Close()
	for n := 0; ; n++ {
		select {
		case <-done:
			return nil
		default:
		}
		pair, got := []byte{who, byte(n)}, make([]byte, 2)
		err := c.SetDeadline(time.Now().Add(long))
		if err == nil {
			_, err = c.Write(pair)
		}
		if err == nil {
			_, err = io.ReadFull(c, got)
		}
		if err != nil || string(got) != string(pair) {
			return fmt.Errorf("answer %d to %d is %v, not %v: %w", n, who, got, pair, err)
		}
		answers.Add(1)
	}
}
