package lab

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/flatecs/flatecs/world/internal/failure"
	"github.com/flatecs/flatecs/world/internal/ledger"
)

// JoinJournals adds the runs in the journals of a sweep's parts to dst, the journal of the whole
// sweep, and returns the number of runs that are still missing. The sweep without Parts and with
// Journal dst makes the missing runs, and writes the table; it is byte-identical to a table made on
// one machine.
//
// It creates dst, or appends to it, so it can be repeated. It reads a part up to the first damaged
// line, and can read a part that is being written. An error names the files, and leaves dst
// unchanged. JoinJournals returns [ErrJournal] if a file is not a journal, or belongs to another
// sweep or build; [ErrDiffers] if two journals contain different results of one run, because a step
// is not deterministic; [ErrBusy] if dst is being written. All of them are wrapped.
func JoinJournals(dst string, parts ...string) (missing int, err error) {
	file, err := lockJournal(dst)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, closeJournal(file, dst)) }()
	j := &joined{seen: map[int]source{}}
	good, err := j.add(dst, file.File)
	if err == nil && j.head.Parts > 0 {
		err = fmt.Errorf("lab: journal %s: %w: it is of a part; give another file", dst, ErrJournal)
	}
	j.fresh = nil // dst already contains it
	for i := 0; i < len(parts) && err == nil; i++ {
		part, _, bad := failure.Open("lab", parts[i], "give the journals of the parts")
		if err = bad; err == nil {
			_, err = j.add(parts[i], part)
			err = errors.Join(err, part.Close())
		}
	}
	if err == nil && j.first == "" {
		err = fmt.Errorf("lab: join %d journals: %w: none has a whole first line; run the parts "+
			"first", len(parts), ErrJournal)
	}
	if err != nil {
		return 0, err
	}
	if good == 0 {
		j.head.Part, j.head.Parts = 0, 0
		j.fresh = append(head(j.head), j.fresh...)
	}
	if err = file.Cut(int64(good)); err == nil {
		_, err = file.Write(j.fresh)
	}
	return j.head.Runs - len(j.seen), aboutJournal(dst, err, "make room for the journal")
}

// A joined is the combined content of several journals.
type joined struct {
	head  heading // of the first journal
	first string  // the first journal's name; empty: none yet
	seen  map[int]source
	fresh []byte // the first line of each run
}

// A source is the checksum of a run's line, and the name of its journal.
type source struct{ sum, name string }

// add reads a journal up to its first damaged line, and returns the number of good bytes.
func (j *joined) add(name string, file *os.File) (good int, err error) {
	content, err := io.ReadAll(file)
	if err != nil {
		return 0, failure.About("lab", name, err, "give another file")
	}
	first := true
	good, err = ledger.Lines(content, func(line, text []byte) error {
		if first {
			first = false
			return j.agree(name, text)
		}
		return j.note(name, line, text)
	})
	if err == nil && good == 0 && !isTornHead(string(content)) {
		err = fmt.Errorf("%w; its first line is damaged, or of no journal; move it elsewhere",
			ErrJournal)
	}
	if err != nil {
		err = fmt.Errorf("lab: journal %s: %w", name, err)
	}
	return good, err
}

// isTornHead reports whether a text may be the beginning of a journal's first line.
func isTornHead(text string) bool {
	const begin = ` {"flatecs lab journal":`
	sum, rest := text[:min(len(text), 16)], text[min(len(text), 16):]
	return strings.Trim(sum, "0123456789abcdef") == "" && !strings.Contains(rest, "\n") &&
		strings.HasPrefix(begin, rest[:min(len(rest), len(begin))])
}

// agree compares the head of a journal with the first journal's head.
func (j *joined) agree(name string, text []byte) error {
	h, err := headOf(text)
	if err == nil && j.first == "" {
		j.head, j.first = h, name
	}
	h.Part, h.Parts = j.head.Part, j.head.Parts
	if err = cmp.Or(err, h.recognise(j.head)); err != nil {
		return fmt.Errorf("beside %s: %w", cmp.Or(j.first, name), err)
	}
	return nil
}

// note adds the line of a run.
func (j *joined) note(name string, line, text []byte) error {
	e := entry{Run: -1}
	if err := json.Unmarshal(text, &e); err != nil || e.Run < 0 || e.Run >= j.head.Runs {
		return fmt.Errorf("%w: a line is no run of it: %.60q; remove it", ErrJournal, text)
	}
	sum := string(line[:16])
	before, twice := j.seen[e.Run]
	switch {
	case !twice:
		j.seen[e.Run] = source{sum, name}
		j.fresh = append(j.fresh, line...)
	case before.sum != sum:
		return fmt.Errorf("%w: run %d is another one in %s; find the step that depends on more "+
			"than its world, and run the parts again", ErrDiffers, e.Run, before.name)
	}
	return nil
}
