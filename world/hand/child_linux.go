package hand

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"sync/atomic"
	"syscall"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/mapping"
	"github.com/flatecs/flatecs/world/memory"
	"github.com/flatecs/flatecs/world/save"
)

const hangUp = syscall.SIGHUP

// joined is what a program has of its supervisor.
type joined struct {
	wire     wire
	under    bool
	messages chan message // closed when the supervisor is gone
	token    []uint64     // whose turn it is; nil: nobody else's
	page     []byte       // that it is in
	asks     message      // the last give
	spare    *offering    // made at the first call of Continue after it
	stopped  int64
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
	Fingerprint uint64
	Saved       bool // as a save file, of any fingerprint
	Size        int64
	Names       []string // of the files after the manifest
	Cargo       cargo
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
			return
		}
		h.messages <- m
		if m.Kind == give {
			h.ask(askedOffer)
		}
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
	list, err := h.readManifest(m.files[2], m.files[3:])
	if err != nil {
		return s, false, err
	}
	h.stopped = m.Stopped
	f := m.files[1]
	if list.Saved {
		s, h.report, err = save.Read(f, list.Size, c, h.options.Save)
		if err == nil {
			h.tellReport()
		}
		return s, err == nil, errors.Join(err, f.Close())
	}
	b, mapErr := mapping.Map(f, int(list.Size), mapping.Shared) // no other program uses it any more
	if err := errors.Join(mapErr, f.Close()); err != nil {
		return s, false, err
	}
	s, err = memory.Open(c, b)
	return s, err == nil, err
}

// tellReport tells how the world differs from what the program declares.
func (h *Hand) tellReport() {
	for _, r := range []struct {
		what  string
		names []string
	}{
		{"migrated", h.report.Migrated},
		{"new", h.report.New},
		{"dropped", h.report.Dropped},
		{"kept", h.report.Kept},
	} {
		if len(r.names) > 0 {
			h.options.say("hand: %s: %s", r.what, strings.Join(r.names, ", "))
		}
	}
}

// mapToken owns f.
func (h *Hand) mapToken(f *os.File) error {
	b, err := mapping.Map(f, pageSize, mapping.Shared)
	if err == nil {
		h.page, h.token = b, mapping.Words(b)
	}
	return errors.Join(err, f.Close())
}

func (h *Hand) dropToken() {
	if h.page != nil {
		_ = mapping.Unmap(h.page)
	}
	h.page, h.token = nil, nil
}

// readManifest owns its file, and notes what the others are.
func (h *Hand) readManifest(f *os.File, others []*os.File) (list manifest, err error) {
	text, readErr := io.ReadAll(io.NewSectionReader(f, 0, math.MaxInt64))
	if err := errors.Join(readErr, f.Close()); err != nil {
		return list, err
	}
	if err := json.Unmarshal(text, &list); err != nil {
		return list, fmt.Errorf("hand: manifest: %w", err)
	}
	if len(list.Names) != len(others) {
		return list, fmt.Errorf("hand: %d files came, and %d were offered: %w", len(others),
			len(list.Names), ErrRefused)
	}
	h.kept = list.Cargo
	h.kept.Files = make(map[string]*os.File, len(others))
	for i, name := range list.Names {
		h.kept.Files[name] = others[i]
	}
	return list, nil
}

func (h *Hand) refuse(err error) error {
	return h.wire.send(message{Kind: cannot, Why: err.Error()})
}

// Ready tells the supervisor that this program can play, and waits until it may: then the program
// before does not play any more. The first Continue calls it; call it before what only one program
// can do at a time, such as taking the terminal. The error wraps [ErrGone] if it may not.
func (h *Hand) Ready() error {
	if h.made().asked.Load()&askedReady == 0 {
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
	h.asked.And(^uint32(askedReady))
	return h.wire.send(message{Kind: stepping, Stopped: h.stopped, Plays: mapping.Now()})
}

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
