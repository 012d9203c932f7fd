package tool_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flatecs/flatecs/systems/tool"
)

func TestPlainText(t *testing.T) {
	for text, want := range map[string]string{
		"":                      "",
		"\ufeff":                "",
		"a\nb\n":                "a\nb\n",
		"\ufeffa\r\nb\rc\n\r\n": "a\nb\nc\n\n",
		"a\r\rb\r\n\rc":         "a\n\nb\n\nc",
		"a\ufeff":               "a\ufeff",
	} {
		assert.Equal(t, want, tool.PlainText(text), "%q", text)
	}
}
