// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Package protocol is the line protocol of tests/support/foreign_client.h for the clients in Go.
package protocol

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
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

// Taker is a Client that can wait for a lock, which it keeps.
type Taker interface {
	Take(name string) (string, error)
}

// Redis connects to the test's server.
func Redis() *redis.Client {
	return redis.NewClient(&redis.Options{Network: "unix", Addr: os.Getenv("REDIS_SOCKET")})
}

var output sync.Mutex

func say(line string) {
	output.Lock()
	defer output.Unlock()
	fmt.Println(line)
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
	case "take":
		go func() {
			owner, failed := client.(Taker).Take(words[2])
			if failed != nil {
				say("error " + failed.Error())
			} else {
				say("got " + owner)
			}
		}()
		return "waiting", nil
	case "fight":
		rounds, _ := strconv.Atoi(words[4])
		go func() {
			overlaps, failed := fight(client, words[2], rounds, words[5])
			if failed != nil {
				say("error " + failed.Error())
			} else {
				say(fmt.Sprintf("got %d", overlaps))
			}
		}()
		return "waiting", nil
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

// fight takes the lock so often, and counts how often somebody else was inside: a folder can be made once.
func fight(client Client, name string, rounds int, folder string) (overlaps int, err error) {
	inside := filepath.Join(folder, "inside")
	for ; rounds > 0; rounds-- {
		if _, err = client.(Taker).Take(name); err != nil {
			return
		}
		if os.Mkdir(inside, 0o700) != nil {
			overlaps++
		}
		holders, failed := os.OpenFile(filepath.Join(folder, "holders"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if failed != nil {
			return overlaps, failed
		}
		holders.WriteString("T")
		holders.Close()
		time.Sleep(time.Millisecond)
		os.Remove(inside)
		if _, err = client.Release(); err != nil {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	return
}

// Serve serves until standard input ends; make gives a new client.
func Serve(make func() Client) {
	ServeKinds(func(string) Client { return make() })
}

// ServeKinds is the same where a client is one of several kinds.
func ServeKinds(make func(kind string) Client) {
	clients := map[string]Client{}
	say("ready")
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		words := strings.Fields(lines.Text())
		if clients[words[0]] == nil {
			kind, _, _ := strings.Cut(words[0], "#")
			clients[words[0]] = make(kind)
		}
		said, err := answer(clients[words[0]], words)
		if err != nil {
			said = "error " + err.Error()
		}
		say(said)
	}
}
