package hand

import (
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"

	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/mapping"
	"github.com/flatecs/flatecs/world/memory"
	"github.com/flatecs/flatecs/world/save"
)

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
func (h *Hand) handOver(s world.State) (done bool) {
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
	err := errCut
	defer func() { h.decline(p, err) }()
	done, err = h.offer(s, p)
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

// decline ends an offering, and says why unless the supervisor has decided on it.
func (h *Hand) decline(p *offering, err error) {
	if p != nil {
		p.close()
	}
	if h.asks.Kind != give {
		return
	}
	h.asked.And(^uint32(askedOffer))
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
	p := &offering{manifest: manifest{File: h.file()}}
	own := fingerprint(world.CountsOf(s))
	if own == 0 || own != h.asks.Fingerprint || h.asks.Beside {
		p.manifest.Saved = true
		return p, nil
	}
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
		if over {
			return
		}
		h.pause(false)
		if o.refused != nil {
			o.refused()
		}
	}()
	if err := h.gather(o); err != nil {
		return false, err
	}
	if !h.asks.Beside {
		if err := p.write(s, &h.options); err != nil {
			return false, err
		}
	}
	p.manifest.Made = h.stopped
	list, err := p.list(s, o)
	if err != nil {
		return false, err
	}
	defer list.Close()
	m := message{
		Kind: offer, Number: h.asks.Number, Stopped: h.stopped, files: []*os.File{p.file, list},
	}
	if h.asks.Beside {
		m.files[0] = list
	}
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
		if err := l.offer(o); err != nil {
			return err
		}
	}
	if h.tape != nil && !h.asks.Beside {
		if err := h.tape.offer(o, &h.options.Save); err != nil {
			return err
		}
	}
	if h.offered != nil {
		if err := h.offered(o); err != nil {
			return err
		}
	}
	for _, k := range h.keeps {
		o.Bytes(k.name, k.state(nil))
	}
	return nil
}

// write copies the world into the offering.
func (p *offering) write(s world.State, o *Options) (err error) {
	if p.state != nil {
		return p.state.Take(s)
	}
	p.file, p.manifest.Size, err = written(s, o.Save)
	return err
}

// written returns a new file that a world is saved in, and its size.
func written(s world.State, o save.Options) (f *os.File, size int64, err error) {
	if f, err = mapping.Scratch("flatecs save"); err != nil {
		return nil, 0, err
	}
	if err = save.Write(f, s, o); err == nil {
		size, err = f.Seek(0, io.SeekEnd)
	}
	return f, size, err
}

// list writes the manifest.
func (p *offering) list(s world.State, o *Offer) (*os.File, error) {
	p.manifest.Tick = world.Tick(s)
	p.manifest.Cargo = o.cargo
	p.manifest.Names = slices.Sorted(maps.Keys(o.Files))
	return p.manifest.file()
}

// await waits for what becomes of the offer. It returns true if the next program plays, or may do
// so.
func (h *Hand) await() bool {
	defer h.dropToken()
	h.asks = message{} // it was answered
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

// A copier copies the world for the supervisor now and then, while the program plays.
type copier struct {
	every    time.Duration // 0: never
	snapshot *world.Snapshot
	manifest manifest // of the copy under way
}

// copyWorld copies the world between two steps, and has it written beside the following ones. A
// world that cannot be copied now, such as one with unapplied commands, is copied later.
func (h *Hand) copyWorld(s world.State) {
	again := func(after time.Duration) { time.AfterFunc(after, func() { h.ask(askedCopy) }) }
	begin := time.Now()
	err := h.copier.take(s)
	if err == nil { // a function of Keep may panic: the next step asks again
		h.copier.manifest = manifest{
			Saved: true, Tick: world.Tick(s), File: h.file(), Made: mapping.Now(),
			Cargo: cargo{Bytes: h.copier.keep(h.keeps)},
		}
	}
	if h.asked.And(^uint32(askedCopy)); err != nil {
		again(h.copier.every)
		return
	}
	go func() {
		const share = 20 // of the time is left to the program, at least
		_ = h.sendCopy()
		again(max(h.copier.every, share*time.Since(begin)))
	}()
}

func (c *copier) take(s world.State) (err error) {
	if err = tool.Settled(s); err != nil || c.snapshot != nil && c.snapshot.Take(s) == nil {
		return err
	}
	if c.snapshot != nil {
		c.snapshot.Close() // it is another world's
	}
	if c.snapshot, err = world.NewSnapshot(s); err != nil {
		return err
	}
	return c.snapshot.Take(s)
}

// keep returns what travels with the copy, in the memory of the copy before, which was sent.
func (c *copier) keep(all []kept) map[string][]byte {
	before := c.manifest.Cargo.Bytes
	bytes := make(map[string][]byte, len(all))
	for _, k := range all {
		bytes[k.name] = k.state(before[k.name][:0])
	}
	return bytes
}

// sendCopy writes the copy as a save file, and sends it.
func (h *Hand) sendCopy() error {
	o := h.options.Save
	o.Progress = nil
	f, size, err := written(h.copier.snapshot.State(), o)
	defer f.Close() //nolint:staticcheck // of no file it does nothing
	if err != nil {
		return err
	}
	h.copier.manifest.Size = size
	list, err := h.copier.manifest.file()
	if err != nil {
		return err
	}
	defer list.Close()
	return h.wire.send(message{Kind: copied, files: []*os.File{f, list}})
}

// file returns where the world is saved at the end; "": nowhere, or by the program itself.
func (h *Hand) file() string {
	if h.options.Signals || h.options.File == "" {
		return ""
	}
	path, err := filepath.Abs(h.options.File)
	if err != nil {
		return ""
	}
	return path
}
