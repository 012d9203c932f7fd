package hand

import (
	"io"
	"maps"
	"os"
	"slices"

	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/mapping"
	"github.com/flatecs/flatecs/world/memory"
	"github.com/flatecs/flatecs/world/save"
)

// An offering is a world during handing over.
type offering struct {
	state    *world.Snapshot // copies the world into the file
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

// A handover offers the world to the next program on the supervisor's request.
type handover struct {
	parent  *parent
	turn    *turn
	carried *carried
	options *Options
	asks    message   // the last give message
	spare   *offering // created by the first Continue after it
}

// handOver offers the world. It returns true when the next program plays.
func (h *handover) handOver(s world.State) (done bool) {
	if !h.wanted() {
		return false
	}
	if h.spare == nil {
		p, err := h.prepare(s)
		if err != nil {
			h.decline(p, err)
			return false
		}
		if h.spare = p; p.state != nil {
			return false // play one more step, so that only its writes remain to be copied
		}
	}
	h.parent.tasks.remove(askedOffer)
	p := h.spare
	h.spare, p.manifest.Made = nil, mapping.Now()
	err := errCut
	defer func() { h.decline(p, err) }()
	done, err = h.offer(s, p)
	return done
}

// wanted reads the supervisor's messages. It returns false if the request was withdrawn.
func (h *handover) wanted() bool {
	for {
		select {
		case m, ok := <-h.parent.messages:
			if !ok {
				return false
			}
			h.drop()
			if h.asks = m; m.Kind == give {
				h.parent.tasks.add(askedOffer)
			}
		default:
			return h.asks.Kind == give
		}
	}
}

// drop discards the offering of a withdrawn request.
func (h *handover) drop() {
	h.parent.tasks.remove(askedOffer)
	if h.spare != nil {
		h.spare.close()
	}
	closeAll(h.asks.files)
	h.spare, h.asks = nil, message{}
}

// decline ends an offering. It reports the reason, unless the supervisor decided.
func (h *handover) decline(p *offering, err error) {
	if p != nil {
		p.close()
	}
	if h.asks.Kind != give {
		return
	}
	h.parent.tasks.remove(askedOffer)
	closeAll(h.asks.files)
	_ = h.parent.refuse(h.asks.Number, err)
	h.asks = message{}
	for m := range h.parent.messages { // until the supervisor gives up
		if m.Kind == resume {
			return
		}
		closeAll(m.files)
	}
}

// prepare allocates memory for the world, and copies it a first time.
func (h *handover) prepare(s world.State) (*offering, error) {
	p := &offering{manifest: manifest{File: h.options.path()}}
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

// offer copies the world, sends it, and waits for the result.
func (h *handover) offer(s world.State, p *offering) (over bool, err error) {
	if err := tool.Settled(s); err != nil {
		return false, err
	}
	o := newOffer()
	defer o.close()
	h.carried.pause(true)
	defer func() {
		if over {
			return
		}
		h.carried.pause(false)
		if o.refused != nil {
			o.refused()
		}
	}()
	if err := h.carried.gather(o, h.asks.Beside, h.options); err != nil {
		return false, err
	}
	if !h.asks.Beside {
		if err := p.write(s, h.options); err != nil {
			return false, err
		}
	}
	list, err := p.list(s, o)
	if err != nil {
		return false, err
	}
	defer list.Close()
	m := message{
		Kind: offer, Number: h.asks.Number, Stopped: p.manifest.Made,
		files: []*os.File{p.file, list},
	}
	if h.asks.Beside {
		m.files[0] = list
	}
	for _, name := range p.manifest.Names {
		m.files = append(m.files, o.Files[name])
	}
	if err := h.turn.open(h.asks.files[0]); err != nil {
		return false, err
	}
	if err := h.parent.wire.send(m); err != nil {
		return false, err
	}
	return h.await(), nil
}

// pause pauses the listeners, or lets them accept again.
func (c *carried) pause(on bool) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for _, l := range c.listeners {
		_ = l.pause(on)
	}
}

// gather adds the data that travels with the world. The tape stays if the world stays.
func (c *carried) gather(o *Offer, stays bool, options *Options) error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for _, l := range c.listeners {
		if err := l.offer(o); err != nil {
			return err
		}
	}
	if c.tape != nil && !stays {
		if err := c.tape.offer(o, &options.Save); err != nil {
			return err
		}
	}
	if c.offered != nil {
		if err := c.offered(o); err != nil {
			return err
		}
	}
	for _, k := range c.keeps {
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

// written saves a world in a new file, and returns the file and its size.
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

// await waits for the result of the offer. It returns true if the next program plays, or may play.
func (h *handover) await() bool {
	defer h.turn.close()
	h.asks = message{} // it is answered
	for m := range h.parent.messages {
		switch m.Kind {
		case over:
			return true
		case resume:
			return false
		}
		closeAll(m.files)
	}
	// The supervisor has died: the first program to take the turn plays.
	return !h.turn.take(turnNobody)
}
