package systems

// What panics say of what was handed in, with the cure. As constants they keep functions that check
// small enough to be inlined.
const (
	noRecipe   = "systems: the zero Recipe spawns nothing; declare one by NewRecipe"
	noBatch    = "systems: the zero Batch is of no walk; take one that a query yields"
	noCommands = "systems: the zero Commands are of no world; get them by Record"
	noReader   = "systems: this Reader is of no world, or of one that was closed; get one by Open"
	noSnapshot = "systems: this Snapshot is nil, closed, or was not made; make one by NewSnapshot"
	noStream   = "systems: this Stream is nil; hand in the address of one of NewStream or Random"
	noRenderer = "systems: there is no Renderer to draw with; hand in one"
	lostState  = "systems: a function returned the zero State; return the one of its last call"
)

// declared returns what r is. It panics when r is the zero Recipe.
func (r Recipe) declared() *recipeSpec {
	if r.spec == nil {
		panic(noRecipe)
	}
	return r.spec
}

// made returns p. It panics when p is nil, closed, or was not made.
func (p *Snapshot) made() *Snapshot {
	if p == nil || p.arena == nil {
		panic(noSnapshot)
	}
	return p
}
