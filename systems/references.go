package systems

// resolveReferences replaces recorded ids by the ids of the created objects, in all fields with
// references that were written since the last Apply.
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

// revised returns the object created for a recorded id, or the id itself if it is not known.
func (b *commandBuffer) revised(id GameObject) GameObject {
	if made, known := b.find(id); known {
		return made
	}
	return id
}
