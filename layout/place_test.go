//go:build !ecsrelease

package layout_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flatecs/flatecs/layout"
)

// TestAClashSaysWhereBothAre: the packages and lines of the declarations, however they are called.
func TestAClashSaysWhereBothAre(t *testing.T) {
	one, two := layout.NewMark("same"), layout.NewComponent[[2]float32]("same").Kind()
	assert.Equal(t, "Two kinds have this name: a kind in github.com/flatecs/flatecs/layout_test, "+
		"place_test.go:15, and a kind of float32 × 2 in github.com/flatecs/flatecs/layout_test, "+
		"place_test.go:15; rename one, or have both places use one declaration",
		one.Spec().Clash(two.Spec()))
}
