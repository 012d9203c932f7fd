//go:build ecsrelease

package turn

// Checked says that states that were used up are not noticed.
const Checked = false
