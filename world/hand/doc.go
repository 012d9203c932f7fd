// Package hand lets a world outlive its program: the program is replaced by the next version of
// itself, and the world, the process id, the terminal and the listeners stay.
//
//	supervisor  the program that was started: process id, terminal, signals
//	  old       plays            finishes its step, offers the world, waits       ends, or goes on
//	  new                starts  says which world it knows   takes it, is ready   plays
//	                     └────────── until here a failure of new changes nothing ──────────┘
//
// [Main] makes of a program both: started by anybody, it supervises, and starts itself again; that
// one plays. The next program is started by SIGHUP, from the same path, while the old one goes on.
// If it panics, hangs or refuses the world before it is ready, it is ended, and the old one goes on
// where it was, in the same memory. During the trial after that, the old one waits with its world,
// and goes on with it if the new one dies, or hangs at the end of it.
//
// A new program that takes longer than [Options].Still to be ready is given up; so is one that has
// not finished a step at the end of its trial. A supervisor can keep copies of the world that is
// played: then it outlives a program that dies later, waits for the next one or starts that one
// again, and gives it the last copy. What [Hand.Keep] names is in the copy, of the same step: the
// program says by [Hand.Lost] how old it is. Files and connections die with a program.
//
// A supervisor can undo a change: the program before plays again, with the world of the moment when
// the other one took its place. And a [Tape] has the last seconds played over and over by the next
// program.
//
// The world travels in memory without a name: worlds of equal fingerprints (package memory) are
// copied into it and used there; others travel as a save file, and become what the next program
// declares by the migrations of package save. A field that it lacks is dropped if the change can be
// undone, as the world of the change has it, and refused otherwise, unless a migration says what
// becomes of it. Beside the world travel the listeners of [Hand.Listen] and what the program
// gives to an [Offer]: connections with what was read of them and not yet used, files, bytes. What
// lives in the program alone does not travel: goroutines, commands that are not applied, the state
// of TLS and QUIC. A TLS connection is refused by name: hand over the connection below it, and its
// keys as bytes if you have them.
//
// Whose turn it is stands in one word of memory that both programs map, so that one goes on, and
// not two, whoever of the three is killed. When the supervisor is killed, the program that plays
// saves and ends, as by SIGTERM. What travels is believed: programs of one user, one after the
// other.
//
// Handing over is for Linux. Elsewhere programs run the same, without a supervisor, and
// [Supervise] returns an error that wraps [errors.ErrUnsupported].
//
// Play: [Main], [Join], [Options], [Hand]: [Hand.World], [Hand.Continue], [Hand.Ready],
// [Hand.Run], [Hand.Code], [Hand.Report], [Hand.Supervised], [Hand.Undo], [Hand.Close]. What else
// travels: [Hand.Listen], [Hand.OnOffer], [Offer]: [Offer.Conn], [Offer.File], [Offer.Bytes],
// [Offer.OnRefused]; [Hand.Keep]; [Hand.Conns], [Conn], [Hand.File], [Hand.Bytes], [Hand.Lost]. The
// last seconds: [Hand.NewTape], [Tape], [Tape.Next], [Tape.Loop], [Tape.Looping], [Tape.Records],
// [Tape.Close]. Supervise: [Supervise], [Supervisor]; [Order], [OrderKind]: [Replace], [Undo],
// [Again]; [Event], [EventKind]: [Plays], [Refused], [Back], [Kept], [Undone], [Died]. Errors:
// [ErrRefused], [ErrGone].
//
// # Decisions
//
// The next program runs beside the old one rather than in its place by exec, so that a panic in
// init does not end the world; the supervisor keeps the process id. Whose turn it is lies in shared
// memory, since messages can be on their way when the supervisor is killed: the new program sets
// the word from 0 to 1 before its first step, the old one from 0 to 2 when nobody is left to ask. A
// world is copied twice: the first copy touches fresh memory while the program plays on, the second
// copies what the last step wrote.
//
// An undo takes back the world too, as what a wrong change did to the world is often why it is
// undone; connections stay those of the present. A tape keeps a world per eighth of its length and
// the inputs, since a step is a function of both. A program is asked at the end of its trial,
// because one in an endless loop does not die. A paused Accept is waited for, since a program may
// hold a connection that it has not noted yet.
package hand
