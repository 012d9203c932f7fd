package hand

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"syscall"
	"time"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/mapping"
	"github.com/flatecs/flatecs/world/memory"
	"github.com/flatecs/flatecs/world/save"
)

// wanted reports whether a program has ended by itself, and not died. Without copies of worlds, a
// program that ends with code 0 need not say so.
func (d *desk) wanted(c *child) bool { return c.leaves || d.Keep <= 0 && codeOf(c) == 0 }

// died deals with the end of the program that plays: the supervisor ends as well, or keeps its
// world for the next one.
func (d *desk) died(c *child, why string) {
	d.outlive(c)
	if d.Keep > 0 && !d.wanted(c) {
		d.tellKept(c.path, why)
	}
	switch {
	case !d.rests:
		d.abandon("the program that played has ended")
	case d.phase == giving:
		d.passAlone()
	case d.phase == ending:
		d.to(alone, 0)
	case d.phase == alone && d.next == nil && d.revives(c):
		d.replace(c.path)
	}
}

// revives reports whether a program that has died is started again: not if it would die at once.
func (d *desk) revives(c *child) bool { return d.Revive > 0 && time.Since(c.started) > d.Revive }

// outlive keeps the world of a program that has died, the latest that there is.
func (d *desk) outlive(c *child) {
	defer c.copy.close()
	if d.Keep <= 0 || d.wanted(c) {
		return
	}
	d.rests = !d.ends && (d.Revive <= 0 || d.Orders != nil || d.revives(c) || d.next != nil)
	all := []*moment{&d.moment, &c.copy, &d.kept}
	if last := len(d.past) - 1; last >= 0 {
		all = append(all, &d.past[last])
	}
	_ = slices.ContainsFunc(all, d.keepWorld) // the first that can be kept
}

// keepWorld keeps a world for any program. It returns false if there is none.
func (d *desk) keepWorld(m *moment) bool {
	if m.world == nil {
		return false
	}
	kept, err := m.saved()
	if err != nil {
		return false
	}
	kept.manifest.Lost = mapping.Now() - kept.manifest.Made
	d.kept.close()
	d.kept = kept
	return true
}

// saved returns the world as a save file, which programs of any fingerprint can take.
func (m *moment) saved() (moment, error) {
	kept := moment{path: m.path, manifest: m.manifest}
	var err error
	if m.manifest.Saved {
		kept.world, err = duplicate(m.world)
		return kept, err
	}
	b, err := mapping.Map(m.world, int(m.manifest.Size), mapping.Shared)
	if err != nil {
		return kept, err
	}
	if kept.world, err = mapping.Scratch("flatecs kept"); err == nil {
		err = saveMemory(kept.world, b)
	}
	if err = errors.Join(err, mapping.Unmap(b)); err != nil {
		kept.close()
		return kept, err
	}
	info, err := kept.world.Stat()
	if err == nil {
		kept.manifest.Saved, kept.manifest.Size = true, info.Size()
	}
	return kept, err
}

// saveMemory writes the world in b as a save file.
func saveMemory(w io.Writer, b []byte) error {
	head, err := memory.Read(b)
	if err != nil {
		return err
	}
	s, err := head.Attach(b)
	if err != nil {
		return err
	}
	defer world.Close(s)
	return save.Write(w, s, save.Options{})
}

// tell tells what became of a program that was to play.
func (d *desk) tell(what EventKind, path, why string) {
	if d.rests && d.plays == nil {
		d.tellKept(path, why)
		return
	}
	d.Told(Event{What: what, Path: path, Why: why})
}

// tellKept saves the world that is kept, and tells that nobody plays.
func (d *desk) tellKept(path, why string) {
	e := Event{What: Died, Path: path, Why: why}
	if d.kept.world != nil {
		e.Tick, e.Bytes = d.kept.manifest.Tick, d.kept.manifest.Size
		if err := d.kept.saveTo(d.kept.manifest.File); err != nil {
			e.Why += fmt.Sprintf("\nhand: the world is not saved: %v", err)
		} else {
			e.File = d.kept.manifest.File
		}
	}
	d.Told(e)
}

// saveTo writes the world, which is a save file, in the place of a file; "": nowhere.
func (m *moment) saveTo(path string) error {
	if path == "" {
		return nil
	}
	return save.Copy(path, io.NewSectionReader(m.world, 0, m.manifest.Size))
}

// hurry has a program that was asked to end killed if it hangs, and its world kept.
func (d *desk) hurry() {
	if d.ends && d.Keep > 0 && d.phase == alone && d.plays != nil {
		d.to(ending, d.Deadline)
		d.send(d.plays, message{Kind: alive})
	}
}

const askedToEnd = "the supervisor was asked to end"

