//go:build !ecsrelease

package world_test

const statesChecked = true // States that were used up panic
