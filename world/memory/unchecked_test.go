//go:build ecsrelease

package memory_test

const statesChecked = false
