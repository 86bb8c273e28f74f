// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
package clients.liquibase;

import javax.sql.DataSource;
import liquibase.database.Database;
import liquibase.database.DatabaseFactory;
import liquibase.database.jvm.JdbcConnection;
import liquibase.exception.LockException;
import liquibase.lockservice.LockService;
import liquibase.lockservice.LockServiceFactory;
import protocol.Databases;
import protocol.Protocol;

/** Liquibase's lock on the change log. */
public class Client implements Protocol.Client {
    private static DataSource source;
    private LockService service;

    private Client() throws Exception {
        Database database =
            DatabaseFactory.getInstance().findCorrectDatabaseImplementation(new JdbcConnection(source.getConnection()));
        service = LockServiceFactory.getInstance().getLockService(database);
        service.init();
    }

    @Override public String acquire(String name, long ttlMs) throws Exception {
        if (!service.acquireLock())
            return null;
        return Databases.text(source, "SELECT LOCKEDBY FROM DATABASECHANGELOGLOCK WHERE ID = 1");
    }

    @Override public boolean release() {
        try {
            service.releaseLock();
            return true;
        } catch (LockException gone) {
            return false;
        }
    }

    public static void main(String[] arguments) throws Exception {
        source = Databases.mariaDb();
        java.util.logging.LogManager.getLogManager().reset();
        new Client().service.forceReleaseLock(); // makes the table, and ends what a killed program has left
        Protocol.serve(kind -> new Client());
    }
}
