// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/sessions/innodb_status.h"
#include "shared/stores/sql/sessions/lock_data.h"
#include "shared/stores/sql/sessions/picture.h"
#include "shared/stores/sql/sessions/process_list.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_sql_sessions_parts {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::stores::sql;
using domain::ReleaseOff;

/** Parsing of the servers' output, without a server. */
class SqlSessionsPartsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void lockNames_data();
    void lockNames();
    void tablePlaces_data();
    void tablePlaces();
    void storedNumbers_data();
    void storedNumbers();
    void readsTheStatusText();
    void innodbsRules_data();
    void innodbsRules();
    void sharedLocksHaveNoSingleHolder();
    void remembersUntilTheTransactionEnds();
    void waitsOutTheYoung();
    void waitsKeepTheirBeginning();
    void queuesWithoutAHolder();
    void statementsAreCutBetweenCharacters();

private:
    static Claim claim(const QByteArray &name, const QByteArray &session, bool waiting = false,
                       quint8 mode = Exclusive);
    static Picture picture(const QList<Claim> &claims, qint64 atUs = 100'000'000);
};

Claim SqlSessionsPartsTest::claim(const QByteArray &name, const QByteArray &session, bool waiting,
                                  quint8 mode)
{
    Claim made;
    made.place = "app.jobs/PRIMARY";
    made.name = name;
    made.session = session;
    made.waiting = waiting;
    made.mode = mode;
    return made;
}

Picture SqlSessionsPartsTest::picture(const QList<Claim> &claims, qint64 atUs)
{
    Picture made;
    made.beganUs = atUs - 1'000;
    made.endedUs = atUs;
    made.claims = claims;
    for (const Claim &each : claims) {
        SessionFacts &facts = made.sessions[each.session];
        facts.session.id = each.session;
        facts.identity = each.session + "/1/1/1";
        facts.instrumented = true;
    }
    return made;
}

void SqlSessionsPartsTest::lockNames_data()
{
    QTest::addColumn<QByteArray>("data");
    QTest::addColumn<int>("columns");
    QTest::addColumn<bool>("unique");
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("rowKey");
    const auto row = [](const char *tag, const QByteArray &data, int columns, bool unique,
                        const QByteArray &name, const QByteArray &rowKey) {
        QTest::newRow(tag) << data << columns << unique << name << rowKey;
    };
    row("primary", "17", 1, true, "17", "");
    row("unique", "'orders', 17", 1, true, "orders", "17");
    row("not unique: the row's key too", "'orders', 17", 1, false, "orders/17", "17");
    row("of two columns", "'sched', 'TRIGGER_ACCESS'", 2, true, "sched/TRIGGER_ACCESS", "");
    row("quotes and commas", "'it''s, \\\\ a', 17", 1, true, "it's, \\ a", "17");
    row("NUL", "'a\\0b'", 1, true, QByteArray("a\0b", 3), "");
    row("empty text", "'', 3", 1, true, "", "3");
    row("hexadecimal", "0x6F6B, 3", 1, true, "ok", "3");
    row("odd hexadecimal stays", "0x123", 1, true, "0x123", "");
    row("NULL", "NULL, 3", 1, true, "NULL", "3");
    row("the end", "supremum pseudo-record", 1, true, "supremum pseudo-record", "");
    row("cut", "'orde", 1, true, "'orde", "");
    row("unknown index", "'a', 1", 0, false, "a/1", "");
}

void SqlSessionsPartsTest::lockNames()
{
    QFETCH(QByteArray, data);
    QFETCH(int, columns);
    QFETCH(bool, unique);
    const IndexShape index{columns, unique, {}};
    QTEST(lockName(data, index), "name");
    QTEST(appendedKey(data, index), "rowKey");
}

void SqlSessionsPartsTest::tablePlaces_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("place");
    QTest::newRow("plain") << QByteArray("`app`.`jobs`") << QByteArray("app.jobs");
    QTest::newRow("partition") << QByteArray("`app`.`jobs` /* Partition `p0` */") << QByteArray("app.jobs");
    QTest::newRow("backtick and space") << QByteArray("`app`.`a``b c`") << QByteArray("app.a`b c");
}

void SqlSessionsPartsTest::tablePlaces()
{
    QFETCH(QByteArray, text);
    QTEST(tablePlace(text), "place");
}

void SqlSessionsPartsTest::storedNumbers_data()
{
    QTest::addColumn<QByteArray>("hex");
    QTest::addColumn<char>("part");
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("1") << QByteArray("80000001") << 'i' << QByteArray("1");
    QTest::newRow("-1") << QByteArray("7fffffff") << 'i' << QByteArray("-1");
    QTest::newRow("least bigint") << QByteArray("0000000000000000") << 'i'
                                  << QByteArray("-9223372036854775808");
    QTest::newRow("tiny") << QByteArray("85") << 'i' << QByteArray("5");
    QTest::newRow("unsigned") << QByteArray("ffffffffffffffff") << 'u' << QByteArray("18446744073709551615");
    QTest::newRow("text") << QByteArray("6f6b") << 't' << QByteArray("ok");
}

