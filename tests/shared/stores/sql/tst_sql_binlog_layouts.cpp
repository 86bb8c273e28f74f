// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/shared/stores/sql/layouts.h"
#include "tests/shared/stores/sql/store_probe.h"

#include <QTest>

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;

/** Every table layout from the binary log, on MariaDB and on MySQL: each change gives what a pass then reads.
 */
class SqlBinlogLayoutsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void changesAreWhatAPassReads_data();
    void changesAreWhatAPassReads();

private:
    std::map<QString, std::unique_ptr<TestDatabase>> m_databases;
};

void SqlBinlogLayoutsTest::changesAreWhatAPassReads_data()
{
    QTest::addColumn<QString>("server");
    QTest::addColumn<QByteArray>("preset");
    for (const char *server : {"mariadb-binlog", "mysql"}) {
        for (const Layout &layout : breakableLayouts())
            QTest::addRow("%s %s", layout.preset.constData(), server)
                << QString::fromLatin1(server) << layout.preset;
    }
}

void SqlBinlogLayoutsTest::changesAreWhatAPassReads()
{
    QFETCH(QString, server);
    QFETCH(QByteArray, preset);
    std::unique_ptr<TestDatabase> &database = m_databases[server];
    if (!database)
        database = makeTestDatabase(server);
    if (!database)
        QSKIP("LOCKKEEPER_TEST_MYSQL names no server");
    QVERIFY(database->reset());
    const Layout &layout = layoutNamed(preset);
    database->run(layout.create);
    SourceSpec spec = layoutSpec(*database, layout);
    spec.binlog = true;
    StoreProbe probe(spec);
    QVERIFY2(probe.open(), probe.failures.isEmpty() ? "" : qPrintable(probe.failures.last().line()));
    QVERIFY2(probe.pushStates.constLast().on, qPrintable(probe.pushStates.constLast().why.line()));

    const auto told = [&probe] {
        qsizetype count = 0;
        for (const Push &push : std::as_const(probe.pushes))
            count += push.changes.size();
        return count;
    };
    QStringList statements{layout.hold};
    for (const QString &set : layout.changes)
        statements.append(QStringLiteral("UPDATE `%1` SET %2").arg(layout.table, set));
    for (const QString &statement : std::as_const(statements)) {
        const qsizetype before = told();
        database->run(statement);
        const QHash<QByteArray, Observation> read = probe.pass();
        QVERIFY(!read.isEmpty());
        (void)waitFor([&] { return told() > before; }, 3'000); // an update that changes nothing isn't logged
        QHash<QByteArray, Observation> pushed;
        for (const Push &push : std::as_const(probe.pushes)) {
            for (const Change &change : push.changes)
                pushed.insert(change.lock.name, change.lock);
        }
        for (auto it = read.cbegin(); it != read.cend(); ++it) {
            QVERIFY2(pushed.contains(it.key()), it.key().constData());
            QCOMPARE(pushed.value(it.key()).identity, it->identity);
            QCOMPARE(pushed.value(it.key()).freshness, it->freshness);
            QVERIFY2(pushed.value(it.key()) == *it, qPrintable(statement));
        }
    }
    const qsizetype before = told();
    database->run(QStringLiteral("DELETE FROM `%1`").arg(layout.table));
    QVERIFY(waitFor([&] { return told() > before; }));
    QVERIFY(!probe.pushes.constLast().changes.constLast().lock.present);
    QCOMPARE(probe.pushStates.size(), 1);
}

QTEST_GUILESS_MAIN(SqlBinlogLayoutsTest)
#include "tst_sql_binlog_layouts.moc"
