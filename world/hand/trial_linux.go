package hand

import (
	"fmt"
	"time"
)

// enter is called when the next program plays.
func (d *desk) enter(m message) {
	if m.Stopped != 0 {
		d.event.Still = time.Duration(m.Plays - m.Stopped)
	}
	if d.undoing {
		last := &d.past[len(d.past)-1]
		d.event.What, d.event.Tick = Undone, last.manifest.Tick
	}
	d.Told(d.event)
	d.dropToken()
	d.played, d.rests = true, false
	if d.plays == nil || d.plays.gone || d.Trial <= 0 {
		d.keep()
		return
	}
	d.to(onTrial, d.Trial)
}

// keep ends the program before: the next one is the one that plays.
func (d *desk) keep() {
	d.remember()
	if d.plays != nil {
		if d.phase == onTrial {
			d.Told(Event{What: Kept, Path: d.next.path})
		}
		d.send(d.plays, message{Kind: over})
		if d.kept.world == nil {
			d.kept, d.plays.copy = d.plays.copy, moment{}
		}
		d.plays.copy.close()
	}
	d.plays, d.next = d.next, nil
	d.to(alone, 0)
}

// late is called when a phase has taken too long, or a trial is over.
func (d *desk) late() {
	const stopped = 500 * time.Millisecond
	if time.Since(d.since) > d.most+stopped { // the whole job was, and goes on
		d.to(d.phase, d.most)
		return
	}
	switch d.phase {
	case onTrial:
		d.probe()
	case starting:
		d.abandon(fmt.Sprintf("it did not ask for the world in %v", d.Deadline))
	case giving:
		d.notOffered(fmt.Sprintf("the program that plays did not offer the world in %v; call "+
			"Continue between its steps", d.Deadline))
	case taking, entering:
		d.abandon(fmt.Sprintf("it was not ready in %v; do what takes longer before World, or "+
			"raise Still", d.most))
	case ending:
		_ = d.plays.command.Process.Kill()
	case alone:
	}
}

// decide does f when the trial is decided, which it has happen now.
func (d *desk) decide(f func()) {
	d.then = f
	if !d.probed {
		d.probe()
	}
}

// proceed does what was to be done when the trial is decided.
func (d *desk) proceed() {
	if f := d.then; f != nil && d.phase != onTrial {
		if d.then = nil; d.plays != nil {
			f()
		}
	}
}

// probe asks the program on trial whether it plays, and gives it up if it has not answered. It
// answers when it has finished a step.
func (d *desk) probe() {
	if d.probed {
		d.abandon(fmt.Sprintf("it did not play on for %v; call Continue between its steps",
			d.Deadline))
		return
	}
	d.to(onTrial, d.Deadline)
	d.probed = true
	d.send(d.next, message{Kind: alive})
}

// abandon gives the next program up: it is ended first, and then the one before goes on.
func (d *desk) abandon(why string) {
	what, next, asked := Refused, d.next, d.phase >= giving
	if d.phase == onTrial {
		what = Back
	}
	d.next = nil
	d.to(alone, 0)
	d.dropToken()
	d.undoing = false
	if next != nil {
		_ = next.command.Process.Kill()
		for !next.gone { // so that the two never play at once
			a := <-d.arrivals
			if a.ended {
				d.endedBeside(a.from)
			} else {
				a.from.note(&a.message)
			}
			closeAll(a.files)
		}
		next.copy.close()
	}
	died := d.plays
	if died != nil && died.gone {
		d.outlive(died)
		d.plays = nil
	}
	d.moment.close()
	if next != nil {
		d.tell(what, next.path, why)
	}
	switch {
	case asked && d.plays != nil:
		d.send(d.plays, message{Kind: resume})
	case d.plays != nil || !d.rests || d.Revive <= 0:
	case died != nil && d.revives(died):
		d.replace(died.path)
	case d.Orders == nil:
		d.rests = false // nobody would start another one
	}
}

// endedBeside notes the code of the program that plays, if that is the one that has ended.
func (d *desk) endedBeside(c *child) {
	c.close()
	if c == d.plays || d.plays == nil {
		d.code = codeOf(c)
	}
}

// ended is called when a child has ended.
func (d *desk) ended(c *child) {
	why, code := c.end(), codeOf(c)
	c.close()
	switch {
	case c == d.plays && (d.phase == taking || d.phase == entering):
		d.code = code // the next one has the world already
	case c == d.plays && d.phase == onTrial:
		d.keep()
	case c == d.plays:
		d.code, d.plays = code, nil
		d.died(c, why)
	case c == d.next && d.phase == onTrial && d.wanted(c):
		d.code = code // it has ended as it wanted, and not died
		d.keep()
		d.plays = nil
	case c == d.next && (d.rests || d.plays != nil && (d.Keep > 0 || !d.plays.gone)):
		d.abandon(why)
	case c == d.next:
		d.code, d.next, d.plays = code, nil, nil
	}
}
