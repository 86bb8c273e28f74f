// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
'use strict';
// Pairs of acquire and release a second, 64 at once on one connection: pairs.js redlock|redis-semaphore SOCKET SECONDS.
const Redis = require('ioredis');

const [kind, path, seconds] = process.argv.slice(2);
const redis = new Redis({ path });

function taker() {
  if (kind === 'redlock') {
    const { default: Redlock } = require('redlock');
    const redlock = new Redlock([redis], { retryCount: 0, automaticExtensionThreshold: 0 });
    return async (name) => (await redlock.acquire([name], 30000)).release();
  }
  const { Mutex } = require('redis-semaphore');
  const options = { lockTimeout: 30000, refreshInterval: 0, acquireAttemptsLimit: 1 };
  return async (name) => {
    const mutex = new Mutex(redis, name, options);
    await mutex.acquire();
    await mutex.release();
  };
}

async function main() {
  const take = taker();
  const began = performance.now();
  let pairs = 0;
  await Promise.all(
    Array.from({ length: 64 }, async (_, i) => {
      for (; performance.now() - began < seconds * 1000; ++pairs)
        await take(`js:${i}`);
    }),
  );
  console.log((pairs * 1000) / (performance.now() - began));
  process.exit(0);
}

main();
