//go:build !ecsrelease

package share_test

const statesChecked = true // writing to a State that is only read panics
