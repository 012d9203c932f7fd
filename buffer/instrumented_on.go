//go:build race || msan || asan

package buffer

const instrumented = true // the detectors do not see mapped memory
