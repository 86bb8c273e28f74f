// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
'use strict';
// nodes.js SOCKET …: a Redlock over these servers, as it is told on standard input, a command a line:
//   acquire NAME TTL_MS    answers "acquired OWNER" or "held"
//   extend TTL_MS          answers "extended" or "lost"
//   release                answers "released" or "lost"
const readline = require('node:readline');
const Redis = require('ioredis');
const { default: Redlock } = require('redlock');

const clients = process.argv.slice(2).map((path) => {
  const client = new Redis({ path, maxRetriesPerRequest: 0, retryStrategy: () => 200 });
  client.on('error', () => {});
  return client;
});
const redlock = new Redlock(clients, { retryCount: 0, automaticExtensionThreshold: 0 });
redlock.on('error', () => {});

async function main() {
  let lock = null;
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const words = line.trim().split(' ');
    let answer;
    try {
      if (words[0] === 'acquire') {
        lock = await redlock.acquire([words[1]], Number(words[2]));
        answer = `acquired ${lock.value}`;
      } else if (words[0] === 'extend') {
        lock = await lock.extend(Number(words[1]));
        answer = 'extended';
      } else {
        await lock.release();
        answer = 'released';
      }
    } catch {
      answer = words[0] === 'acquire' ? 'held' : 'lost';
    }
    process.stdout.write(`${answer}\n`);
  }
  clients.forEach((client) => client.disconnect());
}

main();
