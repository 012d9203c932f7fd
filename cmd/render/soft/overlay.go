package soft

// prepareMarks makes what the overlay needs and bands share.
func (c *Canvas) prepareMarks() {}

// overlayBand paints what lies over the light.
func (c *Canvas) overlayBand(band int) {}
