// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
package clients.quartz;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.quartz.JobBuilder;
import org.quartz.JobExecutionContext;
import org.quartz.Scheduler;
import org.quartz.TriggerBuilder;
import org.quartz.impl.StdSchedulerFactory;
import org.quartz.impl.jdbcjobstore.StdRowLockSemaphore;
import org.quartz.utils.ConnectionProvider;
import protocol.Databases;
import protocol.Protocol;
import protocol.Task;

/** The lock of Quartz's clustered job store: SELECT … FOR UPDATE on a row of QRTZ_LOCKS. It can only wait. */
public class Client implements Protocol.Client {
    private static DataSource source;
    private static Scheduler scheduler;
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
        } catch (SQLException gone) {
            return false;
        }
    }

    @Override public String await(String name) throws Exception {
        acquire(name, 0);
        release();
        return "session";
    }

    /** A job that a member of a cluster runs: its row is in QRTZ_FIRED_TRIGGERS, the member's in QRTZ_SCHEDULER_STATE. */
    public static final class Job implements Protocol.Client, org.quartz.Job {
        private static final Map<String, Task> running = new ConcurrentHashMap<>();
        private String name;

        @Override public String acquire(String wanted, long ttlMs) throws Exception {
            name = wanted;
            Task task = new Task();
            running.put(name, task);
            scheduler().scheduleJob(JobBuilder.newJob(Job.class).withIdentity(name).build(),
                                    TriggerBuilder.newTrigger().withIdentity(name).startNow().build());
            return task.begins() ? scheduler().getSchedulerInstanceId() : null;
        }

        @Override public boolean release() {
            running.get(name).end();
            return true;
        }

        @Override public void execute(JobExecutionContext context) {
            running.get(context.getJobDetail().getKey().getName()).run();
        }
    }

    /** How the scheduler comes to its database. */
    public static final class Connections implements ConnectionProvider {
        @Override public Connection getConnection() throws SQLException {
            return source.getConnection();
        }
        @Override public void shutdown() {}
        @Override public void initialize() {}
    }

    private static synchronized Scheduler scheduler() throws Exception {
        if (scheduler == null) {
            Properties settings = new Properties();
            settings.put("org.quartz.scheduler.instanceName", "jobs");
            settings.put("org.quartz.scheduler.instanceId", "AUTO");
            settings.put("org.quartz.scheduler.skipUpdateCheck", "true");
            settings.put("org.quartz.threadPool.class", "org.quartz.simpl.SimpleThreadPool");
            settings.put("org.quartz.threadPool.threadCount", "4");
            settings.put("org.quartz.jobStore.class", "org.quartz.impl.jdbcjobstore.JobStoreTX");
            settings.put("org.quartz.jobStore.driverDelegateClass", "org.quartz.impl.jdbcjobstore.StdJDBCDelegate");
            settings.put("org.quartz.jobStore.isClustered", "true");
            settings.put("org.quartz.jobStore.clusterCheckinInterval", "500");
            settings.put("org.quartz.jobStore.dataSource", "app");
            settings.put("org.quartz.dataSource.app.connectionProvider.class", Connections.class.getName());
            scheduler = new StdSchedulerFactory(settings).getScheduler();
            scheduler.start();
        }
        return scheduler;
    }

    public static void main(String[] arguments) throws Exception {
        source = Databases.mariaDb();
        // Its tables as it ships them.
        try (InputStream script = Scheduler.class.getResourceAsStream("/org/quartz/impl/jdbcjobstore/tables_mysql_innodb.sql")) {
            String text = new String(script.readAllBytes(), StandardCharsets.UTF_8).replaceAll("(?m)^#.*$", "");
            for (String statement : text.split(";")) {
                if (!statement.isBlank())
                    Databases.run(source, statement);
            }
        }
        Databases.run(source, "INSERT IGNORE INTO QRTZ_LOCKS VALUES ('clients', 'TRIGGER_ACCESS')");
        Protocol.serve(kind -> kind.equals("job") ? new Job() : new Client());
    }
}
