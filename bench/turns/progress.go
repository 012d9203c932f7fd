package turns

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
)

// A Progress shows how far a command is: as a bar on a terminal, and elsewhere as a line for each
// step.
type Progress struct {
	bar         *progressbar.ProgressBar // nil where there is no terminal
	out         io.Writer
	total, done int
	begun       time.Time
}

// NewProgress shows progress on out, through so many turns.
func NewProgress(out io.Writer, turns int) *Progress {
	p := &Progress{out: out, total: turns, begun: time.Now()}
	if isTerminal(out) {
		p.bar = progressbar.NewOptions(turns, progressbar.OptionSetWriter(out),
			progressbar.OptionSetWidth(30), progressbar.OptionShowCount(),
			progressbar.OptionSetPredictTime(true), progressbar.OptionClearOnFinish(),
			progressbar.OptionThrottle(100*time.Millisecond))
	}
	return p
}

func isTerminal(out io.Writer) bool {
	file, ok := out.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// Begin names what is done next.
func (p *Progress) Begin(what string) {
	if p.bar != nil {
		p.bar.Describe(what)
	}
}

// Add says that turns are over.
func (p *Progress) Add(turns int) {
	p.done += turns
	if p.bar != nil {
		_ = p.bar.Add(turns)
	}
}

// Tell says that something is done: a line where there is no terminal, nothing on one.
func (p *Progress) Tell(what string) {
	if p.bar == nil {
		_, _ = fmt.Fprintf(p.out, "%3d %% %6s  %s\n", 100*p.done/max(1, p.total),
			time.Since(p.begun).Round(time.Second), what)
	}
}

// End removes the bar.
func (p *Progress) End() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}
