// Package world is the portal: a client calls everything through it, and imports package layout
// besides to declare fields and kinds of its own.
//
//	client ──▶ world ──▶ systems ──▶ manager, gameobject ──▶ buffer, layout
//
//	state, err := world.CreateState(world.Counts{Positions: 1_000, Velocities: 1_000})
//	state, hero, err := world.CreateGameObject(state)
//	state, position, err := world.AddPosition(state, hero) // create and mount
//	state, velocity, err := world.AddVelocity(state, hero)
//	state = world.Move(state, position, velocity) // this hero
//	state = world.MoveAll(state)                  // every object that has both
//
// It owns no bytes. The types are those of the layers below, by alias, and the functions of
// portal.go are forwards of package systems, written by
//
//	go run ./cmd/portal
//
// after a change there; read package systems for the rules of states, ids, rows and walks, and
// for an index of all that is forwarded. A system of your own may import package systems itself.
//
// # What happens when
//
// What is written here is the order of events, in four ways that may be mixed:
//
//	calls      state = Fall(state)           in the order of the program's lines
//	Schedule   pipelines → groups → jobs     made by several modules; on several goroutines
//	Root       sets → systems → hooks        enter, first update, update, leave; see Hooks
//	Launcher   start-up steps, then stages   several lists of systems over one State
//
// A [Schedule] runs jobs, each a [Job], which list the queries that they walk, and refuses to run
// two side by side that may meet. A [Root] calls the [Hooks] of each system in one of two orders. A
// [TimedLoop] calls any of them in step with a clock that it is handed:
//
//	clock ──▶ TimedLoop.Frame ──▶ Fixed, 0 to MaxSteps times ──▶ Update, once
//
// They hold what belongs to the program: names, times, goroutines. What decides the world's
// future is in its bytes.
//
// Frames: [Init], [Frame], [Loop]. By a clock: [TimedLoop], [TimedLoop.Frame], [TimedLoop.Run],
// [TimedLoop.Start], [TimedLoop.Pause], [TimedLoop.StepOnce], [TimedLoop.Stop]; [Clock],
// [Await]. Stages: [Launcher], [Launcher.Launch], [StartUpStep], [Stage].
//
// Schedules: [NewSchedule], [Schedule], [Schedule.Register], [Schedule.Run], [Schedule.Times],
// [Schedule.AppendTimes],
// [Schedule.DOT], [JobTime]; [Pipeline], [Group], [Link], [Concat], [Merge], [Job], [Insert].
// Errors: [ErrNoPipeline], [ErrNoElement], [ErrUnplaced], [ErrPlacedTwice], [ErrCycle], [ErrJob],
// [ErrJobTwice], [ErrGroupTwice], [ErrNoGroup], [ErrInsert], [ErrSideBySide].
//
// Hooks: [Hooks], [Root], [Root.Add], [Root.Init], [Root.Update], [Root.DrawGizmos],
// [Root.Remove], [Root.Clear]; [HookOrder], [LeaveEnterUpdate], [EnterUpdateLeave]; [ErrNoHooks].
// Gizmos: [NewGizmos], [Gizmos], [LineRenderer], [ErrLines].
//
// Histories: [NewHistory], [History], [History.Record], [History.Frames], [History.Input],
// [History.SetInput], [History.Snapshot], [History.Digest], [History.Rollback],
// [History.Resimulate], [History.FirstDifference], [History.Restart]; [FrameDifference],
// [ErrFrame]. Package world/session plays one world with others.
//
// # Forwards
//
// World: [CreateState], [Counts], [State], [Clone], [Close], [Size], [Bytes], [Verify].
//
// Objects: [GameObject], [CreateGameObject], [CreateWith], [CopyGameObject],
// [DisposeGameObject], [Alive], [Live], [MaxUID], [GameObjects], [GameObjectAt], [KindsOf],
// [ParseGameObject].
// Many: [Recipe], [NewRecipe], [Spawn], [SpawnN]; [DisposeN], [DisposeAll], [AddAll],
// [RemoveAll]; [Tidy].
//
// Components of any [Kind]: [Create], [Mount], [Add], [Remove], [Dispose], [Has], [RowOf],
// [ObjectOf], [All], [MaxIndex], [Cap], [Mounted], [Buffer], [View]; [Ensure], [Renew],
// [Suspend], [AddKinds], [RemoveKinds]. Numbers and masks: [NumberOf], [KindNames], [MaskOf],
// [FillMask]. Fields: by object [Get], [Set], [Edit]; by [Row] [GetRow], [SetRow]; in loops by
// object [Open] with a [Reader], [OpenWrite] with a [Writer]. Go values: [ValueOf], [SetValue],
// [UpdateValues].
//
// Built-in kinds, each with its field, the type of its rows and its verbs:
//
//   - [PositionKind], [XYZ], [Position]: [CreatePosition], [MountPosition], [AddPosition],
//     [RemovePosition], [DisposePosition], [HasPosition], [PositionOf], [PositionAt], [SetPosition]
//   - [VelocityKind], [Speed], [Velocity]: [CreateVelocity], [MountVelocity], [AddVelocity],
//     [RemoveVelocity], [DisposeVelocity], [HasVelocity], [VelocityOf], [VelocityAt], [SetVelocity]
//   - [FlyKind], [MaxVelocity], [Flight]: [CreateFly], [MountFly], [AddFly], [RemoveFly],
//     [DisposeFly], [HasFly], [FlyOf], [MaxVelocityAt], [SetMaxVelocity]
//   - [InstanceKind], [Instance]: [CreateInstance], [MountInstance], [AddInstance],
//     [RemoveInstance], [DisposeInstance], [HasInstance], [InstanceOf]
//
// Queries: [Query], [NewQuery]; each [Term]: [Read], [Write], [Optional], [With], [Without],
// [Any], [Only], [Changed], [RowWise]. In a walk: [Batch]; [Column], [Flat].
//
// Commands: [Record], [Commands], [Put], [Replace], [Apply], [ApplyKeeping], [Applied].
//
// What enters and leaves: [NewWatcher], [Watcher], [Look], [Left], [Entered], [Members],
// [MemberCount], [Once], [Forget]; [Listen], [Listener], [Unlisten], [Notify].
//
// Tasks: [RunTasks], [Task], [Workers], [NewWorkers], [Conflict]. Ticks: [Tick], [Advance],
// [MaxTick], [Touch].
//
// One of a kind: [NewResource], [ResourceKind], [Resource], [SetResource]; [NewShared], [Shared],
// [SharedOf], [SetShared]. Random numbers: [Random], [NextRandom], [NextStream], [SetSeed];
// [Stream], [NewStream]. Names: [SetName], [CreateNamed], [Unname], [NameOf], [AppendName],
// [Named], [NameKind], [MaxName]. Events: [NewEvents], [Events], [EventCount], [EventReader],
// [Send], [EventBatch], [EventColumn], [Receive], [Received], [Unread].
//
// For tools: [KindUses], [KindUse], [QualityOf], [Quality], [RowUseOf], [RowUse]: [RowUnused],
// [RowMounted], [RowLoose], [RowSuspended]; [Runs],
// [ComponentsOf], [ComponentUse], [WatcherUses], [WatcherUse], [AnyValueOf], [TextOf], [Capacity],
// [Memory].
// Package world/inspect shows a world to a browser by them.
//
// Again and elsewhere: [NewSnapshot], [Snapshot], [Restore], [Resized], [ErrEmpty], [ErrOther];
// [Digest], [Equal], [FirstDifference], [Difference]; [Resimulating], [SetResimulating].
//
// Behaviour: [Move], [MoveAll], [MoveQuery], [Fly], [FlyAll], [FlyQuery], [Update],
// [UpdateQuery]; to a [Renderer] [RenderOneByOne], [RenderInstances].
//
// For files and tools: [Parts], [Part], [Used], [Rebuild], [Empty], [Text]; [ShapeOf], [Shape],
// [CountsOf], [CopyCounts], [MaxRows], [Walking], [CountedKinds],
// [CountedObjects], [ValueColumn], [ResetIdle], [Settled], [ErrUnapplied]; [ForeignRecipe].
//
// Errors: [Error], [ApplyError], [CommandError], [ErrContradiction]; [ErrTooMany], [ErrFull],
// [ErrDead], [ErrOutOfRange], [ErrTwice], [ErrAbsent], [ErrRemove], [ErrNoKind], [ErrWalking],
// [ErrName], [ErrCount], [ErrKinds], [ErrKindTwice], [ErrMemory], [ErrByteOrder].
package world
