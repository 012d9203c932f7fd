//go:build js

package main

import "errors"

// join is the command that plays in an arena that is served.
type join struct {
	URL string `arg:"" help:"Address of the arena, as serve arena prints it."`
}

// Run says that there is no terminal.
func (*join) Run() error { return errors.New("join: there is no terminal in a browser") }
