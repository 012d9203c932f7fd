// Command flatecs plays the example scenes of the library.
//
//	flatecs                                           a menu of the scenes
//	flatecs run heroes                                100,000 heroes swarm in the terminal
//	flatecs run heroes --act 3                        the story of four heroes, one frame, in text
//	flatecs run heroes --act 1                        the same, with a type for each kind of hero
//	flatecs run heroes --render gif                   a moving picture, heroes.gif
//	flatecs run heroes --inspect 8080                 look at the world's bytes in a browser
//	flatecs run boids                                 100,000 birds that flock
//	flatecs run tanks                                 tanks that shoot each other, and fall apart
//	flatecs run tanks --variant four --gizmos         four sides, and lines to their targets
//	flatecs run cubes                                 10,000 falling cubes
//	flatecs run cubes --frames 600 --digest last      the digest of the world after ten seconds
//	flatecs run cubes --save F --save-every 60        save while it plays, and at the end
//	flatecs run cubes --load F                        continue with the saved world
//	flatecs run cubes --publish /dev/shm/cubes        publish the world for other programs
//	flatecs run flappy                                a game: space flaps
//	flatecs run flappy --record F                     record the keys
//	flatecs new ../mygame                             create a game: a module of your own
//	flatecs dev ./cmd/flatecs run flappy              play, change the code, and keep the world
//	flatecs serve                                     all scenes in a browser
//	flatecs serve arena --bots 50                     a game for several browsers, with bots
//	flatecs serve arena --udp 8081                    and for programs, over UDP
//	flatecs serve arena --record D                    record it, for replay D/0000
//	flatecs export heroes --out DIR                   the same page, as files for any web server
//	flatecs replay F                                  replay a recording; fail if it differs
//	flatecs why F --field position --object 12        which job wrote a value last, and when
//	flatecs hunt tanks --for 1m                       search a scene for inputs that break it
//	flatecs hunt tanks --part 0/8 --corpus D          on many machines, which share what they find
//	flatecs fork flappy                               a bird dies and goes back, as a GIF
//	flatecs watch /dev/shm/cubes                      a line each second: step, objects, digest
//	flatecs lab schelling --param density=0.2..0.9/8  a sweep, as a table; --out F writes a file
//	flatecs lab forestfire --fork-at 50 --forks 20    twenty futures of one world
//	flatecs lab forestfire --part 0/8 --journal D/0   a share of a sweep; --join D makes the table
//	flatecs lab flocking --inspect 8080               watch one, with plots and sliders
//	flatecs inspect F                                 the inspector, on a save file or a recording
//	flatecs mcp http://127.0.0.1:8080                 let an assistant query a running world, or F
//	flatecs verify F                                  check a save file; fail if it is damaged
//	flatecs diff A B                                  the differences of two save files
//
// The lines of the scene and its state go to stdout; logs, the summary and errors go to stderr.
// Long operations show their progress there, if stderr is a terminal. An interrupt, a request to
// terminate or a hang-up ends a scene after its step, with its save file and recording complete. A
// second signal, a second later, ends it immediately.
//
// Exit codes: 0 when the scene has played or the reader of stdout has closed it, 1 for failures, 2
// for wrong usage; 130 after an interrupt, 143 after a request to terminate, 129 after a hang-up.
package main