// leave ends the supervisor while nobody plays. The world that is kept is saved already.
func (d *desk) leave(s os.Signal) {
	d.ends, d.rests = true, false
	if d.next != nil {
		d.abandon(askedToEnd)
	}
	if number, ok := s.(syscall.Signal); ok {
		d.code = 128 + int(number)
	}
}

// passAlone gives the next program a world that no program offers: that of the change that is
// undone, or the one that is kept, or none.
func (d *desk) passAlone() {
	m := &d.kept
	if d.undoing {
		m = &d.past[len(d.past)-1]
	}
	if m.world == nil {
		d.dropToken()
		d.beginAnew()
		return
	}
	files, err := m.into(&parcel{})
	if err != nil {
		d.abandon(err.Error())
		return
	}
	d.hand(mapping.Now(), files)
	_ = files[1].Close()
}

// notOffered gives up the program that plays, which hangs, if there is another world for the next
// one; otherwise the next one.
func (d *desk) notOffered(why string) {
	hung := d.plays
	switch {
	case d.undoing:
	case !d.keepWorld(&hung.copy):
		d.abandon(why)
		return
	default:
		d.tellKept(hung.path, why)
	}
	d.passAlone()
	if err := hung.command.Process.Kill(); err != nil {
		d.Told(Event{What: Refused, Path: hung.path, Why: err.Error()})
	}
}

// A moment is the world of a change, as the program before has offered it.
type moment struct {
	path     string // of the program before
	world    *os.File
	tape     *os.File // what its Tape has; nil: it has none
	manifest manifest
}

func (m *moment) close() {
	for _, f := range []*os.File{m.world, m.tape} {
		if f != nil {
			_ = f.Close()
		}
	}
	*m = moment{}
}

// freeze notes the world of a change. In an undo it puts the world of the change in the place of
// the present one, and then the second file is the caller's to close.
func (d *desk) freeze(files []*os.File) ([]*os.File, error) {
	if d.Undo <= 0 {
		return files, nil
	}
	p, err := openParcel(files)
	if err != nil {
		return nil, err
	}
	if d.undoing {
		return d.past[len(d.past)-1].into(&p)
	}
	d.moment.close()
	d.moment = moment{path: d.plays.path, manifest: p.list}
	d.moment.world, err = duplicate(p.world)
	if tape := p.files[tapeKey]; tape != nil && err == nil {
		d.moment.tape, err = duplicate(tape)
	}
	return files, err
}

// into returns the files of a parcel with the world, the tape and the bytes of the moment.
func (m *moment) into(p *parcel) ([]*os.File, error) {
	list := m.manifest
	if list.Lost == 0 { // of a program that plays still, or did so until now
		list.Lost = mapping.Now() - list.Made
	}
	list.Cargo.Unread, list.Cargo.Order = p.list.Cargo.Unread, p.list.Cargo.Order
	list.Names = nil
	files := []*os.File{m.world, nil}
	for _, name := range p.list.Names {
		if name != tapeKey {
			list.Names, files = append(list.Names, name), append(files, p.files[name])
		}
	}
	if m.tape != nil {
		list.Names, files = append(list.Names, tapeKey), append(files, m.tape)
	}
	var err error
	files[1], err = list.file()
	return files, err
}

// remember keeps the moment of the change that has passed, or forgets that of one undone.
func (d *desk) remember() {
	last := len(d.past) - 1
	switch {
	case d.undoing:
		d.kept.close()
		d.kept, d.past = d.past[last], d.past[:last]
	case d.moment.world == nil:
		return
	default:
		if last+1 >= d.Undo {
			d.past[0].close()
			d.past = d.past[1:]
		}
		d.past = append(d.past, d.moment)
		d.kept.close() // which is older, as is the copy
		d.plays.copy.close()
	}
	d.moment, d.undoing = moment{}, false
}

func (d *desk) forget() {
	for i := range d.past {
		d.past[i].close()
	}
	d.moment.close()
	d.kept.close()
	d.past = nil
	for _, c := range []*child{d.plays, d.next} { // after a panic of Told
		if c != nil && !c.gone {
			_ = c.wire.Close()
		}
	}
}

// undo goes back to the program before: if that still waits, to its world, otherwise to that of the
// change.
func (d *desk) undo() {
	switch {
	case d.phase == onTrial && !d.undoing:
		if !d.ends {
			d.then = nil
		}
		d.abandon("it was undone")
		return
	case d.phase == onTrial:
		d.keep()
	}
	if len(d.past) == 0 {
		d.tell(Refused, d.Path, "there is no change to undo")
		return
	}
	d.undoing = d.replace(d.past[len(d.past)-1].path) || d.undoing
}
