package main

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

const figure = `\d+(\.\d+)?(e\+\d+)? ns per object`

func TestSummaryTellsSizesTimesAndAllocations(t *testing.T) {
	for act := 1; act <= 3; act++ {
		line := fmt.Sprintf("run heroes --act %d --count 70 --supers 7 --frames 30 --summary", act)
		r := play(t, line)
		if r.code != 0 || strings.Count(r.out, "更新") != 30*77 {
			t.Fatalf("%s: exit code %d, stdout %q", line, r.code, r.out)
		}
		want := regexp.MustCompile(fmt.Sprintf(`^act +%d
frames +30
game objects +77
world +[1-9]\d* bytes
CreateState +%[2]s \(77 objects\)
Update +%[2]s \(77 objects\)
RenderOneByOne +%[2]s \(7 objects\)
RenderInstances +%[2]s \(70 objects\)
0 allocations per frame(?: \(\d+ in 30 frames\))?
$`, act, figure))
		if !want.MatchString(r.err) {
			t.Errorf("%s: got\n%swant\n%s", line, r.err, want)
		}
	}
}

func TestNoFrameAllocates(t *testing.T) {
	oneGoroutine(t)
	for act := 1; act <= 3; act++ {
		for _, flags := range []string{"--render auto", "--render none", "--state every"} {
			line := fmt.Sprintf("run heroes --act %d --count 500 --supers 50 --frames 50 --summary %s",
				act, flags)
			if r := play(t, line); !strings.Contains(r.err, "\n0 allocations per frame") {
				t.Errorf("%s: %s", line, r.err)
			}
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
		if got := perFrame(test.allocated, test.frames); got != test.want {
			t.Errorf("%d in %d frames: got %q, want %q", test.allocated, test.frames, got, test.want)
		}
	}
}
