// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
'use strict';
// client.js KIND SOCKET: takes and gives back locks as it is told on standard input, a command a line:
//   acquire NAME TTL_MS    answers "acquired OWNER" or "held"
//   release                answers "released" or "lost"
// KIND: redlock, mutex, semaphore
const readline = require('node:readline');
const Redis = require('ioredis');
const { default: Redlock } = require('redlock');
const { Mutex, Semaphore } = require('redis-semaphore');

const [kind, path] = process.argv.slice(2);
const redis = new Redis({ path });
redis.on('error', () => process.exit(1));

const redlock = new Redlock([redis], { retryCount: 0, automaticExtensionThreshold: 0 });
redlock.on('error', () => {});
let lock = null;

async function acquireRedlock(name, ttl) {
  try {
    lock = await redlock.acquire([name], ttl);
    return lock.value;
  } catch {
    return null;
  }
}

async function acquireOther(name, ttl) {
  const options = { lockTimeout: ttl, refreshInterval: 0, acquireAttemptsLimit: 1, onLockLost() {} };
  lock = kind === 'mutex' ? new Mutex(redis, name, options) : new Semaphore(redis, name, 3, options);
  return (await lock.tryAcquire()) ? lock.identifier : null;
}

async function releaseOther(name) {
  // release() doesn't tell whether there was anything to release.
  const key = kind === 'mutex' ? `mutex:${name}` : `semaphore:${name}`;
  const there = kind === 'mutex' ? (await redis.get(key)) === lock.identifier
    : (await redis.zscore(key, lock.identifier)) !== null;
  await lock.release();
  return there;
}

async function release(name) {
  if (kind !== 'redlock')
    return releaseOther(name);
  try {
    await lock.release();
    return true;
  } catch {
    return false;
  }
}

async function main() {
  let name = '';
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const words = line.trim().split(' ');
    if (words[0] === 'acquire') {
      name = words[1];
      const owner = await (kind === 'redlock' ? acquireRedlock : acquireOther)(name, Number(words[2]));
      console.log(owner === null ? 'held' : `acquired ${owner}`);
    } else if (words[0] === 'release') {
      console.log((await release(name)) ? 'released' : 'lost');
    }
  }
  process.exit(0);
}

main();
