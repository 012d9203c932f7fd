package main

import (
	"fmt"
	"net/http"
	"strings"
	"time"
)

// A Sidecar is the URL of the program that Agones runs beside each game server.
type Sidecar string

// Say makes a call: /ready, /health or /shutdown.
func (s Sidecar) Say(call string) error {
	client := http.Client{Timeout: time.Second}
	answer, err := client.Post(string(s)+call, "application/json", strings.NewReader("{}"))
	if err != nil {
		return fmt.Errorf("sidecar: %w; run the program in an Agones fleet", err)
	}
	if err := answer.Body.Close(); err != nil || answer.StatusCode != http.StatusOK {
		return fmt.Errorf("sidecar: POST %s: %s %w", call, answer.Status, err)
	}
	return nil
}
