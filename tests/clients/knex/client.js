// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
'use strict';
// Knex's migrations: a flag in a table of one row, without a holder or a time.
const knex = require('knex');
const { serve } = require('protocol');

const names = [];

class Client {
  constructor() {
    this.database = knex({
      client: 'pg',
      connection: { host: '127.0.0.1', port: Number(process.env.POSTGRES_PORT), user: 'root', database: 'postgres' },
      pool: { min: 0, max: 2 },
      log: { warn() {}, error() {} },
    });
  }

  /** One migration that isn't there yet, and lasts until it is told to end. */
  acquire() {
    return new Promise((resolve, reject) => {
      names.push(`m${Date.now()}-${names.length}`);
      const known = [...names];
      const up = () => new Promise((end) => {
        this.end = end;
        resolve('nobody');
      });
      const migrationSource = {
        getMigrations: async () => known,
        getMigrationName: (name) => name,
        getMigration: async (name) => ({ up: name === known.at(-1) ? up : async () => {}, down: async () => {} }),
      };
      this.done = this.database.migrate.latest({ migrationSource, disableTransactions: true,
        disableMigrationsListValidation: true });
      this.done.catch((error) => (error.name === 'MigrationLocked' ? resolve(null) : reject(error)));
    });
  }

  async release() {
    this.end();
    await this.done;
    return true;
  }
}

async function main() {
  const first = new Client();
  // Makes the tables, and ends what a killed program has left.
  if ((await first.acquire()) !== null)
    await first.release();
  else
    await first.database.migrate.forceFreeMigrationsLock();
  await serve(() => new Client());
}

main();
