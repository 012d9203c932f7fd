package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// asked passes messages on to a world, one a line, and returns the answers.
func asked(t *testing.T, world string, messages ...string) string {
	t.Helper()
	var out, log shared
	in := strings.NewReader(`{"jsonrpc":"2.0","id":0,"method":"initialize"}` + "\n" +
		strings.Join(messages, "\n"))
	require.Zero(t, run(t.Context(), []string{"mcp", world}, streams{in, &out, &log}), "%s", &log)
	return out.String()
}

// TestAnAssistantAsksByLines, of a run, a save file, which cannot step, and a recording.
func TestAnAssistantAsksByLines(t *testing.T) {
	url, end := inspecting(t)
	defer end()
	const step = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"step"}}`
	assert.Contains(t, asked(t, url, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, step),
		`"id":7,"jsonrpc":"2.0","result":{"content":[{"text":"first: 0\nnext: `)
	const edit = `{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"edit","arguments":{}}}`
	assert.Contains(t, asked(t, url, edit), "--inspect-edit")
	path := filepath.Join(t.TempDir(), "a.flat")
	require.Zero(t, playArgs("run", "cubes", "--count", "30", "--frames", "5", "--save", path).code)
	got := asked(t, path, step, strings.ReplaceAll(step, "step", "overview"))
	assert.Contains(t, got, "does not allow step")
	assert.Contains(t, got, `tick: `)
	got = asked(t, recorded(t, "run cubes --count 30 --frames 40"), step,
		`{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"why",`+
			`"arguments":{"object":"3","field":"Transform.position"}}}`)
	assert.Contains(t, got, `first: 0\nnext: 40`)
	assert.Contains(t, got, `job \"`)
}

func TestWhereNoInspectorAnswersHelpIsGiven(t *testing.T) {
	for _, url := range []string{"http://127.0.0.1:1", "http://"} {
		var out, log shared
		in := strings.NewReader(`{"jsonrpc":"2.0","id":0,"method":"ping"}`)
		assert.Equal(t, 1, run(t.Context(), []string{"mcp", url}, streams{in, &out, &log}))
		assert.Contains(t, log.String(), "start one, such as flatecs run tanks --inspect 8080")
	}
}
