// Package hand lets a world outlive its program: the next version of the program replaces it, while
// the world, the process id, the terminal and the listeners stay.
//
//	supervisor  the program that was started: process id, terminal, signals
//	  old       plays            finishes its step, offers the world, waits       ends, or goes on
//	  new                starts  says which world it knows   takes it, is ready   plays
//	                     └────────── until here a failure of new changes nothing ──────────┘
//
// [Main] is both supervisor and program: it supervises, and starts the program again as a child,
// which plays. SIGHUP starts the next program, from the same path, while the old one plays. If the
// next program panics, hangs or refuses the world before it is ready, it is ended, and the old one
// continues in the same memory. During the trial after that, the old one waits with its world, and
// continues if the new one dies, or hangs at the end of the trial.
//
// A new program is given up if it takes longer than [Options.Still] to be ready, or has not
// finished a step at the end of its trial. A supervisor can keep copies of the world: if a program
// dies later, the supervisor waits for the next one, or starts the same one again, and gives it the
// last copy. Each copy includes the bytes of [Hand.Keep] from the same step; [Hand.Lost] returns
// its age. Files and connections die with a program.
//
// A supervisor can undo a change: the previous program plays again, with its world from the moment
// of the change. A [Tape] replays the last seconds in a loop in the next program.
//
// The world travels in anonymous memory: worlds with equal fingerprints (package memory) are used
// in place; other worlds travel as a save file, and the migrations of package save convert them to
// the next program's declarations. A field that the next program lacks is dropped if the change can
// be undone; otherwise it needs a migration, or the world is refused. The listeners of
// [Hand.Listen] travel too, and so does everything that the program adds to an [Offer]: connections
// with their unread bytes, files, bytes. Goroutines, commands that are not applied, and the state
// of TLS and QUIC do not travel. Offering a TLS connection returns an error: hand over the
// connection below it, and its keys as bytes if you have them.
//
// The turn is one word of shared memory, so that exactly one program continues, whichever of the
// three processes is killed. When the supervisor is killed, the playing program saves and ends, as
// after SIGTERM. Programs trust the transferred data: use it between versions of one user's
// program.
//
// Handing over needs Linux. On other hosts programs run without a supervisor, and [Supervise]
// returns an error that wraps [errors.ErrUnsupported].
//
// Play: [Main], [Join], [Options], [Hand]: [Hand.World], [Hand.Continue], [Hand.Ready], [Hand.Run],
// [Hand.Code], [Hand.Report], [Hand.Supervised], [Hand.Undo], [Hand.Close]. Other data:
// [Hand.Listen], [Hand.OnOffer], [Offer]: [Offer.Conn], [Offer.File], [Offer.Bytes],
// [Offer.OnRefused]; [Hand.Keep]; [Hand.Conns], [Conn], [Hand.File], [Hand.Bytes], [Hand.Lost]. The
// last seconds: [Hand.NewTape], [Tape], [Tape.Next], [Tape.Loop], [Tape.Looping], [Tape.Records],
// [Tape.Close]. Supervise: [Supervise], [Supervisor]; [Order], [OrderKind]: [Replace], [Undo],
// [Again]; [Event], [EventKind]: [Plays], [Refused], [Back], [Kept], [Undone], [Died]. Errors:
// [ErrRefused], [ErrGone].
//
// # Files
//
// From the top down. Files ending in _linux.go are for Linux, other.go is for other hosts.
//
//	main.go             Main
//	hand.go             Hand: what a program calls
//	tape.go             the last seconds        tape_linux.go      and its transfer
//
//	child_linux.go      joining, taking a world, being ready
//	offer_linux.go      offering a world        copy_linux.go      copies for the supervisor
//	parent_linux.go     to the supervisor
//
//	supervise_linux.go  Supervise: orders, signals, messages
//	trial_linux.go      trials, and ends        rest_linux.go      deaths, and undoing
//	worlds_linux.go     kept worlds             process_linux.go   programs
//	phase_linux.go      phases, and their time
//
//	manifest_linux.go   files of an offer       cargo.go           data that travels with it
//	listener.go         listeners               turn_linux.go      which of two plays
//	wire_linux.go       messages                supervisor.go      a supervisor's events
//	tasks.go            work of Continue        options.go         options, errors
//
// # Decisions
//
// The next program runs beside the old one rather than in its place by exec, so that a panic in
// init does not end the world; the supervisor keeps the process id. The turn is in shared memory,
// since messages can be in flight when the supervisor is killed: the new program sets the word from
// 0 to 1 before its first step, the old one from 0 to 2 when the others are gone. A world is copied
// twice: the first copy touches fresh memory while the program plays, the second copies the rows
// written since.
//
// An undo restores the world too, because changes are often undone because of their effect on the
// world; connections do not change. A tape stores a world per eighth of its length, and the inputs,
// because a step is a function of both. The supervisor asks a program at the end of its trial,
// because a program in an endless loop does not die. It waits for a paused Accept, because a
// program may have a connection that it has not noted yet.
package hand
