//go:build ecsrelease

package turn

// Checked: states that were used up are not noticed.
const Checked = false
