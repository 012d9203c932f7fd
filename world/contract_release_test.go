//go:build ecsrelease

package world_test

const statesChecked = false // States that were used up are not noticed
