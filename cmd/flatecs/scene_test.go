package main

import (
	"encoding/json"
	"fmt"
	"image"
	_ "image/png" // is decoded here
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/scene/gallery"
	"github.com/flatecs/flatecs/world"
)

func TestSummaryOfAScene(t *testing.T) {
	r := play(t, "run cubes --count 700 --frames 30 --variant rain --workers 2 --summary")
	want := strings.ReplaceAll(`^scene +cubes
frames +30
game objects +701
world +[1-9]\d* bytes
CreateState +F \(701 objects\)
Physics +F \(701 objects\)
Rain +F \(701 objects\)
Time +F \(701 objects\)
\d+ allocations per frame(?: \(\d+ in 30 frames\))?
$`, "F", figure)
	assert.Equal(t, result{err: r.err}, r)
	assert.Regexp(t, want, r.err)
	r = play(t, "run cubes --count 0 --frames 0 --summary")
	r.says(t, 0)
	assert.Equal(t, 2, strings.Count(r.err, "nothing to do\n"), r.err)
}

// TestEverySeedIsItsOwn: by every command with a seed, also 0. A recording keeps it.
func TestEverySeedIsItsOwn(t *testing.T) {
	for _, line := range []string{
		"run cubes --count 50 --frames 3 --digest last --seed ",
		"run tanks --count 8 --frames 3 --digest last --seed ",
		"lab schelling --seeds 1 --steps 2 --seed ",
	} {
		seen := map[string]string{}
		for _, seed := range []string{"0", "1", "2", "18446744073709551615"} {
			out := played(t, line+seed)
			require.Empty(t, seen[out], line+seed)
			seen[out] = line + seed
		}
	}
	file := filepath.Join(t.TempDir(), "cubes.rec")
	played(t, "run cubes --count 50 --frames 3 --seed 0 --record "+file)
	require.Contains(t, played(t, "replay --show "+file), `"Seed":0,`)
	played(t, "replay "+file)
	sent := world.Must(json.Marshal((&pageFlags{Scene: "cubes"}).start()))
	require.Contains(t, string(sent), `"seed":"0"`)
}

const figure = `\d+(\.\d+)?(e\+\d+)? ns per object`

func TestSummaryTellsSizesTimesAndAllocations(t *testing.T) {
	for act := 1; act <= 3; act++ {
		line := fmt.Sprintf("run heroes --act %d --count 70 --supers 7 --frames 30 --summary", act)
		r := play(t, line)
		r.says(t, 0)
		assert.Equal(t, 30*77, strings.Count(r.out, "更新"), line)
		assert.Regexp(t, fmt.Sprintf(`^act +%d
frames +30
game objects +77
world +[1-9]\d* bytes
CreateState +%[2]s \(77 objects\)
Update +%[2]s \(77 objects\)
RenderOneByOne +%[2]s \(7 objects\)
RenderInstances +%[2]s \(70 objects\)
0 allocations per frame(?: \(\d+ in 30 frames\))?
$`, act, figure), r.err)
	}
}

func TestNoFrameAllocates(t *testing.T) {
	oneGoroutine(t)
	for act := 1; act <= 3; act++ {
		for _, flags := range []string{"--render auto", "--render none", "--state every"} {
			line := fmt.Sprintf("run heroes --act %d --count 500 --supers 50 --frames 50 --summary %s",
				act, flags)
			play(t, line).says(t, 0, "\n0 allocations per frame")
		}
	}
}

func TestAllocationsAreRoundedDownInTheOpen(t *testing.T) {
	for _, test := range []struct {
		frames, allocated uint64
		want              string
	}{
		{600, 0, "0 allocations per frame"},
		{600, 1200, "2 allocations per frame"},
		{600, 3, "0 allocations per frame (3 in 600 frames)"},
		{0, 0, "0 allocations per frame"},
	} {
		assert.Equal(t, test.want, perFrame(test.allocated, test.frames))
	}
}

func TestSeed_D19_EveryActPrintsItsLinesAndItsState(t *testing.T) {
	for line, want := range map[string]string{
		"run heroes --act 3": "act3.golden",
		"run heroes --act=2": "act2.golden",
		"run heroes --act 1": "act1.golden",
	} {
		assert.Equal(t, golden(want), played(t, line), line)
	}
}

