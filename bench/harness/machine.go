package harness

import (
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/klauspost/cpuid/v2"
)

// Machine says in one line where something is measured.
func Machine() string {
	cpu := cpuid.CPU.BrandName
	if cpu == "" {
		cpu = "unknown processor"
	}
	return fmt.Sprintf("%s, %d cores; Go %s, %s/%s; huge pages: %s", cpu, runtime.NumCPU(),
		strings.TrimPrefix(runtime.Version(), "go"), runtime.GOOS, runtime.GOARCH, hugePages())
}

// hugePages says whether programs get huge pages: always, when they ask (madvise), or never.
func hugePages() string {
	text, err := os.ReadFile("/sys/kernel/mm/transparent_hugepage/enabled")
	if err != nil {
		return "unknown"
	}
	_, after, _ := strings.Cut(string(text), "[")
	chosen, _, _ := strings.Cut(after, "]")
	return chosen
}
