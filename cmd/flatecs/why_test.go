package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestWhyTellsWhoWroteAValue(t *testing.T) {
	path := recorded(t, "run cubes --count 300 --frames 40")
	line := "why " + path + " --object 7 --field Transform.position"
	wrote := `tick \d+, frame %, job "Physics": Transform.position of object 7: \[.+\] → \[.+\]; ` +
		`reads Gravity.force, RigidBody.velocity, Transform.position; in \S+/cubes/\w+\.go:\d+\n`
	for flags, frames := range map[string][]string{
		"": {"39"}, " --writes 2": {"39", "38"}, " --to 30": {"29"}, " --before 21": {"9"},
	} {
		want := "^"
		for _, f := range frames {
			want += strings.Replace(wrote, "%", f, 1)
		}
		assert.Regexp(t, want+"$", played(t, line+flags), flags)
	}
	flappy := recorded(t, "run flappy --frames 40 --seed 3")
	bad := changed(t, flappy, func(_ *recordedScene, inputs [][]byte) {
		inputs[29] = append(inputs[29], 1)
	}) + " --field a"
	refused(t, 1, map[string]string{
		"why " + path + " --field Transform.place": `flatecs: --field Transform.place: no kind has ` +
			`this field; there are `,
		line + " --before 2":    "not written in the frames that are kept: 0 to 39",
		line + " --object 3000": "flatecs: game object 3000: Entity out of range. This world has 301",
		line + " --object x":    "flatecs: --object x: ",
		"why " + bad:            "after step 30: ",
	})
	assert.Regexp(t, "ask up to it by --to 29", play(t, "why "+bad).err)
}
