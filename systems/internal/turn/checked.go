//go:build !ecsrelease

package turn

// Checked: states that were used up panic.
const Checked = true
