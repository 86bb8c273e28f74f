// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
package protocol;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.mariadb.jdbc.MariaDbDataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** The test's databases. */
public final class Databases {
    private Databases() {}

    public static DataSource mariaDb() throws SQLException {
        return new MariaDbDataSource("jdbc:mariadb://127.0.0.1:" + Protocol.env("MARIADB_PORT") + "/app?user=root");
    }

    public static DataSource postgres() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl("jdbc:postgresql://127.0.0.1:" + Protocol.env("POSTGRES_PORT") + "/postgres");
        source.setUser("root");
        return source;
    }

    public static void run(DataSource source, String sql) throws SQLException {
        try (Connection connection = source.getConnection(); Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** The first row's first column. */
    public static String text(DataSource source, String sql) {
        try (Connection connection = source.getConnection(); Statement statement = connection.createStatement();
             ResultSet rows = statement.executeQuery(sql)) {
            return rows.next() ? rows.getString(1) : null;
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }
}
