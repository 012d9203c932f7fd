package systems

import (
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/query"
)

// Position is the position of an object: x, y, z in world units, 0 by default.
var Position = manager.Position

// Velocity is the velocity of an object: world units per step along each axis, 1 by default.
var Velocity = manager.Velocity

// MaxVelocity is the velocity from which a flying object is capped: world units per step along each
// axis, 10 by default. Its kind is named fly.
var MaxVelocity = manager.MaxVelocity

// Instance is the kind of the objects that are drawn all at once. It has no data, but a uid: its
// row.
var Instance = manager.Instance

// heroQueries returns those of the built-in systems whose kinds the world has, the one that asks
// for most last.
func (j *job) heroQueries() (queries []Query) {
	if j.Lacks(Position.Kind()) {
		return nil
	}
	for _, q := range [...]Query{UpdateQuery, singly, instanced, MoveQuery, FlyQuery} {
		if _, err := query.RulesOf(j.Arena, q.spec); err == nil {
			queries = append(queries, q)
		}
	}
	return queries
}
