package main

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
)

func Example() {
	main()
	// Output:
	// hits of the teams: [58 78]
	// 8 of 8 see their tank where the server has it
}

// The same over sockets, faster than in real time.
func TestOverUDP(t *testing.T) {
	door, links, err := overUDP(4)
	require.NoError(t, err)
	beat := time.NewTicker(10 * time.Millisecond)
	defer beat.Stop()
	var out bytes.Buffer
	require.NoError(t, play(&out, door, links, 100, beat.C, func() {}))
	assert.Contains(t, out.String(), "4 of 4 see their tank where the server has it")
}

// What a client does not see is not in its world.
func TestTanksFarAwayAreNotSent(t *testing.T) {
	door, links, err := overUDP(8)
	require.NoError(t, err)
	arena, players := NewArena(door, 8), []*Player{}
	for _, l := range links {
		players = append(players, NewPlayer(l))
	}
	idle := func(world.State, world.GameObject) byte { return 0 }
	for n := range 60 {
		time.Sleep(2 * time.Millisecond)
		arena.Tick()
		for _, p := range players {
			require.NoError(t, p.Frame(time.Duration(n)*tick, idle))
		}
	}
	for number, p := range players {
		near := 0
		for _, id := range arena.tanks {
			at, own := world.Must(world.Get(arena.state, id, Place)), start(number)
			x, y := at[0]-own[0], at[1]-own[1]
			if x*x+y*y < sight*sight {
				near++
			}
		}
		assert.Equal(t, near, world.Live(p.state), "player %d", number)
		assert.Less(t, near, 8)
	}
	require.NoError(t, door.Close())
}
