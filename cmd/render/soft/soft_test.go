package soft_test

import (
	"encoding/binary"
	"image/png"
	"math"
	"math/rand/v2"
	"os"
	"syscall"
	"testing"

	"github.com/flatecs/flatecs/cmd/render"
	"github.com/flatecs/flatecs/cmd/render/soft"
)

func swarm(n int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	var b []byte
	put := func(x float64) { b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(x))) }
	for range n {
		a, d := r.Float64()*2*math.Pi, math.Abs(r.NormFloat64())
		h := r.NormFloat64() * .1 * math.Exp(-d)
		a += d * 2
		put(d * math.Cos(a) * 10)
		put(h * 10)
		put(d * math.Sin(a) * 10)
	}
	return b
}

func bench(b *testing.B, n int) {
	c := soft.New(render.Look{}, soft.Options{Width: 1280, Height: 720})
	defer c.Close()
	p := swarm(n)
	q := swarm(110)
	frame := func() {
		c.Begin()
		if os.Getenv("PICTURES") != "" {
			for i := range 100 {
				c.DrawOne(1, q[i*12:])
			}
			c.DrawLines(q[:24*20])
		}
		c.DrawInstances("instance", p)
		c.End()
	}
	frame()
	b.ReportAllocs()
	var u0, u1 syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u0)
	for b.Loop() {
		frame()
	}
	syscall.Getrusage(syscall.RUSAGE_SELF, &u1)
	b.ReportMetric(float64(u1.Utime.Nano()-u0.Utime.Nano()+u1.Stime.Nano()-u0.Stime.Nano())/1e6/float64(b.N), "cpu-ms/op")
	if dir := os.Getenv("PICTURES"); dir != "" {
		f, _ := os.Create(dir + "/" + b.Name()[9:] + ".png")
		png.Encode(f, c.Image())
		f.Close()
	}
}

func Benchmark1k(b *testing.B)   { bench(b, 1_000) }
func Benchmark10k(b *testing.B)  { bench(b, 10_000) }
func Benchmark100k(b *testing.B) { bench(b, 100_000) }
func Benchmark1M(b *testing.B)   { bench(b, 1_000_000) }
