// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/factory.h"
#include "shared/locks/lock_manager.h"
#include "shared/locks/sql/create_table.h"
#include "tests/shared/stores/sql/test_database.h"
#include "tests/support/test_program.h"

#include <QScopeGuard>
#include <QTest>

namespace tst_sql_lock_misuse {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;
using namespace std::chrono_literals;
using base::ErrorCode;
using locks::Lock;
using locks::LockManager;

namespace {

using Answer = std::optional<base::Result<bool>>;

/** The answer to one request; fails the test without an answer. */
Answer answerOf(const std::function<void(Lock::Done)> &ask)
{
    const auto answer = std::make_shared<Answer>();
    ask([answer](const base::Result<bool> &result) { *answer = result; });
    if (!QTest::qWaitFor([&] { return answer->has_value(); }, 30'000))
        QTest::qFail("a lock didn't answer", __FILE__, __LINE__);
    return *answer;
}

bool took(Lock &lock)
{
    const Answer answer = answerOf([&](auto done) { lock.tryAcquire(std::move(done)); });
    return answer && *answer && **answer;
}

bool gaveBack(Lock &lock)
{
    const Answer answer = answerOf([&](auto done) { lock.release(std::move(done)); });
    return answer && *answer && **answer;
}

bool kept(Lock &lock)
{
    const Answer answer = answerOf([&](auto done) { lock.renew(std::move(done)); });
    return answer && *answer && **answer;
}

} // namespace

/** Wrong calls, and calls in the wrong order, on SQL locks. */
class SqlLockMisuseTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void refusals_data() { rows(); }
    void refusals();
    void givingBackTwice_data() { rows(); }
    void givingBackTwice();
    void renewingAfterLoss_data() { rows(); }
    void renewingAfterLoss();
    void destroyedWhileAcquiring_data() { rows(); }
    void destroyedWhileAcquiring();
    void bothGoTogether_data() { rows(); }
    void bothGoTogether();
    void connectionGoesFirst_data() { rows(); }
    void connectionGoesFirst();

private:
    static void rows();
    /** A manager of the row's scheme, with everything that it needs. */
    std::unique_ptr<LockManager> manager();
    /** Ends the hold of "a", as an operator would. */
    void breakLock();

    TestDatabases m_databases;
    TestDatabase *m_database = nullptr;
    LockSet m_set;
};

void SqlLockMisuseTest::rows()
{
    QTest::addColumn<QByteArray>("scheme");
    for (const char *scheme :
         {"sql.shedlock", "sql.insert", "sql.lease", "sql.reentrant", "sql.row", "sql.advisory"})
        QTest::newRow(scheme) << QByteArray(scheme);
}

std::unique_ptr<LockManager> SqlLockMisuseTest::manager()
{
    if (m_set.scheme.isEmpty()) {
        m_database = m_databases.fresh(QStringLiteral("mariadb"));
        m_set.scheme = *static_cast<QByteArray *>(QTest::qData("scheme", qMetaTypeId<QByteArray>()));
        if (m_set.scheme != "sql.advisory" && !locks::sql::createTable(m_database->spec(), m_set))
            QTest::qFail("the table can't be made", __FILE__, __LINE__);
        if (m_set.scheme == "sql.row")
            m_database->run(QStringLiteral("INSERT INTO `lock` VALUES ('a')"));
    }
    return std::make_unique<LockManager>(*locks::makeLockClient(m_database->spec(), m_set, "me"), nullptr);
}

void SqlLockMisuseTest::breakLock()
{
    if (m_set.scheme == "sql.row" || m_set.scheme == "sql.advisory") {
        const QString holder =
            m_set.scheme == "sql.advisory"
                ? QStringLiteral("SELECT IS_USED_LOCK('a')")
                : QStringLiteral("SELECT MAX(ID) FROM information_schema.PROCESSLIST WHERE COMMAND = 'Sleep' "
                                 "AND DB = DATABASE() AND ID <> CONNECTION_ID()");
        m_database->run(QStringLiteral("KILL ") +
                        QString::fromLatin1(m_database->run(holder).first().first()));
        return;
    }
    m_database->run(m_set.scheme == "sql.shedlock"    ? QStringLiteral("DELETE FROM shedlock")
                    : m_set.scheme == "sql.reentrant" ? QStringLiteral("DELETE FROM t_tag_lock")
                                                      : QStringLiteral("DELETE FROM `lock`"));
}

void SqlLockMisuseTest::refusals()
{
    m_set = {};
    const auto locks = manager();
    QCOMPARE(locks->lock({}).error().code, ErrorCode::Usage);
    QCOMPARE(locks->lock(QByteArray("a\0b", 3)).error().code, ErrorCode::Usage);
    QCOMPARE(locks->lock("a\xff").error().code, ErrorCode::Usage);
    QCOMPARE(locks->lock(QByteArray(1'024 * 1'024, 'n')).error().code, ErrorCode::TooLarge);
    for (const auto ttl : {0us, -1us, 999us, std::chrono::microseconds(24h) * 365 * 101})
        QCOMPARE(locks->lock("a", {.ttl = ttl}).error().code, ErrorCode::Usage);
    // Only the server detects a name that is longer than its column, or than GET_LOCK accepts.
    const auto tooLong = *locks->lock(QByteArray(250, 'n'));
    const Answer refused = answerOf([&](auto done) { tooLong->tryAcquire(std::move(done)); });
    QVERIFY(refused && !*refused);
    QVERIFY2(!base::isTransient(refused->error().code), qPrintable(refused->error().line()));
    QVERIFY(!tooLong->isHeld());
    QVERIFY(took(**locks->lock("a"))); // the connection is still usable
}

void SqlLockMisuseTest::givingBackTwice()
{
    m_set = {};
    const auto locks = manager();
    const auto lock = *locks->lock("a");
    QVERIFY(!gaveBack(*lock));
    QVERIFY(took(*lock) && lock->isHeld());
    QVERIFY(gaveBack(*lock));
    const auto next = *locks->lock("a");
    QVERIFY(took(*next));
    QVERIFY(!gaveBack(*lock)); // instead of the next one's
    QVERIFY(next->isHeld() && kept(*next));
    QVERIFY(gaveBack(*next));
}

void SqlLockMisuseTest::renewingAfterLoss()
{
    m_set = {};
    const auto locks = manager();
    const auto lock = *locks->lock("a");
    QVERIFY(took(*lock) && kept(*lock));
    const std::stop_token lost = lock->lostToken();
    breakLock();
    QVERIFY(!kept(*lock));
    QTRY_VERIFY_WITH_TIMEOUT(lost.stop_requested(), 20'000);
    QVERIFY(!lock->isHeld());
    QVERIFY(!kept(*lock) && !gaveBack(*lock));
}

void SqlLockMisuseTest::destroyedWhileAcquiring()
{
    m_set = {};
    const auto locks = manager();
    bool told = false;
    for (int i = 0; i < 5; ++i) {
        auto lock = *locks->lock("a");
        lock->tryAcquire([&told](const base::Result<bool> &) { told = true; });
        lock.reset();
    }
    bool idle = false;
    locks->whenIdle([&idle] { idle = true; });
    QTRY_VERIFY_WITH_TIMEOUT(idle, 30'000);
    QVERIFY(!told);
    const auto others = manager();
    QVERIFY(took(**others->lock("a")));
}

/** The handle ends, and at once its manager, like the members of an object. */
void SqlLockMisuseTest::bothGoTogether()
{
    qputenv("QT_NO_GLIB", "1"); // by Qt's own event loop, whose end waits for nothing that was asked
    const auto restored = qScopeGuard([] { qunsetenv("QT_NO_GLIB"); });
    m_set = {};
    auto locks = manager();
    auto lock = *locks->lock("a");
    QVERIFY(took(*lock));
    lock.reset();
    locks.reset();
    const auto others = manager();
    QVERIFY(QTest::qWaitFor([&] { return took(**others->lock("a")); }, 20'000)); // its lease is longer
}

void SqlLockMisuseTest::connectionGoesFirst()
{
    m_set = {};
    auto locks = manager();
    const auto held = *locks->lock("a");
    QVERIFY(took(*held));
    const auto waiting = *locks->lock("a");
    Answer answer;
    waiting->acquire({}, [&answer](const base::Result<bool> &result) { answer = result; });
    const auto acquiring = *locks->lock("b");
    acquiring->tryAcquire([](const base::Result<bool> &) {});
    locks.reset();
    QVERIFY(!held->isHeld());
    QTRY_VERIFY_WITH_TIMEOUT(answer.has_value(), 30'000);
    QCOMPARE(answer->error().code, ErrorCode::Shutdown);
    QVERIFY(!took(*held) && !gaveBack(*held));
}

LOCKKEEPER_TEST(SqlLockMisuseTest)

} // namespace tst_sql_lock_misuse

#include "tst_sql_lock_misuse.moc"
