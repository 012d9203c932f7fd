package hand

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/flatecs/flatecs/world/internal/mapping"
)

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

// A parcel is an offer's files, with names: the world, the manifest, and what it names.
type parcel struct {
	world *os.File
	list  manifest
	files map[string]*os.File
}

func open(files []*os.File) (p parcel, err error) {
	if len(files) < 2 {
		return p, fmt.Errorf("hand: %d files, where a world and its manifest were to come: %w",
			len(files), ErrRefused)
	}
	p.world = files[0]
	if p.list, err = readManifest(files[1]); err != nil {
		return p, err
	}
	if len(p.list.Names) != len(files)-2 {
		return p, fmt.Errorf("hand: %d files came, and %d were offered: %w", len(files)-2,
			len(p.list.Names), ErrRefused)
	}
	p.files = make(map[string]*os.File, len(files))
	for i, name := range p.list.Names {
		p.files[name] = files[2+i]
	}
	return p, nil
}

func readManifest(f *os.File) (list manifest, err error) {
	text, err := io.ReadAll(io.NewSectionReader(f, 0, math.MaxInt64))
	if err == nil {
		err = json.Unmarshal(text, &list)
	}
	if err != nil {
		return list, fmt.Errorf("hand: manifest: %w", err)
	}
	return list, nil
}

// file returns the manifest as a file, which the caller closes.
func (m *manifest) file() (*os.File, error) {
	text, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	f, err := mapping.Scratch("flatecs manifest")
	if err == nil {
		_, err = f.WriteAt(text, 0)
	}
	return f, err
}

// freeze notes the world of a change. In an undo it puts the world of the change in the place of
// the present one, and then the second file is the caller's to close.
func (d *desk) freeze(files []*os.File) ([]*os.File, error) {
	if d.Undo <= 0 {
		return files, nil
	}
	p, err := open(files)
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
