// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/standing/standing_reader.h"
#include "tests/support/test_program.h"

#include <QSqlField>
#include <QTest>

namespace tst_sql_standing {

using namespace lockkeeper::stores::sql;

/** Rules that need no server. */
class TestSqlStanding : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void channels_data();
    void channels();
    void executed_data();
    void executed();
    void whatAReplicaProves_data();
    void whatAReplicaProves();
};

void TestSqlStanding::channels_data()
{
    QTest::addColumn<QString>("row");
    QTest::addColumn<QString>("expected");
    const QString mariaDb = QStringLiteral(
        "Master_Log_File=b.1 Read_Master_Log_Pos=700 Relay_Master_Log_File=b.1 Exec_Master_Log_Pos=%1 "
        "Slave_IO_Running=%2 Slave_SQL_Running=Yes Seconds_Behind_Master=%3 Slave_received_heartbeats=4");
    const QString mySql = QStringLiteral(
        "Source_Log_File=b.1 Read_Source_Log_Pos=700 Relay_Source_Log_File=b.1 Exec_Source_Log_Pos=700 "
        "Replica_IO_Running=Yes Replica_SQL_Running=%1 Seconds_Behind_Source=0 Retrieved_Gtid_Set=u:1-3");
    QTest::newRow("caught up") << mariaDb.arg(QStringLiteral("700"), QStringLiteral("Yes"),
                                              QStringLiteral("0"))
                               << QStringLiteral("runs caught-up b.1:700:4 0");
    QTest::newRow("behind") << mariaDb.arg(QStringLiteral("600"), QStringLiteral("Yes"), QStringLiteral("12"))
                            << QStringLiteral("runs behind b.1:700:4 12");
    QTest::newRow("without its primary")
        << mariaDb.arg(QStringLiteral("700"), QStringLiteral("Connecting"), QStringLiteral("NULL"))
        << QStringLiteral("stands caught-up b.1:700:4 ?");
    QTest::newRow("MySQL") << mySql.arg(QStringLiteral("Yes"))
                           << QStringLiteral("runs caught-up b.1:700:u:1-3 0");
    QTest::newRow("stopped") << mySql.arg(QStringLiteral("No"))
                             << QStringLiteral("stands caught-up b.1:700:u:1-3 0");
}

void TestSqlStanding::channels()
{
    QFETCH(QString, row);
    QSqlRecord record;
    for (const QString &pair : row.split(QLatin1Char(' '))) {
        QSqlField field(pair.section(QLatin1Char('='), 0, 0), QMetaType(QMetaType::QString));
        if (const QString value = pair.section(QLatin1Char('='), 1); value != QLatin1String("NULL"))
            field.setValue(value);
        record.append(field);
    }
    const ChannelStatus channel = channelStatusOf(record);
    QTEST(QStringLiteral("%1 %2 %3 %4")
              .arg(channel.runs ? QStringLiteral("runs") : QStringLiteral("stands"),
                   channel.caughtUp ? QStringLiteral("caught-up") : QStringLiteral("behind"),
                   QString::fromUtf8(channel.received),
                   channel.lateS ? QString::number(*channel.lateS) : QStringLiteral("?")),
          "expected");
}

void TestSqlStanding::executed_data()
{
    using Executed = QHash<QByteArray, quint64>;
    QTest::addColumn<QString>("text");
    QTest::addColumn<Executed>("expected");
    QTest::newRow("none") << QString() << Executed();
    QTest::newRow("one server") << QStringLiteral("a:1-7") << Executed{{"a", 7}};
    QTest::newRow("with holes, and another one")
        << QStringLiteral("a:1-7:9:11-12,\nb:3") << Executed{{"a", 10}, {"b", 1}};
    QTest::newRow("tagged") << QStringLiteral("a:1-3:tag:1-2") << Executed{{"a", 5}};
}

void TestSqlStanding::executed()
{
    QFETCH(QString, text);
    QTEST(executedOf(text), "expected");
}

void TestSqlStanding::whatAReplicaProves_data()
{
    using Readings = QList<ChannelStatus>; // one second apart, from 100 s on; a silence counts from 60 s on
    QTest::addColumn<Readings>("readings");
    QTest::addColumn<qint64>("expected"); // seconds; -1: nothing
    const auto at = [](const char *received) { return ChannelStatus{true, true, received, 0}; };
    const auto behind = [](qint64 s) { return ChannelStatus{true, false, "9", s}; };
    const ChannelStatus stopped{false, true, "1", std::nullopt};
    QTest::newRow("nothing arrives") << Readings{at("1"), at("1")} << qint64(41);
    QTest::newRow("something arrived since the reading before") << Readings{at("1"), at("2")} << qint64(100);
    QTest::newRow("and then nothing more") << Readings{at("1"), at("2"), at("2"), at("2")} << qint64(100);
    QTest::newRow("it has more to apply") << Readings{behind(10)} << qint64(89);
    QTest::newRow("it doesn't run") << Readings{stopped, stopped} << qint64(-1);
    QTest::newRow("nor any longer") << Readings{at("1"), at("2"), stopped} << qint64(100);
}

void TestSqlStanding::whatAReplicaProves()
{
    QFETCH(QList<ChannelStatus>, readings);
    ReplicaProof proof;
    qint64 us = 100'000'000;
    for (const ChannelStatus &channel : readings) {
        proof.take(channel, us, 60'000);
        us += 1'000'000;
    }
    QTEST(proof.asOfUs().value_or(-1'000'000) / 1'000'000, "expected");
}

LOCKKEEPER_TEST(TestSqlStanding)

} // namespace tst_sql_standing

#include "tst_sql_standing.moc"
