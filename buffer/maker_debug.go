//go:build ecsdebug

package buffer

import (
	"fmt"
	"log/slog"
	"path"
	"runtime"
	"strings"
)

// A maker records where a Range was created, and reports a Range that is never closed.
type maker struct{ cleanup runtime.Cleanup }

// unclosed is called for each mapped Range that became unreachable without being freed.
var unclosed = func(text string) { slog.Warn(text) }

// watch records the caller. It frees nothing, because slices of the bytes may be in use.
func (m *maker) watch(r *Range) {
	text := fmt.Sprintf("flatecs: a world, the lists of its relations, a snapshot or a history of "+
		"%d bytes was not closed, which keeps its memory; Close what was made at %s",
		len(r.Bytes), caller())
	m.cleanup = runtime.AddCleanup(r, func(text string) { unclosed(text) }, text)
}

// closed stops watching.
func (m *maker) closed() { m.cleanup.Stop() }

// caller returns the position of the first caller outside the packages that create worlds.
func caller() string {
	var list [32]uintptr
	frames := runtime.CallersFrames(list[:runtime.Callers(2, list[:])])
	for {
		f, more := frames.Next()
		dir := path.Dir(f.File)
		base, test := path.Base(dir), strings.HasSuffix(f.File, "_test.go")
		own := base == "buffer" || base == "manager" || base == "systems" || base == "world" ||
			base == "history" || strings.Contains(dir, "systems/internal/")
		if test || !own || !strings.Contains(f.Function, "flatecs") || !more {
			return fmt.Sprintf("%s:%d", f.File, f.Line)
		}
	}
}

// keepsSpares is false, so that using a closed world crashes.
const keepsSpares = false
