package hand

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"slices"
	"sync/atomic"
	"syscall"

	"github.com/flatecs/flatecs/systems/tool"
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
		return nil // nobody's
	}
	b := make([]byte, len(greeting)+1)
	n, _, err := syscall.Recvfrom(childFile, b, syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
	if err != nil || string(b[:max(n, 0)]) != greeting {
		return nil
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
		return s, err == nil, errors.Join(err, f.Close())
	}
	b, err := mapping.Map(f, int(list.Size), mapping.Shared) // no other program uses it any more
	if err = errors.Join(err, f.Close()); err != nil {
		return s, false, err
	}
	s, err = memory.Open(c, b)
	return s, err == nil, err
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
	text, err := io.ReadAll(io.NewSectionReader(f, 0, math.MaxInt64))
	if err = errors.Join(err, f.Close()); err != nil {
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
	case h.token != nil && !atomic.CompareAndSwapUint64(&h.token[0], turnOld, turnNew):
		return fmt.Errorf("hand: %w: %w", errOver, ErrGone)
	}
	h.dropToken()
	h.asked.And(^uint32(askedReady))
	return h.wire.send(message{Kind: stepping, Stopped: h.stopped, Plays: mapping.Now()})
}

// An offering is a world that is being handed over.
type offering struct {
	state    *world.Snapshot // in bytes
	bytes    []byte
	file     *os.File
	manifest manifest
}

func (p *offering) close() {
	if p.state != nil {
		p.state.Close()
	}
	if p.bytes != nil {
		_ = mapping.Unmap(p.bytes)
	}
	if p.file != nil {
		_ = p.file.Close()
	}
}

// handOver offers the world. It returns true when the next program plays.
func (h *Hand) handOver(s world.State) bool {
	if !h.stillAsked() {
		return false
	}
	if h.spare == nil {
		p, err := h.prepare(s)
		if err != nil {
			h.decline(p, err)
			return false
		}
		if h.spare = p; p.state != nil {
			return false // play one step more, so that only what it writes is left to be copied
		}
	}
	h.asked.And(^uint32(askedOffer))
	p := h.spare
	h.spare, h.stopped = nil, mapping.Now()
	done, err := h.offer(s, p)
	if err != nil {
		h.decline(p, err)
		return false
	}
	p.close()
	h.asks = message{}
	return done
}

// stillAsked reads what the supervisor has said. It returns false if it wants the world no more.
func (h *Hand) stillAsked() bool {
	for {
		select {
		case m, ok := <-h.messages:
			if !ok {
				return false
			}
			h.forgetOffer()
			if h.asks = m; m.Kind == give {
				h.ask(askedOffer)
			}
		default:
			return h.asks.Kind == give
		}
	}
}

// forgetOffer ends what was prepared for a give that was taken back.
func (h *Hand) forgetOffer() {
	h.asked.And(^uint32(askedOffer))
	if h.spare != nil {
		h.spare.close()
	}
	closeAll(h.asks.files)
	h.spare, h.asks = nil, message{}
}

func (h *Hand) decline(p *offering, err error) {
	h.asked.And(^uint32(askedOffer))
	if p != nil {
		p.close()
	}
	closeAll(h.asks.files)
	_ = h.wire.send(message{Kind: cannot, Number: h.asks.Number, Why: err.Error()})
	h.asks = message{}
	for m := range h.messages { // until the supervisor has given up
		if m.Kind == resume {
			return
		}
		closeAll(m.files)
	}
}

// prepare makes room for the world, and copies it a first time.
func (h *Hand) prepare(s world.State) (*offering, error) {
	p := &offering{}
	own := fingerprint(world.CountsOf(s))
	if own == 0 || own != h.asks.Fingerprint {
		p.manifest.Saved = true
		return p, nil
	}
	p.manifest.Fingerprint = own
	size, err := memory.SizeOf(world.CountsOf(s))
	if err != nil {
		return p, err
	}
	p.manifest.Size = int64(size)
	if p.file, err = mapping.Memory("flatecs world", size); err != nil {
		return p, err
	}
	if p.bytes, err = mapping.Map(p.file, size, mapping.Shared); err != nil {
		return p, err
	}
	if p.state, err = memory.NewSnapshot(s, p.bytes); err != nil {
		return p, err
	}
	return p, p.state.Take(s)
}

// offer copies the world, sends it, and waits for what becomes of it.
func (h *Hand) offer(s world.State, p *offering) (over bool, err error) {
	if err := tool.Settled(s); err != nil {
		return false, err
	}
	o := newOffer()
	defer o.close()
	h.pause(true)
	defer func() {
		if !over {
			h.pause(false)
		}
	}()
	if err := h.gather(o); err != nil {
		return false, err
	}
	if err := p.write(s, &h.options); err != nil {
		return false, err
	}
	list, err := p.list(o)
	if err != nil {
		return false, err
	}
	defer list.Close() //nolint:errcheck // memory
	m := message{Kind: offer, Number: h.asks.Number, Stopped: h.stopped, files: []*os.File{p.file, list}}
	for _, name := range p.manifest.Names {
		m.files = append(m.files, o.Files[name])
	}
	if err := h.mapToken(h.asks.files[0]); err != nil {
		return false, err
	}
	if err := h.wire.send(m); err != nil {
		return false, err
	}
	return h.await(), nil
}

// pause has the listeners wait, or accept again.
func (h *Hand) pause(on bool) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	for _, l := range h.listeners {
		_ = l.pause(on)
	}
}

// gather adds what travels beside the world.
func (h *Hand) gather(o *Offer) error {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	for _, l := range h.listeners {
		if l.closed {
			continue
		}
		f, err := l.File()
		if err != nil {
			return err
		}
		if err := o.add("listener "+l.key, f); err != nil {
			return err
		}
	}
	if h.offered == nil {
		return nil
	}
	return h.offered(o)
}

// write copies the world into the offering.
func (p *offering) write(s world.State, o *Options) (err error) {
	if p.state != nil {
		return p.state.Take(s)
	}
	if p.file, err = mapping.Scratch("flatecs save"); err != nil {
		return err
	}
	if err = save.Write(p.file, s, o.Save); err != nil {
		return err
	}
	info, err := p.file.Stat()
	if err == nil {
		p.manifest.Size = info.Size()
	}
	return err
}

// list writes the manifest.
func (p *offering) list(o *Offer) (*os.File, error) {
	p.manifest.Cargo = o.cargo
	p.manifest.Names = slices.Sorted(maps.Keys(o.Files))
	text, err := json.Marshal(&p.manifest)
	if err != nil {
		return nil, err
	}
	f, err := mapping.Scratch("flatecs manifest")
	if err == nil {
		_, err = f.WriteAt(text, 0)
	}
	return f, err
}

// await waits for what becomes of the offer. It returns true if the next program plays, or may do
// so.
func (h *Hand) await() bool {
	defer h.dropToken()
	for m := range h.messages {
		switch m.Kind {
		case over:
			return true
		case resume:
			return false
		}
		closeAll(m.files)
	}
	// The supervisor is gone. Who plays is who comes first.
	return !atomic.CompareAndSwapUint64(&h.token[0], turnOld, turnNobody)
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
