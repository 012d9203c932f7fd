// Package scene is the common interface of the example scenes, so that a command line, a browser's
// page, a recording and an inspector can use all of them. Each scene is a package of its own,
// written like a user's program; package gallery lists them.
//
//	Scene ── Open(Options) ──▶ Play ── Step(state, input) ──▶ state    60 times a second
//	  └───── Look, Aim, Draw(state, canvas) ──▶ state                  when somebody looks
//
// A [Scene] is the description of a scene before it is played: its name, its defaults, its inputs.
// A [Play] is an opened scene: the first state of its world and the schedule of its step. The play
// does not hold the world: the caller passes it from call to call, and may copy it, go back to a
// copy or compare it meanwhile.
//
// A step accepts any state and input, and depends on nothing else: equal ones give equal bytes, on
// every machine and with any number of workers. Random numbers come from the world, whose seed is
// an option. A step allocates nothing.
//
// [Scene.Behaviour] is the version of the steps, which recordings contain: it increases when the
// same inputs lead to different bytes.
//
// To play: [Scene.Open], [Options], [ErrOptions]; [Play.Step], [Input], [StepTime], [Play.Close].
// To draw: [NewView], [View.Draw].
// To write one: [Scene], [Controls], [Pressed].
package scene
