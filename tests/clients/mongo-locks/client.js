// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
'use strict';
// The npm package mongo-locks: a document for a minute, which names no holder.
const { MongoClient } = require('mongodb');
const { LockManager } = require('mongo-locks');
const { serve } = require('protocol');

class Client {
  constructor(manager) {
    this.manager = manager;
  }

  async acquire(name) {
    const lock = await this.manager.lock(name);
    if (lock === null)
      return null;
    this.lock = lock;
    return 'nobody';
  }

  renew() {
    return this.lock.refresh();
  }

  release() {
    return this.lock.free();
  }
}

async function main() {
  const server = await MongoClient.connect(process.env.MONGODB_URL);
  const manager = new LockManager(server.db().collection('locks'));
  await manager.ready;
  await serve(() => new Client(manager));
}

main();
