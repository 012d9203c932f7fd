package main

import (
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
)

// progressFrom is how long something takes before it shows how far it has come.
const progressFrom = 500 * time.Millisecond

// progressTo returns a function that shows how much is done, when it takes long, and stderr is a
// terminal; else nil.
func progressTo(stderr io.Writer) func(done, total int64) {
	file, ok := stderr.(*os.File)
	if !ok {
		return nil
	}
	if info, err := file.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return nil
	}
	begin := time.Now()
	var bar *progressbar.ProgressBar
	return func(done, total int64) {
		switch {
		case bar == nil && (done == total || time.Since(begin) < progressFrom):
			return
		case bar == nil:
			bar = progressbar.NewOptions64(total, progressbar.OptionSetWriter(stderr),
				progressbar.OptionShowBytes(true), progressbar.OptionClearOnFinish(),
				progressbar.OptionThrottle(50*time.Millisecond))
		}
		_ = bar.Set64(done)
	}
}
