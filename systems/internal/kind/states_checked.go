//go:build !ecsrelease

package kind

// StatesChecked says that States that were used up panic.
const StatesChecked = true
