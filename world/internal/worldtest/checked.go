//go:build !ecsrelease

package worldtest

// StatesChecked says whether States are checked when they are used.
const StatesChecked = true // writing to a State that is only read panics
