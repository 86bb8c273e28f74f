// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/engine/conditions.h"
#include "agent/engine/deadlines.h"
#include "agent/engine/differ.h"
#include "agent/engine/lock_table.h"
#include "agent/engine/pacing.h"
#include "shared/stores/redis/schemes/key_preset.h"
#include "tests/support/test_program.h"

#include <QSet>
#include <QTest>

#include <random>

namespace tst_engine_parts {

using namespace lockkeeper::agent::engine;

/** The parts that the engine is made of: table, deadlines, clocks and pauses. */
class EnginePartsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void textsShareBytes_data();
    void textsShareBytes();
    void textsInAPool();
    void tableAgreesWithASet();
    void tableGivesBackItsMemory();
    void setsKeepNamesApart();
    void idleUntilChanged();
    void placesOfTheirOwn_data();
    void placesOfTheirOwn();
    void begunUnseen_data();
    void begunUnseen();
    void deadlinesComeInOrder();
    void renewalsDontFillTheHeap();
    void shortHoldsDontFillTheHeap();
    void backoffDoubles();
    void backoffIsRepeatable();
    void storeClockFollows();
    void scansPause();
    void setsThatExpire_data();
    void setsThatExpire();
};

void EnginePartsTest::textsShareBytes_data()
{
    QTest::addColumn<QByteArray>("identity");
    QTest::addColumn<QByteArray>("owner");
    QTest::addColumn<QByteArray>("token");
    QTest::addColumn<int>("size");
    QTest::newRow("one token") << QByteArray("0123456789") << QByteArray("0123456789")
                               << QByteArray("0123456789") << 14;
    QTest::newRow("contained") << QByteArray("4:host2026") << QByteArray("host") << QByteArray() << 14;
    QTest::newRow("apart") << QByteArray("aa") << QByteArray("bb") << QByteArray("cc") << 10;
    QTest::newRow("in the name") << QByteArray("name") << QByteArray("ame") << QByteArray("n") << 4;
    QTest::newRow("none") << QByteArray() << QByteArray() << QByteArray() << 4;
    QTest::newRow("NUL") << QByteArray("\0a", 2) << QByteArray("\0", 1) << QByteArray("a") << 6;
}

void EnginePartsTest::textsShareBytes()
{
    QFETCH(QByteArray, identity);
    QFETCH(QByteArray, owner);
    QFETCH(QByteArray, token);
    QFETCH(int, size);
    LockRecord record;
    record.texts.setName("name");
    record.texts.set("something else", "before", "this");
    record.texts.set(identity, owner, token);
    const LockRecord copy = record.clone();
    for (const LockRecord *one : {&std::as_const(record), &copy}) {
        QCOMPARE(one->name().toByteArray(), QByteArray("name"));
        QCOMPARE(one->identity().toByteArray(), identity);
        QCOMPARE(one->owner().toByteArray(), owner);
        QCOMPARE(one->token().toByteArray(), token);
        const int places = identity == owner && identity == token ? 0 : 24;
        QCOMPARE(int(one->texts.bytes()), size + places);
    }
}

/** Texts of every length come and go in any order, keep their bytes, and leave nothing behind. */
void EnginePartsTest::textsInAPool()
{
    LockTable table;
    const qint64 empty = table.bytes();
    QHash<QByteArray, QByteArray> tokens;
    std::mt19937 random(11);
    for (int i = 0; i < 40'000; ++i) {
        const QByteArray name = "k" + QByteArray::number(random() % 700);
        quint32 index = table.find(0, name);
        if (index != LockTable::kNone && random() % 4 == 0) {
            table.remove(index);
            tokens.remove(name);
            continue;
        }
        if (index == LockTable::kNone)
            index = table.insert(0, name);
        const QByteArray token(qsizetype(random() % 700), char('a' + random() % 26));
        table.at(index).texts.set(token, token, random() % 2 ? token : QByteArray("other"));
        tokens[name] = token;
    }
    for (auto it = tokens.cbegin(); it != tokens.cend(); ++it) {
        const LockRecord &record = table.at(table.find(0, it.key()));
        QCOMPARE(record.name().toByteArray(), it.key());
        QCOMPARE(record.identity().toByteArray(), *it);
    }
    for (auto it = tokens.cbegin(); it != tokens.cend(); ++it)
        table.remove(table.find(0, it.key()));
    QCOMPARE(table.bytes(), empty);
}

