package main

import (
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world/record"
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

// toolCall is a message that calls a tool, with arguments as JSON.
func toolCall(name, arguments string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":{%s}}}`,
		name, arguments)
}

// TestEditsAreFramesOfARecording, by an assistant and by the page; they are undone, and a replay has
// the same worlds.
func TestEditsAreFramesOfARecording(t *testing.T) {
	path := filepath.Join(t.TempDir(), "edited")
	url, end := inspecting(t, "--inspect-edit", "--record", path)
	set := func(x int) string {
		return toolCall("edit", fmt.Sprintf(`"op":"set","object":"3","kind":"Transform",`+
			`"field":"position","values":["%d","0","0"]`, x))
	}
	look := toolCall("object", `"id":"3","at":"now"`)
	got := asked(t, url, toolCall("pause", ""), toolCall("step", `"steps":7`), set(1234), look,
		toolCall("step", `"steps":5`))
	require.NotContains(t, got, `"isError":true`)
	require.Contains(t, got, "Transform.position: [1234, 0, 0]")
	var c course
	answered(t, url+"/api/time", &c)
	edit := c.Next - 5
	status, text := post(t, url, "edit", map[string]any{"op": "dispose", "object": "4"})
	require.Equal(t, http.StatusOK, status, text)
	got = asked(t, url, toolCall("step", `"steps":3`), toolCall("back", fmt.Sprintf(
		`"frame":%d,"inputs":"same"`, edit-1)), toolCall("step", `"steps":4`), set(77), look)
	require.NotContains(t, got, `"isError":true`)
	end()
	const frames = 5 + 3 + 4 // from the first edit on
	require.Contains(t, played(t, "replay "+path), fmt.Sprintf("%d steps, and all digests are equal", edit+frames))
	at := func(frame int) string {
		return asked(t, path, toolCall("object", fmt.Sprintf(`"id":"3","at":"%d"`, frame)))
	}
	require.NotContains(t, at(edit-1), "[1234")
	require.Contains(t, at(edit), "position: [1234, 0, 0]")
	require.NotContains(t, at(edit+8), "[1234", "the edit is undone")
	require.Contains(t, asked(t, path, toolCall("object", `"id":"3","at":"now"`)), "position: [77, 0, 0]",
		"the last edit, without a step")
	require.Contains(t, asked(t, path, toolCall("object", fmt.Sprintf(`"id":"4","at":"%d"`, edit+7))), "no game object")
	from, err := record.Read(path)
	require.NoError(t, err)
	fixed := 0
	for _, w := range from.Worlds() {
		if w.Fixed {
			fixed++
		}
	}
	require.Equal(t, 1+4, fixed, "the first world, two edits, a way back, an edit")
	require.Contains(t, played(t, fmt.Sprint("replay --digest last --to ", edit+2, " ", path)), "xxh3=")
}

func TestWhereNoInspectorAnswersHelpIsGiven(t *testing.T) {
	for _, url := range []string{"http://127.0.0.1:1", "http://"} {
		var out, log shared
		in := strings.NewReader(`{"jsonrpc":"2.0","id":0,"method":"ping"}`)
		assert.Equal(t, 1, run(t.Context(), []string{"mcp", url}, streams{in, &out, &log}))
		assert.Contains(t, log.String(), "start one, such as flatecs run tanks --inspect 8080")
	}
}
