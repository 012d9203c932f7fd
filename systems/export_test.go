package systems

// Beside returns the names of the list of what lies beside a world's bytes.
func Beside() (names []string) {
	for i := range beside {
		names = append(names, beside[i].name)
	}
	return names
}