void SqlSessionsPartsTest::storedNumbers()
{
    QFETCH(QByteArray, hex);
    QFETCH(char, part);
    QTEST(fieldText(QByteArray::fromHex(hex), KeyPart(part)), "text");
}

void SqlSessionsPartsTest::readsTheStatusText()
{
    const QByteArray text =
        "LIST OF TRANSACTIONS FOR EACH SESSION:\n---TRANSACTION 40, ACTIVE 2 sec\n3 lock struct(s)\n"
        "MariaDB thread id 12, OS thread handle 1, query id 19 localhost root \n"
        "TABLE LOCK table `app`.`jobs` trx id 40 lock mode IX\n"
        "RECORD LOCKS space id 5 page no 4 n bits 320 index name of table `app`.`jobs` trx id 40 lock_mode "
        "X\n"
        "Record lock, heap no 3 PHYSICAL RECORD: n_fields 2; compact format; info bits 0\n"
        " 0: len 6; hex 62696c6c2773; asc bill's;;\n 1: len 4; hex 80000002; asc     ;;\n\n"
        "RECORD LOCKS space id 5 page no 4 n bits 320 index name of table `app`.`jobs` trx id 40 lock_mode X "
        "waiting\n"
        "Record lock, heap no 4 PHYSICAL RECORD: n_fields 2; compact format; info bits 0\n"
        " 0: len 1; hex 61; asc a;;\n\n"
        "RECORD LOCKS space id 5 page no 3 n bits 320 index PRIMARY of table `app`.`jobs` trx id 40 lock "
        "mode S locks "
        "gap before rec\n"
        "Record lock, heap no 1 PHYSICAL RECORD: n_fields 1; compact format; info bits 0\n"
        " 0: len 8; hex 73757072656d756d; asc supremum;;\n\n"
        "RECORD LOCKS space id 5 page no 3 n bits 320 index PRIMARY of table `app`.`jobs` trx id 40 "
        "lock_mode X locks "
        "rec but not gap\n"
        "Record lock, heap no 9 PHYSICAL RECORD: n_fields 1; compact format; info bits 0\n"
        " 0: len 30; hex 6161; asc aa; (total 36 bytes);\n"
        "--------\nFILE I/O\n--------\n";
    const InnodbStatus status = parseInnodbStatus(text, 100);
    QVERIFY(!status.truncated);
    QCOMPARE(status.locks.size(), 3);
    QCOMPARE(status.locks.at(0), (StatusLock{"40",
                                             "12",
                                             "app.jobs",
                                             "name",
                                             Exclusive,
                                             false,
                                             {"bill's", QByteArray::fromHex("80000002")},
                                             -1}));
    QVERIFY(status.locks.at(1).supremum);
    QCOMPARE(status.locks.at(1).mode, quint8(Shared | GapOnly));
    QCOMPARE(status.locks.at(2).cutAt, 0);
    QCOMPARE(status.locks.at(2).mode, quint8(RecordOnly));
    QVERIFY(parseInnodbStatus(text, 2).truncated);
    QVERIFY(parseInnodbStatus(text.left(700), 100).truncated);
    for (qsizetype cut = 0; cut < text.size(); ++cut)
        (void)parseInnodbStatus(text.left(cut), 100); // any part of it is read without harm
}

void SqlSessionsPartsTest::innodbsRules_data()
{
    QTest::addColumn<int>("waiter");
    QTest::addColumn<int>("holder");
    QTest::addColumn<bool>("waits");
    QTest::newRow("exclusive") << int(Exclusive) << int(Exclusive) << true;
    QTest::newRow("shared for shared") << int(Shared) << int(Shared) << false;
    QTest::newRow("shared for exclusive") << int(Shared) << int(Exclusive) << true;
    QTest::newRow("record for gap") << int(RecordOnly) << int(GapOnly) << false;
    QTest::newRow("insert for gap") << int(GapOnly | InsertIntention) << int(GapOnly) << true;
    QTest::newRow("insert for record") << int(GapOnly | InsertIntention) << int(RecordOnly) << false;
    QTest::newRow("insert for next-key") << int(GapOnly | InsertIntention) << int(Exclusive) << true;
    QTest::newRow("gap for anything") << int(GapOnly) << int(Exclusive) << false;
    QTest::newRow("anything for insert") << int(Exclusive) << int(GapOnly | InsertIntention) << false;
}

void SqlSessionsPartsTest::innodbsRules()
{
    QFETCH(int, waiter);
    QFETCH(int, holder);
    QTEST(hasToWait(quint8(waiter), quint8(holder)), "waits");
}

