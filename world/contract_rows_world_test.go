package world_test

import (
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
)

// objectRows are those of objects and components.
func objectRows() []row {
	return []row{
		restructures.of("Copy", world.Copy),
		restructures.of("Tidy", world.Tidy),
		restructures.of("CreateComponent", world.CreateComponent),
		restructures.of("Mount", world.Mount).with(bare, looseMixed),
		restructures.of("Add", world.Add).with(bare),
		restructures.of("Remove", world.Remove),
		restructures.of("Suspend", world.Suspend),
		restructures.of("DisposeComponent", world.DisposeComponent).with(looseMixed),
		reads.of("Has", world.Has),
		reads.of("RowOf", world.RowOf),
		reads.of("ObjectOf", world.ObjectOf),
		reads.of("All", world.All),
		restructures.of("Ensure", world.Ensure).with(bare),
		restructures.of("Reset", world.Reset),
		restructures.of("CreateWith", world.CreateWith),
		restructures.of("Create", world.Create),
		restructures.of("Dispose", world.Dispose),
		reads.of("Alive", world.Alive),
		reads.of("GameObjects", world.GameObjects),
		pure.of("NewRecipe", world.NewRecipe),
		pure.methods("Recipe", world.Recipe{}, "With String"),
		restructures.of("Spawn", world.Spawn),
		restructures.of("SpawnN", world.SpawnN),
	}
}

// valueRows are those of values, and of commands.
func valueRows() []row {
	return []row{
		records.methods("Commands", world.Commands{}, "SpawnTree Create Spawn Copy Dispose",
			"Add Remove"),
		records.of("Record", world.Record),
		restructures.of("Apply", world.Apply),
		restructures.of("ApplyKeeping", world.ApplyKeeping),
		reads.of("Applied", world.Applied).by(unsure(func(x *exhibit, s world.State) {
			_, _ = world.Applied(s, x.full)
		})),
		pure.methods("ApplyError", (*world.ApplyError)(nil), "Unwrap Error"),
		pure.methods("CommandError", (*world.CommandError)(nil), "Unwrap Error"),
		records.of("Put", world.Put[float32]),
		reads.of("Get", world.Get[float32]),
		writes.of("Edit", world.Edit[float32]).refusing(bare),
		reads.of("GetRow", world.GetRow[float32]),
		writes.of("SetRow", world.SetRow[float32]),
		records.of("WriterOf", world.WriterOf[float32]),
		points.methods("Writer", world.Writer[float32]{}, "At AtN Must"),
		writes.of("Set", world.Set[float32]).refusing(bare),
		reads.of("ReaderOf", world.ReaderOf[float32]),
		reads.methods("Reader", world.Reader[float32]{}, "Alive Get AtN Has"),
		reads.of("View", world.View[float32]),
		reads.of("ValueOf", world.ValueOf[string]),
		writes.of("SetValue", world.SetValue[string]).refusing(bare),
	}
}

// heroRows are those of the founding chapter's portal.
func heroRows() []row {
	return []row{
		creates.of("heroes.CreateState", heroes.CreateState),
		restructures.of("heroes.CreateGameObject", heroes.CreateGameObject),
		restructures.of("heroes.CreatePosition", heroes.CreatePosition),
		restructures.of("heroes.CreateVelocity", heroes.CreateVelocity),
		restructures.of("heroes.CreateFly", heroes.CreateFly),
		restructures.of("heroes.CreateInstance", heroes.CreateInstance),
		restructures.of("heroes.SetComponent", heroes.SetComponent).with(bare, looseMixed),
		reads.of("heroes.GetPosition", heroes.GetPosition),
		writes.of("heroes.SetPosition", heroes.SetPosition),
		reads.of("heroes.GetVelocity", heroes.GetVelocity),
		writes.of("heroes.SetVelocity", heroes.SetVelocity),
		reads.of("heroes.GetMaxVelocity", heroes.GetMaxVelocity),
		writes.of("heroes.SetMaxVelocity", heroes.SetMaxVelocity),
		writes.of("heroes.Move", heroes.Move),
		writes.of("heroes.MoveAll", heroes.MoveAll),
		writes.of("heroes.Fly", heroes.Fly),
		writes.of("heroes.FlyAll", heroes.FlyAll),
		writes.of("heroes.Update", heroes.Update),
		draws.of("heroes.RenderOneByOne", heroes.RenderOneByOne),
		draws.of("heroes.RenderInstances", heroes.RenderInstances),
		passes.of("heroes.Init", heroes.Init),
		writes.of("heroes.Loop", heroes.Loop).with(heroes.MoveAll),
	}
}

// walkRows are those of queries, walks and tasks.
func walkRows() []row {
	return []row{
		reads.methods("Query", world.Query{}, "Down Up AtDepth ChildrenOf Key Kinds In Since",
			"Of Matches Objects Count First"),
		reads.methods("Batch", world.Batch{}, "Len ID AppendIDs Row"),
		restructures.methods("Query", world.Query{}, "DisposeAll RemoveAll"),
		restructures.methods("Query", world.Query{}, "AddAll").with(exhibitBare, busyMark),
		records.methods("Batch", world.Batch{}, "Dispose Spawn Add Remove"),
		pure.of("Read", world.Read),
		pure.of("Write", world.Write),
		pure.of("Optional", world.Optional),
		pure.of("With", world.With),
		pure.of("Without", world.Without),
		pure.of("Any", world.Any),
		pure.of("Only", world.Only),
		pure.of("Changed", world.Changed),
		pure.of("RowWise", world.RowWise),
		pure.of("NewQuery", world.NewQuery),
		pure.methods("Query", world.Query{}, "And String"),
		pure.methods("Term", world.Term{}, "String"),
		writes.of("RunTasks", systems.RunTasks),
		writes.methods("Pace", (*systems.Pace)(nil), "RunTasks"),
		pure.methods("PanicError", (*systems.PanicError)(nil), "Cause Error Unwrap"),
		pure.of("Conflict", systems.Conflict),
		pure.of("NewWorkers", systems.NewWorkers),
		pure.methods("Workers", (*systems.Workers)(nil), "Close SetPatience Count"),
		reads.of("Column", world.Column[float32]),

		reads.of("Gather", world.Gather[float32]),
		writes.of("Scatter", world.Scatter[float32]).with(make([]float32, 6)),
	}
}
