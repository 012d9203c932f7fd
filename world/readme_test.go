package world_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
)

// The code of README.md and docs/GUIDE.md. TestPagesShowTestedCode holds the pages to it.

func Example_readmeHero() {
	state, err := world.CreateState(world.Counts{Positions: 1_000, Velocities: 1_000})
	check(err)
	state, hero, err := world.CreateGameObject(state)
	check(err)
	state, position, err := world.AddPosition(state, hero) // create and mount
	check(err)
	state, velocity, err := world.AddVelocity(state, hero)
	check(err)

	state = world.SetVelocity(state, velocity, 2) // world units per step
	state = world.Move(state, position, velocity) // this hero: p += v
	state = world.MoveAll(state)                  // every object that has both, in one pass
	fmt.Println("hero", hero, "is at", world.PositionAt(state, position))
	world.Close(state)
	// Output: hero 0 is at [4 4 4]
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

var (
	Velocity3 = layout.NewField[float32]("velocity", 3)         // world units per second; x, y, z
	Force     = layout.NewField[float32]("force", 3, 0, -10, 0) // the default of each lane
	Body      = layout.NewKind("body", Velocity3)
	Gravity   = layout.NewKind("gravity", Force)
	Frozen    = layout.NewMark("frozen") // no data: an object has it or not

	falling = systems.NewQuery(
		systems.Write(systems.XYZ, Velocity3), systems.Read(Force), systems.Without(Frozen))
)

// Fall moves every body and pulls it down. dt is in seconds.
func Fall(s systems.State, dt float32) systems.State {
	for b := range falling.In(s) {
		p, v, g := systems.Column(b, systems.XYZ), systems.Column(b, Velocity3), systems.Column(b, Force)
		for i := range p {
			p[i] += float32(v[i] * dt)
			v[i] += float32(g[i] * dt)
		}
	}
	return s
}

func Example_readmeFall() {
	state, err := world.CreateState(world.Counts{
		Positions: 1_000,
		Kinds:     []layout.Count{Body.Count(1_000), Gravity.Count(1_000), Frozen.Count(0)},
	})
	check(err)
	state, stone, err := world.CreateGameObject(state)
	check(err)
	for _, kind := range []layout.Kind{world.PositionKind, Body, Gravity} {
		state, _, err = world.Add(state, stone, kind)
		check(err)
	}
	for range 4 {
		state = Fall(state, 0.5)
	}
	at, err := world.Values(state, stone, world.XYZ) // the three lanes, in place
	check(err)
	fmt.Println("stone", stone, "is at", at)

	state, _, err = world.Add(state, stone, Frozen)
	check(err)
	fmt.Println(falling.Count(state), "objects fall")
	world.Close(state)
	// Output:
	// stone 0 is at [0 -15 0]
	// 0 objects fall
}

func Example_readmeMount() {
	state, err := world.CreateState(world.Counts{Positions: 1_000})
	check(err)
	state, position, err := world.CreatePosition(state) // a row, on no object yet
	check(err)
	state = world.SetPosition(state, position, [3]float32{1, 2, 3})
	state, tree, err := world.CreateGameObject(state)
	check(err)
	state, err = world.MountPosition(state, tree, position)
	check(err)
	state = world.Update(state) // doubles every mounted position
	fmt.Println("row", position, "of object", tree, "holds", world.PositionAt(state, position))

	state = world.DisposePosition(state, position) // or RemovePosition, by object
	fmt.Println(world.HasPosition(state, tree))
	world.Close(state)
	// Output:
	// row 0 of object 0 holds [2 4 6]
	// false
}

func Example_readmeErrors() {
	state, err := world.CreateState(world.Counts{GameObjects: 2, Positions: 1})
	check(err)
	state, a, err := world.CreateGameObject(state)
	check(err)
	state, b, err := world.CreateGameObject(state)
	check(err)
	state, _, err = world.AddPosition(state, a)
	check(err)

	state, _, err = world.AddPosition(state, b)
	fmt.Println(errors.Is(err, world.ErrFull), err)
	_, err = world.VelocityOf(state, b)
	fmt.Println(err)
	world.Close(state)
	// Output:
	// true manager: position: all 1 rows in use; raise Counts.Positions
	// manager: velocity of game object 1 (generation 1): Retrieving non-existent component. Ask with Has first, or add it.
}

func Example_readmeClone() {
	state, err := world.CreateState(world.Counts{Positions: 1_000, Velocities: 1_000})
	check(err)
	state, hero, err := world.CreateGameObject(state)
	check(err)
	state, _, err = world.AddPosition(state, hero)
	check(err)
	state, _, err = world.AddVelocity(state, hero)
	check(err)

	before, err := world.Clone(state) // state stays as it is
	check(err)
	state = world.MoveAll(state)
	fmt.Println(bytes.Equal(world.Bytes(before), world.Bytes(state)))
	before = world.MoveAll(before)
	fmt.Println(bytes.Equal(world.Bytes(before), world.Bytes(state)))
	// Output:
	// false
	// true
}

var (
	Jumper  = layout.NewMark("jumper")
	jumping = systems.NewQuery(
		systems.Write(systems.XYZ), systems.Read(systems.Speed), systems.With(Jumper))
)

// Jump lifts every jumper by its velocity.
func Jump(s systems.State) systems.State {
	for b := range jumping.In(s) {
		p, v := systems.Column3(b, systems.XYZ), systems.Column(b, systems.Speed)
		for i := range p {
			p[i][1] += v[i] // y
		}
	}
	return s
}

func Example_guideJump() {
	state, err := world.CreateState(world.Counts{
		Positions: 10, Velocities: 10, Kinds: []layout.Count{Jumper.Count(0)},
	})
	check(err)
	state, frog, err := world.CreateGameObject(state)
	check(err)
	state, position, err := world.AddPosition(state, frog)
	check(err)
	state, _, err = world.AddVelocity(state, frog)
	check(err)
	state, _, err = world.Add(state, frog, Jumper)
	check(err)
	state = Jump(state)
	fmt.Println(world.PositionAt(state, position))
	// Output: [0 1 0]
}

// The pages whose Go code is shown here, and whose links are followed.
var pages = []string{
	"README.md", "CHANGELOG.md", "docs/GUIDE.md", "docs/ARCHITECTURE.md", "docs/RATIONALE.md",
	"docs/GLOSSARY.md",
}

var (
	goBlock  = regexp.MustCompile("(?s)```go\n(.*?)```")
	mainFunc = regexp.MustCompile(`(?m)^func main\(\) \{\n`)
	header   = regexp.MustCompile(`(?s)^package main\n\nimport \((.*?)\n\)\n`)
	link     = regexp.MustCompile(`\]\(([^\s:#")]+)(#[^)]*)?\)`)
)

// Each Go block of the pages is here, or in the acts that the GUIDE quotes, line by line apart from
// indentation. A whole program is here without its package clause, with an Example for its main, and
// with its imports among ours.
func TestPagesShowTestedCode(t *testing.T) {
	acts, err := filepath.Glob("../cmd/acts/act[12]/*.go")
	require.NoError(t, err)
	tested := ""
	for _, source := range append(acts, "readme_test.go") {
		tested += unindented(read(t, filepath.Join("world", source)))
	}
	for _, page := range pages {
		for _, block := range goBlock.FindAllStringSubmatch(read(t, page), -1) {
			code := block[1]
			parts := mainFunc.Split(header.ReplaceAllString(code, ""), -1)
			if imports := header.FindStringSubmatch(code); imports != nil {
				parts = append(parts, strings.Split(strings.TrimSpace(imports[1]), "\n")...)
			}
			for _, part := range parts {
				if !strings.Contains(tested, unindented(part)) {
					t.Errorf("%s shows code that is not tested:\n%s", page, part)
				}
			}
		}
	}
}

func TestPagesLinkToFiles(t *testing.T) {
	for _, page := range pages {
		for _, target := range link.FindAllStringSubmatch(read(t, page), -1) {
			_, err := os.Stat(filepath.Join("..", filepath.Dir(page), target[1]))
			require.NoError(t, err, "%s links to %s", page, target[1])
		}
	}
}

// The size and the offsets that ARCHITECTURE.md gives for the heroes' scene.
func TestPagesGiveOffsets(t *testing.T) {
	state, err := world.CreateState(world.Counts{Positions: 10, Velocities: 10, Flies: 10})
	require.NoError(t, err)
	lines := []string{fmt.Sprintf("that is %d bytes:", world.Size(state))}
	first := reflect.ValueOf(world.Bytes(state)).Pointer()
	for _, kind := range []layout.Kind{world.PositionKind, world.VelocityKind, world.FlyKind} {
		offset := reflect.ValueOf(world.Buffer(state, kind)).Pointer() - first
		name := kind.Spec().Fields[0].Name
		lines = append(lines, fmt.Sprintf("| %d | | column %#q", offset, name))
	}
	page := read(t, "docs/ARCHITECTURE.md")
	for _, line := range lines {
		if !strings.Contains(page, line) {
			t.Errorf("the bytes have moved; bring the table in docs/ARCHITECTURE.md up to date: %s", line)
		}
	}
}

func read(t *testing.T, page string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", page))
	require.NoError(t, err)
	return string(text)
}

// unindented returns the lines of text without the white space around each, and without empty lines
// around all of them.
func unindented(text string) string {
	var b strings.Builder
	for line := range strings.Lines(strings.Trim(text, "\n")) {
		b.WriteString(strings.TrimSpace(line) + "\n")
	}
	return b.String()
}
