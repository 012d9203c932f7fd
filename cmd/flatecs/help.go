package main

import (
	_ "embed"
	"regexp"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/flatecs/flatecs/cmd/scene"
	boidsscene "github.com/flatecs/flatecs/cmd/scene/boids"
	cubesscene "github.com/flatecs/flatecs/cmd/scene/cubes"
	flappyscene "github.com/flatecs/flatecs/cmd/scene/flappy"
	tanksscene "github.com/flatecs/flatecs/cmd/scene/tanks"
)

// texts are the help texts that the grammar's tags name by ${name}. As variables of kong, each
// would be searched again for every flag, which would dominate the start time.
type texts map[string]string

// Apply makes texts an option of kong.
func (all texts) Apply(k *kong.Kong) error { return kong.PostBuild(all.fill).Apply(k) }

// fill replaces names by texts; a name may follow the command's name. kong refuses remaining names.
func (all texts) fill(k *kong.Kong) error {
	command := ""
	return kong.Visit(k.Model, func(node kong.Visitable, next kong.Next) error {
		switch v := node.(type) {
		case *kong.Node:
			command = v.Name
		case *kong.Value:
			name := strings.TrimSuffix(strings.TrimPrefix(v.Help, "${"), "}")
			text, ok := all[name]
			if !ok {
				text, ok = all[command+name]
			}
			if ok {
				v.Help = strings.ReplaceAll(text, "$", "$$") // $$ is a literal $
			}
		}
		return next(nil)
	})
}

// help are the descriptions of the flags.
var help = texts{
	"act": "Print the story as lines of text. 1: a module per kind of hero; 2: component " +
		"objects; 3: the library.",

	"boidsvariants":  variants(boidsscene.Scene),
	"tanksvariants":  variants(tanksscene.Scene),
	"cubesvariants":  variants(cubesscene.Scene),
	"flappyvariants": variants(flappyscene.Scene),
	"steps": "Steps to play, 60 per second: 600, or fewer for pictures, or unlimited in a " +
		"terminal; 1 frame of the story.",
	"seed":    "Seed of all random numbers.",
	"workers": "Goroutines that run the systems; the world's bytes do not depend on it.",
	"digest":  "Print digests of the world: last, every (step) or none.",

	"devkeep": "How often the world is copied, to continue if the program dies after its " +
		"trial; 0: never, and dev ends then.",

	"whyfield":  "A field, such as body.velocity; a wrong name lists all fields.",
	"whyobject": "An object, such as 12, or 12v3 if it is dead; nobody: a resource.",

	"publishedfile": "The file of run --publish, or of another program that publishes its world.",

	"flatfile": "A save file.",

	"askedworld": "The URL of an inspector, such as that of run --inspect; " +
		"or a save file, or a recording.",

	"most": "Maximum number of objects in the recording; each takes about 150 bytes.",
	"inspect": "Show the world at http://ADDR/debug/ecs while the scene plays, " +
		"at 60 steps per second if nothing else draws it; " +
		"a port alone serves this machine only.",
	"inspectanyone": "Let other machines that reach ADDR see all of the world, " +
		"and profiles of the program.",
	"picture": "How to draw: term draws in the terminal, or once, in letters, to a pipe; " +
		"png writes the last step; gif a moving picture; none draws nothing; " +
		"auto: term, but none to a file or a pipe with --digest or --inspect.",
	"player": "Who plays: keys (space, Enter or a click flaps), a pilot, or none; auto: keys " +
		"in a terminal, otherwise a pilot.",

	"state": "When to print the story's state as JSON: last (default), every (frame) or none.",

	"pprof": "Serve profiles at http://ADDR/debug/pprof/ while the scene plays; " +
		"a port alone serves this machine only, and no profile takes more than 30 s.",

	"labmodel": "The model: schelling, wolfsheep, flocking or forestfire, as JuliaDynamics/" +
		"ABMFrameworksComparison defines them.",
	"labparam": "A parameter and its values: density=0.2..0.9/8 for 8 values from 0.2 to 0.9, " +
		"wanted=3,4,5 for three, radius=2 for one. Every combination is a set.",
	"labout": "The table: CSV, or NDJSON by its name (default: standard output). FILE.journal " +
		"keeps finished runs until all are finished: the same command continues from it.",
	"labpart": "Do part I of N of the runs, from 0: 3/100. Write no table, but the --journal, " +
		"from which the same command continues; then --join.",
	"labjoin": "Join the journals of all parts in DIR, do the missing runs, and write the table.",
	"labinspect": "Write no table, but show one running world, with plots of its report and " +
		"sliders, at http://ADDR/debug/ecs#model. It is paused at step 0 unless --steps is " +
		"given. A port alone serves this machine only.",

	"serveaddr": "Address to listen on; a port alone serves this machine only.",
}

// variants describes the variants of a scene.
func variants(sc *scene.Scene) string {
	var all []string
	for _, v := range sc.Variants {
		all = append(all, v.Name+": "+v.About)
	}
	return "Variants: " + strings.Join(all, "; ") + "."
}

//go:embed doc.go
var packageDoc string

var exampleLine = regexp.MustCompile(`(?m)^//\t(flatecs (.+?) {2,}.+)$`)

// examples returns the examples in help, taken from the package comment: all examples of one
// command, or the first one of each of several commands.
func examples(commands ...*kong.Node) string {
	var b strings.Builder
	b.WriteString("Examples:\n")
	for _, c := range commands {
		for _, line := range exampleLine.FindAllStringSubmatch(packageDoc, -1) {
			if strings.HasPrefix("flatecs "+line[2]+" ", c.FullPath()+" ") {
				b.WriteString("\n    " + line[1])
				if len(commands) > 1 {
					break
				}
			}
		}
	}
	return b.String()
}
