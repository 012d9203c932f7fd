//go:build ecsrelease

package kind

// StatesChecked says that stale States are not detected.
const StatesChecked = false
