// Package flappy is a game: a bird falls, and flaps at a key press; pipes come from the right, and
// the bird must fly through their gaps.
//
//	Event → Obstacle → Velocity → Rotate → Collision → Score → Render      the jobs of a step
//
// Lengths are in pixels of the canvas, x to the right and y downward; times are in steps. The
// objects are created in the order background, floor, score, bird; pipes come and go in pairs.
package flappy

import (
	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/schedule"
)

// The kinds, each with its fields.
var (
	at       = layout.NewField[[2]float32]("at") // x, y of the top left corner, or of a baseline
	Position = layout.NewKind("Position", at)

	extent = layout.NewField[[2]float32]("extent") // width, height
	Size   = layout.NewKind("Size", extent)

	vx       = layout.NewField[float32]("vx")
	vy       = layout.NewField[float32]("vy")
	g        = layout.NewField[float32]("g") // change of vy per step
	Velocity = layout.NewKind("Velocity", vx, vy, g)

	angle  = layout.NewField[float32]("angle") // radians about the middle, clockwise
	Rotate = layout.NewKind("Rotate", angle)

	source    = layout.NewField[uint16]("source")      // picture of the first clip
	clips     = layout.NewField[uint16]("clips", 1)    // adjacent pictures
	clipCount = layout.NewField[float32]("clip count") // the integer part is the current clip
	clipSpeed = layout.NewField[float32]("clip speed") // clips per step
	Image     = layout.NewKind("Image", source, clips, clipCount, clipSpeed)

	letters  = layout.NewField[[maxText]uint8]("letters") // UTF-8, then zeros
	maxWidth = layout.NewField[float32]("max width")
	font     = layout.NewField("font", [len(fontName)]uint8([]byte(fontName)))
	colour   = layout.NewField[uint32]("colour")  // red, green, blue: one byte each
	outline  = layout.NewField[uint32]("outline") // like colour; 0: none
	size     = layout.NewField[float32]("size", fontSize)
	Text     = layout.NewKind("Text", letters, maxWidth, font, colour, outline, size)

	points = layout.NewField[uint64]("points")
	Score  = layout.NewKind("Score", points)

	asText = layout.NewField[uint8]("as text") // 0: draw its image; 1: draw its text
	zIndex = layout.NewField[int32]("z-index")
	Render = layout.NewKind("Render", asText, zIndex)

	passed   = layout.NewField[uint8]("passed") // 1: the bird has passed it
	Obstacle = layout.NewKind("Obstacle", passed)

	Background = layout.NewMark("Background")
	Floor      = layout.NewMark("Floor")
	Bird       = layout.NewMark("Bird")
)

// The fields of the game, a resource.
var (
	canvas  = layout.NewField("canvas", [2]float32{width, height})
	over    = layout.NewField[uint8]("game over")
	speed   = layout.NewField[float32]("speed", 2)         // pixels per step
	gap     = layout.NewField[float32]("gap", height/4)    // between the pipes of a pair
	way     = layout.NewField[float32]("way")              // until the next pipes
	steps   = layout.NewField[uint32]("steps")             // since the start, or since game over
	flown   = layout.NewField[float32]("flown")            // pixels, until the hills repeat
	down    = layout.NewField[uint8]("down")               // 1: the button was already down
	counts  = layout.NewField[uint8]("counts obstacles")   // 1: the score counts pipes, not steps
	told    = layout.NewField[uint8]("as in the document") // 1: with its texts, and without waiting
	waits   = layout.NewField[uint8]("waits")              // 1: for the first flap
	theGame = world.NewResource("game", canvas, over, speed, gap, way, steps, flown, down, counts,
		told, waits)
)

// Sizes and speeds.
const (
	width, height = 480, 320

	floorHeight = 40
	floorWidth  = width + 48 // it jumps back after more than 48 pixels
	floorTop    = height - floorHeight

	birdX, birdY          = 110, 120
	birdWidth, birdHeight = 34, 26
	birdClips             = 4
	birdPull              = .3  // change of its velocity per step, pixels per step
	birdFlap              = 4.8 // pixels per step, upward
	birdSlack             = 4   // pixels at its edges that do not collide

	pipeWidth     = 56
	pipeDistance  = 190 // between pairs of pipes
	pipeMargin    = 28  // least distance of a gap from the canvas and the floor
	objects       = 20  // limit; at most 6 of them are pipes
	pipeFirst     = 60  // distance to the first pipes
	restartSteps  = 20  // from game over until a press starts a new game
	maxText       = 48  // bytes
	fontName      = "18px Arial"
	fontSize      = 18
	scoreColour   = 0x333333
	scoreLetters  = 26 // plane units, of the white English score
	scoreOutline  = 0x1d3448
	scoreMaxWidth = 1000
	scoreWords    = "Score "
	documentWords = "【ECS实现】得分:"
)

