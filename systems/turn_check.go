//go:build !ecsrelease

package systems

const checked = true // States that were used up panic
