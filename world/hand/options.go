package hand

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/flatecs/flatecs/world/save"
)

// Errors of this package. The returned errors wrap them; test for them with errors.Is.
var (
	ErrRefused = errors.New("it was refused")          // it cannot travel, or was not taken
	ErrGone    = errors.New("the supervisor is gone")  // the program must end too
	errOver    = errors.New("the old program goes on") // the new one was too late
	errCut     = errors.New("a function of the program panicked while the world was offered")
)

// Options are the options of [Main] and [Join].
type Options struct {
	File     string        // the world is loaded from it, and saved to it at the end; "": none
	Save     save.Options  // for File, and for worlds with other fingerprints
	Deadline time.Duration // for each step of handing over; 0: 10 s
	Still    time.Duration // how long the old program waits for the new one to be ready; 0: 1 s
	Trial    time.Duration // then, how long it can continue instead of the new one; 0: none
	Keep     time.Duration // time between copies of the world that outlive a death; 0: none
	Revive   time.Duration // with Keep: a program that dies later than this is restarted; 0: none
	Out      io.Writer     // receives a line per event; nil: os.Stderr
	Signals  bool          // the program handles signals and saves
}

func (o *Options) say(format string, args ...any) {
	out := o.Out
	if out == nil {
		out = os.Stderr
	}
	_, _ = fmt.Fprintf(out, format+"\n", args...)
}
