package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// version says which build this is: the module's version, the commit where it is known, the Go
// release and the platform.
func version() string {
	release, commit := "(unknown)", ""
	if build, ok := debug.ReadBuildInfo(); ok {
		release, commit = build.Main.Version, commitOf(build)
	}
	return fmt.Sprintf("flatecs %s%s %s %s/%s",
		release, commit, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

func commitOf(build *debug.BuildInfo) string {
	commit, modified := "", ""
	for _, setting := range build.Settings {
		switch {
		case setting.Key == "vcs.revision":
			commit = " " + setting.Value
		case setting.Key == "vcs.modified" && setting.Value == "true":
			modified = " (modified)"
		}
	}
	return commit + modified
}
