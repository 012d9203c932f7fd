// Command flatecs plays the example scenes of the library.
//
//	flatecs                            a menu of the scenes
//	flatecs run heroes                 100,000 heroes swarm in the terminal; elsewhere the story:
//	                                   two normal and two super heroes, one frame, in text
//	flatecs run heroes --act 1         the story, told with one module per kind of hero
//	flatecs run heroes --count 100000 --frames 600 --render none --state none --summary
//	flatecs run heroes --render gif    a moving picture of the swarm, heroes.gif
//	flatecs run boids                  100,000 birds that flock
//	flatecs run tanks                  tanks that shoot each other, and fall apart
//	flatecs run cubes                  10,000 falling cubes: in a terminal to be seen, else for a
//	                                   --digest, a --summary or a --record
//	flatecs run flappy                 a game: space flaps
//	flatecs run flappy --record F      and write down what happens
//	flatecs replay F                   the same again; an error where anything is not the same
//	flatecs why F --object 7 --field body.velocity   which job wrote a value, and when
//	flatecs hunt tanks --for 1m        search a scene for inputs that break it
//	flatecs run cubes --save F --save-every 60   save while it plays, and at the end
//	flatecs run cubes --load F         go on with what was saved
//	flatecs lab schelling --param density=0.2..0.9/8 --seeds 20 --out F   a sweep, into a table
//	flatecs lab wolfsheep --inspect 8080   a model in the browser, with plots and sliders
//	flatecs inspect F                  the inspector, on the world in a save file
//	flatecs verify F                   an error where a save file is damaged
//	flatecs diff A B                   where the worlds of two save files differ; then exit code 1
//	flatecs serve heroes               a page with the scenes, to play in the browser
//	flatecs export heroes --out DIR    the same page, as files for any web server
//
// The lines of the scene and its state go to stdout; logs, the summary and errors go to stderr.
// What takes long shows there how far it has come, if that is a terminal.
// An interrupt, a request to terminate or a hang-up ends a scene after its step: what it was to
// save and record is saved and recorded. A second one, a second later, ends it at once.
//
// Exit codes: 0 when the scene has played or the reader of stdout has gone away, 1 when something
// failed, 80 for a command line that makes no sense; 130 after an interrupt, 143 after a request to
// terminate, 129 after a hang-up.
package main
