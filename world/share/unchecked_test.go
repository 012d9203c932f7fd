//go:build ecsrelease

package share_test

const statesChecked = false
