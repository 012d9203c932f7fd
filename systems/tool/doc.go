// Package tool reads a world, and writes its bytes, from outside: save files, deltas, the inspector
// and tests are built on it. For debugging a game, see [FirstDifference].
//
//	systems.ArenaOf(state) ──▶ managers: rows, columns, kinds of each object
//	                           parts:    the stretches of the bytes
//	                           shape:    the room
//
//	part    truth, which decides the future   [used, from 0][never used: zeros or defaults]
//	        derived, computed from the truth
//
// It owns nothing. Readers change no byte of the world and allocate where they return lists;
// results in place are the world's memory. Writers take a State and return the next one.
//
// Bytes: [Parts], [Part], [Used]; [Buffer]; [Bytes], [Reserve], [Words], [CheckCounters].
// Values in words: [Get], [Set], [FieldNamed]; [Text], [TextNaming], [ElementText], [Number],
// [ParseText], [PlainText], [ParseList], [ParseElement], [TextError], [Distance]. Lists:
// [Elements], [SetElements], [Components.List], [Components.SetList], [RoomForLists], [ListRoom],
// [ListKinds], [LinkLists].
// Anew: [Empty], [Rebuild], [Touch], [ResetIdle], [FillNew]. Ready: [Walking], [Settled],
// [ErrUnapplied]. Check: [Verify], [FirstDifference], [Difference], [Changes], [Change].
//
// Objects by their kinds, many at once: [Groups], [Groups.Sort], [Components]; [Groups.Begin],
// [Groups.Create], [Groups.End], [CheckRoom]; [ErrTwice].
//
// Shape: [ShapeOf], [Shape], [Capacity], [MaxRows], [Memory], [ElementTypes],
// [RowsFit].
//
// Kinds: [KindNames], [NumberOf], [KindUses], [KindUse], [QualityOf], [Quality]; [Cap], [MaxIndex],
// [Mounted], [Runs]. Rows: [RowUseOf], [RowUse]: [RowUnused], [RowMounted], [RowLoose],
// [RowSuspended]; [AnyValueOf], [ValueColumn]. Objects: [MaxUID], [GameObjectAt],
// [ParseGameObject], [FindGameObject], [ValueOf], [KindsOf], [MaskOf], [FillMask],
// [ComponentsOf], [ComponentUse].
// Watchers: [WatcherUses], [WatcherUse]. Queries: [FieldsOf]. Histories: [SetResimulating]. What is
// derived outside the world: [MomentOf], [Moment].
package tool
