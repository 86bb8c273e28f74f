// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
package clients.flyway;

import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationVersion;
import org.flywaydb.core.api.migration.Context;
import org.flywaydb.core.api.migration.JavaMigration;
import protocol.Databases;
import protocol.Protocol;
import protocol.Task;

/** Flyway on PostgreSQL: an advisory lock while it migrates. Others look again each second. */
public class Client implements Protocol.Client {
    private static final AtomicLong versions = new AtomicLong(System.currentTimeMillis());
    private static DataSource source;
    private Task task;
    private volatile boolean failed;

    /** One migration that isn't there yet, and lasts until it is told to end. */
    private static final class Migration implements JavaMigration {
        private final long version = versions.incrementAndGet();
        private final Task task;

        Migration(Task task) {
            this.task = task;
        }
        @Override public MigrationVersion getVersion() {
            return MigrationVersion.fromVersion(String.valueOf(version));
        }
        @Override public String getDescription() {
            return "job";
        }
        @Override public Integer getChecksum() {
            return null;
        }
        @Override public boolean canExecuteInTransaction() {
            return true;
        }
        @Override public void migrate(Context context) {
            if (task != null)
                task.run();
        }
    }

    private static Flyway migrating(JavaMigration... migrations) {
        return Flyway.configure().dataSource(source).locations(new String[0]).baselineOnMigrate(true)
            .ignoreMigrationPatterns("*:missing").javaMigrations(migrations).load();
    }

    @Override public String acquire(String name, long ttlMs) throws Exception {
        Task mine = new Task();
        task = mine;
        failed = false;
        Flyway flyway = migrating(new Migration(mine));
        new Thread(() -> {
            try {
                flyway.migrate();
            } catch (RuntimeException error) {
                failed = true;
            }
            mine.markEnded();
        }).start();
        return mine.begins() ? "session" : null;
    }

    @Override public boolean release() throws Exception {
        return task.ends() && !failed;
    }

    @Override public String await(String name) throws Exception {
        migrating(new Migration(null)).migrate();
        return "session";
    }

    public static void main(String[] arguments) throws Exception {
        source = Databases.postgres();
        migrating().migrate(); // makes its table, under the same lock
        Protocol.serve(kind -> new Client());
    }
}
