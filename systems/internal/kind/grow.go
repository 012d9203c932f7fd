package kind

// Grow returns a list that has an element with the given number; new elements are zero. A program's
// declarations are numbered from 0 in the whole process; a world has a list by these numbers, with
// holes for the declarations that it lacks:
//
//	number   0    1    2    3
//	world    a    –    c    –      its list ends with its last part
func Grow[T any](list []T, number uint32) []T {
	if more := int(number) + 1 - len(list); more > 0 {
		list = append(list, make([]T, more)...)
	}
	return list
}

// Sort sorts a short list. It is stable.
func Sort[T any](list []T, less func(a, b T) bool) {
	for i := range list {
		for j := i; j > 0 && less(list[j], list[j-1]); j-- {
			list[j], list[j-1] = list[j-1], list[j]
		}
	}
}
