package tool

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems"
)

// A Range is a stretch of a world's bytes, with what it holds.
type Range = manager.Range

// LayoutOptions say what [PrintLayout] prints.
type LayoutOptions struct {
	Part string // an owner, "position", or one part, "position.xyz"; "" is all
	Most int    // lines per part for what was ever used; 0: all
}

// ErrNoPart is the error of a name that no part of a world has.
var ErrNoPart = errors.New("no such part")

// Ranges yields every byte of one of the world's parts in order, and the padding behind it: word by
// word what was ever used, neighbours that say the same as one range, and in one range what was
// not. More than most of those of what was used are one range too, whose Left says how many units
// it stands for. It reads any bytes, also those of a world that was damaged. It panics where p is
// of a world with other counts.
func Ranges(s systems.State, p *Part, most int) iter.Seq[Range] {
	return systems.ArenaOf(s).Ranges(made(p), most)
}

// PrintLayout writes a world's bytes with their names to dst: a heading per part, what it holds,
// and a line for each of its [Ranges] with its offset in the world, its size in bytes, its name and
// its value. Sets of objects, rows or blocks are in braces. The error wraps [ErrNoPart], or is of
// dst.
func PrintLayout(dst io.Writer, s systems.State, o LayoutOptions) error {
	if dst == nil {
		panic("flatecs: there is nowhere to print to; give PrintLayout an io.Writer")
	}
	parts := Parts(s)
	chosen := func(p *Part) bool { return o.Part == "" || p.Owner == o.Part || titled(p, o.Part) }
	if !slices.ContainsFunc(parts, func(p Part) bool { return chosen(&p) }) {
		return fmt.Errorf("flatecs: %w as %s; there are %s", ErrNoPart, layout.Quoted(o.Part),
			strings.Join(owners(parts), ", "))
	}
	if o.Most <= 0 {
		o.Most = int(^uint(0) >> 1)
	}
	out, told := bufio.NewWriter(dst), map[string]bool{}
	for i := range parts {
		p := &parts[i]
		if !chosen(p) {
			continue
		}
		_, _ = fmt.Fprintln(out, heading(s, p))
		if about := p.About(); !told[about] { // once, and not for every kind
			told[about] = true
			_, _ = fmt.Fprintf(out, "  %s\n", about)
		}
		for r := range Ranges(s, p, o.Most) {
			_, err := fmt.Fprintf(out, "%10d %8d  %-16s  %s\n", r.Offset, r.Size, r.Name, r.Text)
			if err != nil {
				return err
			}
		}
	}
	return out.Flush()
}

// titled reports whether a part has a title, quoted or not.
func titled(p *Part, title string) bool { return title == Title(p) || title == p.Owner+"."+p.Name }

// Title returns the name of a part with that of its owner: "position.xyz".
func Title(p *Part) string { return layout.Quoted(made(p).Owner) + "." + layout.Quoted(p.Name) }

// made returns p. It panics when it is nil.
func made(p *Part) *Part {
	if p == nil {
		panic("flatecs: a nil *Part is no part of a world; give one of Parts")
	}
	return p
}

// heading tells what a part is.
func heading(s systems.State, p *Part) string {
	size := fmt.Sprintf("%d bytes", p.Unit)
	if per := p.Per(); per != "" {
		unit := max(p.Unit, 1)
		size = fmt.Sprintf("%d bytes per %s, %d of %d used", p.Unit, per, len(Used(s, p))/unit,
			len(p.Bytes)/unit)
	}
	sort := "derived"
	if p.Truth {
		sort = "truth"
	}
	return fmt.Sprintf("%s: %s; %s", Title(p), size, sort)
}

// owners returns the owners of parts, each once.
func owners(parts []Part) (all []string) {
	for i := range parts {
		all = append(all, layout.Quoted(parts[i].Owner))
	}
	return slices.Compact(all)
}
