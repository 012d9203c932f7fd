// Package pose places things on things: a turret on a tank, a hat on a head. An object has a local
// pose, relative to its parent, and a global one, relative to the world, which a system derives
// from parents to children:
//
//	object    parent    local             global
//	tank      nobody    at (10, 0)        at (10, 0)
//	turret    tank      at (0, 2), ¼ turn at (10, 2), ¼ turn
//	muzzle    turret    at (3, 0)         at (10, 5), ¼ turn
//
// A pose is a position, a rotation and a scale, in the plane ([Pose2]) or in space ([Pose3]). A
// child's global pose follows from its parent's P and its own local pose L:
//
//	position   P.position + P.rotation of (P.scale × L.position)
//	rotation   P.rotation × L.rotation, of length 1
//	scale      P.scale × L.scale, per axis
//
// [At2] and [At3] make poses at a position; the zero pose is none, as its scale is 0. A pose has no
// shear. A parent whose scale differs from axis to axis would shear a child that is
// turned: the child gets the factors along its own axes instead. Its position is right. Scales that
// are the same along all axes never shear.
//
// Rotations are a cosine and a sine, or a quaternion, so that only + − × ÷ √ are needed to compose
// them: all machines come to the same bytes. [Turn2] and [Turn3] make them from angles, by those
// operations too; [Facing2] and [Facing3] from directions. Rounding does not add up from step to
// step: global poses are derived from local ones, and rotations are brought to length 1.
//
// # Decisions
//
// A pose has no shear because position, rotation and scale can be read, set, mixed and taken apart
// again, and a matrix with shear cannot. Rotations are not angles because sines differ between
// machines.
//
// # Index
//
// Poses: [Pose2], [Identity2], [At2], [Pose3], [Identity3], [At3]; [Pose2.Compose],
// [Pose2.Relative], [Pose2.Point], [Pose2.Local], [Pose2.Matrix], and the same of Pose3:
// [Pose3.Compose], [Pose3.Relative], [Pose3.Point], [Pose3.Local], [Pose3.Matrix].
//
// Rotations: [Rotation2], [Turn2], [Facing2], [Rotation2.Times], [Rotation2.Inverse],
// [Rotation2.Of], [Rotation2.Unit]; [Rotation3], [Turn3], [Facing3], [Rotation3.Times],
// [Rotation3.Inverse], [Rotation3.Of], [Rotation3.Unit].
//
// In a world: [Local2], [Global2], [Update2], [Placing2], [Reparent2]; [Local3], [Global3],
// [Update3], [Placing3], [Reparent3].
package pose
