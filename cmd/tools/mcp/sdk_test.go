// Package mcp has the official Go SDK of the Model Context Protocol ask a running program. The SDK is
// in this module, so that neither the library nor flatecs has its modules.
package mcp

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"
)

// running builds flatecs, runs a scene, and returns the program and the inspector's address.
func running(t *testing.T) (flatecs, url string) {
	t.Helper()
	flatecs = filepath.Join(t.TempDir(), "flatecs")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", flatecs, "./flatecs")
	build.Dir, build.Env = "../..", append(os.Environ(), "GOWORK=", "GOFLAGS=")
	text, err := build.CombinedOutput()
	require.NoError(t, err, "%s", text)
	run := exec.CommandContext(t.Context(), flatecs, "run", "cubes", "--count", "30", "--render", "none",
		"--inspect", "0", "--inspect-edit")
	log, err := run.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, run.Start())
	t.Cleanup(func() { _ = run.Wait() }) // the context ends it
	address := regexp.MustCompile(`http://127\.0\.0\.1:\d+/debug/ecs`)
	lines := bufio.NewScanner(log)
	for url == "" && lines.Scan() {
		url = address.FindString(lines.Text())
	}
	require.NotEmpty(t, url)
	go func() {
		for lines.Scan() {
		}
	}()
	return flatecs, url
}

// TestTheOfficialClientAsks, over HTTP and by a program's lines: it lists the tools, whose schemas it
// takes, calls them, and is told what it did wrong.
func TestTheOfficialClientAsks(t *testing.T) {
	flatecs, url := running(t)
	for name, transport := range map[string]mcp.Transport{
		"HTTP":  &mcp.StreamableClientTransport{Endpoint: url + "/mcp"},
		"lines": &mcp.CommandTransport{Command: exec.Command(flatecs, "mcp", strings.TrimSuffix(url, "/debug/ecs"))},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
			session, err := client.Connect(ctx, transport, nil)
			require.NoError(t, err)
			require.Contains(t, session.InitializeResult().Instructions, "Begin with overview")
			require.NoError(t, session.Ping(ctx, nil))
			tools, err := session.ListTools(ctx, nil)
			require.NoError(t, err)
			named := map[string]*mcp.Tool{}
			for _, tool := range tools.Tools {
				named[tool.Name] = tool
			}
			require.True(t, named["objects"].Annotations.ReadOnlyHint)
			require.Contains(t, named, "edit")
			call := func(tool string, arguments map[string]any) (string, bool) {
				answer, err := session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: arguments})
				require.NoError(t, err)
				require.Len(t, answer.Content, 1)
				return answer.Content[0].(*mcp.TextContent).Text, answer.IsError
			}
			text, failed := call("overview", nil)
			require.False(t, failed, text)
			require.Contains(t, text, "objects: {alive: 3")
			text, failed = call("step", map[string]any{"steps": 3})
			require.False(t, failed, text)
			text, failed = call("object", map[string]any{"id": "1000"})
			require.True(t, failed)
			require.Contains(t, text, "no game object")
			_, err = session.CallTool(ctx, &mcp.CallToolParams{Name: "rm"})
			require.ErrorContains(t, err, `there is no tool "rm"`)
			require.NoError(t, session.Close())
		})
	}
}
