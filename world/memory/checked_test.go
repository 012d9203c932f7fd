//go:build !ecsrelease

package memory_test

const statesChecked = true // writing to a State that is only read panics
