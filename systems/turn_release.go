//go:build ecsrelease

package systems

const checked = false // stale States are not detected
