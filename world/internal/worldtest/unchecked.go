//go:build ecsrelease

package worldtest

// StatesChecked says whether States are checked when they are used.
const StatesChecked = false
