// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/base/clock.h"
#include "shared/locks/blocking/blocking_lock_manager.h"
#include "shared/locks/factory.h"
#include "shared/locks/lock_manager.h"
#include "shared/locks/sql/create_table.h"
#include "tests/shared/stores/sql/test_database.h"
#include "tests/support/lock_answers.h"
#include "tests/support/tcp_proxy.h"
#include "tests/support/test_program.h"

#include <QTest>
#include <QThread>

#include <atomic>

namespace tst_sql_lock_rows {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;
using base::ErrorCode;
using locks::Attempt;
using locks::AttemptResult;
using locks::LockClient;

namespace {
constexpr qint64 kMinuteUs = 60'000'000;

LockSet setOf(const QByteArray &scheme, const QString &preset = {})
{
    LockSet set;
    set.scheme = scheme;
    set.preset = preset;
    return set;
}

/** A lease row with a version that counts its acquisitions. */
LockSet versioned(const QByteArray &scheme)
{
    LockSet set;
    set.scheme = scheme;
    set.table.table = QStringLiteral("counted");
    set.table.name = {QStringLiteral("name")};
    set.table.holder = QStringLiteral("locked_by");
    set.table.expiresAt = QStringLiteral("lock_until");
    set.table.version = QStringLiteral("fence");
    if (scheme == "sql.shedlock")
        set.table.acquiredAt = QStringLiteral("locked_at");
    return set;
}
} // namespace

/** Guarantees of the table schemes' clients beyond acquire and release. */
class SqlLockRowsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void fencingGrows_data();
    void fencingGrows();
    void tokensPast63Bits_data();
    void tokensPast63Bits();
    void noFencingWhereIdsMayGoBack();
    void tellsWhatALostAnswerMayHaveTaken_data();
    void tellsWhatALostAnswerMayHaveTaken();
    void aRenewalThatWasNotAnsweredKeepsTheLock_data();
    void aRenewalThatWasNotAnsweredKeepsTheLock();
    void aSecondProvesNothingThatWasLost();
    void aLeaseOutlastsTheSecondThatProvesIt();
    void nothingIsCut_data();
    void nothingIsCut();
    void lastsAsLongAsItSays_data();
    void lastsAsLongAsItSays();
    void keepsForALeastTime_data();
    void keepsForALeastTime();
    void lateAnswerIsNotHeld();
    void outlivesItsConnection();
    void aReadOnlyServerRenewsNothing_data();
    void aReadOnlyServerRenewsNothing();
    void leavesAReadOnlyServer();
    void incrementsVersions_data();
    void incrementsVersions();

private:
    std::unique_ptr<LockClient> client(const SourceSpec &spec, const LockSet &set)
    {
        return *locks::makeLockClient(spec, set, "me");
    }

    TestDatabases m_databases;
};

void SqlLockRowsTest::fencingGrows_data()
{
    QTest::addColumn<QString>("server");
    QTest::addColumn<LockSet>("set");
    for (const char *server : {"mariadb", "mysql", "postgresql", "sqlite"}) {
        const auto row = [server](const char *tag, const LockSet &set) {
            QTest::addRow("%s %s", server, tag) << QString::fromLatin1(server) << set;
        };
        row("lease with a version", versioned("sql.lease"));
        row("ShedLock with a version", versioned("sql.shedlock"));
        if (*server == 'm')
            continue;
        row("ids", setOf("sql.insert"));
        row("ids and holders", setOf("sql.insert", QStringLiteral("lock-holder")));
    }
}

