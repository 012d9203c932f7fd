package harness

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"strings"
)

// A Machine is where something was measured.
type Machine struct {
	CPU       string
	Cores     int
	Go        string
	OS        string
	HugePages string
}

// ThisMachine asks the system.
func ThisMachine() Machine {
	return Machine{
		CPU:       processor(),
		Cores:     runtime.NumCPU(),
		Go:        strings.TrimPrefix(runtime.Version(), "go"),
		OS:        runtime.GOOS + "/" + runtime.GOARCH,
		HugePages: hugePages(),
	}
}

// String is one line.
func (m Machine) String() string {
	return fmt.Sprintf("%s, %d cores; Go %s, %s; huge pages: %s", m.CPU, m.Cores, m.Go, m.OS,
		m.HugePages)
}

// processor is the processor's own name, where Linux tells it.
func processor() string {
	file, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return "unknown processor"
	}
	defer func() { _ = file.Close() }()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		key, value, _ := strings.Cut(lines.Text(), ":")
		if strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "unknown processor"
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
