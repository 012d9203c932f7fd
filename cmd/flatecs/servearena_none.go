//go:build js

package main

import (
	"context"
	"errors"
)

// arenaPlayers is the largest number of players in an arena.
const arenaPlayers = 0

func (*serve) arena(context.Context, streams) error {
	return errors.New("serve arena: there are no servers in a browser")
}
