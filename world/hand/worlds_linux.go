package hand

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/mapping"
	"github.com/flatecs/flatecs/world/memory"
	"github.com/flatecs/flatecs/world/save"
)

// worlds are the worlds that a supervisor keeps.
type worlds struct {
	undoes  int      // number of changes that can be undone
	past    []moment // states before changes, newest last
	change  moment   // of the change in progress
	kept    moment   // of the program that died
	undoing bool     // an undo to the last of past is in progress
}

func (w *worlds) last() *moment { return &w.past[len(w.past)-1] }

// recordChange keeps the world of a change, as offered by the program at path. In an undo it
// replaces the present world by the world of the change; then the caller closes the second file.
func (w *worlds) recordChange(path string, files []*os.File) ([]*os.File, error) {
	if w.undoes <= 0 {
		return files, nil
	}
	p, err := openParcel(files)
	if err != nil {
		return nil, err
	}
	if w.undoing {
		return w.last().into(&p)
	}
	w.change.close()
	w.change = moment{path: path, manifest: p.list}
	w.change.world, err = duplicate(p.world)
	if tape := p.files[tapeKey]; tape != nil && err == nil {
		w.change.tape, err = duplicate(tape)
	}
	return files, err
}

// commit keeps the moment of a completed change, or drops the moment of an undone one. copied is
// the last copy of the previous program's world.
func (w *worlds) commit(copied moment) {
	last := len(w.past) - 1
	switch {
	case w.undoing:
		w.kept.close()
		w.kept, w.past = w.past[last], w.past[:last]
	case w.change.world != nil:
		if last+1 >= w.undoes {
			w.past[0].close()
			w.past = w.past[1:]
		}
		w.past = append(w.past, w.change)
		w.kept.close() // it is older, like the copy
	case copied.world != nil:
		w.kept, copied = copied, w.kept // which is older
	}
	copied.close()
	w.change, w.undoing = moment{}, false
}

// keep keeps a world for any next program. It returns false if there is none.
func (w *worlds) keep(m *moment) bool {
	if m.world == nil {
		return false
	}
	kept, err := m.saved()
	if err != nil {
		return false
	}
	kept.manifest.Lost = mapping.Now() - kept.manifest.Made
	w.kept.close()
	w.kept = kept
	return true
}

// keepLatest keeps the latest world of a program that died; copied is its last copy.
func (w *worlds) keepLatest(copied *moment) {
	all := []*moment{&w.change, copied, &w.kept}
	if len(w.past) > 0 {
		all = append(all, w.last())
	}
	_ = slices.ContainsFunc(all, w.keep) // the first one that can be kept
}

// saveKept saves the kept world, and adds it to an event.
func (w *worlds) saveKept(e *Event) {
	if w.kept.world == nil {
		return
	}
	list := &w.kept.manifest
	e.Tick, e.Bytes = list.Tick, list.Size
	if list.File == "" {
		return
	}
	err := save.Copy(list.File, io.NewSectionReader(w.kept.world, 0, list.Size))
	if err != nil {
		e.Why += fmt.Sprintf("\nhand: the world is not saved: %v", err)
		return
	}
	e.File, w.kept.filed = list.File, true
}

func (w *worlds) close() {
	for i := range w.past {
		w.past[i].close()
	}
	w.change.close()
	w.kept.close()
	w.past = nil
}

// A moment is the world of a change, as offered by the previous program.
type moment struct {
	path     string // of the previous program
	world    *os.File
	tape     *os.File // content of its Tape; nil: none
	manifest manifest
	filed    bool // it was saved in the manifest's File
}

func (m *moment) close() {
	for _, f := range []*os.File{m.world, m.tape} {
		if f != nil {
			_ = f.Close()
		}
	}
	*m = moment{}
}

// saved returns the world as a save file, which programs with any fingerprint can take.
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

// into adds the world, the tape and the bytes of the moment to a parcel, and returns its files.
func (m *moment) into(p *parcel) ([]*os.File, error) {
	list := m.manifest
	if list.Lost == 0 { // the program still plays, or did until now
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
