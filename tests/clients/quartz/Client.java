// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
package clients.quartz;

import java.sql.Connection;
import javax.sql.DataSource;
import org.quartz.impl.jdbcjobstore.LockException;
import org.quartz.impl.jdbcjobstore.StdRowLockSemaphore;
import protocol.Databases;
import protocol.Protocol;

/** The lock of Quartz's clustered job store: SELECT … FOR UPDATE on a row of QRTZ_LOCKS. It can only wait. */
public class Client implements Protocol.Client {
    private static DataSource source;
    private final StdRowLockSemaphore semaphore = new StdRowLockSemaphore("QRTZ_", "clients", null);
    private Connection connection;

    @Override public String acquire(String name, long ttlMs) throws Exception {
        connection = source.getConnection();
        connection.setAutoCommit(false);
        semaphore.obtainLock(connection, name);
        return "session";
    }

    @Override public boolean release() throws Exception {
        semaphore.releaseLock("TRIGGER_ACCESS");
        try (Connection ended = connection) {
            ended.commit();
            return true;
        } catch (java.sql.SQLException gone) {
            return false;
        }
    }

    @Override public String await(String name) throws Exception {
        acquire(name, 0);
        release();
        return "session";
    }

    public static void main(String[] arguments) throws Exception {
        source = Databases.mariaDb();
        Databases.run(source, "CREATE TABLE IF NOT EXISTS QRTZ_LOCKS (SCHED_NAME VARCHAR(120) NOT NULL, LOCK_NAME VARCHAR(40) NOT "
                                  + "NULL, PRIMARY KEY (SCHED_NAME, LOCK_NAME))");
        Databases.run(source, "INSERT IGNORE INTO QRTZ_LOCKS VALUES ('clients', 'TRIGGER_ACCESS')");
        Protocol.serve(kind -> new Client());
    }
}
