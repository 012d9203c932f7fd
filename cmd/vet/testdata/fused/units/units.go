// Package units has types of its own.
package units

// Metres is a length.
type Metres float64
