package arena

import "github.com/flatecs/flatecs/world"

// A Match takes worlds of [Counts] from tick to tick as a [Host] does. It belongs to one goroutine.
type Match struct {
	field
	turn moves
}

// NewMatch returns a Match for worlds like s, of so many players.
func NewMatch(s world.State, players int) (*Match, error) {
	m := &Match{}
	err := m.open(s, players)
	return m, err
}

// Step takes a tick, with an input of each player. The first one makes their tanks.
func (m *Match) Step(s world.State, inputs []Input) world.State {
	m.turn.reset()
	m.find(s, nil)
	for n, in := range inputs {
		m.turn.came = append(m.turn.came, arrival{uint16(n), uint64(n)})
		m.turn.pressed = append(m.turn.pressed, press{uint16(n), in})
	}
	return m.step(world.Advance(s), &m.turn)
}

// Status returns what there is to tell of a player's tank, which there is after a step.
func (m *Match) Status(s world.State, player int) (of Status) {
	m.find(s, nil)
	own := m.players[player]
	if !world.Alive(s, own) {
		return Status{Side: -1}
	}
	of.of(s, own)
	return of
}
