package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
)

// A File is a mod: its declarations in order, and trees in the format of family.ParseTrees.
type File struct {
	Kinds []struct {
		Name   string
		Fields []Field // empty: a mark
	}
	Recipes []struct {
		Name  string
		Kinds []string
	}
	Trees []string // lines
}

// A Field is a field of a kind.
type Field struct {
	Name    string
	Parts   []layout.Part // at most one without a name; offsets are computed
	Default string        // in the format of tools; empty: zeros
}

// Kinds are the kinds, recipes and trees of all mods. A refused file does not change them.
type Kinds struct {
	list    []layout.Kind
	recipes []world.Recipe
	names   []string // of recipes
	trees   string
}

// Read adds the kinds, recipes and trees of a file.
func (k *Kinds) Read(files fs.FS, name string) error {
	text, err := fs.ReadFile(files, name)
	if err != nil {
		return err
	}
	var file File
	if err := json.Unmarshal([]byte(tool.PlainText(string(text))), &file); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	next := Kinds{slices.Clone(k.list), slices.Clone(k.recipes), slices.Clone(k.names), k.trees}
	if err := next.add(&file); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	*k = next
	return nil
}

func (k *Kinds) add(file *File) error {
	for _, kind := range file.Kinds {
		if kind.Name == "" || k.Named(kind.Name) != (layout.Kind{}) {
			return fmt.Errorf("a kind is named %q: the name is empty or taken", kind.Name)
		}
		var fields []layout.AnyField
		for _, f := range kind.Fields {
			made, err := f.declare()
			if err != nil {
				return fmt.Errorf("kind %q: %w", kind.Name, err)
			}
			if slices.ContainsFunc(fields, func(g layout.AnyField) bool {
				return g.Spec().Name == f.Name
			}) {
				return fmt.Errorf("kind %q has two fields %q", kind.Name, f.Name)
			}
			fields = append(fields, made)
		}
		spec := layout.KindSpec{Name: kind.Name, Mark: len(fields) == 0}
		k.list = append(k.list, spec.Foreign(len(k.list), fields...))
	}
	for _, recipe := range file.Recipes {
		if recipe.Name == "" || slices.Contains(k.names, recipe.Name) {
			return fmt.Errorf("a recipe is named %q: the name is empty or taken", recipe.Name)
		}
		var kinds []layout.AnyKind
		for _, name := range recipe.Kinds {
			kind := k.Named(name)
			if kind == (layout.Kind{}) || slices.Contains(kinds, layout.AnyKind(kind)) {
				return fmt.Errorf("recipe %q: kind %q is unknown or given twice", recipe.Name, name)
			}
			kinds = append(kinds, kind)
		}
		k.names = append(k.names, recipe.Name)
		kinds = append(kinds, family.ChildOf)
		k.recipes = append(k.recipes, world.NewRecipe(recipe.Name, kinds...))
	}
	for _, line := range file.Trees {
		k.trees += line + "\n"
	}
	return nil
}

// declare returns the field that f describes.
func (f *Field) declare() (*layout.FieldSpec, error) {
	at := 0
	for i := range f.Parts {
		f.Parts[i].Offset = at
		f.Parts[i].Lanes = min(max(f.Parts[i].Lanes, 1), layout.MaxStride+1)
		at += f.Parts[i].Lanes * f.Parts[i].Size()
		if at > layout.MaxStride {
			return nil, fmt.Errorf("field %q takes more than %d bytes", f.Name, layout.MaxStride)
		}
	}
	spec := layout.FieldSpec{Name: f.Name, Parts: f.Parts, Default: make([]byte, at)}
	made, err := spec.Foreign()
	if err != nil || f.Default == "" {
		return made, err
	}
	if err := tool.ParseText(spec.Default, made, f.Default, noReferences); err != nil {
		return nil, err
	}
	return spec.Foreign()
}

// noReferences resolves ids in defaults.
func noReferences(string, int, int) (world.GameObject, error) {
	return 0, errors.New("a default refers to nobody; omit the id")
}

// Named returns the kind called name, or the zero Kind.
func (k *Kinds) Named(name string) layout.Kind {
	for _, kind := range k.list {
		if kind.String() == name {
			return kind
		}
	}
	return layout.Kind{}
}

// Counts returns counts with all kinds, and with the program's.
func (k *Kinds) Counts(own ...layout.Countable) world.Counts {
	counts := world.Counts{Kinds: layout.Kinds(own...), Recipes: k.recipes}
	for _, kind := range k.list {
		counts.Kinds = append(counts.Kinds, layout.Kinds(kind)...)
	}
	return counts
}

// Trees returns the trees of all mods by name.
func (k *Kinds) Trees(counts world.Counts) (map[string]family.Tree, error) {
	list, err := family.ParseTrees(k.trees, counts)
	trees := map[string]family.Tree{}
	for _, t := range list {
		trees[t.Name] = t
	}
	return trees, err
}
