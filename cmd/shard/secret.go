package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
)

// A secret is a user of a server, and where the password is.
type secret struct {
	User         string `help:"User of the server; needed unless it is on loopback."`
	Password     string `help:"${password}"`
	PasswordFile string `help:"File with the password of the user." type:"existingfile"`
}

// passwordKey is the variable of the environment that has the password.
const passwordKey = "FLATECS_SHARD_PASSWORD"

// password returns that of the user: "" if there is none.
func (s *secret) password(getenv func(string) string) (string, error) {
	switch {
	case s.Password != "" && s.PasswordFile != "":
		return "", errors.New("shard: --password and --password-file; give one")
	case s.User == "" && (s.Password != "" || s.PasswordFile != ""):
		return "", errors.New("shard: a password without a user; give --user")
	case s.User == "" || s.Password != "":
		return s.Password, nil
	}
	word, from := getenv(passwordKey), passwordKey
	if s.PasswordFile != "" {
		text, err := os.ReadFile(s.PasswordFile)
		if err != nil {
			return "", fmt.Errorf("shard: --password-file: %w", err)
		}
		word, from = strings.TrimRight(string(text), "\r\n"), s.PasswordFile
	}
	if word == "" {
		return "", fmt.Errorf("shard: user %s has no password in %s; give one by --password-file "+
			"or %s", s.User, from, passwordKey)
	}
	return word, nil
}
