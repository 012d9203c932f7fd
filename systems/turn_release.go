//go:build ecsrelease

package systems

const checked = false // States that were used up are not noticed
