module github.com/flatecs/flatecs

go 1.26
