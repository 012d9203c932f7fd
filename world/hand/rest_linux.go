package hand

import (
	"os"
	"syscall"
	"time"

	"github.com/flatecs/flatecs/world/internal/mapping"
)

// endedItself reports whether a program ended deliberately rather than died. Without copies of
// worlds, a program that ends with code 0 need not announce it.
func (v *supervision) endedItself(c *child) bool {
	return c.leaves || v.config.Keep <= 0 && codeOf(c) == 0
}

// handleDeath handles the end of the playing program: the supervisor ends as well, or keeps its
// world for the next program.
func (v *supervision) handleDeath(c *child, why string) {
	v.keepWorldOf(c)
	if v.config.Keep > 0 && !v.endedItself(c) {
		v.reportDeath(c.path, why)
	}
	switch {
	case !v.rests:
		v.abandon("the program that played has ended")
	case v.clock.phase == giving:
		v.giveKept()
	case v.clock.phase == ending:
		v.clock.begin(alone, 0)
	case v.clock.phase == alone && v.next == nil && v.mayRestart(c):
		v.replace(c.path)
	}
}

// mayRestart reports whether a program that died is restarted. It is not restarted if it died soon
// after its start.
func (v *supervision) mayRestart(c *child) bool {
	return v.config.Revive > 0 && time.Since(c.started) > v.config.Revive
}

// keepWorldOf keeps the latest world of a program that died.
func (v *supervision) keepWorldOf(c *child) {
	defer c.copy.close()
	if v.config.Keep <= 0 || v.endedItself(c) {
		return
	}
	v.rests = !v.ends &&
		(v.config.Revive <= 0 || v.config.Orders != nil || v.mayRestart(c) || v.next != nil)
	v.worlds.keepLatest(&c.copy)
}

// report reports what happened to a program that should have played.
func (v *supervision) report(what EventKind, path, why string) {
	if v.plays == nil {
		v.reportDeath(path, why)
		return
	}
	v.config.Told(Event{What: what, Path: path, Why: why})
}

// reportDeath saves the kept world, and reports that no program plays.
func (v *supervision) reportDeath(path, why string) {
	e := Event{What: Died, Path: path, Why: why}
	v.worlds.saveKept(&e)
	v.config.Told(e)
}

// limitEnding makes sure that a program that was asked to end is killed if it hangs, and its world
// kept.
func (v *supervision) limitEnding() {
	if v.ends && v.config.Keep > 0 && v.clock.phase == alone && v.plays != nil {
		v.clock.begin(ending, v.config.Deadline)
		v.send(v.plays, message{Kind: alive})
	}
}

const askedToEnd = "the supervisor was asked to end"

// endResting ends the supervisor while no program plays. The kept world is saved, unless it was.
func (v *supervision) endResting(s os.Signal) {
	v.ends, v.rests = true, false
	if v.next != nil {
		v.abandon(askedToEnd)
	} else if k := &v.worlds.kept; k.manifest.File != "" && !k.filed {
		v.reportDeath(k.path, askedToEnd)
	}
	if number, ok := s.(syscall.Signal); ok {
		v.code = 128 + int(number)
	}
}

// giveKept gives the next program a world without an offer: the world of the undone change, or the
// kept world, or none.
func (v *supervision) giveKept() {
	m := &v.worlds.kept
	if v.worlds.undoing {
		m = v.worlds.last()
	}
	if m.world == nil {
		v.closeToken()
		v.startFresh()
		return
	}
	files, err := m.into(&parcel{})
	if err != nil {
		v.abandon(err.Error())
		return
	}
	v.giveWorld(mapping.Now(), files)
	_ = files[1].Close()
}

// replaceHung gives up the playing program, which hangs, if there is another world for the next
// program. Otherwise it gives up the next program.
func (v *supervision) replaceHung(why string) {
	hung := v.plays
	switch {
	case v.worlds.undoing:
	case !v.worlds.keep(&hung.copy):
		v.abandon(why)
		return
	default:
		v.reportDeath(hung.path, why)
	}
	v.giveKept()
	if err := hung.command.Process.Kill(); err != nil {
		v.config.Told(Event{What: Refused, Path: hung.path, Why: err.Error()})
	}
}

// close releases the remaining resources, also after a panic of Told.
func (v *supervision) close() {
	v.worlds.close()
	for _, c := range []*child{v.plays, v.next} {
		if c != nil && !c.gone {
			_ = c.wire.Close()
		}
	}
}

// undo returns to the previous program: to its own world if it still waits, otherwise to the world
// of the change.
func (v *supervision) undo() {
	switch {
	case v.clock.phase == onTrial && !v.worlds.undoing:
		if !v.ends {
			v.withdraw("the program before it was undone")
		}
		v.abandon("it was undone")
		return
	case v.clock.phase == onTrial:
		v.promote()
	}
	if len(v.worlds.past) == 0 {
		v.report(Refused, v.config.Path, "there is no change to undo")
		return
	}
	v.worlds.undoing = v.replace(v.worlds.last().path) || v.worlds.undoing
}
