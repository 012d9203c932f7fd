//go:build !ecsrelease

package systems

const checked = true // stale States panic
