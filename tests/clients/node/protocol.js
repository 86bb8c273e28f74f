// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
'use strict';
// The line protocol of tests/support/foreign_client.h for the clients in JavaScript. A client is an object with
// acquire(name, ttlMs): the owner or null, release(): whether it was still there, and, where the library can,
// renew(ttlMs): the same, and wait(name): the owner, once it has had the lock and given it back.
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
  if (verb === 'renew')
    return (await client.renew(Number(args[0]))) ? 'renewed' : 'lost';
  return (await client.release()) ? 'released' : 'lost';
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
