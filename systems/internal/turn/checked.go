//go:build !ecsrelease

package turn

// Checked says that states that were used up panic.
const Checked = true
