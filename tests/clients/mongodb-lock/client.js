// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
'use strict';
// The npm package mongodb-lock: given back, and taken over, by giving the old document another name. It is made for
// the driver's version 3.
const { MongoClient } = require('mongodb-3');
const mongodbLock = require('mongodb-lock');
const { promisify } = require('node:util');
const { serve } = require('protocol');

class Client {
  constructor(collection) {
    this.collection = collection;
  }

  async acquire(name, ttl) {
    const lock = mongodbLock(this.collection, name, { timeout: ttl });
    const code = await promisify(lock.acquire.bind(lock))();
    if (code === null)
      return null;
    Object.assign(this, { lock, code });
    return code;
  }

  release() {
    return promisify(this.lock.release.bind(this.lock))(this.code);
  }
}

async function main() {
  const server = await MongoClient.connect(process.env.MONGODB_URL, { useUnifiedTopology: true });
  const collection = server.db().collection('mongodb-locks');
  const indexes = mongodbLock(collection, 'any');
  await promisify(indexes.ensureIndexes.bind(indexes))();
  await serve(() => new Client(collection));
}

main();
