package systems

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// besideClasses says of all that a world is in memory why other bytes do not make it wrong: whole
// structs, or the fields of a struct. Names of the list beside are forgotten by arrive. The others:
//
//	bytes     a view of the bytes, or a copy of some of them
//	shape     follows from the counts, which no way in changes
//	work      working memory, without meaning between two calls
//	program   the program's: what it recorded, listens to, or has set
//	checked   valid if a number next to it is the current one, and that is among versions
var besideClasses = map[string]string{
	"systems.job": "bytes: world finding; shape: guard; past: past; commands: records; shown: lent; " +
		"work: part walks sets planting side made given; program: watchers again",
	"systems.world":    "bytes: arena; shape: kinds pools plans kin orders fixtures; commands: recorded",
	"systems.records":  "commands: commands; shape: kinds; work: parent unfilled",
	"systems.planting": "work",
	"systems.Snapshot": "bytes: arena; commands: commands; shape: fixtures; program: watchers; " +
		"checked: view taken base",
	"systems.fixtures": "shape: counts resources rings readers; work: searches",
	"systems.watch":    "bytes: Watcher; shape: slot called; program: listeners; work: open",
	"systems.listener": "program",
	"systems.pools":    "shape",
	"systems.part":     "work",
	"systems.side":     "work",
	"systems.claims":   "work", "systems.claim": "work",
	"systems.finding": "bytes", "systems.madeBlock": "work", "systems.filled": "work",
	"manager.freed": "work",
	"manager.Heap":  "bytes: Elements owners heads; shape: Field Chunk stride column rows free",

	"systems.Counts": "shape", "systems.EventCount": "shape", "systems.EventReader": "shape",
	"systems.Events": "shape", "systems.Query": "shape", "systems.Recipe": "shape",
	"systems.ResourceKind": "shape", "systems.Watcher": "shape", "systems.eventsSpec": "shape",
	"systems.readerSpec": "shape", "systems.recipeSpec": "shape", "systems.watcherSpec": "shape",
	"systems.lasting": "shape", "systems.cursors": "shape",

	"command.Buffer": "program: commands base used last; shape: refusal; work: shapes Leaving; " +
		"commands: Births floor",
	"command.Births":  "shape: own; commands: here tasks",
	"command.openRun": "program", "command.shape": "work", "command.setter": "work",
	"command.origin": "commands: made last; program: first recorded kept",

	"kin.World": "shape: a lists memory cascades disabled; work: doomed dying queue blocks root place roots",
	"kin.Lists": "shape: RelationSpec Referrers; work: followed staying; checked: levels",
	"kin.levels": "shape: of; versions: Guard; work: depth target held; " +
		"checked: level above ends deep",
	"index.Referrers": "checked: Guard targets lists notes",
	"index.notes":     "versions: known; checked: changes limit stale",
	"index.targets":   "shape: m field; versions: shape; checked: targeted filled target held objects",
	"index.lists":     "shape: m order; checked: parents start end referrers ages listing top sorted",
	"index.noted":     "checked",
	"index.World":     "shape: arena tables; work: lock",
	"index.Guard":     "shape: M; work: Lock; versions: settled; checked: valid",
	"index.Table":     "shape: Guard memory room; work: spare; checked: column chains tree waiting",
	"index.column": "shape: m arena keys; work: rows left; versions: written reshaped replaced; " +
		"checked: tick copied owners mounted high",
	"index.keys": "shape", "index.tree": "checked", "index.chains": "checked",
	"index.bucket": "checked", "index.waiting": "checked", "index.pairs": "work",

	"kin.Root": "work", "kin.Seed": "work", "kin.Beside": "work",

	"manager.Arena": "bytes: Bytes Objects Managers Watchers Tick kinds eights registry recipes; " +
		"shape: Places Watches Words memory bare found sizes list; " +
		"versions: Replaced",
	"manager.recipes": "shape: list; bytes: turnBase spawned",
	"manager.Place":   "shape", "manager.partList": "shape",
	"manager.Manager": "bytes: Blocks Rows Stamps Keys Data Objects count; " +
		"shape: Kind Places Packed watches heard; work: freed",
	"manager.Blocks": "bytes: list bases pages kinds Groups rows; shape: base livesBase",
	"manager.Rows": "bytes: count objects links mounted homes registry; " +
		"shape: objectBase mountedBase homeBase fixed kind",
	"manager.Stamps": "bytes: tick count list rows; shape: base arena bit; " +
		"versions: Written reshaped wrote moved",
	"manager.Data": "bytes: Columns Values Heaps bytes rows; shape: apart lazy ready only base value memory",
	"manager.Keys": "bytes: slots count column rows stamps", "manager.pages": "bytes",
	"manager.Watcher": "bytes: Objects record generations former blocks touched reported count; " +
		"shape: watch last",
	"manager.keeper": "shape: Keep fields values gone left; work: found first",
	"manager.Watch":  "shape", "manager.Match": "shape", "manager.Part": "shape",
	"manager.Sizes": "shape", "manager.Keep": "shape", "manager.kindMask": "bytes",
	"manager.recipe":      "shape: managers mask together; checked: lacks; versions: turned objects",
	"manager.blockRecord": "bytes", "manager.Group": "bytes",
	"manager.counters":    "bytes",
	"manager.keyCounters": "bytes", "manager.pageCounters": "bytes", "manager.watchBlock": "bytes",
	"manager.watchCount": "bytes", "manager.watchRecord": "bytes",
	"gameobject.Registry": "bytes: Views; shape: Touched",
	"gameobject.Views":    "bytes", "gameobject.Counters": "bytes", "gameobject.Pool": "bytes",
	"gameobject.Group": "bytes",
	"systems.ring":     "bytes: rows cursors sent oldest; program: keepers", "systems.EventKeeper": "program",
	"systems.ringReader": "bytes",

	"walk.Walks": "shape: Objects; work: From To Depth Writes Part slots",
	"walk.Walk":  "work: plan walks since batch out ended next joined audit order",
	"walk.Batch": "work: Plan Turn content objects present row rows blocks scratch; " +
		"checked: above",
	"walk.above": "work: tree roots targets values used parents rows list; " +
		"checked: stepping together",
	"walk.stepping": "checked: step plan of seen valid all; versions: version",
	"walk.together": "checked: m of asked base ok; versions: version",
	"query.Plans":   "shape", "query.Plan": "shape", "query.Column": "shape", "query.few": "shape",
	"query.Written": "work", "query.written": "work", "walk.gaps": "work", "walk.listed": "work",
	"walk.audit": "work", "walk.nanCheck": "work", "walk.content": "work",

	"manager.Past": "past", "manager.Base": "checked", "manager.cut": "past", "manager.seen": "past",
	"manager.Lent": "shown", "manager.lentColumn": "shown",
	"names.Lists": "work", "names.named": "work",
	"kind.Table": "bytes: Arena; shape: OnObjects Relations", "kind.set": "shape",
	"kind.Sets":     "shape",
	"systems.guard": "program",
	"structure.Pool": "shape: Name Place Relates Plain Number managers places values lists " +
		"home others given; work: rows elements",
	"work.Set": "work", "structure.Streak": "work", "structure.Leaving": "work",
	"structure.poolValue": "shape", "structure.given": "shape",
	"query.Spec": "shape", "query.Term": "shape",
}

