package hand

import (
	"fmt"
	"time"
)

// beginTrial is called when the next program plays.
func (v *supervision) beginTrial(m message) {
	if m.Stopped != 0 {
		v.event.Still = time.Duration(m.Plays - m.Stopped)
	}
	if v.worlds.undoing {
		v.event.What, v.event.Tick = Undone, v.worlds.last().manifest.Tick
	}
	v.config.Told(v.event)
	v.closeToken()
	v.played, v.rests = true, false
	if v.plays == nil || v.plays.gone || v.config.Trial <= 0 {
		v.promote()
		return
	}
	v.clock.begin(onTrial, v.config.Trial)
}

// promote ends the program before: the next one is the one that plays.
func (v *supervision) promote() {
	var copied moment
	if v.plays != nil {
		copied, v.plays.copy = v.plays.copy, moment{}
	}
	v.worlds.commit(copied)
	if v.plays != nil {
		if v.clock.phase == onTrial {
			v.config.Told(Event{What: Kept, Path: v.next.path})
		}
		v.send(v.plays, message{Kind: over})
	}
	v.plays, v.next = v.next, nil
	v.clock.begin(alone, 0)
}

// endPhase is called when a phase has taken too long, or a trial is over.
func (v *supervision) endPhase() {
	if v.clock.wasStopped() { // and goes on
		v.clock.begin(v.clock.phase, v.clock.most)
		return
	}
	switch v.clock.phase {
	case onTrial:
		v.probe()
	case starting:
		v.abandon(fmt.Sprintf("it did not ask for the world in %v", v.config.Deadline))
	case giving:
		v.replaceHung(fmt.Sprintf("the program that plays did not offer the world in %v; call "+
			"Continue between its steps", v.config.Deadline))
	case taking, entering:
		v.abandon(fmt.Sprintf("it was not ready in %v; do what takes longer before World, or "+
			"raise Still", v.clock.most))
	case ending:
		_ = v.plays.command.Process.Kill()
	case alone:
	}
}

// afterTrial does f when the trial is decided, which it has happen now.
func (v *supervision) afterTrial(f func()) {
	v.then = f
	if !v.clock.probed {
		v.probe()
	}
}

// runDeferred does what was to be done when the trial is decided.
func (v *supervision) runDeferred() {
	if f := v.then; f != nil && v.clock.phase != onTrial {
		if v.then = nil; v.plays != nil {
			f()
		}
	}
}

// probe asks the program on trial whether it plays, and gives it up if it has not answered. It
// answers when it has finished a step.
func (v *supervision) probe() {
	if v.clock.probed {
		v.abandon(fmt.Sprintf("it did not play on for %v; call Continue between its steps",
			v.config.Deadline))
		return
	}
	v.clock.begin(onTrial, v.config.Deadline)
	v.clock.probed = true
	v.send(v.next, message{Kind: alive})
}

// abandon gives the next program up: it is ended first, and then the one before goes on.
func (v *supervision) abandon(why string) {
	what, next, asked := Refused, v.next, v.clock.phase >= giving
	if v.clock.phase == onTrial {
		what = Back
	}
	v.next = nil
	v.clock.begin(alone, 0)
	v.closeToken()
	v.worlds.undoing = false
	if next != nil {
		_ = next.command.Process.Kill()
		for !next.gone { // so that the two never play at once
			a := <-v.children.arrivals
			if a.ended {
				v.closeEnded(a.from)
			} else {
				a.from.update(&a.message)
			}
			closeAll(a.files)
		}
		next.copy.close()
	}
	died := v.plays
	if died != nil && died.gone {
		v.keepWorldOf(died)
		v.plays = nil
	}
	v.worlds.change.close()
	if next != nil {
		v.report(what, next.path, why)
	}
	switch {
	case asked && v.plays != nil:
		v.send(v.plays, message{Kind: resume})
	case v.plays != nil || !v.rests || v.config.Revive <= 0:
	case died != nil && v.mayRevive(died):
		v.replace(died.path)
	case v.config.Orders == nil:
		v.rests = false // nobody would start another one
	}
}

// closeEnded keeps the code of the program that plays, if that is the one that has ended.
func (v *supervision) closeEnded(c *child) {
	c.close()
	if c == v.plays || v.plays == nil {
		v.code = codeOf(c)
	}
}

// handleEnd is called when a child has ended.
func (v *supervision) handleEnd(c *child) {
	why, code := c.end(), codeOf(c)
	c.close()
	switch {
	case c == v.plays && (v.clock.phase == taking || v.clock.phase == entering):
		v.code = code // the next one has the world already
	case c == v.plays && v.clock.phase == onTrial:
		v.promote()
	case c == v.plays:
		v.code, v.plays = code, nil
		v.handleDeath(c, why)
	case c == v.next && v.clock.phase == onTrial && v.endedItself(c):
		v.code = code // it has ended as it wanted, and not died
		v.promote()
		v.plays = nil
	case c == v.next && (v.rests || v.plays != nil && (v.config.Keep > 0 || !v.plays.gone)):
		v.abandon(why)
	case c == v.next:
		v.code, v.next, v.plays = code, nil, nil
	}
}
