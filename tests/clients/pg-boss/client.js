// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
'use strict';
// pg-boss: a job is somebody's while its state is active; by whom is kept nowhere.
const PgBoss = require('pg-boss');
const { serve } = require('protocol');

const queue = 'clients';

async function main() {
  const boss = new PgBoss({
    connectionString: `postgres://root@127.0.0.1:${process.env.POSTGRES_PORT}/postgres`,
    supervise: false,
    schedule: false,
  });
  await boss.start();
  await boss.createQueue(queue);
  await serve(() => ({
    async acquire(id) {
      await boss.send(queue, {}, { id });
      const [job] = await boss.fetch(queue);
      this.id = job.id;
      return job.id;
    },
    async release() {
      await boss.complete(queue, this.id);
      await boss.deleteJob(queue, this.id); // the next one has the same id
      return true;
    },
  }));
}

main();
