module github.com/flatecs/flatecs

go 1.26.0

require (
	github.com/klauspost/compress v1.20.4
	github.com/stretchr/testify v1.12.1
	github.com/x448/float16 v0.8.4
	github.com/zeebo/xxh3 v1.1.0
	golang.org/x/sys v0.50.0
)

require (
	github.com/klauspost/cpuid/v2 v2.4.2 // indirect
	go.yaml.in/yaml/v3 v3.0.6 // indirect
)
