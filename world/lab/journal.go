package lab

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"strconv"

	"github.com/zeebo/xxh3"

	"github.com/flatecs/flatecs/world/internal/failure"
	"github.com/flatecs/flatecs/world/internal/ledger"
	"github.com/flatecs/flatecs/world/random"
)

// A journal is a file of lines in the format of package ledger. The first line identifies the
// sweep; each of the others is a finished run:
//
//	8a3c… {"flatecs lab journal":1,"sweep":"c01d…","build":"5be0…","runs":200}
//	09f4… {"run":3,"steps":[0,20],"numbers":[0,997]}
//
// A missing number is null, and a digest is a text. Everything after the last good line is a torn
// tail.
type journal struct {
	file *ledger.File
	dst  io.Writer // the file
	name string
	line []byte

	hashed []bool // of each column of the reporters
}

// journalVersion is the version of the line format.
const journalVersion = 1

// A heading is the first line of a journal.
type heading struct {
	Version int    `json:"flatecs lab journal"`
	Sweep   string `json:"sweep"` // digest of the sweep's declaration, without its functions
	Build   string `json:"build"` // of the program, which stands for the functions
	Runs    int    `json:"runs"`
	Part    int    `json:"part,omitempty"`  // from 0
	Parts   int    `json:"parts,omitempty"` // 0: the journal of all runs
}

// An entry is a finished run.
type entry struct {
	Run     int               `json:"run"`
	Steps   []int             `json:"steps"`
	Numbers []json.RawMessage `json:"numbers"`
}

// openJournal opens or creates the plan's journal, fills done, and truncates a torn tail.
func (p *plan) openJournal(done []*outcome) (*journal, error) {
	want, err := p.heading()
	if err != nil {
		return nil, err
	}
	file, err := lockJournal(p.journal)
	if err != nil {
		return nil, err
	}
	j := &journal{file: file, dst: file, name: p.journal, hashed: p.hashed}
	if p.disk != nil {
		j.dst = p.disk(file)
	}
	if err := j.read(p, want, done); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return j, nil
}

// lockJournal opens or creates a journal for one writer.
func lockJournal(name string) (*ledger.File, error) {
	file, err := ledger.Open(name, func(about fs.FileInfo) error {
		return failure.Regular("lab", about) // devices may have no end
	})
	return file, aboutJournal(name, err, "give a journal that can be written")
}

// aboutJournal returns the error of an unusable journal.
func aboutJournal(name string, err error, fix string) error {
	if errors.Is(err, ledger.ErrShared) {
		return fmt.Errorf("lab: journal %s: %w; wait for that program, or give another file", name,
			ErrBusy)
	}
	return failure.About("lab", name, err, fix)
}

func (j *journal) read(p *plan, want heading, done []*outcome) error {
	content, err := io.ReadAll(j.file)
	if err != nil {
		return failure.About("lab", j.name, err, "give another journal")
	}
	first := true
	good, err := ledger.Lines(content, func(_, text []byte) error {
		if first {
			first = false
			h, err := headOf(text)
			return cmp.Or(err, h.recognise(want))
		}
		return p.recall(text, done)
	})
	if err != nil {
		return fmt.Errorf("lab: journal %s: %w", j.name, err)
	}
	if first && !bytes.HasPrefix(head(want), content) {
		return fmt.Errorf("lab: journal %s: %w; its first line is torn or no journal's; "+
			"give another file or remove it", j.name, ErrJournal)
	}
	err = j.file.Cut(int64(good))
	if err == nil && first {
		_, err = j.dst.Write(head(want))
	}
	return aboutJournal(j.name, err, "make room, or give another journal")
}

// head encodes the first line.
func head(h heading) []byte {
	text, _ := json.Marshal(h) // cannot fail: numbers and strings only
	return ledger.Append(nil, text)
}

// headOf parses the first line of a journal.
func headOf(text []byte) (h heading, err error) {
	if err := json.Unmarshal(text, &h); err != nil {
		return h, fmt.Errorf("%w: %w; give another file", ErrJournal, err)
	}
	if h.Version != journalVersion {
		return h, fmt.Errorf("%w: its version is %d, not %d; give another file", ErrJournal,
			h.Version, journalVersion)
	}
	return h, nil
}

