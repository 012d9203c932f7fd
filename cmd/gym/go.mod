// Module gym serves games to learning agents. It is a module of its own, so that the library does
// not depend on what learning needs.
module github.com/flatecs/flatecs/cmd/gym

go 1.26.0

require (
	github.com/flatecs/flatecs v0.0.0
	github.com/stretchr/testify v1.12.1
	github.com/x448/float16 v0.8.4
)

require (
	github.com/klauspost/compress v1.20.4 // indirect
	github.com/klauspost/cpuid/v2 v2.4.2 // indirect
	github.com/zeebo/xxh3 v1.1.0 // indirect
	go.yaml.in/yaml/v3 v3.0.6 // indirect
	golang.org/x/sys v0.50.0 // indirect
)

