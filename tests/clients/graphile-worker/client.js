// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
'use strict';
// Graphile Worker: a job is its worker's while locked_by names it.
const { Logger, run } = require('graphile-worker');
const { serve } = require('protocol');

const connectionString = `postgres://root@127.0.0.1:${process.env.POSTGRES_PORT}/postgres`;
const running = new Map();

async function main() {
  const runner = await run({
    connectionString,
    concurrency: 4,
    pollInterval: 100,
    noHandleSignals: true,
    logger: new Logger(() => () => {}),
    taskList: {
      job: ({ name }, helpers) => new Promise((end) => running.get(name)({ end, worker: helpers.job.locked_by })),
    },
  });
  await serve(() => ({
    async acquire(name) {
      const begun = new Promise((resolve) => running.set(name, resolve));
      this.job = await runner.addJob('job', { name }, { jobKey: name });
      this.work = await begun;
      return this.work.worker;
    },
    async release() {
      this.work.end();
      return true;
    },
  }));
}

main();
