package systems

import "github.com/flatecs/flatecs/manager"

// Position is the position of an object: x, y, z in world units, 0 by default.
var Position = manager.Position

// Velocity is the velocity of an object: world units per step along each axis, 1 by default.
var Velocity = manager.Velocity

// MaxVelocity is the velocity at which the speed of a flying object is capped: world units per step
// along each axis, 10 by default. Its kind is named fly.
var MaxVelocity = manager.MaxVelocity

// Instance is the kind of the objects that are drawn in one batch. It has no data, but it has a
// uid: its row.
var Instance = manager.Instance

// lacks reports whether the world does not have all of kinds.
func (j *job) lacks(kinds ...Kind) bool {
	for _, k := range kinds {
		if j.Find(k.Spec()) == nil {
			return true
		}
	}
	return false
}

// heroQueries returns the queries of the built-in systems whose kinds the world has. The one with
// the most fields comes last.
func (j *job) heroQueries() (queries []Query) {
	if j.lacks(Position.Kind()) {
		return nil
	}
	for _, q := range [...]Query{UpdateQuery, singly, instanced, MoveQuery, FlyQuery} {
		if _, err := j.matcher(q.spec); err == nil {
			queries = append(queries, q)
		}
	}
	return queries
}
