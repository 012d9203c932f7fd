// Package vectors has tests alone: types of other modules as components, as their authors made
// them. A column of positions is a []mgl32.Vec3 then, and systems use its methods.
package vectors
