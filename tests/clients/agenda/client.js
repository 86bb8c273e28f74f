// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
'use strict';
// The npm package agenda: a job is somebody's while its lockedAt is set; by whom isn't told.
const Agenda = require('agenda');
const { MongoClient } = require('mongodb');
const { serve } = require('protocol');

const waiting = new Map(); // by a job's name: who is told how to end it

class Client {
  constructor(agenda) {
    this.agenda = agenda;
  }

  /** A job that lasts until it is told to end. */
  async acquire(name) {
    const begun = new Promise((resolve) => waiting.set(name, resolve));
    this.agenda.define(name, () => new Promise((end) => waiting.get(name)(end)));
    await this.agenda.now(name);
    this.end = await begun;
    return 'nobody';
  }

  async release() {
    const over = new Promise((resolve) => this.agenda.once('complete', resolve));
    this.end();
    await over;
    return true;
  }
}

async function main() {
  const server = await MongoClient.connect(process.env.MONGODB_URL);
  const agenda = new Agenda({ mongo: server.db(), processEvery: 100 });
  await new Promise((resolve) => agenda.once('ready', resolve));
  await agenda.start();
  await serve(() => new Client(agenda));
}

main();
