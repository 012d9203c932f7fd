//go:build race || msan || asan

package buffer

const instrumented = true // what is mapped would not be looked at
