package hand

import (
	"os"
	"time"

	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/mapping"
)

// A copier copies the world for the supervisor at intervals, while the program plays.
type copier struct {
	parent   *parent
	carried  *carried
	options  *Options
	every    time.Duration // 0: never
	snapshot *world.Snapshot
	manifest manifest // of the copy in progress
}

// copyWorld copies the world between two steps; the copy is written during the following steps. If
// the world cannot be copied now, for example because commands are unapplied, it is copied later.
func (c *copier) copyWorld(s world.State) {
	again := func(after time.Duration) {
		time.AfterFunc(after, func() { c.parent.tasks.add(askedCopy) })
	}
	begin := time.Now()
	err := c.copyFrom(s)
	if err == nil { // a function of Keep may panic: the next step tries again
		c.manifest = manifest{
			Saved: true, Tick: world.Tick(s), File: c.options.path(), Made: mapping.Now(),
			Cargo: cargo{Bytes: c.appendKept()},
		}
	}
	if c.parent.tasks.remove(askedCopy); err != nil {
		again(c.every)
		return
	}
	go func() {
		const share = 20 // the program gets at least share/(share+1) of the time
		_ = c.send()
		again(max(c.every, share*time.Since(begin)))
	}()
}

// copyFrom takes a snapshot.
func (c *copier) copyFrom(s world.State) (err error) {
	if err = tool.Settled(s); err != nil || c.snapshot != nil && c.snapshot.Take(s) == nil {
		return err
	}
	if c.snapshot != nil {
		c.snapshot.Close() // it belongs to another world
	}
	if c.snapshot, err = world.NewSnapshot(s); err != nil {
		return err
	}
	return c.snapshot.Take(s)
}

// appendKept returns the data that travels with the copy. It reuses the memory of the previous
// copy, which was sent.
func (c *copier) appendKept() map[string][]byte {
	before := c.manifest.Cargo.Bytes
	bytes := make(map[string][]byte, len(c.carried.keeps))
	for _, k := range c.carried.keeps {
		bytes[k.name] = k.state(before[k.name][:0])
	}
	return bytes
}

// send writes the copy as a save file, and sends it.
func (c *copier) send() error {
	o := c.options.Save
	o.Progress = nil
	f, size, err := written(c.snapshot.State(), o)
	defer f.Close() //nolint:staticcheck // does nothing for a nil file
	if err != nil {
		return err
	}
	c.manifest.Size = size
	list, err := c.manifest.file()
	if err != nil {
		return err
	}
	defer list.Close()
	return c.parent.wire.send(message{Kind: copied, files: []*os.File{f, list}})
}
