//go:build !ecsrelease

package layout

import (
	"fmt"
	"path"
	"runtime"
	"slices"
	"strings"
)

// A place is the calls that declared a kind.
type place [8]uintptr

func (p *place) find() { runtime.Callers(3, p[:]) }

// String returns the package and the line that declared the kind.
func (p *place) String() string {
	frames := runtime.CallersFrames(p[:])
	for more := true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		at := strings.LastIndexByte(f.Function, '/') + 1
		name, _, _ := strings.Cut(f.Function[at:], ".")
		if in := f.Function[:at] + name; in != "" && !slices.Contains(declaring[:], in) {
			return fmt.Sprintf(" in %s, %s:%d", in, path.Base(f.File), f.Line)
		}
	}
	return ""
}

// declared returns the shapes of k's fields, and where k was declared.
func (k *KindSpec) declared() string {
	shapes := make([]string, len(k.Fields))
	for i, f := range k.Fields {
		shapes[i] = f.Shape()
	}
	text := "a kind"
	if len(shapes) > 0 {
		text += " of " + strings.Join(shapes, ", ")
	}
	return text + k.from.String()
}

const module = "github.com/flatecs/flatecs/"

// declaring are the packages through which programs declare kinds.
var declaring = [...]string{module + "layout", module + "systems", module + "world"}
