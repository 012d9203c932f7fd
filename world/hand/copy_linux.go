package hand

import (
	"os"
	"path/filepath"
	"time"

	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/mapping"
)

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
