package hand

import (
	"fmt"
	"time"
)

// beginTrial handles the start of the next program's play.
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

// promote ends the previous program; the next program becomes the playing one.
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

// endPhase handles the time limit of a phase, or the end of a trial.
func (v *supervision) endPhase() {
	if v.clock.wasStopped() { // it continues
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

// A deferred order or signal is carried out when a trial is decided.
type deferred struct {
	call func() // nil: nothing
	path string // of the program that it starts; "": none
}

// afterTrial defers one thing instead of an earlier one, and decides the trial now.
func (v *supervision) afterTrial(d deferred, why string) {
	v.withdraw(why)
	v.then = d
	if !v.clock.probed {
		v.probe()
	}
}

// withdraw drops what was deferred, and reports why its program is not started.
func (v *supervision) withdraw(why string) {
	if v.then.path != "" {
		v.config.Told(Event{What: Refused, Path: v.then.path, Why: why})
	}
	v.then = deferred{}
}

// runDeferred carries out what was deferred, also while no program plays.
func (v *supervision) runDeferred() {
	d := v.then
	switch {
	case d.call == nil || v.clock.phase == onTrial:
	case v.plays == nil && !v.rests:
		v.withdraw("the program that played has ended")
	default:
		v.then = deferred{}
		d.call()
	}
}

// probe asks the program on trial whether it plays, and gives it up if it did not answer. A program
// answers after a step.
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

// abandon gives up the next program: it ends that program, and then lets the previous one continue.
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
		for !next.gone { // so that two programs never play at once
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
	case died != nil && v.mayRestart(died):
		v.replace(died.path)
	case v.config.Orders == nil:
		v.rests = false // no other program will be started
	}
}

// closeEnded stores the exit code of the playing program if it has ended.
func (v *supervision) closeEnded(c *child) {
	c.close()
	if c == v.plays || v.plays == nil {
		v.code = codeOf(c)
	}
}

// handleEnd handles the end of a child.
func (v *supervision) handleEnd(c *child) {
	why, code := c.end(), codeOf(c)
	c.close()
	switch {
	case c == v.plays && (v.clock.phase == taking || v.clock.phase == entering):
		v.code = code // the next program has the world already
	case c == v.plays && v.clock.phase == onTrial:
		v.promote()
	case c == v.plays:
		v.code, v.plays = code, nil
		v.handleDeath(c, why)
	case c == v.next && v.clock.phase == onTrial && v.endedItself(c):
		v.code = code // it ended deliberately
		v.promote()
		v.plays = nil
	case c == v.next && (v.rests || v.plays != nil && (v.config.Keep > 0 || !v.plays.gone)):
		v.abandon(why)
	case c == v.next:
		v.code, v.next, v.plays = code, nil, nil
	}
}
