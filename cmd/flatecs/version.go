package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// version describes the build: the module's version, the commit if known, the Go release and the
// platform.
func version() string {
	release := "(unknown)"
	if build, ok := debug.ReadBuildInfo(); ok {
		release = build.Main.Version
	}
	return fmt.Sprintf("flatecs %s %s %s/%s",
		release, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
