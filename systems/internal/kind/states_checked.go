//go:build !ecsrelease

package kind

// StatesChecked says that stale States panic.
const StatesChecked = true
