// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Mutex and Election of etcd's package concurrency; each client has a session of its own, of two seconds.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
	"lockkeeper.invalid/clients/protocol"
)

type client struct {
	elects   bool
	session  *concurrency.Session
	mutex    *concurrency.Mutex
	election *concurrency.Election
}

func (c *client) take(ctx context.Context, name string) (string, error) {
	var err error
	if c.elects {
		c.election = concurrency.NewElection(c.session, name)
		err = c.election.Campaign(ctx, "node-1")
	} else {
		c.mutex = concurrency.NewMutex(c.session, name)
		err = c.mutex.Lock(ctx)
	}
	return fmt.Sprintf("%x", int64(c.session.Lease())), err
}

func (c *client) Acquire(name string, _ time.Duration) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	owner, err := c.take(ctx, name)
	if ctx.Err() != nil {
		return "", nil
	}
	return owner, err
}

func (c *client) Take(name string) (string, error) { return c.take(context.Background(), name) }

func (c *client) Renew(time.Duration) (bool, error) { return true, nil }

func (c *client) Release() (bool, error) {
	if c.elects {
		err := c.election.Resign(context.Background())
		return err == nil, err
	}
	err := c.mutex.Unlock(context.Background())
	return err == nil, err
}

func main() {
	protocol.ServeKinds(func(kind string) protocol.Client {
		etcd, err := clientv3.New(clientv3.Config{Endpoints: []string{os.Getenv("ETCD")}, DialTimeout: 5 * time.Second})
		if err != nil {
			panic(err)
		}
		session, err := concurrency.NewSession(etcd, concurrency.WithTTL(2))
		if err != nil {
			panic(err)
		}
		return &client{elects: kind == "election", session: session}
	})
}
