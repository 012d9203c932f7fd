// Package pose attaches objects to objects: a turret to a tank, a hat to a head. An object has a
// local pose, relative to its parent, and a global pose, relative to the world, which a system
// derives from parents to children:
//
//	object    parent    local             global
//	tank      nobody    at (10, 0)        at (10, 0)
//	turret    tank      at (0, 2), ¼ turn at (10, 2), ¼ turn
//	muzzle    turret    at (3, 0)         at (10, 5), ¼ turn
//
// A pose is a position and a rotation, in the plane ([Pose2]) or in space ([Pose3]). A child's
// global pose is computed from its parent's P and its own local pose L:
//
//	position   P.position + P.rotation of L.position
//	rotation   P.rotation × L.rotation
//
// [At2] and [At3] return poses at a position; the zero pose is invalid, because its rotation has
// length 0.
//
// Rotations are a cosine and a sine, or a quaternion, of length 1, so that composing them needs
// only + − ×, and all machines compute the same bytes. [Turn2] and [Turn3] create them from angles,
// by package exact; [Facing2] and [Facing3] from directions. Rounding errors do not accumulate from
// step to step: global poses are derived from local ones, and [Rotation2.Times] and
// [Rotation3.Times], which rotate further in each step, keep the length.
//
// # Decisions
//
// Rotations are not angles because a loop over x, y and angle takes a sine and a cosine per parent
// and step. A pose has no scale: few objects need one, and all others would pay for it in each
// step, with a third more bytes, and with shear if it differs from axis to axis. Use a component
// for the size of drawn objects. Compose does not normalize rotations: products from a root down
// lose less than 2 in 10⁷ per depth, and Times normalizes the local pose.
//
// A [Pose2] is four numbers, not arrays: the compiler keeps it in registers, and inlines Compose.
//
// # Index
//
// Poses: [Pose2], [Identity2], [At2], [Pose2.Position]; [Pose3], [Identity3], [At3];
// [Pose2.Compose], [Pose2.Relative], [Pose2.Point], [Pose2.Local], [Pose2.Matrix], and the same of
// Pose3: [Pose3.Compose], [Pose3.Relative], [Pose3.Point], [Pose3.Local], [Pose3.Matrix].
//
// Rotations: [Rotation2], [Turn2], [Facing2], [Rotation2.Angle], [Rotation2.Times],
// [Rotation2.Inverse], [Rotation2.Of], [Rotation2.Unit]; [Rotation3], [Turn3], [Facing3],
// [Rotation3.Times], [Rotation3.Inverse], [Rotation3.Of], [Rotation3.Unit].
//
// In a world: [Local2], [Global2], [Update2], [Placing2], [Reparent2]; [Local3], [Global3],
// [Update3], [Placing3], [Reparent3].
package pose
