// Package glyph draws letters with a pen, at any size: ASCII, a few signs, and the Chinese
// characters that the scenes show. Every letter is a list of strokes with round ends, kept as text.
package glyph
