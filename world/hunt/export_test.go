package hunt

// SetRoom sets how many bytes of finds a Dir may still read.
func SetRoom(d *Dir, bytes int) { d.room = bytes }
