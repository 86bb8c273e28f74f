// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The Go module go-redsync, over one server.
package main

import (
	"errors"
	"time"

	"github.com/go-redsync/redsync/v4"
	"github.com/go-redsync/redsync/v4/redis/goredis/v9"
	"lockkeeper.invalid/clients/protocol"
)

type client struct {
	locks *redsync.Redsync
	mutex *redsync.Mutex
}

func (c *client) Acquire(name string, ttl time.Duration) (string, error) {
	mutex := c.locks.NewMutex(name, redsync.WithExpiry(ttl))
	err := mutex.TryLock()
	var taken *redsync.ErrTaken
	if errors.As(err, &taken) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	c.mutex = mutex
	return mutex.Value(), nil
}

// Renew sets the lock's own expiry again.
func (c *client) Renew(time.Duration) (bool, error) {
	there, _ := c.mutex.Extend()
	return there, nil
}

func (c *client) Release() (bool, error) {
	there, _ := c.mutex.Unlock()
	return there, nil
}

func main() {
	locks := redsync.New(goredis.NewPool(protocol.Redis()))
	protocol.Serve(func() protocol.Client { return &client{locks: locks} })
}
