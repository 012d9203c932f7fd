package layout

import (
	"fmt"
	"math"
	"slices"
	"sync"
)

// Foreign declares a field that was read, for example from a file, with the Name, Parts and Default
// of f. It returns an error that names the part if [NewField] could not declare the field.
func (f FieldSpec) Foreign() (*FieldSpec, error) {
	if f.Name == "" || len(f.Parts) == 0 {
		return nil, fmt.Errorf("layout: no field is %q of %d parts; give both", f.Name,
			len(f.Parts))
	}
	if err := checkParts(f.Parts); err != nil {
		return nil, fmt.Errorf("layout: no field can be %q: %w; give parts of NewField",
			f.Name, err)
	}
	made := &FieldSpec{Name: f.Name, Default: slices.Clone(f.Default), Zero: zeros(f.Default)}
	made.setParts(slices.Clone(f.Parts))
	if len(f.Default) != made.Stride {
		return nil, fmt.Errorf("layout: no field is %q: %d bytes, and %d of default; give as many",
			f.Name, made.Stride, len(f.Default))
	}
	if err := made.Check(f.Default, 0); err != nil {
		return nil, fmt.Errorf("layout: the default of %w; give one that is", err)
	}
	return made, nil
}

// checkParts returns an error if no type has these parts.
func checkParts(parts []Part) error {
	at, names := 0, make(map[string]bool, len(parts))
	for i := range parts {
		p := &parts[i]
		switch size := p.Size(); {
		case size == 0:
			return fmt.Errorf("part %s has type %q, which is no element", Quoted(p.Name), p.Type)
		case p.Lanes < 1 || p.Lanes > (MaxStride-at)/size:
			return fmt.Errorf("part %s has %d lanes, after %d bytes of %d", Quoted(p.Name), p.Lanes,
				at, MaxStride)
		case p.Offset != at || at%size != 0:
			return fmt.Errorf("part %s begins at %d, and what is before it ends at %d",
				Quoted(p.Name), p.Offset, at)
		case len(parts) > 1 && p.Name == "" || names[p.Name]:
			return fmt.Errorf("part %d has no name, or that of another, %s", i, Quoted(p.Name))
		}
		names[p.Name] = true
		at += p.Lanes * p.Size()
	}
	if align := alignment(parts); at%align != 0 {
		return fmt.Errorf("its %d bytes are no multiple of its largest element, of %d", at, align)
	}
	return nil
}

// foreign holds the numbers of foreign kinds. All worlds share them, so that loading files
// repeatedly uses no new numbers.
var foreign struct {
	sync.Mutex
	numbers []uint32
}

// Foreign declares a kind that was read, for example from a file, for one world, with the Name,
// Mark and Values of k. Worlds share the numbers of foreign kinds; places, from 0 on, distinguish
// the foreign kinds of one world. It panics like [NewKind], and if place is out of range.
func (k KindSpec) Foreign(place int, fields ...AnyField) Kind {
	if k.Name == "" {
		panic("layout: a kind needs a name; give it one")
	}
	if place < 0 || place > math.MaxUint16 {
		panic(fmt.Sprintf("layout: foreign kind %q in place %d; count places from 0 to %d",
			k.Name, place, math.MaxUint16))
	}
	foreign.Lock()
	defer foreign.Unlock()
	for len(foreign.numbers) <= place {
		foreign.numbers = append(foreign.numbers, kinds.Add(1)-1)
	}
	made := &KindSpec{
		Name: k.Name, Number: foreign.numbers[place], Mark: k.Mark, Values: k.Values,
		Place: place + 1,
	}
	made.own(fields)
	return Kind{made}
}
