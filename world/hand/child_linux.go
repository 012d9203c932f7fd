package hand

import (
	"errors"
	"fmt"
	"syscall"
	"time"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/mapping"
	"github.com/flatecs/flatecs/world/memory"
	"github.com/flatecs/flatecs/world/save"
)

const hangUp = syscall.SIGHUP

// joined is a program's connection to its supervisor.
type joined struct {
	parent
	handover
	copier
	turn turn
}

// join connects to the supervisor, if this program is a supervisor's child.
func (h *Hand) join() error {
	j := &h.link
	found, err := j.open(&h.tasks)
	if err != nil || !found {
		return err
	}
	j.handover = handover{
		parent: &j.parent, turn: &j.turn, carried: &h.carried, options: &h.options,
	}
	j.copier = copier{parent: &j.parent, carried: &h.carried, options: &h.options}
	h.tasks.add(askedReady)
	go j.listen(h.options.Deadline)
	return nil
}

func (j *joined) supervised() bool { return j.found }

// take requests the world. It returns false if there is none.
func (h *Hand) take(c world.Counts) (s world.State, ok bool, err error) {
	own := fingerprint(c)
	if err := h.link.wire.send(message{Kind: hello, Fingerprint: own}); err != nil {
		return s, false, err
	}
	m, err := h.link.next()
	h.received.tape, h.link.every = time.Duration(m.Loop), time.Duration(m.Keep)
	if err != nil || m.Kind == fresh {
		return s, false, err
	}
	if m.Kind != take || len(m.files) < 3 {
		return s, false, fmt.Errorf("hand: %s with %d files, where a world was to come: %w", m.Kind,
			len(m.files), ErrRefused)
	}
	if err := h.link.turn.open(m.files[0]); err != nil {
		return s, false, err
	}
	p, err := openParcel(m.files[1:])
	if err := errors.Join(err, m.files[2].Close()); err != nil {
		return s, false, err
	}
	h.received = received{
		cargo: p.list.Cargo, taken: true, stopped: m.Stopped, lost: time.Duration(p.list.Lost),
		tape: h.received.tape,
	}
	h.received.Files = p.files
	f, list := p.world, &p.list
	if m.Private { // keep the original for an undo, with the fields that this version lacks
		h.options.Save.DropFields = true
	}
	if list.Saved {
		s, report, err := save.Read(f, list.Size, c, h.options.Save)
		if err == nil {
			h.setReport(report)
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

// Ready tells the supervisor that this program can play, and waits until the previous program has
// stopped. The first Continue calls it; call it before actions that only one program can do at a
// time, such as taking the terminal. The error wraps [ErrGone] if this program must not play.
func (h *Hand) Ready() error {
	if !h.mustBeOpen().tasks.have(askedReady) {
		return nil
	}
	j := &h.link
	if err := j.wire.send(message{Kind: ready}); err != nil {
		return err
	}
	m, err := j.next()
	switch {
	case err != nil:
		return err
	case m.Kind != commit:
		return fmt.Errorf("hand: %s, where this program was to play: %w", m.Kind, ErrGone)
	case !j.turn.take(turnNew):
		return fmt.Errorf("hand: %w: %w", errOver, ErrGone)
	}
	j.turn.close()
	h.tasks.add(askedFirst | askedStep)
	if j.every > 0 {
		h.tasks.add(askedCopy)
	}
	h.tasks.remove(askedReady)
	h.carried.pause(false)
	return j.wire.send(message{Kind: stepping, Stopped: h.received.stopped, Plays: mapping.Now()})
}

// Undo asks the supervisor to return to the previous program, with the world of the moment at which
// this one replaced it; see [Supervisor]. Without a supervisor Undo does nothing.
func (h *Hand) Undo() { h.mustBeOpen().link.say(undo) }
