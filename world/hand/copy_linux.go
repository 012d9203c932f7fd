package hand

import (
	"os"
	"path/filepath"
	"time"

	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/mapping"
	"github.com/flatecs/flatecs/world/save"
)

// A copier copies the world for the supervisor now and then, while the program plays.
type copier struct {
	every    time.Duration // 0: never
	snapshot *world.Snapshot
}

// copyWorld copies the world between two steps, and has it written beside the following ones. A
// world that cannot be copied now, such as one with unapplied commands, is copied later.
func (h *Hand) copyWorld(s world.State) {
	h.asked.And(^uint32(askedCopy))
	again := func(after time.Duration) { time.AfterFunc(after, func() { h.ask(askedCopy) }) }
	if err := h.copier.take(s); err != nil {
		again(h.copier.every)
		return
	}
	tick := world.Tick(s)
	go func() {
		const share = 20 // of the time is left to the program, at least
		begin := time.Now()
		_ = h.sendCopy(tick)
		again(max(h.copier.every, share*time.Since(begin)))
	}()
}

func (c *copier) take(s world.State) error {
	err := tool.Settled(s)
	if err != nil {
		return err
	}
	if c.snapshot != nil {
		if err = c.snapshot.Take(s); err == nil {
			return nil
		}
		c.snapshot.Close() // it is another world's
	}
	if c.snapshot, err = world.NewSnapshot(s); err != nil {
		return err
	}
	return c.snapshot.Take(s)
}

// sendCopy writes the copy as a save file, and sends it.
func (h *Hand) sendCopy(tick uint64) error {
	f, err := mapping.Scratch("flatecs copy")
	if err != nil {
		return err
	}
	defer f.Close()
	o := h.options.Save
	o.Progress = nil
	if err := save.Write(f, h.copier.snapshot.State(), o); err != nil {
		return err
	}
	list, err := h.manifestOf(f, tick)
	if err != nil {
		return err
	}
	defer list.Close()
	return h.wire.send(message{Kind: copied, files: []*os.File{f, list}})
}

// manifestOf returns the manifest of a save file, which the caller closes.
func (h *Hand) manifestOf(f *os.File, tick uint64) (*os.File, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	list := manifest{Saved: true, Size: info.Size(), Tick: tick, File: h.file()}
	return list.file()
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
