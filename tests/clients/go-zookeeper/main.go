// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The lock of Go's older ZooKeeper library, which counts all names that end with a sequence, whoever made them; each
// client has a session of its own, of two seconds.
package main

import (
	"fmt"
	"os"
	"time"

	"github.com/samuel/go-zookeeper/zk"
	"lockkeeper.invalid/clients/protocol"
)

type quiet struct{}

func (quiet) Printf(string, ...interface{}) {}

type client struct {
	conn *zk.Conn
	lock *zk.Lock
}

func (c *client) Take(name string) (string, error) {
	c.lock = zk.NewLock(c.conn, name, zk.WorldACL(zk.PermAll))
	err := c.lock.Lock()
	return fmt.Sprintf("0x%x", uint64(c.conn.SessionID())), err
}

// It can't ask without waiting.
func (c *client) Acquire(name string, _ time.Duration) (string, error) { return c.Take(name) }

func (c *client) Renew(time.Duration) (bool, error) { return true, nil }

func (c *client) Release() (bool, error) {
	err := c.lock.Unlock()
	return err == nil, err
}

func main() {
	protocol.ServeKinds(func(string) protocol.Client {
		conn, _, err := zk.Connect([]string{os.Getenv("ZOOKEEPER")}, 2*time.Second, zk.WithLogger(quiet{}))
		if err != nil {
			panic(err)
		}
		return &client{conn: conn}
	})
}