// TestEverythingBesideTheBytesIsNamed finds a field that was added without saying what other bytes
// do to it.
func TestEverythingBesideTheBytesIsNamed(t *testing.T) {
	known := []string{"bytes", "shape", "work", "program", "checked"}
	used := map[string]bool{}
	for i := range besideBytes {
		known = append(known, besideBytes[i].name)
	}
	for name, of := range structsBeside() {
		classes, ok := besideClasses[name]
		if !ok {
			t.Errorf("%s lies beside a world's bytes; say in besideClasses what other bytes do to it: "+
				"if it becomes wrong, forget it in besideBytes", name)
		}
		classOf, whole := map[string]string{}, !strings.Contains(classes, ":")
		for list := range strings.SplitSeq(classes, ";") {
			class, fields, _ := strings.Cut(strings.TrimSpace(list), ":")
			require.Contains(t, known, class, name)
			used[class] = true
			for f := range strings.FieldsSeq(fields) {
				_, ok := of.FieldByName(f)
				require.True(t, ok, "%s has no field %s any more", name, f)
				classOf[f] = class
			}
		}
		for field := range of.Fields() {
			if f := field.Name; !whole && classOf[f] == "" {
				t.Errorf("%s.%s lies beside a world's bytes; say in besideClasses what other bytes do "+
					"to it: if it becomes wrong, forget it in besideBytes", name, f)
			}
		}
	}
	for _, class := range known {
		require.True(t, used[class], "%q forgets nothing", class)
	}
}

