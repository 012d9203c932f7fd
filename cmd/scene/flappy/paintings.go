package flappy

import "math"

// sky is a sky with a sun and clouds.
func sky(x, y float64) paints {
	p := ink(skyTop).mix(ink(skyFoot), y/(floorTop-60))
	if sun := math.Hypot(x-384, y-64); sun < 230 {
		p = p.over(ink(0xfff3c4), .55*math.Exp(-sun/38))
		p = p.over(ink(0xfffbe6), inside((sun-20)/4))
	}
	for _, c := range [][3]float64{
		{64, 66, 1}, {214, 40, .7}, {318, 104, .85}, {448, 142, .6}, {150, 128, .55},
	} {
		if u, v := (x-c[0])/c[2], (y-c[1])/c[2]; math.Abs(u) < 45 && math.Abs(v) < 30 {
			p = p.over(cloud(v), .85*inside(cloudEdge(u, v)*c[2]))
		}
	}
	return p
}

// cloud is the colour of a cloud.
func cloud(y float64) paints { return ink(0xffffff).mix(ink(0xd5ecf6), (y+16)/26) }

// cloudEdge is the distance of a place from a cloud, which is flat below.
func cloudEdge(x, y float64) float64 {
	d := math.Inf(1)
	for _, puff := range [][3]float64{{-30, 3, 11}, {-13, -5, 15}, {7, -9, 18}, {27, 1, 12}} {
		d = min(d, math.Hypot(x-puff[0], y-puff[1])-puff[2])
	}
	return max(d, y-9) / 2 // soft
}

// hills is the height of a line of hills at x: a sum of waves that fit the width.
func hills(x float64, waves ...[3]float64) (high float64) {
	for _, w := range waves {
		high += float64(w[1] * math.Sin(2*math.Pi*(float64(x/width*w[0])+w[2])))
	}
	return high
}

func farHills(x, y float64) paints {
	line := 46 - hills(x, [3]float64{2, 20, .1}, [3]float64{5, 8, .4}, [3]float64{11, 3, .7})
	p := ink(0x8cc6cf).mix(ink(0xb9e0d2), (y-line)/70)
	p.a = inside(line - y)
	return p
}

func nearHills(x, y float64) paints {
	line := 34 - hills(x, [3]float64{3, 11, .2}, [3]float64{7, 5, .9})
	p := ink(0x6fbf73).mix(ink(0x4fa35f), (y-line)/36)
	p.a = inside(line - y)
	for i := range 12 { // bushes
		cx := float64(i)*width/12 + float64(14*math.Sin(float64(i)*5))
		size := 9 + float64(4*math.Sin(float64(i)*3))
		for _, wrap := range []float64{-width, 0, width} {
			dx, dy := x-cx-wrap, (y-66)*1.1
			if math.Abs(dx) > size+1 || math.Abs(dy) > size+1 {
				continue
			}
			d := math.Hypot(dx, dy) - size
			bush := ink(0x58ad62).mix(ink(0x357a4b), (y-66+size)/(size*1.4))
			p = p.over(bush, inside(d))
		}
	}
	return p
}

// ground is grass over earth; its stripes repeat every 25 pixels. The floor moves by two periods
// before it jumps back.
func ground(x, y float64) paints {
	p := ink(0xdcc58a).mix(ink(0xb9935a), (y-12)/(floorHeight-12))
	grain := math.Sin(x*2*math.Pi/25+float64(math.Sin(y*.9)*1.5)) * math.Sin(y*1.7)
	p = p.over(ink(0x9c7746), .18*max(grain, 0))
	stripe := math.Mod(x+float64(y*.8), 25) / 25
	grass := ink(0x8edc5a)
	if stripe < .5 {
		grass = ink(0x6cc24a)
	}
	grass = grass.mix(ink(0x4c9a37), (y-6)/8)
	p = p.over(ink(0x7d5f38), .5*inside(y-13.2))
	p = p.over(grass, inside(y-11))
	return p.over(ink(0x3d6f2e), inside(y-1.4))
}

// pipeBelow is a standing pipe that opens upward.
func pipeBelow(x, y float64) paints {
	const lip = 22.0
	body := box(x, y, 4, 0, pipeWidth-4, height+20, 0)
	mouth := box(x, y, .7, .7, pipeWidth-.7, lip, 3)
	p := ink(0x2b5e1e)
	p.a = inside(min(body, mouth))
	p = p.over(cylinder(x, 4, pipeWidth-4), inside(body+1.6))
	p = p.over(ink(0x1d4a14), .45*inside(body+1.6)*inside(y-lip-5)) // the mouth's shadow
	p = p.over(ink(0x2b5e1e), inside(mouth))
	p = p.over(cylinder(x, 1, pipeWidth-1), inside(mouth+1.6))
	return p.over(ink(0xe9ffc9), .5*inside(mouth+1.6)*inside(math.Abs(y-4)-1))
}

// cylinder is the light on a cylinder.
func cylinder(x, left, right float64) paints {
	t := (x - left) / (right - left)
	p := ink(0x5fa83b).mix(ink(0xb9ec7a), bump(t, .26, .17))
	p = p.mix(ink(0x2f6b22), math.Pow(max(t-.45, 0)/.55, 1.4))
	return p.over(ink(0xffffff), .5*bump(t, .2, .035))
}

// bump is 1 at the middle, and falls off on both sides.
func bump(t, middle, wide float64) float64 {
	t = (t - middle) / wide
	return math.Exp(-t * t)
}

func panel(x, y float64) paints {
	d := box(x, y, 2, 2, 258, 90, 14)
	p := ink(0x5b4630)
	p.a = inside(d) * .95
	return p.over(ink(0xfff6dc).mix(ink(0xf2dfa9), y/92), inside(d+2.5))
}

// birdClip is the bird with its wing up, level, down or level again.
func birdClip(clip int) func(x, y float64) paints {
	wing := []float64{-.75, 0, .75, 0}[clip]
	sin, cos := math.Sincos(wing)
	return func(x, y float64) paints {
		body, beak := ellipse(x, y, 16, 13.5, 13.2, 10.2), ellipse(x, y, 28, 15.5, 4.4, 3.7)
		eye := math.Hypot(x-22, y-8.6)
		// The wing turns about its root.
		u := float64((x-13)*cos) + float64((y-14)*sin)
		v := float64((y-14)*cos) - float64((x-13)*sin)
		light := math.Hypot(x-12, y-6) / 22
		dark, white := ink(0x51371c), ink(0xffffff)

		p := paints{}.over(dark, inside(min(body, beak)-1.3))
		p = p.over(ink(0xffe96b).mix(ink(0xf59a23), light*light), inside(body))
		p = p.over(ink(0xfff3c9), .8*inside(max(body, ellipse(x, y, 17, 22, 12, 7))))
		p = p.over(ink(0xff7a3d).mix(ink(0xd94f22), (y-12)/7), inside(beak))
		slit := math.Abs(y-15.8-float64((x-28)*.06)) - .5
		p = p.over(ink(0x8f2f14), inside(max(slit, 24.5-x, x-32)))
		p = p.over(dark, inside(eye-4.9)).over(white, inside(eye-4))
		p = p.over(ink(0x20160d), inside(math.Hypot(x-23.4, y-8.8)-1.9))
		p = p.over(white, inside(math.Hypot(x-22.7, y-8)-.7))
		p = p.over(dark, inside(ellipse(u, v, -5, 0, 8, 5)))
		return p.over(ink(0xfff2b0).mix(ink(0xf7b53a), (v+4)/8),
			inside(ellipse(u, v, -5, 0, 6.8, 3.8)))
	}
}
