//go:build !race && !msan && !asan

package buffer

const instrumented = false