// recognise compares the first line of a journal with the expected one.
func (h heading) recognise(want heading) error {
	switch {
	case h.Part != want.Part || h.Parts != want.Parts:
		return fmt.Errorf("%w: it is of part %d of %d, not %d of %d; give another file, or the "+
			"part that it is of", ErrJournal, h.Part, h.Parts, want.Part, want.Parts)
	case h.Sweep != want.Sweep || h.Runs != want.Runs:
		return fmt.Errorf("%w: other parameters, seeds, steps, reporters; remove it", ErrJournal)
	case h.Build != want.Build:
		return fmt.Errorf("%w: it was written by another build of the program, which may step "+
			"otherwise; go on with that one, give another file, or remove it", ErrJournal)
	}
	return nil
}

// recall decodes a finished run into done.
func (p *plan) recall(text []byte, done []*outcome) error {
	var e entry
	err := json.Unmarshal(text, &e)
	bad := err != nil || e.Run < 0 || e.Run >= len(done) ||
		len(e.Numbers) != len(e.Steps)*p.reported()
	o := &outcome{run: e.Run, steps: e.Steps}
	for i := 0; i < len(e.Numbers) && !bad; i++ {
		x, err := parseCell(string(e.Numbers[i]), p.hashed[i%p.reported()])
		o.numbers = append(o.numbers, x)
		bad = err != nil
	}
	if bad {
		return fmt.Errorf("%w: a line is no run of it: %.60q; give another file, or remove it",
			ErrJournal, text)
	}
	done[e.Run] = o
	return nil
}

// appendCell appends a number of a run as JSON, and parseCell is the reverse.
func appendCell(dst []byte, x float64, hash bool) []byte {
	switch {
	case hash:
		return append(appendHash(append(dst, '"'), math.Float64bits(x)), '"')
	case math.IsNaN(x):
		return append(dst, "null"...)
	}
	return strconv.AppendFloat(dst, x, 'g', -1, 64)
}

func parseCell(text string, hash bool) (float64, error) {
	switch {
	case hash && (len(text) != 18 || text[0] != '"'):
		return 0, strconv.ErrSyntax
	case hash:
		bits, err := strconv.ParseUint(text[1:17], 16, 64)
		return math.Float64frombits(bits), err
	case text == "null":
		return math.NaN(), nil
	}
	return strconv.ParseFloat(text, 64)
}

// add writes a finished run.
func (j *journal) add(o *outcome) error {
	text := fmt.Appendf(nil, `{"run":%d,"steps":[`, o.run)
	for i, step := range o.steps {
		text = strconv.AppendInt(separated(text, i), int64(step), 10)
	}
	text = append(text, `],"numbers":[`...)
	for i, x := range o.numbers {
		text = appendCell(separated(text, i), x, j.hashed[i%len(j.hashed)])
	}
	j.line = ledger.Append(j.line[:0], append(text, "]}"...))
	_, err := j.dst.Write(j.line)
	return aboutJournal(j.name, err, "make room for the journal")
}

func separated(dst []byte, i int) []byte {
	if i > 0 {
		return append(dst, ',')
	}
	return dst
}

func closeJournal(file *ledger.File, name string) error {
	err := errors.Join(file.Sync(), file.Close())
	return failure.About("lab", name, err, "make room for the journal")
}

// heading returns the heading that identifies p.
func (p *plan) heading() (heading, error) {
	h := xxh3.New()
	fmt.Fprintf(h, "%d %q %v %d %d %v %v\n", random.Version, p.columns, p.seeds, p.steps, p.every,
		p.until != nil, p.when != nil)
	for _, set := range p.sets {
		fmt.Fprintf(h, "%q\n", set)
	}
	if p.from != nil {
		fmt.Fprintf(h, "from %x\n", p.from.Digest())
	}
	build := p.build
	if build == "" {
		var err error
		if build, err = ledger.Build(); err != nil {
			return heading{}, failure.About("lab", "the program's file", err, "set Build")
		}
	}
	return heading{
		Version: journalVersion, Sweep: fmt.Sprintf("%016x", h.Sum64()),
		Build: build, Runs: p.total(), Part: p.share.part, Parts: p.share.parts,
	}, nil
}
