// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/sessions/transaction_events.h"

namespace lockkeeper::stores::sql {

using base::ErrorCode;

namespace {
QStringList schemesOf(const SessionWants &wants)
{
    QStringList schemes;
    if (wants.rows)
        schemes.append(QStringLiteral("sql.row"));
    if (wants.advisory)
        schemes.append(QStringLiteral("sql.advisory"));
    return schemes;
}

/** True where a global grant of this user names one of the privileges, or all privileges. */
base::Result<bool> hasGlobal(SqlConnection &connection, const QStringList &privileges)
{
    auto grants = connection.query(QStringLiteral("SHOW GRANTS"));
    if (!grants)
        return tl::unexpected(grants.error());
    while (grants->next()) {
        const QString grant = grants->value(0).toString();
        const qsizetype end = grant.indexOf(QLatin1String(" ON *.* TO "));
        if (end < 0 || !grant.startsWith(QLatin1String("GRANT ")))
            continue;
        const QStringList list = grant.mid(6, end - 6).split(QLatin1Char(','));
        for (const QString &one : list) {
            if (one.trimmed() == QLatin1String("ALL PRIVILEGES") || privileges.contains(one.trimmed()))
                return true;
        }
    }
    return false;
}

/** Finds out by a query whether this user may read the table. */
base::Result<bool> mayRead(SqlConnection &connection, const QString &table)
{
    auto rows = connection.query(QStringLiteral("SELECT 1 FROM %1 LIMIT 1").arg(table));
    if (rows)
        return true;
    if (rows.error().code == ErrorCode::PermissionDenied)
        return false;
    return tl::unexpected(rows.error());
}

base::Result<bool> isVariableOn(SqlConnection &connection, const QString &variable)
{
    auto rows = connection.query(QStringLiteral("SELECT @@GLOBAL.%1").arg(variable));
    if (!rows)
        return tl::unexpected(rows.error());
    return rows->next() && rows->value(0).toInt() != 0;
}

QString switchOn(bool transactions, bool statements, bool metadataLocks)
{
    QStringList run;
    if (transactions)
        run << QStringLiteral(
                   "UPDATE performance_schema.setup_instruments SET ENABLED = 'YES', TIMED = 'YES' "
                   "WHERE NAME = 'transaction';")
            << QStringLiteral("UPDATE performance_schema.setup_consumers SET ENABLED = 'YES' "
                              "WHERE NAME = 'events_transactions_current';");
    if (statements)
        run << QStringLiteral("UPDATE performance_schema.setup_consumers SET ENABLED = 'YES' "
                              "WHERE NAME = 'events_statements_current';");
    if (metadataLocks)
        run << QStringLiteral(
            "UPDATE performance_schema.setup_instruments SET ENABLED = 'YES', TIMED = 'YES' "
            "WHERE NAME = 'wait/lock/metadata/sql/mdl';");
    return run.join(QLatin1Char(' '));
}

/** The remedy without which a kill can't be guarded; empty: none needed. */
QString instrumentRemedy(const Instruments &on, bool advisory, const QString &account)
{
    if (!on.schemaOn)
        return QStringLiteral("Start the server with performance_schema=ON, "
                              "performance_schema_instrument='transaction=ON', "
                              "performance_schema_consumer_events_transactions_current=ON%1.")
            .arg(advisory ? QStringLiteral(", performance_schema_instrument='wait/lock/metadata/sql/mdl=ON', "
                                           "performance_schema_consumer_events_statements_current=ON")
                          : QString());
    if (!on.missing.cause.isEmpty())
        return QStringLiteral("Repair the server's performance_schema: %1.").arg(on.missing.cause);
    if (!on.readable)
        return QStringLiteral("GRANT SELECT ON performance_schema.* TO %1;").arg(account);
    return advisory ? switchOn(false, !on.statements, !on.metadataLocks)
                    : switchOn(!on.transactions, false, false);
}

void addInstrument(SessionRights &rights, const QString &scheme, const QString &remedy)
{
    rights.access.append({"instrument:" + scheme.toLatin1(), remedy.isEmpty(), true, remedy});
}
} // namespace

base::Result<MySqlRights> readMySqlRights(SqlConnection &connection, const ServerFacts &facts,
                                          const SessionWants &wants)
{
    MySqlRights found;
    const auto instruments = readInstruments(connection);
    const auto kill = hasGlobal(connection, {QStringLiteral("CONNECTION ADMIN"),
                                             QStringLiteral("CONNECTION_ADMIN"), QStringLiteral("SUPER")});
    const auto process = mayRead(connection, QStringLiteral("information_schema.INNODB_TRX"));
    if (!instruments || !kill || !process)
        return tl::unexpected(!instruments ? instruments.error() : !kill ? kill.error() : process.error());
    found.instruments = *instruments;
    const QString grantProcess = QStringLiteral("GRANT PROCESS ON *.* TO %1;").arg(facts.account);
    const QString grantKill = QStringLiteral("GRANT %1 ON *.* TO %2;")
                                  .arg(connection.isMariaDb() ? QStringLiteral("CONNECTION ADMIN")
                                                              : QStringLiteral("CONNECTION_ADMIN"),
                                       facts.account);
    for (const QString &scheme : schemesOf(wants)) {
        const QByteArray name = scheme.toLatin1();
        found.rights.access.append({"observe:" + name, *process, false, *process ? QString() : grantProcess});
        // Without it, MySQL's own lock tables are empty, whatever sessions hold.
        if (!connection.isMariaDb() && !instruments->readable)
            found.rights.access.append(
                {"observe:" + name, false, false,
                 instrumentRemedy(*instruments, name == "sql.advisory", facts.account)});
        found.rights.access.append({"break:" + name, *kill, true, *kill ? QString() : grantKill});
        addInstrument(found.rights, scheme,
                      instrumentRemedy(*instruments, name == "sql.advisory", facts.account));
    }
    const auto output = connection.isMariaDb()
                            ? isVariableOn(connection, QStringLiteral("innodb_status_output_locks"))
                            : base::Result<bool>(false);
    if (!output)
        return tl::unexpected(output.error());
    found.outputLocks = *output && *process;
    QStringList unseen;
    QStringList remedies;
    if (wants.rows && connection.isMariaDb() && !found.outputLocks) {
        unseen << QStringLiteral("this server shows row locks only while a session waits for them");
        remedies << QStringLiteral("SET GLOBAL innodb_status_output_locks = ON;");
    }
    if (wants.advisory && !instruments->metadataLocks) {
        unseen << QStringLiteral("this server doesn't list advisory locks: only those under \"names\" are "
                                 "read, and waiters aren't visible");
        found.rights.listing = instrumentRemedy(*instruments, true, facts.account);
        remedies << found.rights.listing;
    }
    if (!unseen.isEmpty())
        found.rights.warning = {ErrorCode::Unsupported, unseen.join(QStringLiteral("; ")),
                                remedies.join(QLatin1Char(' '))};
    return found;
}

} // namespace lockkeeper::stores::sql
