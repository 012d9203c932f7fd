package kind

// Grow returns a list that has an element of a number; those that are new are zero. What a program
// declares is numbered from 0 on in the whole process; a world has a list of its own parts by those
// numbers, with holes for what it lacks:
//
//	number   0    1    2    3
//	world    a    –    c    –      its own list ends where its last part is
func Grow[T any](list []T, number uint32) []T {
	if more := int(number) + 1 - len(list); more > 0 {
		list = append(list, make([]T, more)...)
	}
	return list
}

// Sort sorts a short list; what is not less than another keeps its place.
func Sort[T any](list []T, less func(a, b T) bool) {
	for i := range list {
		for j := i; j > 0 && less(list[j], list[j-1]); j-- {
			list[j], list[j-1] = list[j-1], list[j]
		}
	}
}
