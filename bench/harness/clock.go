package harness

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/klauspost/cpuid/v2"
)

// overhead returns the time between two consecutive readings of the thread's clock.
func overhead() time.Duration {
	times := make([]float64, 1001)
	for i := range times {
		start := ThreadTime()
		times[i] = float64(ThreadTime() - start)
	}
	return time.Duration(Median(times))
}

// Resident returns the resident memory of this process on Linux in bytes, after free memory was
// returned: the second field of /proc/self/statm. It returns 0 on other hosts.
func Resident() uint64 {
	debug.FreeOSMemory()
	text, _ := os.ReadFile("/proc/self/statm")
	var all, resident uint64
	_, _ = fmt.Sscan(string(text), &all, &resident)
	return resident * uint64(os.Getpagesize())
}

// machine describes the machine in a line, with its setting for huge pages (always, madvise or
// never), and the commit, which is marked dirty if files differ from it.
var machine = sync.OnceValue(func() string {
	pages, _ := os.ReadFile("/sys/kernel/mm/transparent_hugepage/enabled")
	_, after, _ := strings.Cut(string(pages), "[")
	huge, _, _ := strings.Cut(after, "]")
	commit, _ := exec.Command("git", "describe", "--always", "--dirty", "--exclude=*").Output()
	return fmt.Sprintf("%s, %d cores; Go %s, %s/%s; huge pages: %s; commit %s", cpuid.CPU.BrandName,
		runtime.NumCPU(), strings.TrimPrefix(runtime.Version(), "go"), runtime.GOOS, runtime.GOARCH,
		huge, strings.TrimSpace(string(commit)))
})
