package player

import (
	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/history"
)

const (
	kept    = 3600 // steps that the past is meant to reach back: a minute
	longest = 120  // steps in a chapter
)

// A past is what a player can go back to.
type past struct {
	history *history.History // a frame is a chapter; nil: there was no memory
	chapter uint64           // steps in each
	newest  uint64           // step that was reached
}

// newPast makes room for a minute, or for as much of it as the memory allows.
func newPast(s world.State, memory int) past {
	chapters := max(memory/max(world.Size(s), 1), 2)
	length := min(max((kept+chapters-1)/chapters, 1), longest)
	chapters = min(chapters, kept/length+2)
	h, err := history.New(s, chapters, 0)
	if err != nil || memory == 0 {
		return past{}
	}
	return past{history: h, chapter: uint64(length)}
}

// Newest returns the step that was reached before the player went back, and now if it did not.
func (p *Player) Newest() uint64 { return p.past.newest }

// Oldest returns the first step to go back to.
func (p *Player) Oldest() uint64 {
	if p.past.history == nil {
		return p.steps
	}
	first, _ := p.past.history.Frames()
	return min(uint64(first)*p.past.chapter, p.steps)
}

// record keeps the world before the coming step, if a chapter begins.
func (p *Player) record() {
	h := &p.past
	if h.history == nil {
		return
	}
	if p.steps < h.newest {
		p.forget()
	}
	if p.steps%h.chapter == 0 {
		must(h.history.Record(p.state, nil))
	}
}

// forget makes now the newest step. What of the chapter is past already stays.
func (p *Player) forget() {
	h := &p.past
	now := p.steps
	if frame := int(now / h.chapter); frame < next(h.history) {
		var err error
		p.state, err = h.history.Rollback(p.state, frame)
		must(err)
		if p.steps -= now % h.chapter; p.steps < now {
			must(h.history.Record(p.state, nil))
		}
		p.replay(now)
	}
	h.newest = now
}

func next(h *history.History) int {
	_, next := h.Frames()
	return next
}

// Seek goes to a step of the past, or back to the newest; what is beyond them is their end. It
// returns where it went.
func (p *Player) Seek(step uint64) uint64 {
	h := &p.past
	step = min(max(step, p.Oldest()), h.newest)
	if h.history == nil || step == p.steps {
		return p.steps
	}
	p.hand.seen = 0
	frame := min(int(step/h.chapter), next(h.history)-1) // the newest step may end a chapter
	snapshot, err := h.history.Snapshot(frame)
	must(err)
	p.state, err = world.Restore(p.state, snapshot)
	must(err)
	p.steps = uint64(frame) * h.chapter
	p.replay(step)
	return p.steps
}

// replay takes the steps up to one again, with their inputs.
func (p *Player) replay(until uint64) {
	for p.steps < until {
		p.take(scene.Input(p.inputs[p.steps]))
	}
}

// must is for what a player's own use of its history never leads to.
func must(err error) {
	if err != nil {
		panic("player: " + err.Error() + "; report this")
	}
}