void SqlLockRowsTest::fencingGrows()
{
    QFETCH(LockSet, set);
    TestDatabase *database = m_databases.freshOfRow();
    if (!database)
        QSKIP("no such server here");
    QVERIFY(locks::sql::createTable(database->spec(), set));
    std::vector<std::unique_ptr<LockClient>> clients;
    for (int i = 0; i < 4; ++i) // each in its own thread
        clients.push_back(client(database->spec(), set));
    QVERIFY(clients.front()->traits().fencing);
    qint64 last = 0;
    int acquisitions = 0;
    int running = 0;
    QString wrong;
    std::function<void(LockClient *)> ask = [&](LockClient *client) {
        if (acquisitions >= 120 || !wrong.isEmpty())
            return;
        ++running;
        client->tryAcquire({"a", {}, kMinuteUs, {}, {}}, [&, client](const AttemptResult &result) {
            --running;
            if (result.error && result.error->code != ErrorCode::Busy)
                wrong = result.error->line();
            if (result.error || result.attempt != Attempt::Done) {
                ask(client);
                return;
            }
            ++acquisitions;
            const qint64 token = result.lease.fencing.toLongLong();
            if (token <= last)
                wrong = QStringLiteral("%1 after %2").arg(token).arg(last);
            last = token;
            ++running;
            client->release(result.lease, [&, client](const AttemptResult &released) {
                --running;
                if (released.attempt != Attempt::Done)
                    wrong = QStringLiteral("it was lost");
                ask(client);
            });
        });
    };
    for (const auto &client : clients)
        ask(client.get());
    QTRY_VERIFY_WITH_TIMEOUT(running == 0, 60'000);
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
    QVERIFY(acquisitions >= 120);
}

void SqlLockRowsTest::tokensPast63Bits_data()
{
    QTest::addColumn<QString>("server");
    for (const char *server : {"mariadb", "mysql"})
        QTest::newRow(server) << QString::fromLatin1(server);
}

void SqlLockRowsTest::tokensPast63Bits()
{
    TestDatabase *database = m_databases.freshOfRow();
    if (!database)
        QSKIP("no such server here");
    const LockSet set = versioned("sql.lease");
    QVERIFY(locks::sql::createTable(database->spec(), set));
    const auto one = client(database->spec(), set);
    const AttemptResult first = acquired(*one, "a", kMinuteUs);
    QCOMPARE(first.attempt, Attempt::Done);
    QCOMPARE(released(*one, first.lease).attempt, Attempt::Done);
    database->run(QStringLiteral("ALTER TABLE counted MODIFY fence BIGINT UNSIGNED NOT NULL DEFAULT 0"));
    database->run(QStringLiteral("UPDATE counted SET fence = 18446744073709551614"));
    const auto next = client(database->spec(), set); // which reads the columns again
    const AttemptResult taken = acquired(*next, "a", kMinuteUs);
    QVERIFY2(!taken.error, taken.error ? qPrintable(taken.error->line()) : "");
    QCOMPARE(locks::fencingNumber(taken.lease.fencing), std::optional(std::numeric_limits<quint64>::max()));
}

void SqlLockRowsTest::noFencingWhereIdsMayGoBack()
{
    const auto database = makeTestDatabase(QStringLiteral("sqlite"));
    QVERIFY(database->reset());
    // Without AUTOINCREMENT, the highest id is reused after its row was deleted.
    database->run(QStringLiteral("CREATE TABLE \"lock\" (id INTEGER PRIMARY KEY, name VARCHAR(64) NOT NULL "
                                 "UNIQUE, created_at BIGINT NOT NULL, timeout BIGINT)"));
    const auto one = client(database->spec(), setOf("sql.insert"));
    const AttemptResult taken = acquired(*one, "a", kMinuteUs);
    QCOMPARE(taken.attempt, Attempt::Done);
    QVERIFY(taken.lease.fencing.isEmpty());
}

void SqlLockRowsTest::tellsWhatALostAnswerMayHaveTaken_data()
{
    QTest::addColumn<LockSet>("set");
    QTest::newRow("ShedLock") << setOf("sql.shedlock");
    QTest::newRow("lease") << setOf("sql.lease");
    QTest::newRow("reentrant") << setOf("sql.reentrant");
    QTest::newRow("holder") << setOf("sql.insert", QStringLiteral("lock-holder"));
    QTest::newRow("Laravel") << setOf("sql.insert", QStringLiteral("laravel"));
    QTest::newRow("Spring") << setOf("sql.insert", QStringLiteral("spring-integration"));
    QTest::newRow("version") << versioned("sql.lease");
}

void SqlLockRowsTest::tellsWhatALostAnswerMayHaveTaken()
{
    QFETCH(LockSet, set);
    TestDatabase *database = m_databases.fresh(QStringLiteral("mariadb"));
    QVERIFY(database);
    QVERIFY(locks::sql::createTable(database->spec(), set));
    const QByteArray name = set.preset == QLatin1String("spring-integration") ? "a/b" : "a";
    ProxyThread proxy(database->spec().url.path());
    QVERIFY(proxy.listen());
    SourceSpec spec = database->spec();
    spec.url.setPath(proxy.path());
    const auto mine = client(spec, set);
    const auto other = client(database->spec(), set);
    // Prepares all statements, and creates the row of a scheme whose rows stay.
    const AttemptResult first = acquired(*mine, name, kMinuteUs);
    QVERIFY2(first.attempt == Attempt::Done, qPrintable(first.error.value_or(base::Error{}).line()));
    QCOMPARE(released(*mine, first.lease).attempt, Attempt::Done);

    // Qt's driver resets a statement first (11 bytes). The statement gets through, but its answer doesn't.
    proxy.cutAnswersAfter(12);
    const AttemptResult lost = acquired(*mine, name, kMinuteUs);
    QVERIFY(lost.error);
    QVERIFY(!lost.lease.token.isEmpty());
    QCOMPARE(acquired(*other, name, kMinuteUs).attempt, Attempt::Held);

    // The link failed before anything was sent, so nothing was acquired.
    const AttemptResult unreached = acquired(*mine, name, kMinuteUs);
    QVERIFY(unreached.error);
    QVERIFY(unreached.lease.token.isEmpty());

    proxy.cutAnswersAfter(-1);
    QCOMPARE(released(*mine, lost.lease).attempt, Attempt::Done);
    QCOMPARE(acquired(*other, name, kMinuteUs).attempt, Attempt::Done);
}

void SqlLockRowsTest::aRenewalThatWasNotAnsweredKeepsTheLock_data()
{
    QTest::addColumn<bool>("renews");
    QTest::newRow("and is renewed again") << true;
    QTest::newRow("and is given back") << false;
}

/** Only the row's time proves the lock, and the renewal has moved that time. */
void SqlLockRowsTest::aRenewalThatWasNotAnsweredKeepsTheLock()
{
    QFETCH(bool, renews);
    TestDatabase *database = m_databases.fresh(QStringLiteral("mariadb"));
    QVERIFY(database);
    const LockSet set = setOf("sql.lease", QStringLiteral("distribute-lock-lease"));
    QVERIFY(locks::sql::createTable(database->spec(), set));
    ProxyThread proxy(database->spec().url.path());
    QVERIFY(proxy.listen());
    SourceSpec spec = database->spec();
    spec.url.setPath(proxy.path());
    locks::LockManager manager(client(spec, set), nullptr);
    const auto lock = *manager.lock("a", {.ttl = std::chrono::minutes(30), .renews = false});
    using Question = void (locks::Lock::*)(locks::Lock::Done);
    const auto isDone = [&lock](Question question) {
        std::optional<base::Result<bool>> told;
        (lock.get()->*question)([&told](const base::Result<bool> &result) { told = result; });
        return QTest::qWaitFor([&told] { return told.has_value(); }, 30'000) && *told && **told;
    };
    const auto takenAt = [database] {
        return database->run(QStringLiteral("SELECT CAST(create_time AS CHAR) FROM distribute_lock"))
            .first()
            .first();
    };
    QVERIFY(isDone(&locks::Lock::tryAcquire));
    // A renewal asks for the time first: somewhere the answer to be lost follows that answer.
    bool moved = false;
    for (qint64 bytes = 0; bytes < 1'000 && !moved; bytes += 8) {
        proxy.cutAnswersAfter(-1);
        QVERIFY(isDone(&locks::Lock::renew)); // by a link on which everything is prepared
        const QByteArray before = takenAt();
        proxy.cutAnswersAfter(bytes);
        QVERIFY(!isDone(&locks::Lock::renew));
        moved = takenAt() != before;
    }
    QVERIFY(moved);
    QVERIFY(lock->isHeld());
    proxy.cutAnswersAfter(-1);
    if (renews)
        QVERIFY(isDone(&locks::Lock::renew));
    QVERIFY(isDone(&locks::Lock::release));
    QCOMPARE(acquired(*client(database->spec(), set), "a", kMinuteUs).attempt, Attempt::Done);
}

/** Another client may have acquired the lock within the same second: its row looks the same. */
void SqlLockRowsTest::aSecondProvesNothingThatWasLost()
{
    TestDatabase *database = m_databases.fresh(
        QStringLiteral("mariadb"),
        QStringLiteral("CREATE TABLE plain (name VARCHAR(64) PRIMARY KEY, taken DATETIME NOT NULL)"));
    QVERIFY(database);
    database->run(QStringLiteral("CREATE TRIGGER slow_insert AFTER INSERT ON plain FOR EACH ROW "
                                 "SET @slept = IF(NEW.name = 'in', SLEEP(60), 0)"));
    database->run(QStringLiteral("CREATE TRIGGER slow_delete BEFORE DELETE ON plain FOR EACH ROW "
                                 "SET @slept = IF(OLD.name = 'out', SLEEP(60), 0)"));
    LockSet set;
    set.scheme = "sql.insert";
    set.table.table = QStringLiteral("plain");
    set.table.name = {QStringLiteral("name")};
    set.table.acquiredAt = QStringLiteral("taken");
    ProxyThread proxy(database->spec().url.path());
    QVERIFY(proxy.listen());
    SourceSpec spec = database->spec();
    spec.url.setPath(proxy.path());
    const auto mine = client(spec, set);
    const auto text = [database](const char *sql) {
        const QList<Row> rows = database->run(QString::fromLatin1(sql));
        return rows.isEmpty() ? QByteArray() : rows.first().first();
    };
    const auto sleeping = [&text] {
        return text("SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE STATE = 'User sleep'").toInt();
    };
    QList<AttemptResult> told;
    const auto note = [&told](const AttemptResult &result) { told.append(result); };
    mine->tryAcquire({"in", {}, kMinuteUs, {}, {}}, note);
    QTRY_COMPARE_WITH_TIMEOUT(sleeping(), 1, 20'000);
    proxy.cutLinks();
    QTRY_COMPARE_WITH_TIMEOUT(told.size(), 1, 20'000);
    QVERIFY(told.last().error && told.last().lease.token.isEmpty());
    QVERIFY(told.last().error->line().contains(QLatin1String("unknown whether")));
    // Nor may a client retry a release that it sent within that second and that wasn't answered.
    bool sameSecond = false;
    for (int round = 0; round < 10 && !sameSecond; ++round) {
        QTRY_COMPARE_WITH_TIMEOUT(sleeping(), 0, 20'000); // the server ends it
        database->run(QStringLiteral("TRUNCATE plain"));
        AttemptResult taken;
        QVERIFY(QTest::qWaitFor(
            [&] { return (taken = acquired(*mine, "out", kMinuteUs)).attempt == Attempt::Done; }, 20'000));
        const QByteArray second = text("SELECT taken FROM plain");
        told.clear();
        mine->release(taken.lease, note);
        QTRY_COMPARE_WITH_TIMEOUT(sleeping(), 1, 20'000);
        sameSecond = text("SELECT UTC_TIMESTAMP()") == second;
        proxy.cutLinks();
        QTRY_COMPARE_WITH_TIMEOUT(told.size(), 1, 20'000);
    }
    QVERIFY(sameSecond);
    QVERIFY(told.last().error && !base::isTransient(told.last().error->code));
    QCOMPARE(acquired(*mine, "b", kMinuteUs).attempt, Attempt::Done); // by another link
}

/** Otherwise the next holder's row, within the same second, would look like ours. */
void SqlLockRowsTest::aLeaseOutlastsTheSecondThatProvesIt()
{
    TestDatabase *database = m_databases.fresh(
        QStringLiteral("mariadb"), QStringLiteral("CREATE TABLE leased (name VARCHAR(64) PRIMARY KEY, "
                                                  "taken DATETIME NOT NULL, ends DATETIME(6) NOT NULL)"));
    QVERIFY(database);
    LockSet set;
    set.scheme = "sql.lease";
    set.table.table = QStringLiteral("leased");
    set.table.name = {QStringLiteral("name")};
    set.table.acquiredAt = QStringLiteral("taken");
    set.table.expiresAt = QStringLiteral("ends");
    const auto one = client(database->spec(), set);
    const AttemptResult refused = acquired(*one, "a", 900'000);
    QVERIFY(refused.error && refused.error->code == ErrorCode::Usage);
    QCOMPARE(acquired(*one, "a", 1'000'000).attempt, Attempt::Done);
}

void SqlLockRowsTest::nothingIsCut_data()
{
    QTest::addColumn<QByteArray>("column");
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<ErrorCode>("error"); ///< Unknown: it is kept
    const QByteArray whole("VARCHAR(64) CHARACTER SET utf8mb4");
    const QByteArray face("\xf0\x9f\x94\x92"); // one character of four bytes
    QTest::newRow("64") << whole << QByteArray(64, 'x') << ErrorCode::Unknown;
    QTest::newRow("65") << whole << QByteArray(65, 'x') << ErrorCode::TooLarge;
    QTest::newRow("64 of four bytes") << whole << face.repeated(64) << ErrorCode::Unknown;
    QTest::newRow("65 of four bytes") << whole << face.repeated(65) << ErrorCode::TooLarge;
    QTest::newRow("1 MiB") << whole << QByteArray(1'048'576, 'x') << ErrorCode::TooLarge;
    QTest::newRow("empty") << whole << QByteArray() << ErrorCode::Usage;
    QTest::newRow("NUL") << whole << QByteArray("a\0b", 3) << ErrorCode::Usage;
    QTest::newRow("binary") << whole << QByteArray("a\xff") << ErrorCode::Usage;
    QTest::newRow("latin1") << QByteArray("VARCHAR(64) CHARACTER SET latin1") << QByteArray("caf\xc3\xa9")
                            << ErrorCode::Usage;
    QTest::newRow("utf8mb3") << QByteArray("VARCHAR(64) CHARACTER SET utf8mb3") << face << ErrorCode::Usage;
    QTest::newRow("char") << QByteArray("CHAR(64) CHARACTER SET utf8mb4") << QByteArray("a ")
                          << ErrorCode::Usage;
    QTest::newRow("space") << whole << QByteArray("a ") << ErrorCode::Unknown;
    QTest::newRow("quotes") << whole << QByteArray("it's \\'; --`\"") << ErrorCode::Unknown;
}

void SqlLockRowsTest::nothingIsCut()
{
    QFETCH(QByteArray, column);
    QFETCH(QByteArray, name);
    QFETCH(ErrorCode, error);
    TestDatabase *database = m_databases.fresh(QStringLiteral("mariadb"));
    QVERIFY(database);
    database->exec(QStringLiteral("SET GLOBAL sql_mode = ''")); // like a server that truncates long values
    database->run(
        QStringLiteral("CREATE TABLE shedlock (name %1 NOT NULL PRIMARY KEY, lock_until TIMESTAMP(3) "
                       "NOT NULL, locked_at TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3), "
                       "locked_by VARCHAR(255) NOT NULL)")
            .arg(QString::fromLatin1(column)));
    const auto one = client(database->spec(), setOf("sql.shedlock"));
    const AttemptResult taken = acquired(*one, name, kMinuteUs);
    const QList<Row> rows = database->run(QStringLiteral("SELECT HEX(name) FROM shedlock"));
    if (error == ErrorCode::Unknown) {
        QVERIFY2(!taken.error, qPrintable(taken.error.value_or(base::Error{}).line()));
        QCOMPARE(taken.attempt, Attempt::Done);
        QCOMPARE(rows.first().first(), name.toHex().toUpper());
        QCOMPARE(released(*one, taken.lease).attempt, Attempt::Done);
        const AttemptResult who = acquired(*one, name, kMinuteUs, QByteArray(256, 'w'));
        QCOMPARE(who.error->code, ErrorCode::TooLarge);
    } else {
        QVERIFY(taken.error);
        QVERIFY2(taken.error->code == error, qPrintable(taken.error->line()));
        QVERIFY(taken.lease.token.isEmpty());
        QVERIFY(rows.isEmpty());
    }
}

void SqlLockRowsTest::lastsAsLongAsItSays_data()
{
    QTest::addColumn<QString>("server");
    QTest::addColumn<QString>("create");
    QTest::addColumn<LockSet>("set");
    const QString shedlock = QStringLiteral(
        "CREATE TABLE shedlock (name VARCHAR(64) NOT NULL PRIMARY KEY, lock_until %1 NOT NULL, "
        "locked_at %1 NOT NULL, locked_by VARCHAR(255) NOT NULL)");
    QTest::newRow("mariadb seconds") << QStringLiteral("mariadb") << shedlock.arg(QLatin1String("DATETIME"))
                                     << setOf("sql.shedlock");
    QTest::newRow("postgresql seconds")
        << QStringLiteral("postgresql") << shedlock.arg(QLatin1String("TIMESTAMP(0)"))
        << setOf("sql.shedlock");
    QTest::newRow("sqlite") << QStringLiteral("sqlite") << shedlock.arg(QLatin1String("TIMESTAMP"))
                            << setOf("sql.shedlock");
    QTest::newRow("mariadb age")
        << QStringLiteral("mariadb")
        << QStringLiteral("CREATE TABLE `lock` (id {ID}, lock_key VARCHAR(64) NOT NULL UNIQUE, holder "
                          "VARCHAR(64) DEFAULT '', creation_time DATETIME, last_lock_time DATETIME)")
        << setOf("sql.lease");
}

/** Columns of whole seconds would let another client in up to a second too soon. */
void SqlLockRowsTest::lastsAsLongAsItSays()
{
    QFETCH(QString, create);
    QFETCH(LockSet, set);
    TestDatabase *database = m_databases.freshOfRow(create);
    QVERIFY(database);
    const auto one = client(database->spec(), set);
    const auto two = client(database->spec(), set);
    const bool ages = set.scheme == "sql.lease";
    if (ages) {
        const AttemptResult refused = acquired(*one, "a", 400'000);
        QVERIFY(refused.error);
        QCOMPARE(refused.error->code, ErrorCode::Usage);
    }
    const qint64 ttlUs = ages ? 1'400'000 : 400'000;
    QVERIFY(!acquired(*two, "a", ttlUs).error); // opens the connection
    AttemptResult taken;
    for (int round = 0; round < 3; ++round) {
        const std::unique_ptr<LockClient> &mine = round % 2 == 0 ? one : two;
        const std::unique_ptr<LockClient> &other = round % 2 == 0 ? two : one;
        if (round > 0)
            released(*other, taken.lease);
        base::SystemClock clock;
        qint64 askedUs = 0;
        const auto take = [&] {
            askedUs = clock.monotonicUs();
            taken = acquired(*mine, "a", ttlUs);
            return taken.attempt == Attempt::Done;
        };
        QVERIFY(QTest::qWaitFor(take, 20'000));
        QVERIFY(taken.lease.ttlUs > 0);
        AttemptResult next;
        while ((next = acquired(*other, "a", ttlUs)).attempt != Attempt::Done)
            QVERIFY2(!next.error, qPrintable(next.error.value_or(base::Error{}).line()));
        const qint64 lastedUs = clock.monotonicUs() - askedUs;
        QVERIFY2(lastedUs >= taken.lease.ttlUs, QByteArray::number(lastedUs).constData());
        taken = next;
    }
}

void SqlLockRowsTest::keepsForALeastTime_data()
{
    QTest::addColumn<QString>("server");
    for (const char *server : {"mariadb", "mysql", "postgresql", "sqlite"})
        QTest::newRow(server) << QString::fromLatin1(server);
}

void SqlLockRowsTest::keepsForALeastTime()
{
    TestDatabase *database = m_databases.freshOfRow();
    if (!database)
        QSKIP("no such server here");
    LockSet set = setOf("sql.shedlock");
    QVERIFY(locks::sql::createTable(database->spec(), set));
    const auto other = client(database->spec(), set);
    QVERIFY(!acquired(*other, "warm", kMinuteUs).error);
    set.atLeastUs = 700'000;
    const auto one = client(database->spec(), set);
    base::SystemClock clock;
    const qint64 askedUs = clock.monotonicUs();
    const AttemptResult taken = acquired(*one, "a", kMinuteUs);
    QCOMPARE(taken.attempt, Attempt::Done);
    QCOMPARE(released(*one, taken.lease).attempt, Attempt::Done);
    AttemptResult next;
    QVERIFY(QTest::qWaitFor(
        [&] { return (next = acquired(*other, "a", kMinuteUs)).attempt == Attempt::Done; }, 20'000));
    QVERIFY(clock.monotonicUs() - askedUs >= 700'000);
    QCOMPARE(released(*other, next.lease).attempt, Attempt::Done);
    // A lock that was held for longer is free at once.
    const AttemptResult longer = acquired(*one, "b", kMinuteUs);
    const qint64 fromUs = clock.monotonicUs();
    QTRY_VERIFY_WITH_TIMEOUT(clock.monotonicUs() - fromUs > 900'000, 20'000);
    QCOMPARE(released(*one, longer.lease).attempt, Attempt::Done);
    QCOMPARE(acquired(*other, "b", kMinuteUs).attempt, Attempt::Done);
    // Only ShedLock has a deadline that could stand for it.
    LockSet lease = setOf("sql.lease");
    lease.atLeastUs = 1'000'000;
    QVERIFY(locks::sql::createTable(database->spec(), lease));
    QCOMPARE(acquired(*client(database->spec(), lease), "a", kMinuteUs).error->code, ErrorCode::Unsupported);
}

void SqlLockRowsTest::lateAnswerIsNotHeld()
{
    TestDatabase *database = m_databases.fresh(QStringLiteral("mariadb"));
    QVERIFY(database);
    const LockSet set = setOf("sql.shedlock");
    QVERIFY(locks::sql::createTable(database->spec(), set));
    ProxyThread proxy(database->spec().url.path());
    QVERIFY(proxy.listen());
    SourceSpec spec = database->spec();
    spec.url.setPath(proxy.path());
    locks::LockManager manager(client(spec, set), nullptr);
    const auto lock = *manager.lock("a", {.ttl = std::chrono::milliseconds(300)});
    QList<base::Result<bool>> told;
    lock->tryAcquire([&told](const base::Result<bool> &result) { told.append(result); });
    QTRY_COMPARE_WITH_TIMEOUT(told.size(), 1, 20'000);
    proxy.setDelayMs(500);
    const auto late = *manager.lock("b", {.ttl = std::chrono::milliseconds(300)});
    late->tryAcquire([&told](const base::Result<bool> &result) { told.append(result); });
    bool held = false;
    QVERIFY(QTest::qWaitFor(
        [&] {
            held = held || late->isHeld();
            return told.size() == 2;
        },
        20'000));
    QVERIFY(!held && !late->isHeld());
    if (told.last()) // the server may also end the wait with an error
        QVERIFY(!*told.last());
}

void SqlLockRowsTest::outlivesItsConnection()
{
    const auto database = makeTestDatabase(QStringLiteral("mariadb")); // its sessions are killed
    QVERIFY(database->reset());
    const LockSet set = setOf("sql.shedlock");
    QVERIFY(locks::sql::createTable(database->spec(), set));
    locks::LockManager manager(client(database->spec(), set), nullptr);
    const auto lock = *manager.lock("a");
    QList<base::Result<bool>> told;
    const auto note = [&told](const base::Result<bool> &result) { told.append(result); };
    lock->tryAcquire(note);
    QTRY_COMPARE_WITH_TIMEOUT(told.size(), 1, 20'000);
    QVERIFY(told.first() && *told.first());
    const QList<Row> sessions = database->run(
        QStringLiteral("SELECT ID FROM information_schema.PROCESSLIST WHERE ID <> CONNECTION_ID() "
                       "AND COMMAND = 'Sleep' AND DB = 'app'"));
    QVERIFY(!sessions.isEmpty());
    for (const Row &session : sessions)
        database->run(QStringLiteral("KILL ") + QString::fromLatin1(session.first()));
    lock->renew(note);
    QTRY_COMPARE_WITH_TIMEOUT(told.size(), 2, 20'000);
    QVERIFY(lock->isHeld()); // the row is still ours
    lock->renew(note);
    QTRY_COMPARE_WITH_TIMEOUT(told.size(), 3, 20'000);
    QVERIFY(told.last() && *told.last());
}

void SqlLockRowsTest::aReadOnlyServerRenewsNothing_data()
{
    QTest::addColumn<QString>("server");
    QTest::addColumn<QStringList>("demote");
    QTest::addColumn<QStringList>("promote");
    const QString reload = QStringLiteral("SELECT pg_reload_conf()");
    QTest::newRow("mariadb") << QStringLiteral("mariadb")
                             << QStringList{QStringLiteral("SET GLOBAL read_only = 1")}
                             << QStringList{QStringLiteral("SET GLOBAL read_only = 0")};
    QTest::newRow("postgresql")
        << QStringLiteral("postgresql")
        << QStringList{QStringLiteral("ALTER SYSTEM SET default_transaction_read_only = on"), reload}
        << QStringList{QStringLiteral("ALTER SYSTEM RESET default_transaction_read_only"), reload};
}

/** As after a failover. These rows have no column to renew, so a renewal writes nothing. */
void SqlLockRowsTest::aReadOnlyServerRenewsNothing()
{
    QFETCH(QStringList, demote);
    QFETCH(QStringList, promote);
    TestDatabase *database = m_databases.freshOfRow();
    QVERIFY(database);
    const LockSet set = setOf("sql.insert", QStringLiteral("lock-holder"));
    QVERIFY(locks::sql::createTable(database->spec(), set));
    const auto mine = client(database->spec(), set);
    const AttemptResult taken = acquired(*mine, "a", kMinuteUs);
    QCOMPARE(taken.attempt, Attempt::Done);
    AttemptResult told;
    const auto renews = [&] {
        told = renewed(*mine, taken.lease, kMinuteUs);
        return !told.error && told.attempt == Attempt::Done;
    };
    QVERIFY(renews());
    for (const QString &sql : demote)
        database->exec(sql);
    const bool refused = QTest::qWaitFor([&] { return !renews(); }, 20'000);
    const AttemptResult refusal = told;
    for (const QString &sql : promote)
        database->exec(sql);
    QVERIFY(refused);
    QVERIFY(refusal.error);
    QCOMPARE(refusal.error->code, ErrorCode::ReadOnly);
    QVERIFY(QTest::qWaitFor(renews, 20'000));
}

/** By then the address leads to another server, while the old server keeps its links. */
void SqlLockRowsTest::leavesAReadOnlyServer()
{
    TestDatabase *former = m_databases.fresh(QStringLiteral("mariadb"));
    TestDatabase *primary = m_databases.fresh(QStringLiteral("mariadb-binlog"));
    QVERIFY(former && primary);
    const LockSet set = setOf("sql.insert", QStringLiteral("lock-holder"));
    QVERIFY(locks::sql::createTable(former->spec(), set));
    QVERIFY(locks::sql::createTable(primary->spec(), set));
    ProxyThread proxy(former->spec().url.path());
    QVERIFY(proxy.listen());
    SourceSpec spec = former->spec();
    spec.url.setPath(proxy.path());
    const auto mine = client(spec, set);
    const AttemptResult taken = acquired(*mine, "a", kMinuteUs);
    QCOMPARE(taken.attempt, Attempt::Done);
    primary->run(
        QStringLiteral("INSERT INTO `lock` (lock_key, holder, creation_time) VALUES ('a', '%1', NOW(6))")
            .arg(QString::fromUtf8(taken.lease.token)));
    proxy.leadTo(primary->spec().url.path());
    former->exec(QStringLiteral("SET GLOBAL read_only = 1"));
    const AttemptResult refused = renewed(*mine, taken.lease, kMinuteUs);
    const AttemptResult kept = renewed(*mine, taken.lease, kMinuteUs);
    former->exec(QStringLiteral("SET GLOBAL read_only = 0"));
    QVERIFY(refused.error);
    QCOMPARE(refused.error->code, ErrorCode::ReadOnly);
    QVERIFY2(!kept.error, qPrintable(kept.error.value_or(base::Error{}).line()));
    QCOMPARE(kept.attempt, Attempt::Done);
}

void SqlLockRowsTest::incrementsVersions_data()
{
    keepsForALeastTime_data();
}

void SqlLockRowsTest::incrementsVersions()
{
    TestDatabase *database = m_databases.freshOfRow();
    if (!database)
        QSKIP("no such server here");
    const LockSet set = setOf("sql.version");
    QVERIFY(locks::sql::createTable(database->spec(), set));
    database->run(QStringLiteral("INSERT INTO optimistic_lock (resource, version) VALUES ('a', 0)"));
    locks::Runtime runtime;
    locks::StoreOptions options;
    options.url = QString::fromLatin1(database->spec().url.toEncoded());
    options.password = database->spec().password;
    options.preset = QStringLiteral("optimistic-lock");
    // Four programs increment the version at once: no increment is lost.
    std::atomic<int> counted = 0;
    std::atomic<int> failed = 0;
    std::vector<std::unique_ptr<QThread>> programs;
    for (int i = 0; i < 4; ++i) {
        programs.emplace_back(QThread::create([&] {
            const auto manager = locks::BlockingLockManager::open(runtime, options).value();
            for (int n = 0; n < 20; ++n) {
                const auto done = manager->compareAndIncrement(
                    "a", [] {}, 1'000);
                if (done || done.error().code != ErrorCode::Busy) // as SQLite is at times
                    ++(done && *done ? counted : failed);
            }
        }));
        programs.back()->start();
    }
    for (const auto &program : programs)
        QTRY_VERIFY_WITH_TIMEOUT(program->isFinished(), 60'000);
    QCOMPARE(failed, 0);
    const auto version = [&] {
        return database->run(QStringLiteral("SELECT version FROM optimistic_lock")).first().first().toInt();
    };
    QCOMPARE(version(), int(counted));
    // Another client increments the version each time: the call tries three times, and no more.
    const auto manager = locks::BlockingLockManager::open(runtime, options).value();
    int tries = 0;
    const auto late = manager->compareAndIncrement(
        "a",
        [&] {
            ++tries;
            database->run(QStringLiteral("UPDATE optimistic_lock SET version = version + 1"));
        },
        3);
    QVERIFY(late && !*late);
    QCOMPARE(tries, 3);
    QCOMPARE(version(), int(counted) + 3);
    QVERIFY(!manager->compareAndIncrement("no such row", [] {}));
    // A client that has read the version and gives up has changed nothing.
    auto reader = manager->lock("a", {.ttl = std::chrono::hours(1), .renews = false}).value();
    QVERIFY(reader->tryAcquire().value());
    reader.reset();
    QVERIFY(manager->lock("a").value()->tryAcquire().value()); // runs after any request of `reader`
    QCOMPARE(version(), int(counted) + 3);
}

LOCKKEEPER_TEST(SqlLockRowsTest)

} // namespace tst_sql_lock_rows

#include "tst_sql_lock_rows.moc"
