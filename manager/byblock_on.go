//go:build ecsblocks

package manager

// RowsByBlock reports whether kinds of recipes have their rows by block.
const RowsByBlock = true