void SqlSessionsPartsTest::sharedLocksHaveNoSingleHolder()
{
    PictureMemory memory;
    Picture now =
        picture({claim("1", "7", false, Shared), claim("1", "8", false, Shared), claim("1", "9", true)});
    memory.take(now);
    const auto locks = observationsOf(now, {0, false, "app.jobs/", "*"}, memory);
    QCOMPARE(locks.size(), 1);
    QCOMPARE(locks.first().owner, QByteArray("7, 8"));
    QVERIFY(locks.first().identity.isEmpty());
    QCOMPARE(locks.first().off, ReleaseOff::Unsupported);
    QCOMPARE(graphOf(now, QStringLiteral("db")).edges.size(), 2);
}

void SqlSessionsPartsTest::remembersUntilTheTransactionEnds()
{
    const PictureFilter filter{0, false, "app.jobs/", "*"};
    PictureMemory memory;
    Picture first = picture({claim("1", "7"), claim("1", "9", true)});
    memory.take(first);
    Picture alone = picture({}, 101'000'000);
    alone.sessions.insert("7", first.sessions.value("7"));
    memory.take(alone);
    QCOMPARE(observationsOf(alone, filter, memory).value(0).name, QByteArray("PRIMARY/1"));
    Picture other = picture({}, 102'000'000); // the same connection in another transaction
    SessionFacts next = first.sessions.value("7");
    next.identity = "7/1/2/2";
    other.sessions.insert("7", next);
    memory.take(other);
    QVERIFY(observationsOf(other, filter, memory).isEmpty());
    // Where the server shows every holder nothing is added.
    Picture whole = picture({claim("1", "7")});
    memory.take(whole);
    Picture gone = picture({}, 103'000'000);
    gone.seesAllRowHolders = true;
    gone.sessions.insert("7", whole.sessions.value("7"));
    memory.take(gone);
    QVERIFY(observationsOf(gone, filter, memory).isEmpty());
}

void SqlSessionsPartsTest::waitsOutTheYoung()
{
    const PictureFilter filter{0, false, "app.jobs/", "*"};
    PictureMemory memory;
    const auto offAt = [&](qint64 atUs) {
        Picture now = picture({claim("1", "7")}, atUs);
        memory.take(now);
        return observationsOf(now, filter, memory).value(0).off;
    };
    QCOMPARE(offAt(10'000'000), ReleaseOff::TooYoung);
    QCOMPARE(offAt(14'999'999), ReleaseOff::TooYoung);
    QCOMPARE(offAt(15'000'000), ReleaseOff::None);
    memory = {};
    QCOMPARE(offAt(99'000'000), ReleaseOff::TooYoung); // once isn't twice
}

void SqlSessionsPartsTest::waitsKeepTheirBeginning()
{
    PictureMemory memory;
    const auto waitAt = [&](qint64 atUs, qint64 fromUs) {
        Picture now = picture({claim("1", "7"), claim("1", "9", true)}, atUs);
        now.claims[1].sinceUs = atUs; // the server only says that the statement runs since `fromUs`
        now.claims[1].windowUs = atUs - fromUs;
        memory.take(now);
        return std::pair(*now.claims.at(1).sinceUs, now.claims.at(1).windowUs);
    };
    QCOMPARE(waitAt(100, 90), std::pair(qint64(100), qint64(10)));
    QCOMPARE(waitAt(200, 92), std::pair(qint64(100), qint64(8)));    // by a clock that is a little off
    QCOMPARE(waitAt(300, 150), std::pair(qint64(300), qint64(150))); // another statement
}

void SqlSessionsPartsTest::queuesWithoutAHolder()
{
    PictureMemory memory;
    Picture now = picture({claim("1", "8", true), claim("1", "9", true)});
    now.claims[0].sinceUs = 5;
    now.claims[1].sinceUs = 4;
    memory.take(now);
    const domain::WaitGraph graph = graphOf(now, QStringLiteral("db"));
    QCOMPARE(graph.edges.size(), 1);
    QCOMPARE(graph.edges.first().blocker, QByteArray("9"));
    const auto locks = observationsOf(now, {0, false, "app.jobs/", "*"}, memory);
    QCOMPARE(locks.size(), 1);
    QVERIFY(!locks.first().ownerKnown && locks.first().identity.isEmpty());
}

void SqlSessionsPartsTest::statementsAreCutBetweenCharacters()
{
    domain::Session session;
    setStatement(session, QByteArray(1'023, 'a') + "\xc3\xa9");
    QVERIFY(session.statementCut);
    QCOMPARE(session.statement, QByteArray(1'023, 'a'));
    setStatement(session, QByteArray(1'024, 'b'));
    QVERIFY(!session.statementCut);
}

LOCKKEEPER_TEST(SqlSessionsPartsTest)

} // namespace tst_sql_sessions_parts

#include "tst_sql_sessions_parts.moc"
