// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
'use strict';
// The npm package redis-semaphore: its mutex and its semaphore of one. release() doesn't tell whether there was
// anything to release.
const Redis = require('ioredis');
const { Mutex, Semaphore } = require('redis-semaphore');
const { serve } = require('protocol');

const redis = new Redis({ path: process.env.REDIS_SOCKET });

class Client {
  constructor(kind) {
    this.kind = kind;
  }

  async acquire(name, ttl) {
    // Without a TTL the library refreshes by itself.
    const options = { lockTimeout: ttl || 3000, refreshInterval: ttl ? 0 : 500, acquireAttemptsLimit: 1, onLockLost() {} };
    const lock = this.kind === 'mutex' ? new Mutex(redis, name, options) : new Semaphore(redis, name, 1, options);
    if (!(await lock.tryAcquire()))
      return null;
    this.lock = lock;
    return lock.identifier;
  }

  async release() {
    await this.lock.release();
    return true;
  }
}

serve((kind) => new Client(kind));
