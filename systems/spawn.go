package systems

import (
	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/systems/internal/dense"
	"github.com/flatecs/flatecs/systems/internal/kind"
	"github.com/flatecs/flatecs/systems/internal/structure"
	"github.com/flatecs/flatecs/systems/internal/walk"
)

// addRecipes resolves the kinds of the world's recipes.
func (j *job) addRecipes() error {
	for i, r := range j.counts.Recipes {
		spec := r.declared()
		p, err := structure.NewPool(j.Arena, i, spec.name, spec.kinds, spec.values)
		if err != nil {
			return placed("recipe "+spec.name, err, "")
		}
		j.pools.numbered = dense.Grow(j.pools.numbered, spec.number)
		j.pools.numbered[spec.number] = p
		j.pools.counted = append(j.pools.counted, p)
	}
	return nil
}

// pool returns the pool of a recipe. It panics if the world does not know the recipe.
func (j *job) pool(r Recipe) *structure.Pool {
	if int(r.declared().number) < len(j.pools.numbered) {
		if p := j.pools.numbered[r.spec.number]; p != nil {
			return p
		}
	}
	if j.Closed {
		panic(kind.Closed)
	}
	panic("flatecs: this world has no recipe " + r.spec.name + "; add it to Counts.Recipes")
}

// Spawn creates an object with the kinds and values of a recipe. The error wraps [ErrTooMany],
// [ErrFull] or [ErrWalking]. It panics if the world does not know the recipe.
func Spawn(s State, r Recipe) (State, GameObject, error) {
	j := s.use()
	p := j.pool(r)
	if err := j.roomFor(p, 1); err != nil {
		return s, gameobject.Nobody, err
	}
	id, ok := p.Spawn(j.Arena)
	if !ok {
		return s, gameobject.Nobody, j.Refuse(ErrTooMany, id)
	}
	return s.done(), id, nil
}

// SpawnN spawns n objects, or none if it returns an error. It calls fill, which may be nil, with
// each batch of new objects, to set fields of the recipe's kinds. The error wraps [ErrTooMany],
// [ErrFull], [ErrWalking], or [ErrCount] for a negative n.
func SpawnN(s State, r Recipe, n int, fill func(Batch)) (State, error) {
	j := s.use()
	p := j.pool(r)
	if err := j.roomFor(p, n); err != nil {
		return s, err
	}
	if fill == nil {
		p.SpawnN(j.Arena, n, func(uint32, uint64) {})
		return s.done(), nil
	}
	w := j.open(r.spec.fields, 0)
	defer w.Close()
	show := func(w *walk.Walk) bool {
		fill(Batch{w, j})
		return true
	}
	p.SpawnN(j.Arena, n, func(block uint32, x uint64) { w.Collect(block, x, show) })
	w.Flush(show)
	return s.done(), nil
}

// roomFor returns an error when there is no room for n objects of a pool, or a walk is open.
func (j *job) roomFor(p *structure.Pool, n int) error {
	if j.fixed() {
		return ErrWalking
	}
	return p.CheckRoom(j.Arena, n)
}
