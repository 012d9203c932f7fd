package systems

// resolveReferences puts the ids of the objects that were created where recorded ids are: in fields
// that hold references and were written since the last Apply, on objects and elsewhere.
func (j *job) resolveReferences() {
	for i := range j.Managers {
		m := &j.Managers[i]
		for f, spec := range m.Kind.Fields {
			if len(spec.Refs) > 0 {
				m.Revise(f, spec.Refs, j.commands.floor, j.commands.revised)
			}
		}
	}
}

// revised returns the id that a recorded one stands for, or the id itself where that is not known.
func (b *commandBuffer) revised(id GameObject) GameObject {
	if made, known := b.find(id); known {
		return made
	}
	return id
}
