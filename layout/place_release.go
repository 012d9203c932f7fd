//go:build ecsrelease

package layout

// A place is empty: release builds do not record declarations.
type place struct{}

func (place) find() {}

func (*KindSpec) declared() string { return "a kind" }
