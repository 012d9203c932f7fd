module github.com/flatecs/flatecs/bench

go 1.26.0

require (
	github.com/alecthomas/kong v1.17.0
	github.com/flatecs/flatecs v0.0.0
	github.com/flatecs/flatecs/cmd v0.0.0
	github.com/go-gl/mathgl v1.2.0
	github.com/klauspost/cpuid/v2 v2.4.2
	github.com/mlange-42/ark v0.8.3
	github.com/stretchr/testify v1.12.1
	github.com/unitoftime/ecs v0.0.3
	golang.org/x/sys v0.50.0
	gonum.org/v1/gonum v0.17.0
)

require (
	github.com/klauspost/compress v1.20.4 // indirect
	github.com/unitoftime/cod v0.0.0-20240909130117-f553b1d09d22 // indirect
	github.com/zeebo/xxh3 v1.1.0 // indirect
	go.yaml.in/yaml/v3 v3.0.6 // indirect
)
