package hand

import "os"

// Main runs a program whose world outlives it, and returns the exit code. The first process is the
// supervisor: it starts itself again with the same arguments, passes signals on, starts the next
// program at SIGHUP, and ends as the last program did. As a supervisor's child, or on hosts without
// handing over, Main calls play, and returns [Hand.Code], or 1 after an error, which it prints.
//
//	func main() { os.Exit(hand.Main(hand.Options{File: "game.flat"}, play)) }
func Main(o Options, play func(h *Hand) error) (code int) {
	if play == nil {
		panic("hand: Main without a function; give the one that plays")
	}
	h, err := Join(o)
	if err != nil {
		o.say("%v", err)
		return 1
	}
	if canSupervise && !h.link.supervised() {
		h.Close()
		return supervise(&o)
	}
	if err = play(h); err != nil {
		o.say("%v", err)
		return max(h.Code(), 1)
	}
	if h.Code() != 1 {
		h.link.say(leaving)
	}
	return h.Code()
}

// supervise runs this program as its own supervisor, and returns the exit code.
func supervise(o *Options) int {
	path, err := os.Executable()
	code := 1
	if err == nil {
		code, err = Supervise(Supervisor{
			Path: path, Args: os.Args[1:], Deadline: o.Deadline, Still: o.Still, Trial: o.Trial,
			Keep: o.Keep, Revive: o.Revive,
			Told: func(e Event) { o.say("%v", e) },
		})
	}
	if err != nil {
		o.say("%v", err)
	}
	return code
}
