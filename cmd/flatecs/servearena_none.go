//go:build js

package main

import (
	"context"
	"errors"
)

// arenaPlayers is how many may play in an arena, bots among them.
const arenaPlayers = 0

func (*serve) arena(context.Context, streams) error {
	return errors.New("serve arena: there are no servers in a browser")
}