// Flap is the input for the button. It makes the bird flap once, starts a waiting game, and
// prepares a new game after game over. It is set while the button is down; the button must be
// released between flaps.
const Flap scene.Input = 1

// Variants of the game. By default it waits for the first flap.
const (
	Steps    = "steps"
	Passed   = "passed"
	Document = "document"
)

// Scene is the flappy bird.
var Scene = &scene.Scene{
	Name:      "flappy",
	About:     "A game: a bird flaps through the gaps between pipes.",
	Behaviour: 3,
	Defaults:  scene.Options{Seed: 1},
	Variants: []scene.Variant{
		{Name: Steps, About: "a point for each step in the air"},
		{Name: Passed, About: "a point for each pair of pipes"},
		{Name: Document, About: "as founded: no waiting, and the score in Chinese"},
	},
	Inputs: []string{"flap"},
	Make:   open,
	Look:   look,
	Draw:   draw,
	Pilot:  pilot,
}

// The recipes of the objects.
var (
	background = world.NewRecipe("background", Position, Size, Image, Render, Background).With(
		extent.Value([2]float32{width, height}), source.Value(pictureSky))
	floor = world.NewRecipe("floor", Position, Size, Velocity, Image, Render, Floor).With(
		at.Value([2]float32{0, floorTop}), extent.Value([2]float32{floorWidth, floorHeight}),
		source.Value(pictureFloor), zIndex.Value(1))
	score = world.NewRecipe("score", Position, Text, Score, Render).With(
		at.Value([2]float32{10, width / 10}), letters.Value(lettersOf("得分:0")),
		maxWidth.Value(scoreMaxWidth), colour.Value(scoreColour), asText.Value(1), zIndex.Value(1))
	bird = world.NewRecipe("bird", Position, Size, Velocity, Rotate, Image, Render, Bird).With(
		at.Value([2]float32{birdX, birdY}), extent.Value([2]float32{birdWidth, birdHeight}),
		g.Value(birdPull), source.Value(pictureBird), clips.Value(birdClips), clipSpeed.Value(.2),
		zIndex.Value(1))
	pipe = world.NewRecipe("obstacle", Position, Size, Velocity, Image, Render, Obstacle).With(
		extent.Value([2]float32{pipeWidth, height}))
)

// open creates the world and the jobs of a step.
func open(o scene.Options) (world.State, []schedule.Job, error) {
	const n = objects
	s, err := world.CreateState(world.Counts{
		GameObjects: n,
		Kinds: []layout.Count{
			Position.Count(n), Size.Count(n), Velocity.Count(n), Rotate.Count(n), Image.Count(n),
			Text.Count(n), Score.Count(n), Render.Count(n), Obstacle.Count(n),
			Background.Count(0), Floor.Count(0), Bird.Count(0),
		},
		Recipes:   []world.Recipe{background, floor, score, bird, pipe},
		Resources: []world.ResourceKind{theGame, scene.Controls},
		Names:     n,
		Seed:      o.Seed,
		Random:    true,
	})
	for _, r := range []world.Recipe{background, floor, score, bird} {
		if err != nil {
			break
		}
		s, _, err = spawn(s, r)
	}
	if err != nil {
		return s, nil, err
	}
	switch o.Variant {
	case Passed:
		s = world.SetResource(s, counts, 1)
	case Document:
		s = world.SetResource(s, told, 1)
	}
	if o.Variant != Document {
		writeEnglish(s)
	}
	return begin(s), jobs(), nil
}

// writeEnglish makes the score an English text that is readable on any background.
func writeEnglish(s world.State) {
	for b := range lines.In(s) {
		ink, edge := world.Column(b, colour), world.Column(b, outline)
		high := world.Column(b, size)
		for i := range ink {
			ink[i], edge[i], high[i] = 0xffffff, scoreOutline, scoreLetters
		}
	}
}

// spawn creates an object named after its recipe.
func spawn(s world.State, r world.Recipe) (world.State, world.GameObject, error) {
	s, id, err := world.Spawn(s, r)
	if err == nil {
		s, err = world.SetName(s, id, r.String())
	}
	return s, id, err
}

// lettersOf returns a text in the encoding of its field.
func lettersOf(text string) (letters [maxText]uint8) {
	copy(letters[:], text)
	return letters
}
