package term

import "strings"

// A Depth is the colour depth of a terminal.
type Depth uint8

// Depths, in descending order.
const (
	TrueColour Depth = iota
	Colours256
	Plain
	Text
)

// DepthOf returns the depth according to the environment; get is os.Getenv.
func DepthOf(get func(name string) string) Depth {
	name := get("TERM")
	switch colours := get("COLORTERM"); {
	case name == "dumb" || name == "":
		return Text
	case get("NO_COLOR") != "":
		return Plain
	case colours == "truecolor" || colours == "24bit" || strings.HasSuffix(name, "-direct"):
		return TrueColour
	case strings.Contains(name, "256"):
		return Colours256
	}
	for _, known := range []string{"xterm", "screen", "tmux", "rxvt", "foot", "alacritty"} {
		if strings.HasPrefix(name, known) {
			return Colours256
		}
	}
	return Plain
}
