// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
'use strict';
// The line protocol of tests/support/foreign_client.h for the clients in JavaScript. A client is an object with
// acquire(name, ttlMs): the owner or null, release(): whether it was still there, and, where the library can,
// renew(ttlMs): the same, and wait(name): the owner, once it has had the lock and given it back.
const fs = require('node:fs');
const readline = require('node:readline');

async function answer(client, verb, args) {
  if (verb === 'acquire') {
    const owner = await client.acquire(args[0], Number(args[1]));
    return owner === null ? 'held' : `acquired ${owner}`;
  }
  if (verb === 'wait') {
    client.wait(args[0]).then((owner) => console.log(`got ${owner}`));
    return 'waiting';
  }
  if (verb === 'fight') {
    fight(client, ...args).then((overlaps) => console.log(`got ${overlaps}`));
    return 'waiting';
  }
  if (verb === 'renew')
    return (await client.renew(Number(args[0]))) ? 'renewed' : 'lost';
  return (await client.release()) ? 'released' : 'lost';
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// Takes the lock so often, and counts how often somebody else was inside: a folder can be made once.
async function fight(client, name, ttl, rounds, folder) {
  let overlaps = 0;
  for (let round = 0; round < Number(rounds); ++round) {
    while ((await client.acquire(name, Number(ttl))) === null)
      await pause(1);
    try {
      fs.mkdirSync(`${folder}/inside`);
    } catch {
      ++overlaps;
    }
    fs.appendFileSync(`${folder}/holders`, 'T');
    await pause(1);
    fs.rmSync(`${folder}/inside`, { recursive: true, force: true });
    await client.release();
    await pause(20);
  }
  return overlaps;
}

/** Serves until standard input ends; make(kind) gives a new client. */
async function serve(make) {
  const clients = new Map();
  console.log('ready');
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const [who, verb, ...args] = line.trim().split(' ');
    try {
      if (!clients.has(who))
        clients.set(who, await make(who.split('#')[0]));
      console.log(await answer(clients.get(who), verb, args));
    } catch (error) {
      console.log(`error ${String(error).replaceAll('\n', ' ')}`);
    }
  }
  process.exit(0);
}

module.exports = { serve };
