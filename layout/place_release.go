//go:build ecsrelease

package layout

// A place is that of a declaration, which release builds do not know.
type place struct{}

func (place) find() {}

func (*KindSpec) declared() string { return "a kind" }
