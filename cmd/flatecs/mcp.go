package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// askWorld is the command that connects an assistant to a world: it passes messages, one per line,
// to an inspector.
type askWorld struct {
	World string `arg:"" help:"${askedworld}"`
}

// Run passes on the assistant's messages until its input ends.
func (c *askWorld) Run(ctx context.Context, s streams) error {
	if strings.Contains(c.World, "://") {
		return passOn(ctx, c.World, s)
	}
	const most = 1 << 20 // objects of a recording
	f := fileInspect{File: c.World, Addr: "127.0.0.1:0", Most: most}
	f.use = func(ctx context.Context, url string) error { return passOn(ctx, url, s) }
	return f.Run(ctx, s)
}

var errNoInspector = errors.New("no inspector answers there; start one, such as " +
	"flatecs run tanks --inspect 8080, and give http://127.0.0.1:8080")

// passOn posts each line to the inspector at a URL, and prints the answers.
func passOn(ctx context.Context, address string, s streams) error {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return fmt.Errorf("%.200q: %w", address, errNoInspector)
	}
	u.Path, u.Fragment = "/debug/ecs/mcp", ""
	const header, maxLine = "Mcp-Session-Id", 1 << 20
	session := ""
	lines := bufio.NewScanner(s.in)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, u.String(),
			bytes.NewReader(lines.Bytes()))
		if err != nil {
			return err
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set(header, session)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			return fmt.Errorf("%w: %w", errNoInspector, err)
		}
		session = cmp.Or(answer.Header.Get(header), session)
		text, err := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		if err == nil && answer.StatusCode >= http.StatusBadRequest {
			err = fmt.Errorf("%s: %s: %s", u, answer.Status, text)
		}
		if err == nil {
			_, err = s.out.Write(text)
		}
		if err != nil {
			return err
		}
	}
	return lines.Err()
}
