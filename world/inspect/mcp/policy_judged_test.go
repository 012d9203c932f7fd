package mcp_test

import (
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/hunt"
	"github.com/flatecs/flatecs/world/schedule"
)

// The games by which the policy is judged; it was written before them.

// The flight: birds fall and flap, and pass gates.
var (
	height, fall = component("height"), component("fall")
	gate, passed = component("gate"), component("passed")
	wings        = component("wings")
	bird         = world.NewRecipe("bird", height, fall, gate, passed, wings)
	birds        = world.NewQuery(world.Write(height, fall, gate, passed, wings))
)

var flight = planted{
	name: "flappy", begin: func() world.State { return with(5, bird) },
	holds: []hunt.Property{
		between(height, 0, 100), between(fall, -8, 8), between(gate, 0, 40), between(wings, 0, 3),
		between(passed, 0, 1000),
	},
	bugs: []bug{
		"no ceiling", "no floor", "flaps twice", "falls on", "gate runs away", "gate too near",
		"wings stick", "minus",
	},
	jobs: func(b bug) []schedule.Job {
		return []schedule.Job{
			do("flap", birds, func(x world.Batch, i, n, input int) {
				v, w := of(x, fall, i), of(x, wings, i)
				*w = max(*w-1, 0)
				if input>>n&1 == 0 {
					return
				}
				if *v = -6; b == "flaps twice" && *w == 2 {
					*v -= 6
				}
				if *w = 3; b == "wings stick" && *v == -6 && *of(x, height, i) > 60 {
					*w += 2
				}
			}),
			do("move", birds, func(x world.Batch, i, n, _ int) {
				h, v := of(x, height, i), of(x, fall, i)
				if *v++; b != "falls on" || n != 3 {
					*v = min(*v, 8)
				}
				*h -= *v
				if b != "no ceiling" {
					*h = min(*h, 100)
				}
				if b != "no floor" || n != 1 {
					*h = max(*h, 0)
				}
			}),
			do("scroll", birds, func(x world.Batch, i, n, _ int) {
				g, p := of(x, gate, i), of(x, passed, i)
				switch {
				case *g > 0:
					*g -= 2
				case b == "gate runs away" && *p == 3:
					*g = 44
				case b == "gate too near" && n == 4:
					*g = -4
				default:
					*g = 40
				}
				if *g == 40 {
					if *p++; b == "minus" && *p == 2 {
						*p = -1
					}
				}
			}),
		}
	},
}

// The battle: tanks drive, fire at themselves for practice, and are mended.
var (
	place, hull  = component("place"), component("hull")
	ammo, fired  = component("ammo"), component("fired")
	heat, mended = component("heat"), component("mended")
	tank         = world.NewRecipe("tank", place, hull, ammo, fired, heat, mended)
	tanks        = world.NewQuery(world.Write(place, hull, ammo, fired, heat, mended))
)

var battle = planted{
	name: "tanks", begin: func() world.State { return with(4, tank) },
	holds: []hunt.Property{
		between(place, -20, 20), between(hull, -15, 0), between(ammo, -9, 0), sum("shells", ammo, fired),
		between(heat, 0, 15),
	},
	bugs: []bug{"off the field", "too strong", "free shot", "one more", "too hot", "broken", "shell lost"},
	jobs: func(b bug) []schedule.Job {
		return []schedule.Job{
			do("drive", tanks, func(x world.Batch, i, n, input int) {
				if input&3 != n {
					return
				}
				p := of(x, place, i)
				*p += int32(input>>2&3) - 1
				if b != "off the field" || n != 2 {
					*p = max(min(*p, 20), -20)
				}
			}),
			do("fire", tanks, func(x world.Batch, i, n, input int) {
				a, h, t := of(x, ammo, i), of(x, hull, i), of(x, heat, i)
				*t = max(*t-1, 0)
				if input&3 != n || input>>4&1 == 0 || *t > 10 && b != "too hot" {
					return
				}
				if *a <= -9 && (b != "one more" || n != 0) {
					return
				}
				if *t += 5; b != "free shot" || *a != -4 {
					*a--
				}
				if b != "shell lost" || n != 3 {
					*of(x, fired, i)++
				}
				if *h -= 4; b != "broken" {
					*h = max(*h, -15)
				}
			}),
			do("mend", tanks, func(x world.Batch, i, n, input int) {
				h := of(x, hull, i)
				if input&3 == n && input>>5&1 == 1 {
					*of(x, mended, i)++
					if *h += 3; b != "too strong" {
						*h = min(*h, 0)
					}
				}
			}),
		}
	},
}
