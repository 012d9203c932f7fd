package inspect

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

// A page after the last one is empty, also where page×size is more than an int has room for.
func TestPagesFarBehindTheLastAreEmpty(t *testing.T) {
	for _, test := range []struct{ page, size, total, first, end, pages int }{
		{0, 50, 0, 0, 0, 0},
		{0, 50, 120, 0, 50, 3},
		{2, 50, 120, 100, 120, 3},
		{3, 50, 120, 120, 120, 3},
		{8589935, 500, 120, 120, 120, 1},
		{math.MaxInt/500 + 1, 500, 120, 120, 120, 1},
		{math.MaxInt, 2, 120, 120, 120, 60},
		{0, 500, math.MaxInt, 0, 500, math.MaxInt/500 + 1},
	} {
		p := page{Page: test.page, Size: test.size}
		first, end := p.of(test.total)
		assert.Equal(t, []int{test.first, test.end, test.pages}, []int{first, end, p.Pages}, "%+v", test)
	}
}
