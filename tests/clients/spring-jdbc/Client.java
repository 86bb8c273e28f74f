// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
package clients.springjdbc;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import javax.sql.DataSource;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import protocol.Databases;
import protocol.Protocol;

/** Spring Integration's JdbcLockRegistry; each client is an application with a repository of its own. */
public class Client implements Protocol.Client {
    private final JdbcLockRegistry registry;
    private final String id = java.util.UUID.randomUUID().toString();
    private String key;
    private Lock lock;

    private Client(DataSource source) {
        DefaultLockRepository repository = new DefaultLockRepository(source, id);
        repository.setTransactionManager(new DataSourceTransactionManager(source));
        repository.setTimeToLive(60_000);
        repository.afterPropertiesSet();
        repository.afterSingletonsInstantiated();
        repository.start();
        registry = new JdbcLockRegistry(repository);
        registry.setIdleBetweenTries(Duration.ofMillis(10));
    }

    @Override public String acquire(String name, long ttlMs) throws Exception {
        Lock wanted = registry.obtain(name);
        if (!wanted.tryLock(50, TimeUnit.MILLISECONDS))
            return null;
        lock = wanted;
        key = name;
        return id;
    }

    @Override public boolean renew(long ttlMs) {
        try {
            registry.renewLock(key);
            return true;
        } catch (IllegalStateException gone) {
            return false;
        }
    }

    @Override public boolean release() {
        try {
            lock.unlock();
            return true;
        } catch (RuntimeException gone) { // ConcurrentModificationException
            return false;
        }
    }

    public static void main(String[] arguments) throws Exception {
        DataSource source = Databases.mariaDb();
        Databases.run(source, "CREATE TABLE IF NOT EXISTS INT_LOCK (LOCK_KEY CHAR(36) NOT NULL, REGION VARCHAR(100) NOT NULL, "
                                  + "CLIENT_ID CHAR(36), CREATED_DATE DATETIME(6) NOT NULL, "
                                  + "PRIMARY KEY (LOCK_KEY, REGION))");
        Protocol.serve(kind -> new Client(source));
    }
}
