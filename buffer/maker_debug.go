//go:build ecsdebug

package buffer

import (
	"fmt"
	"log/slog"
	"path"
	"runtime"
	"strings"
)

// A maker knows where a Range was made, and tells when it was forgotten.
type maker struct{ cleanup runtime.Cleanup }

// unclosed is told of each mapped Range that nobody has any more and that was not freed.
var unclosed = func(text string) { slog.Warn(text) }

// watch notes who made r. It frees nothing: somebody may have a slice of its bytes.
func (m *maker) watch(r *Range) {
	text := fmt.Sprintf("flatecs: a world, snapshot or history of %d bytes was never closed, which "+
		"keeps its memory; Close what was made at %s", len(r.Bytes), caller())
	m.cleanup = runtime.AddCleanup(r, func(text string) { unclosed(text) }, text)
}

// closed notes that all is well.
func (m *maker) closed() { m.cleanup.Stop() }

// caller names the place of the call that came from outside of the packages that make worlds.
func caller() string {
	var list [32]uintptr
	frames := runtime.CallersFrames(list[:runtime.Callers(2, list[:])])
	for {
		f, more := frames.Next()
		dir := path.Dir(f.File)
		base, test := path.Base(dir), strings.HasSuffix(f.File, "_test.go")
		own := base == "buffer" || base == "manager" || base == "systems" || base == "world" ||
			base == "history"
		if test || !own || !strings.Contains(f.Function, "flatecs") || !more {
			return fmt.Sprintf("%s:%d", f.File, f.Line)
		}
	}
}
