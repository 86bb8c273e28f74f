// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The Go module bsm/redislock.
package main

import (
	"context"
	"errors"
	"time"

	"github.com/bsm/redislock"
	"lockkeeper.invalid/clients/protocol"
)

type client struct {
	locker *redislock.Client
	lock   *redislock.Lock
}

func (c *client) Acquire(name string, ttl time.Duration) (string, error) {
	lock, err := c.locker.Obtain(context.Background(), name, ttl, nil)
	if errors.Is(err, redislock.ErrNotObtained) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	c.lock = lock
	return lock.Token(), nil
}

func (c *client) Renew(ttl time.Duration) (bool, error) {
	err := c.lock.Refresh(context.Background(), ttl, nil)
	if errors.Is(err, redislock.ErrNotObtained) {
		return false, nil
	}
	return err == nil, err
}

func (c *client) Release() (bool, error) {
	err := c.lock.Release(context.Background())
	if errors.Is(err, redislock.ErrLockNotHeld) {
		return false, nil
	}
	return err == nil, err
}

func main() {
	locker := redislock.New(protocol.Redis())
	protocol.Serve(func() protocol.Client { return &client{locker: locker} })
}
