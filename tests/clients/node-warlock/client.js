// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
'use strict';
// The npm package node-redis-warlock: NAME:lock.
const Redis = require('ioredis');
const Warlock = require('node-redis-warlock');
const { serve } = require('protocol');

const warlock = Warlock(new Redis({ path: process.env.REDIS_SOCKET }));

class Client {
  acquire(name, ttl) {
    return new Promise((resolve, reject) => {
      warlock.lock(name, ttl, (error, unlock, id) => {
        if (error)
          reject(error);
        if (unlock)
          Object.assign(this, { name, id });
        resolve(unlock ? id : null);
      });
    });
  }

  async renew(ttl) {
    return (await warlock.touch(this.name, this.id, ttl)) === 'OK';
  }

  release() {
    return new Promise((resolve, reject) => {
      warlock.unlock(this.name, this.id, (error, gone) => (error ? reject(error) : resolve(gone > 0)));
    });
  }
}

serve(() => new Client());
