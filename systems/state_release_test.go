//go:build !ecsdebug

package systems_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flatecs/flatecs/systems"
)

func TestStateIsOneWord(t *testing.T) {
	assert.Equal(t, reflect.TypeFor[uintptr]().Size(), reflect.TypeFor[systems.State]().Size())
}