// structsBeside returns the structs of the library that a world consists of in memory. Those of
// packages below systems are fixed when the program declares them, or hold bytes.
func structsBeside() map[string]reflect.Type {
	const ours = "github.com/flatecs/flatecs/"
	found := map[string]reflect.Type{}
	var visit func(t reflect.Type)
	visit = func(t reflect.Type) {
		switch t.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
			visit(t.Elem())
		case reflect.Struct:
			pkg, isOurs := strings.CutPrefix(t.PkgPath(), ours)
			name := pkg[strings.LastIndexByte(pkg, '/')+1:] + "." + t.Name()
			pointer := strings.HasPrefix(t.String(), "atomic.Pointer[")
			if found[name] != nil || !isOurs && !pointer ||
				slices.Contains([]string{"layout", "buffer", "unsafeutil"}, pkg) {
				return
			}
			if isOurs && name != "command.command" {
				found[name] = t
			}
			for field := range t.Fields() {
				visit(field.Type)
			}
		}
	}
	visit(reflect.TypeFor[job]())
	visit(reflect.TypeFor[Snapshot]())
	return found
}

// TestEveryWayInForgets: a function that replaces the bytes of an arena calls arrive.
func TestEveryWayInForgets(t *testing.T) {
	files := sure(os.ReadDir("."))
	ways := map[string]bool{}
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		parsed := sure(parser.ParseFile(token.NewFileSet(), f.Name(), nil, 0))
		for _, d := range parsed.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && replaces(f) {
				ways[f.Name.Name] = slices.ContainsFunc(calls(f), func(c string) bool {
					return strings.HasSuffix(c, ".arrive")
				})
			}
		}
	}
	require.Equal(t, map[string]bool{
		"Take": true, "Restore": true, "RestoreFrom": true, "clone": true, "Resized": true,
		"Renewed": true, "Derived": true,
	}, ways)
}

// replaces reports whether a function calls a method of an arena that replaces its bytes.
func replaces(f *ast.FuncDecl) bool {
	return slices.ContainsFunc(calls(f), func(c string) bool {
		of, method, _ := strings.Cut(c, ".")
		switch method {
		case "Adopt", "Rebuild":
			return true
		case "CopyFrom", "Empty":
			return of != "commands"
		case "Clone":
			return of == "arena"
		}
		return false
	})
}

// calls returns the methods that a function calls, each behind the last name of its receiver.
func calls(f *ast.FuncDecl) (list []string) {
	ast.Inspect(f, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if x, ok := call.Fun.(*ast.SelectorExpr); ok {
				of := ""
				switch x := x.X.(type) {
				case *ast.Ident:
					of = x.Name
				case *ast.SelectorExpr:
					of = x.Sel.Name
				}
				list = append(list, of+"."+x.Sel.Name)
			}
		}
		return true
	})
	return list
}
