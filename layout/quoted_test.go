package layout_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flatecs/flatecs/layout"
)

func TestQuoted(t *testing.T) {
	for name, want := range map[string]string{
		"velocity":             "velocity",
		"super hero":           "super hero",
		"Max-Speed_2.x":        "Max-Speed_2.x",
		"Guns[3].Ammo":         `Guns[3].Ammo`,
		"":                     `""`,
		" space":               `" space"`,
		"space ":               `"space "`,
		"größe":                `"größe"`,
		"a\nforged: line":      `"a\nforged: line"`,
		"\x1b[2Jcleared":       `"\x1b[2Jcleared"`,
		"\xff\xfe":             `"\xff\xfe"`,
		"\u009b31m":            `"\u009b31m"`,
		"\u202etxt":            `"\u202etxt"`,
		"x: fields":            `"x: fields"`,
		"a, b":                 `"a, b"`,
		"{":                    `"{"`,
		"`":                    "\"`\"",
		"@":                    `"@"`,
		"quote\"":              `"quote\""`,
		"readers of explosion": "readers of explosion",
	} {
		assert.Equal(t, want, layout.Quoted(name))
	}
}