void EnginePartsTest::tableAgreesWithASet()
{
    LockTable table;
    QSet<QByteArray> names;
    std::mt19937 random(7);
    for (int i = 0; i < 60'000; ++i) {
        const QByteArray name = "k" + QByteArray::number(random() % 5'000);
        const quint32 index = table.find(0, name);
        QCOMPARE(index != LockTable::kNone, names.contains(name));
        if (index == LockTable::kNone) {
            table.insert(0, name);
            names.insert(name);
        } else if (random() % 3 > 0) {
            table.remove(index);
            names.remove(name);
        }
    }
    QCOMPARE(table.size(), names.size());
    for (const QByteArray &name : std::as_const(names))
        QCOMPARE(table.at(table.find(0, name)).name().toByteArray(), name);
}

void EnginePartsTest::tableGivesBackItsMemory()
{
    LockTable table;
    const qint64 empty = table.bytes();
    for (int i = 0; i < 10'000; ++i)
        table.insert(0, QByteArray::number(i));
    QVERIFY(table.bytes() > 10'000 * qint64(sizeof(LockRecord)));
    for (int i = 0; i < 10'000; ++i)
        table.remove(table.find(0, QByteArray::number(i)));
    QCOMPARE(table.size(), 0);
    QCOMPARE(table.bytes(), empty);
}

void EnginePartsTest::setsKeepNamesApart()
{
    LockTable table;
    const quint32 first = table.insert(0, "a");
    QCOMPARE(table.find(1, "a"), LockTable::kNone);
    const quint32 second = table.insert(1, "a");
    QVERIFY(first != second);
    table.remove(first);
    QCOMPARE(table.find(0, "a"), LockTable::kNone);
    QCOMPARE(table.find(1, "a"), second);
}

/** Compared with a list of the records' states: idle records return when they change, move or are replaced.
 */
void EnginePartsTest::idleUntilChanged()
{
    LockTable table;
    const LockTable &seen = table;
    QMap<quint32, bool> idle;
    std::mt19937 random(5);
    const auto busy = [&](const QList<quint16> &sets) {
        QList<quint32> found;
        for (quint32 i = table.nextBusy(0, sets); i < table.end(); i = table.nextBusy(i + 1, sets))
            found.append(i);
        return found;
    };
    for (int i = 0; i < 5'000; ++i) {
        const auto set = quint16(random() % 3);
        const QByteArray name = "k" + QByteArray::number(random() % 900);
        const quint32 index = table.find(set, name);
        if (index == LockTable::kNone) {
            idle[table.insert(set, name)] = false;
        } else if (random() % 4 == 0) {
            table.remove(index);
            idle.remove(index);
        } else if (random() % 3 == 0) {
            table.at(index).depth = 1;
            idle[index] = false;
        } else {
            table.setIdle(index);
            idle[index] = true;
        }
        if (i % 50 != 0)
            continue;
        for (const QList<quint16> &sets : {QList<quint16>{}, {0}, {2}, {0, 2}, {0, 1, 2}}) {
            QList<quint32> expected;
            for (auto it = idle.cbegin(); it != idle.cend(); ++it) {
                if (!*it || !sets.contains(seen.at(it.key()).set))
                    expected.append(it.key());
            }
            QCOMPARE(busy(sets), expected);
        }
    }
    QVERIFY(idle.size() > 500);
}

void EnginePartsTest::placesOfTheirOwn_data()
{
    QTest::addColumn<QByteArray>("setPlace");
    QTest::addColumn<QByteArray>("subject");
    QTest::addColumn<QByteArray>("place");
    QTest::addColumn<QByteArray>("name");
    QTest::newRow("one place") << QByteArray("app.shedlock") << QByteArray("a/b")
                               << QByteArray("app.shedlock") << QByteArray("a/b");
    QTest::newRow("index") << QByteArray("app.jobs/") << QByteArray("PRIMARY/17")
                           << QByteArray("app.jobs/PRIMARY") << QByteArray("17");
    QTest::newRow("slash in the name")
        << QByteArray("app.jobs/") << QByteArray("k/a/b") << QByteArray("app.jobs/k") << QByteArray("a/b");
    QTest::newRow("empty name") << QByteArray("app.jobs/") << QByteArray("k/") << QByteArray("app.jobs/k")
                                << QByteArray("");
}

void EnginePartsTest::placesOfTheirOwn()
{
    using namespace lockkeeper;
    QFETCH(QByteArray, setPlace);
    QFETCH(QByteArray, subject);
    QFETCH(QByteArray, place);
    QFETCH(QByteArray, name);
    const QByteArray scheme = setPlace.endsWith('/') ? "sql.row" : "sql.shedlock";
    const domain::LockKey key = stores::keyOf(QStringLiteral("db"), scheme, setPlace, subject);
    QCOMPARE(key, (domain::LockKey{QStringLiteral("db"), scheme, place, name}));
    QCOMPARE(stores::subjectNameOf(setPlace, key).value_or("none"), subject);
    QCOMPARE(stores::setPlaceOf(scheme, place), setPlace);
    QVERIFY(!stores::subjectNameOf("other.place/", key));
}

void EnginePartsTest::begunUnseen_data()
{
    QTest::addColumn<qint64>("lowerUs");
    QTest::addColumn<qint64>("atUs");
    QTest::addColumn<qint64>("slackUs");
    QTest::addColumn<qint64>("timeUs");
    QTest::addColumn<qint64>("windowUs");
    // A row lock that became visible by its first waiter was taken before the last look at free rows.
    QTest::newRow("before the last look")
        << qint64(9'000) << qint64(9'500) << qint64(4'000) << qint64(9'500) << qint64(4'000);
    QTest::newRow("first look") << qint64(0) << qint64(9'500) << qint64(4'000) << qint64(9'500)
                                << qint64(4'000);
    QTest::newRow("ahead of the bracket")
        << qint64(9'000) << qint64(12'000) << qint64(4'000) << qint64(10'000) << qint64(2'000);
}

void EnginePartsTest::begunUnseen()
{
    QFETCH(qint64, lowerUs);
    QFETCH(qint64, atUs);
    QFETCH(qint64, slackUs);
    lockkeeper::stores::Observation seen;
    seen.held = true;
    seen.identity = "17";
    seen.acquiredUs = atUs;
    seen.acquiredWindowUs = slackUs;
    const Verdict verdict = diff(nullptr, seen, Frame{{9'900, 10'000}, lowerUs, 1, 0});
    QVERIFY(verdict.begin);
    QTEST(verdict.begin->timeUs, "timeUs");
    QTEST(verdict.begin->windowUs, "windowUs");
    QCOMPARE(verdict.begin->firstSeen, lowerUs == 0);
}

void EnginePartsTest::deadlinesComeInOrder()
{
    LockTable table;
    Deadlines deadlines;
    for (const qint64 due : {50, 10, 40, 20, 30}) {
        const quint32 index = table.insert(0, QByteArray::number(due));
        deadlines.arm(table.at(index), index, due);
    }
    const quint32 cancelled = table.find(0, "20");
    deadlines.arm(table.at(cancelled), cancelled, kNever);
    table.remove(table.find(0, "30"));
    const quint32 moved = table.find(0, "10");
    deadlines.arm(table.at(moved), moved, 45);
    const quint32 earlier = table.find(0, "50");
    deadlines.arm(table.at(earlier), earlier, 5);

    QByteArrayList order;
    for (qint64 now = 0; now < 100; ++now) {
        for (quint32 i = deadlines.takeDue(table, now); i != LockTable::kNone;
             i = deadlines.takeDue(table, now))
            order.append(table.at(i).name().toByteArray() + '@' + QByteArray::number(now));
    }
    QCOMPARE(order.join(' '), QByteArray("50@5 40@40 10@45"));
    QCOMPARE(deadlines.nextUs(), kNever);
}

void EnginePartsTest::renewalsDontFillTheHeap()
{
    LockTable table;
    Deadlines deadlines;
    const quint32 index = table.insert(0, "a");
    deadlines.arm(table.at(index), index, 10);
    const qint64 bytes = deadlines.bytes();
    for (qint64 due = 11; due < 100'000; ++due)
        deadlines.arm(table.at(index), index, due);
    QCOMPARE(deadlines.bytes(), bytes);
    QCOMPARE(deadlines.takeDue(table, 10), LockTable::kNone);
    QCOMPARE(deadlines.nextUs(), 99'999);
}

/** The holds are released long before their deadlines. */
void EnginePartsTest::shortHoldsDontFillTheHeap()
{
    LockTable table;
    Deadlines deadlines;
    const quint32 kept = table.insert(0, "kept");
    deadlines.arm(table.at(kept), kept, 500);
    for (int i = 0; i < 100'000; ++i) {
        const quint32 index = table.insert(0, QByteArray::number(i));
        deadlines.arm(table.at(index), index, 1'000'000 + i);
        table.remove(index);
        if (i % 1'000 == 0)
            deadlines.tidy(table);
    }
    QVERIFY(deadlines.bytes() < 100'000);
    QCOMPARE(deadlines.takeDue(table, 500), kept);
}

void EnginePartsTest::backoffDoubles()
{
    ConnectBackoff backoff(3);
    qint64 full = 250'000;
    for (int i = 0; i < 12; ++i) {
        const qint64 wait = backoff.nextUs(true);
        QVERIFY(wait > full * 3 / 4 - 1 && wait <= full);
        full = std::min<qint64>(full * 2, 30'000'000);
    }
    backoff.reset();
    QVERIFY(backoff.nextUs(true) <= 250'000);
    QVERIFY(backoff.nextUs(false) > 22'000'000);
}

void EnginePartsTest::backoffIsRepeatable()
{
    ConnectBackoff one(5);
    ConnectBackoff same(5);
    ConnectBackoff other(6);
    QCOMPARE(one.nextUs(true), same.nextUs(true));
    QVERIFY(one.nextUs(true) != other.nextUs(true));
}

void EnginePartsTest::storeClockFollows()
{
    StoreClock clock;
    QCOMPARE(clock.nowUs(5), 0);
    QCOMPARE(clock.monotonicAt(10), kNever);
    QVERIFY(!clock.read({1'000'000, 1'000'200}, {50, 900'000}));
    QCOMPARE(clock.nowUs(150), 1'000'300);
    QCOMPARE(clock.monotonicAt(1'000'300), 150);
    QCOMPARE(clock.offsetUs(), 100'200);
    QCOMPARE(clock.uncertaintyUs(), 100);
    QVERIFY(!clock.read({1'000'000, 1'000'200}, {300, 900'250})); // the same, delivered late
    QCOMPARE(clock.nowUs(150), 1'000'300);
    QCOMPARE(clock.offsetUs(), 100'200);
    QVERIFY(!clock.read({1'000'500, 1'004'500}, {4'400, 904'350}));
    QCOMPARE(clock.uncertaintyUs(), 100); // the better reading stays for a while
    QVERIFY(!clock.read({1'000'000, 1'000'100}, {4'500, 904'450}));
    QVERIFY(clock.read({500'000, 500'100}, {4'600, 904'550}));
}

void EnginePartsTest::scansPause()
{
    ScanClock scans;
    scans.setPollUs(500);
    QVERIFY(!scans.isDue(1'000'000));
    scans.begin(1'000);
    QVERIFY(!scans.isDue(9'000));
    scans.end(1'100);
    QCOMPARE(scans.dueUs(), 1'500);
    scans.begin(1'500);
    scans.end(2'500);
    QCOMPARE(scans.dueUs(), 2'600); // a tenth of a long scan
    scans.hurry(2'510);
    QVERIFY(scans.isDue(2'510));
    scans.begin(2'510);
    scans.hurry(2'520);
    QVERIFY(!scans.isDue(2'530));
    scans.end(2'540);
    QCOMPARE(scans.dueUs(), 2'543);
    scans.begin(3'000);
    scans.end(3'600'003'000); // an hour later: this process was stopped
    QCOMPARE(scans.dueUs(), 3'630'003'000);
    scans.stop();
    QCOMPARE(scans.dueUs(), kNever);
}

void EnginePartsTest::setsThatExpire_data()
{
    QTest::addColumn<QByteArray>("scheme");
    QTest::addColumn<QString>("preset");
    QTest::addColumn<QString>("expiresAt");
    QTest::addColumn<bool>("expires");
    const QString none;
    QTest::newRow("Redis") << QByteArray("redis.token") << none << none << true;
    QTest::newRow("permits") << QByteArray("redis.semaphore") << QStringLiteral("symfony-redis") << none
                             << true;
    QTest::newRow("fields of a hash")
        << QByteArray("redis.semaphore") << QStringLiteral("sidekiq-unique-jobs-7") << none << false;
    QTest::newRow("a mapped deadline") << QByteArray("sql.lease") << none << QStringLiteral("until") << true;
    QTest::newRow("no deadline") << QByteArray("sql.lease") << none << none << false;
    QTest::newRow("a preset's deadline")
        << QByteArray("sql.insert") << QStringLiteral("laravel") << none << true;
    QTest::newRow("another's") << QByteArray("sql.reentrant") << QStringLiteral("t-tag-lock") << none << true;
    QTest::newRow("a preset whose tables may lack it")
        << QByteArray("sql.insert") << QStringLiteral("lock-timeout") << none << false;
    QTest::newRow("a preset without") << QByteArray("sql.lease") << QStringLiteral("knex") << none << false;
    QTest::newRow("a preset without, mapped")
        << QByteArray("sql.insert") << QStringLiteral("lock-holder") << QStringLiteral("until") << true;
}

void EnginePartsTest::setsThatExpire()
{
    QFETCH(QByteArray, scheme);
    QFETCH(QString, preset);
    QFETCH(QString, expiresAt);
    QFETCH(bool, expires);
    lockkeeper::stores::LockSet set;
    set.scheme = scheme;
    set.preset = preset;
    set.table.expiresAt = expiresAt;
    if (const auto keys = lockkeeper::stores::redis::keyPresetNamed(preset))
        set.keys = keys->keys;
    QCOMPARE(hasExpiries(set), expires);
    QCOMPARE(patienceUs(set), expires ? set.noExpiryAfterUs : set.stuckAfterUs);
}

LOCKKEEPER_TEST(EnginePartsTest)

} // namespace tst_engine_parts

#include "tst_engine_parts.moc"
