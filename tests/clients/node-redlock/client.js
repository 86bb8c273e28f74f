// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
'use strict';
// The npm package redlock, over one server.
const Redis = require('ioredis');
const { default: Redlock } = require('redlock');
const { serve } = require('protocol');

const redis = new Redis({ path: process.env.REDIS_SOCKET });
const redlock = new Redlock([redis], { retryCount: 0, automaticExtensionThreshold: 0 });
redlock.on('error', () => {});

class Client {
  async acquire(name, ttl) {
    try {
      this.lock = await redlock.acquire([name], ttl);
      return this.lock.value;
    } catch {
      return null;
    }
  }

  async renew(ttl) {
    try {
      this.lock = await this.lock.extend(ttl);
      return true;
    } catch {
      return false;
    }
  }

  async release() {
    try {
      await this.lock.release();
      return true;
    } catch {
      return false;
    }
  }
}

serve(() => new Client());
