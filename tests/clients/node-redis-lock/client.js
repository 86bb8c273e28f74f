// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
'use strict';
// The npm package redis-lock: lock.NAME holds the time when it runs out, and whoever is in time deletes it. It can
// only wait.
const { createClient } = require('redis');
const redisLock = require('redis-lock');
const { serve } = require('protocol');

async function main() {
  const redis = await createClient({ socket: { path: process.env.REDIS_SOCKET } }).connect();
  if (!('v4' in redis))
    redis.v4 = redis;
  const lock = redisLock(redis, 5);
  await serve(() => ({
    async acquire(name, ttl) {
      this.unlock = await lock(name, ttl);
      return redis.get(`lock.${name}`);
    },
    async wait(name) {
      const owner = await this.acquire(name, 60000);
      await this.release();
      return owner;
    },
    async release() {
      return (await this.unlock()) > 0;
    },
  }));
}

main();