func TestTheStoryHasADigest(t *testing.T) {
	require.Equal(t, "digest frame=1 xxh3=a8d6e62e6ce81e64\ndigest frame=2 xxh3=823d7f00a34e7bf8\n",
		played(t, "run heroes --frames 2 --render none --state none --digest every"))
}

// pictureOf runs a command line that writes a picture, and decodes it.
func pictureOf(t *testing.T, line string) image.Image {
	t.Helper()
	path := filepath.Join(t.TempDir(), "picture.png")
	played(t, line+" --render png --out "+path)
	picture, _ := world.Must2(image.Decode(strings.NewReader(content(path))))
	return picture
}

// bright returns the part of a picture that is brighter than the night.
func bright(m image.Image) float64 {
	lit, b := 0, m.Bounds()
	for y := range b.Dy() {
		for x := range b.Dx() {
			r, g, b, _ := m.At(x, y).RGBA()
			if max(r, g, b) > 0x4000 {
				lit++
			}
		}
	}
	return float64(lit) / float64(b.Dx()*b.Dy())
}

func TestSeed_C7_ThePictureOfTheCubes(t *testing.T) {
	for _, flags := range []string{"", " --variant camera", " --variant rain --frames 1"} {
		m := pictureOf(t, "run cubes --size 320x180"+flags)
		assert.Equal(t, image.Rect(0, 0, 320, 180), m.Bounds(), flags)
		assert.GreaterOrEqual(t, bright(m), .1, flags)
	}
}

func TestPicturesOfEveryScene(t *testing.T) {
	for line, want := range map[string]struct {
		size image.Point
		lit  float64
	}{
		"run flappy": {image.Pt(960, 640), .9},
		"run flappy --variant passed --player none":   {image.Pt(960, 640), .9},
		"run heroes --count 20000 --supers 50":        {image.Pt(1280, 720), .02},
		"run cubes --count 0 --frames 0 --size 16x16": {image.Pt(16, 16), 0},
		"run cubes --size 1x1":                        {image.Pt(1, 1), 0},
		"run flappy --size 3x2":                       {image.Pt(3, 2), 0},
	} {
		if !strings.Contains(line, "--frames") {
			line += " --frames " + sized(60)
		}
		m := pictureOf(t, line)
		assert.Equal(t, want.size, m.Bounds().Max, line)
		assert.GreaterOrEqual(t, bright(m), want.lit, line)
	}
}

func TestSmallMovingPictures(t *testing.T) {
	size := func(small string) int {
		path := filepath.Join(t.TempDir(), "film.gif")
		played(t, "run heroes --count 20000 --frames 30 --size 90x60 --render gif --out "+path+small)
		return len(content(path))
	}
	assert.GreaterOrEqual(t, size(""), size(" --small")*3/2)
}

func TestTheSummaryTellsOfDrawing(t *testing.T) {
	play(t, "run cubes --count 10 --render gif --out "+os.DevNull+" --frames 12 --every 4 --summary").
		says(t, 0, " ms per frame (3 frames)\n")
}

// A file or a pipe gets the last frame, in letters; a buffer is neither.
func TestATerminalThatIsNone(t *testing.T) {
	cmd := program(t, "run", "flappy", "--variant", "document", "--render", "term", "--frames", "100")
	out := string(world.Must(cmd.Output()))
	assert.Contains(t, out, "【ECS实现】得分:99")
	assert.NotContains(t, out, "\x1b")
	refused(t, 1, map[string]string{"run flappy --render term --frames 10": "neither a terminal nor a file"})
}

// A pipe gets one picture of a scene, and a sentence; a digest comes alone.
func TestAPipeGetsOnePicture(t *testing.T) {
	for _, sc := range gallery.All() {
		args := strings.Fields("run " + sc.Name + few(sc) + " --frames " + sized(60))
		out := world.Must(program(t, args...).Output())
		lines := strings.Split(string(out), "\n")
		require.Len(t, lines, 26, sc.Name)
		require.Regexp(t, `^A world of [\d,]+ objects and [\d.]+ MB\. `, lines[24])
		require.Greater(t, len(strings.Join(strings.Fields(strings.Join(lines[:24], "")), "")), 20)
		require.NotContains(t, string(out), "\x1b")
	}
	out := world.Must(program(t, "run", "cubes", "--frames", "5", "--digest", "last").Output())
	require.Equal(t, 1, strings.Count(string(out), "\n"), "%s", out)
}
