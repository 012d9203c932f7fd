package main

import (
	"image"
	_ "image/png" // is decoded here
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/scene/gallery"
	"github.com/flatecs/flatecs/world"
)

// pictureOf runs a command line that writes a picture, and decodes it.
func pictureOf(t *testing.T, line string) image.Image {
	t.Helper()
	path := filepath.Join(t.TempDir(), "picture.png")
	played(t, line+" --render png --out "+path)
	file := world.Must(os.Open(path))
	defer func() { _ = file.Close() }()
	picture, _ := world.Must2(image.Decode(file))
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
		if m.Bounds() != image.Rect(0, 0, 320, 180) || bright(m) < .1 {
			t.Errorf("%s: %v, lit %.2f", flags, m.Bounds(), bright(m))
		}
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
		if m.Bounds().Max != want.size || bright(m) < want.lit {
			t.Errorf("%s: %v, lit %.2f", line, m.Bounds(), bright(m))
		}
	}
}

func TestSmallMovingPictures(t *testing.T) {
	sizes := [2]int64{}
	for i, small := range []string{"", " --small"} {
		path := filepath.Join(t.TempDir(), "film.gif")
		played(t, "run heroes --count 20000 --frames 30 --size 90x60 --render gif --out "+path+small)
		file := world.Must(os.Stat(path))
		sizes[i] = file.Size()
	}
	if sizes[0] < sizes[1]*3/2 {
		t.Errorf("%d bytes, and %d when small", sizes[0], sizes[1])
	}
}

func TestTheSummaryTellsOfDrawing(t *testing.T) {
	r := play(t, "run cubes --count 10 --render gif --out "+os.DevNull+" --frames 12 --every 4 --summary")
	if r.code != 0 || !strings.Contains(r.err, " ms per frame (3 frames)\n") {
		t.Errorf("exit code %d, stderr %q", r.code, r.err)
	}
}

// A file or a pipe gets the last frame, in letters; a buffer is neither.
func TestATerminalThatIsNone(t *testing.T) {
	cmd := program(t, "run", "flappy", "--variant", "document", "--render", "term", "--frames", "100")
	out, err := cmd.Output()
	if err != nil || !strings.Contains(string(out), "【ECS实现】得分:99") {
		t.Errorf("%v, printed\n%s", err, out)
	}
	if strings.Contains(string(out), "\x1b") {
		t.Errorf("escape sequences in %q", out)
	}
	refused(t, 1, map[string]string{"run flappy --render term --frames 10": "neither a terminal nor a file"})
}

// A pipe gets one picture of a scene, and a sentence; a digest comes alone.
func TestAPipeGetsOnePicture(t *testing.T) {
	for _, sc := range gallery.All() {
		out, err := program(t, strings.Fields("run "+sc.Name+few(sc)+" --frames "+sized(60))...).Output()
		require.NoError(t, err, sc.Name)
		lines := strings.Split(string(out), "\n")
		require.Len(t, lines, 26, sc.Name)
		require.Regexp(t, `^A world of [\d,]+ objects and [\d.]+ MB\. `, lines[24])
		require.Greater(t, len(strings.Join(strings.Fields(strings.Join(lines[:24], "")), "")), 20)
		require.NotContains(t, string(out), "\x1b")
	}
	out := world.Must(program(t, "run", "cubes", "--frames", "5", "--digest", "last").Output())
	require.Equal(t, 1, strings.Count(string(out), "\n"), "%s", out)
}
