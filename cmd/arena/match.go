package arena

import "github.com/flatecs/flatecs/world"

// A Match steps worlds of [Counts] like a [Host]. It belongs to one goroutine.
type Match struct {
	field
	turn moves
}

// NewMatch returns a Match for worlds like s, with the given number of players.
func NewMatch(s world.State, players int) (*Match, error) {
	m := &Match{}
	err := m.open(s, players)
	return m, err
}

// Step takes a tick with an input per player. The first tick creates their tanks.
func (m *Match) Step(s world.State, inputs []Input) world.State {
	m.turn.reset()
	m.find(s, nil)
	for n, in := range inputs {
		m.turn.came = append(m.turn.came, arrival{uint16(n), uint64(n)})
		m.turn.pressed = append(m.turn.pressed, press{uint16(n), in})
	}
	return m.step(world.Advance(s), &m.turn)
}

// Status returns the status of a player's tank. It requires a previous step.
func (m *Match) Status(s world.State, player int) (of Status) {
	m.find(s, nil)
	own := m.players[player]
	if !world.Alive(s, own) {
		return Status{Side: -1}
	}
	of.of(s, own)
	return of
}
