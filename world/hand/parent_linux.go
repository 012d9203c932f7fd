package hand

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"syscall"
	"time"
)

// A parent is a program's end of the connection to the supervisor.
type parent struct {
	wire     wire
	found    bool
	messages chan message // closed when the supervisor dies
	tasks    *tasks
}

// open reports whether this program is a supervisor's child, and connects them.
func (p *parent) open(t *tasks) (found bool, err error) {
	kind, err := syscall.GetsockoptInt(childFile, syscall.SOL_SOCKET, syscall.SO_TYPE)
	if err != nil || kind != syscall.SOCK_SEQPACKET {
		return false, nil //nolint:nilerr // no supervisor
	}
	b := make([]byte, len(greeting)+1)
	n, _, err := syscall.Recvfrom(childFile, b, syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
	if err != nil || string(b[:max(n, 0)]) != greeting {
		return false, nil //nolint:nilerr // no supervisor
	}
	peer, err := syscall.GetsockoptUcred(childFile, syscall.SOL_SOCKET, syscall.SO_PEERCRED)
	if err != nil || int(peer.Uid) != os.Getuid() {
		return false, fmt.Errorf("hand: the supervisor is another user's: %w", ErrRefused)
	}
	syscall.CloseOnExec(childFile)
	w, err := wireOf(os.NewFile(childFile, "hand"))
	if err != nil {
		return false, err
	}
	if _, err := w.Read(b); err != nil {
		return false, fmt.Errorf("hand: %w", err)
	}
	crash := os.NewFile(crashFile, "crash")
	err = errors.Join(debug.SetCrashOutput(crash, debug.CrashOptions{}), crash.Close())
	if err != nil {
		return false, fmt.Errorf("hand: %w", err)
	}
	*p = parent{wire: w, found: true, messages: make(chan message, 4), tasks: t}
	return true, nil
}

// listen passes on the supervisor's messages.
func (p *parent) listen(deadline time.Duration) {
	defer close(p.messages)
	for {
		m, err := p.wire.receive()
		if err != nil {
			p.tasks.add(askedEnd)
			time.AfterFunc(deadline, p.endOrphan)
			return
		}
		switch m.Kind {
		case alive:
			p.tasks.add(askedAlive)
			continue
		case loop:
			p.tasks.loop.Store(true)
			continue
		}
		p.messages <- m
		if m.Kind == give {
			p.tasks.add(askedOffer)
		}
	}
}

// endOrphan ends a program that hangs before its first step, after its supervisor has died.
func (p *parent) endOrphan() {
	if p.tasks.have(askedReady) {
		os.Exit(1) //nolint:revive // no other process would end it
	}
}

// next returns the supervisor's next message.
func (p *parent) next() (message, error) {
	m, ok := <-p.messages
	if !ok {
		return m, fmt.Errorf("hand: %w; end, too", ErrGone)
	}
	return m, nil
}

// refuse reports why a world is not offered, for the request with this number, or not taken.
func (p *parent) refuse(number int, why error) error {
	return p.wire.send(message{Kind: cannot, Number: number, Why: why.Error()})
}

// answer reports the first step to the supervisor, and answers whether this program plays.
func (p *parent) answer() {
	asked := p.tasks.remove(askedStep | askedAlive) // the question may have just arrived
	if asked&askedStep != 0 {
		p.say(stepped)
	}
	if asked&askedAlive != 0 {
		p.say(alive)
	}
}

// say sends a message to the supervisor, if any.
func (p *parent) say(kind string) {
	if p.found {
		_ = p.wire.send(message{Kind: kind})
	}
}

func (p *parent) close() {
	if p.found {
		_ = p.wire.Close()
	}
}
