// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
package clients.dbscheduler;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import protocol.Databases;
import protocol.Protocol;
import protocol.Task;

/** db-scheduler: whoever runs an execution has picked it, and its heartbeat says that it still does. */
public class Client implements Protocol.Client {
    private static final Map<String, Task> running = new ConcurrentHashMap<>();
    private static DataSource source;
    private static Scheduler scheduler;
    private static OneTimeTask<Void> job;
    private String name;

    @Override public String acquire(String wanted, long ttlMs) throws Exception {
        name = wanted;
        Task task = new Task();
        running.put(name, task);
        scheduler.schedule(job.instance(name), Instant.now());
        return task.begins() ? Databases.text(source, "SELECT picked_by FROM scheduled_tasks WHERE task_instance = '"
                                                          + name + "'")
                             : null;
    }

    @Override public boolean release() {
        running.get(name).end();
        return true;
    }

    public static void main(String[] arguments) throws Exception {
        source = Databases.postgres();
        Databases.run(source, "CREATE TABLE IF NOT EXISTS scheduled_tasks (task_name text NOT NULL, task_instance text NOT NULL, "
                                  + "task_data bytea, execution_time timestamptz NOT NULL, picked boolean NOT NULL, "
                                  + "picked_by text, last_success timestamptz, last_failure timestamptz, "
                                  + "consecutive_failures int, last_heartbeat timestamptz, version bigint NOT NULL, "
                                  + "priority smallint, PRIMARY KEY (task_name, task_instance))");
        job = Tasks.oneTime("job").execute((instance, context) -> running.get(instance.getId()).run());
        scheduler = Scheduler.create(source, job).threads(4).schedulerName(() -> "worker-1")
                        .pollingInterval(Duration.ofMillis(50)).heartbeatInterval(Duration.ofMillis(200)).build();
        scheduler.start();
        Protocol.serve(kind -> new Client());
    }
}
