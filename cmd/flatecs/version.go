package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// version says which build this is: the module's version, with the commit where it is known, the Go
// release and the platform.
func version() string {
	release := "(unknown)"
	if build, ok := debug.ReadBuildInfo(); ok {
		release = build.Main.Version
	}
	return fmt.Sprintf("flatecs %s %s %s/%s",
		release, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
