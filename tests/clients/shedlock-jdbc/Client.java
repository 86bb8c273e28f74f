// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
package clients.shedlockjdbc;

import javax.sql.DataSource;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import protocol.Databases;
import protocol.Protocol;
import protocol.ShedLock;

/** ShedLock by JDBC, with the database's time and the host's name as the holder. */
public class Client {
    public static void main(String[] arguments) throws Exception {
        DataSource source = Databases.mariaDb();
        Databases.run(source, "CREATE TABLE IF NOT EXISTS shedlock (name VARCHAR(64) NOT NULL PRIMARY KEY, lock_until TIMESTAMP(3) "
                                  + "NOT NULL, locked_at TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3), "
                                  + "locked_by VARCHAR(255) NOT NULL)");
        Configuration settings =
            Configuration.builder().withJdbcTemplate(new JdbcTemplate(source)).usingDbTime().build();
        Protocol.serve(kind -> new ShedLock(new JdbcTemplateLockProvider(settings), name -> Databases.text(
            source, "SELECT locked_by FROM shedlock WHERE name = '" + name + "'")));
    }
}
