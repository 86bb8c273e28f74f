// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Package protocol is the line protocol of tests/support/foreign_client.h for the clients in Go.
package protocol

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

// Client is one client of a library. Acquire gives "" where somebody else has the lock; the others tell whether it
// was still there.
type Client interface {
	Acquire(name string, ttl time.Duration) (string, error)
	Renew(ttl time.Duration) (bool, error)
	Release() (bool, error)
}

// Redis connects to the test's server.
func Redis() *redis.Client {
	return redis.NewClient(&redis.Options{Network: "unix", Addr: os.Getenv("REDIS_SOCKET")})
}

func milliseconds(text string) time.Duration {
	number, _ := strconv.Atoi(text)
	return time.Duration(number) * time.Millisecond
}

func answer(client Client, words []string) (string, error) {
	word := map[string]string{"renew": "renewed", "release": "released"}[words[1]]
	var there bool
	var err error
	switch words[1] {
	case "acquire":
		owner, failed := client.Acquire(words[2], milliseconds(words[3]))
		if failed != nil || owner == "" {
			return "held", failed
		}
		return "acquired " + owner, nil
	case "renew":
		there, err = client.Renew(milliseconds(words[2]))
	default:
		there, err = client.Release()
	}
	if !there {
		word = "lost"
	}
	return word, err
}

// Serve serves until standard input ends; make gives a new client.
func Serve(make func() Client) {
	clients := map[string]Client{}
	fmt.Println("ready")
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		words := strings.Fields(lines.Text())
		if clients[words[0]] == nil {
			clients[words[0]] = make()
		}
		said, err := answer(clients[words[0]], words)
		if err != nil {
			said = "error " + err.Error()
		}
		fmt.Println(said)
	}
}
