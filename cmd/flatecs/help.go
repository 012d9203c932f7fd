package main

import "github.com/alecthomas/kong"

// help says what each flag is for.
var help = kong.Vars{
	"act":    "1: a module per kind of hero; 2: component objects; 3: the library.",
	"frames": "Frames to play.",
	"heroes": "Normal heroes: they move and are drawn at once.",
	"supers": "Super heroes: they move, fly and are drawn one by one.",

	"positions":  "Rows for positions (act 3): 10, or as many as the scene needs.",
	"velocities": "Rows for velocities (act 3): 10, or as many as the scene needs.",
	"flies":      "Rows for flights (act 3): 10, or as many as the scene needs.",

	"cubes": "Cubes.",
	"variant": "fall: the cubes fall for ever; camera: they stand, and the camera falls; rain: " +
		"they begin again at the top.",
	"steps":   "Steps to play, 60 to a second.",
	"seed":    "Seed of all random numbers.",
	"workers": "Goroutines that run the systems; the world's bytes do not depend on it.",
	"digest":  "Print digests of the world: last, every (step) or none.",
	"record":  "Write down inputs and digests, to be played again by replay.",
	"replay":  "A recording.",
	"to":      "Steps to play at most.",
	"inspect": "Show the world at http://ADDR/debug/ecs while the scene plays; " +
		"a port alone is served to this machine only.",
	"picture": "How to draw: none draws nothing.",

	"state":   "When to print the state as JSON: last, every (frame) or none.",
	"render":  "How to draw: log prints a line for each draw, none draws nothing.",
	"summary": "Print sizes, times and allocations to stderr.",

	"cpuprofile": "Write a CPU profile; the label \"system\" tells the systems apart.",
	"memprofile": "Write a profile of the allocations.",
	"trace":      "Write an execution trace.",
	"pprof": "Serve profiles at http://ADDR/debug/pprof/ while the scene plays; " +
		"a port alone is served to this machine only.",
}
