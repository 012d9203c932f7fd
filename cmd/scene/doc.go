// Package scene says what the example scenes have in common, so that a command line, a browser's
// page, a recording and an inspector treat all of them alike. The scenes are packages of their own,
// each written as a user of the library would write it; package gallery lists them.
//
//	Scene ── Open(Options) ──▶ Play ── Step(state, input) ──▶ state    60 times a second
//	  └───── Look, Aim, Draw(state, canvas) ──▶ state                  when somebody looks
//
// A [Scene] is what is known before it is played: its name, its defaults, the inputs that it hears.
// A [Play] is one that was opened: the first state of its world and the schedule of its step. The
// world is not kept in the play: who plays hands it from call to call, and may copy it, go back to
// a copy or compare it meanwhile.
//
// A step is total and depends on nothing but the state and the input: the same ones give the same
// bytes, on every machine and for any number of workers. Random numbers come from the world, whose
// seed is one of the options. A step allocates nothing.
//
// What a step does to a world is numbered by [Scene.Behaviour], which recordings keep: it is raised
// when the same inputs lead to other bytes than before.
//
// To play: [Scene.Open], [Options], [ErrOptions]; [Play.Step], [Input], [StepTime], [Play.Close].
// To draw: [NewView], [View.Draw].
// To write one: [Scene], [Controls], [Pressed].
package scene
