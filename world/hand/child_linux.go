package hand

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/mapping"
	"github.com/flatecs/flatecs/world/memory"
	"github.com/flatecs/flatecs/world/save"
)

const hangUp = syscall.SIGHUP

// joined is a program's end of the connection to its supervisor.
type joined struct {
	wire     wire
	under    bool
	messages chan message // closed when the supervisor is gone
	token    []uint64     // whose turn it is; nil: nobody else's
	page     []byte       // that it is in
	asks     message      // the last give
	spare    *offering    // made at the first call of Continue after it
	stopped  int64
	copier   copier
}

const pageSize = 4096 // bytes of memory for the token

// Values of the token.
const (
	turnOld    = 0
	turnNew    = 1
	turnNobody = 2 // the old program has taken it back
)

// A manifest says what the files of an offer are.
type manifest struct {
	Saved bool // as a save file, of any fingerprint
	Size  int64
	Tick  uint64
	Names []string // of the files after the manifest
	File  string   `json:",omitempty"` // where the program saves the world at its end
	Made  int64    // when the world was copied, in nanoseconds, as mapping.Now says
	Lost  int64    // nanoseconds that were played after that, at most, and are lost
	Cargo cargo
}

// join finds out whether this program is a supervisor's child.
func (h *Hand) join() error {
	kind, err := syscall.GetsockoptInt(childFile, syscall.SOL_SOCKET, syscall.SO_TYPE)
	if err != nil || kind != syscall.SOCK_SEQPACKET {
		return nil //nolint:nilerr // nobody's
	}
	b := make([]byte, len(greeting)+1)
	n, _, err := syscall.Recvfrom(childFile, b, syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
	if err != nil || string(b[:max(n, 0)]) != greeting {
		return nil //nolint:nilerr // nobody's
	}
	peer, err := syscall.GetsockoptUcred(childFile, syscall.SOL_SOCKET, syscall.SO_PEERCRED)
	if err != nil || int(peer.Uid) != os.Getuid() {
		return fmt.Errorf("hand: the supervisor is another user's: %w", ErrRefused)
	}
	syscall.CloseOnExec(childFile)
	w, err := wireOf(os.NewFile(childFile, "hand"))
	if err != nil {
		return err
	}
	if _, err := w.Read(b); err != nil {
		return fmt.Errorf("hand: %w", err)
	}
	crash := os.NewFile(crashFile, "crash")
	err = errors.Join(debug.SetCrashOutput(crash, debug.CrashOptions{}), crash.Close())
	if err != nil {
		return fmt.Errorf("hand: %w", err)
	}
	h.wire, h.under = w, true
	h.messages = make(chan message, 4)
	h.ask(askedReady)
	go h.hear()
	return nil
}

func (h *Hand) supervised() bool { return h.under }

func (h *Hand) leave() {
	if h.under {
		_ = h.wire.Close()
	}
}

// hear passes on what the supervisor says.
func (h *Hand) hear() {
	defer close(h.messages)
	for {
		m, err := h.wire.receive()
		if err != nil {
			h.ask(askedEnd)
			time.AfterFunc(h.options.Deadline, h.orphaned)
			return
		}
		switch m.Kind {
		case alive:
			h.ask(askedAlive)
			continue
		case loop:
			h.again.Store(true)
			continue
		}
		h.messages <- m
		if m.Kind == give {
			h.ask(askedOffer)
		}
	}
}

// orphaned ends a program that has never played and hangs, after its supervisor has ended.
func (h *Hand) orphaned() {
	if h.asked.Load()&askedReady != 0 {
		os.Exit(1) //nolint:revive // nobody else would end it
	}
}

// next returns the next message of the supervisor.
func (h *Hand) next() (message, error) {
	m, ok := <-h.messages
	if !ok {
		return m, fmt.Errorf("hand: %w; end, too", ErrGone)
	}
	return m, nil
}

// take asks for the world. It returns false if there is none.
func (h *Hand) take(c world.Counts) (s world.State, ok bool, err error) {
	own := fingerprint(c)
	if err := h.wire.send(message{Kind: hello, Fingerprint: own}); err != nil {
		return s, false, err
	}
	m, err := h.next()
	h.past, h.copier.every = time.Duration(m.Loop), time.Duration(m.Keep)
	if err != nil || m.Kind == fresh {
		return s, false, err
	}
	if m.Kind != take || len(m.files) < 3 {
		return s, false, fmt.Errorf("hand: %s with %d files, where a world was to come: %w", m.Kind,
			len(m.files), ErrRefused)
	}
	if err := h.mapToken(m.files[0]); err != nil {
		return s, false, err
	}
	p, err := open(m.files[1:])
	if err := errors.Join(err, m.files[2].Close()); err != nil {
		return s, false, err
	}
	h.taken = true
	h.cargo, h.stopped, h.lost = p.list.Cargo, m.Stopped, time.Duration(p.list.Lost)
	h.cargo.Files = p.files
	f, list := p.world, &p.list
	if m.Private { // the world of the change stays, with what this version lacks
		h.options.Save.DropFields = true
	}
	if list.Saved {
		s, h.report, err = save.Read(f, list.Size, c, h.options.Save)
		if err == nil {
			h.tellReport()
		}
		return s, err == nil, errors.Join(err, f.Close())
	}
	mode := mapping.Shared // no other program uses it any more
	if m.Private {
		mode = mapping.Private
	}
	b, mapErr := mapping.Map(f, int(list.Size), mode)
	if err := errors.Join(mapErr, f.Close()); err != nil {
		return s, false, err
	}
	s, err = memory.Open(c, b)
	return s, err == nil, err
}

// mapToken owns f.
func (h *Hand) mapToken(f *os.File) error {
	b, err := mapping.Map(f, pageSize, mapping.Shared)
	if err == nil {
		h.page, h.token = b, tool.Words(b)
	}
	return errors.Join(err, f.Close())
}

func (h *Hand) dropToken() {
	if h.page != nil {
		_ = mapping.Unmap(h.page)
	}
	h.page, h.token = nil, nil
}

func (h *Hand) refuse(err error) error {
	return h.wire.send(message{Kind: cannot, Why: err.Error()})
}

// Ready tells the supervisor that this program can play, and waits until the previous program has
// stopped. The first Continue calls it; call it before actions that only one program can do at a
// time, such as taking the terminal. The error wraps [ErrGone] if this program must not play.
func (h *Hand) Ready() error {
	if h.mustBeOpen().asked.Load()&askedReady == 0 {
		return nil
	}
	if err := h.wire.send(message{Kind: ready}); err != nil {
		return err
	}
	m, err := h.next()
	switch {
	case err != nil:
		return err
	case m.Kind != commit:
		return fmt.Errorf("hand: %s, where this program was to play: %w", m.Kind, ErrGone)
	case len(h.token) > 0 && !atomic.CompareAndSwapUint64(&h.token[0], turnOld, turnNew):
		return fmt.Errorf("hand: %w: %w", errOver, ErrGone)
	}
	h.dropToken()
	h.ask(askedFirst | askedStep)
	if h.copier.every > 0 {
		h.ask(askedCopy)
	}
	h.asked.And(^uint32(askedReady))
	h.pause(false)
	return h.wire.send(message{Kind: stepping, Stopped: h.stopped, Plays: mapping.Now()})
}

// playsOn tells the supervisor of the first step, and answers whether this program plays.
func (h *Hand) playsOn() {
	asked := h.asked.And(^uint32(askedStep | askedAlive)) // it may have been asked just now
	if asked&askedStep != 0 {
		h.say(stepped)
	}
	if asked&askedAlive != 0 {
		h.say(alive)
	}
}

// say tells the supervisor, if there is one.
func (h *Hand) say(kind string) {
	if h.under {
		_ = h.wire.send(message{Kind: kind})
	}
}

// Undo asks the supervisor to return to the previous program, with the world of the moment at which
// this one replaced it; see [Supervisor]. Without a supervisor Undo does nothing.
func (h *Hand) Undo() { h.mustBeOpen().say(undo) }

func duplicate(f *os.File) (*os.File, error) {
	from, err := numberOf(f)
	if err != nil {
		return nil, err
	}
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	fd, err := syscall.Dup(from)
	if err != nil {
		return nil, err
	}
	syscall.CloseOnExec(fd)
	return os.NewFile(uintptr(fd), f.Name()), nil
}
