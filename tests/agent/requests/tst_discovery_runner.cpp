// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/requests/discovery_runner.h"
#include "shared/protocol/codec.h"
#include "tests/agent/release/fake_port.h"
#include "tests/support/fake_clock.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <atomic>

namespace tst_discovery_runner {

using namespace lockkeeper;
using namespace lockkeeper::agent::release;
using namespace lockkeeper::agent::requests;
using base::ErrorCode;
using domain::Outcome;
using domain::discovery::Candidate;
using domain::discovery::Discovery;
using stores::discover::Discoverer;
using tests::FakeAudit;

namespace {

/** The test's instructions to the looks, and their counters; usable from any thread. */
struct Plan
{
    std::atomic_bool answers = true;
    std::atomic_int started = 0;
    std::atomic_int cancelled = 0;
    std::atomic_int deleted = 0;
    std::atomic<QThread *> thread = nullptr;
    Discovery discovery;
    base::Error error;
    stores::SourceSpec spec; ///< of the last one
};

class FakeDiscoverer final : public Discoverer
{
public:
    explicit FakeDiscoverer(Plan &plan) : m_plan(plan) {}
    ~FakeDiscoverer() override { ++m_plan.deleted; }
    void start() override
    {
        m_plan.thread = QThread::currentThread();
        ++m_plan.started;
        if (!m_plan.answers)
            return;
        QMetaObject::invokeMethod(
            this,
            [this] {
                if (m_plan.error.cause.isEmpty())
                    Q_EMIT found(m_plan.discovery);
                else
                    Q_EMIT failed(m_plan.error);
            },
            Qt::QueuedConnection);
    }
    void cancel() override { ++m_plan.cancelled; }

private:
    Plan &m_plan;
};

struct World
{
    World()
    {
        runner.setFactory(
            [this](const stores::SourceSpec &spec) -> base::Result<std::unique_ptr<Discoverer>> {
                plan.spec = spec;
                return std::make_unique<FakeDiscoverer>(plan);
            });
        asker.identity.user = QStringLiteral("ada");
        asker.grants = domain::grantsFor(Role::Admin);
        asker.tickets = std::make_shared<TicketBox>();
        request.command = QByteArray(32, 'a');
        request.url = QStringLiteral("postgresql://lk@db.internal:5432/orders");
        request.password = "s3cret";
    }
    void discover()
    {
        runner.discover(
            request, asker, [this](const protocol::DiscoverResult &r) { results.append(r); },
            takenBack.get_token());
    }

    Plan plan;
    FakeAudit audit;
    tests::FakeClock clock;
    AuditLimit limit{audit, clock, QStringLiteral("%1 more")};
    DiscoveryRunner runner{audit, clock, limit};
    Asker asker;
    std::stop_source takenBack;
    protocol::DiscoverRequest request;
    QList<protocol::DiscoverResult> results;
};

} // namespace

/**
 * The path of a client's discovery: its refusals, its audit entries, the thread that runs it, and its end.
 */
class TestDiscoveryRunner : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void runsElsewhereAndIsAudited();
    void refusals_data();
    void refusals();
    void refusalsFillNoAudit();
    void looksTakenBackFillNoAudit();
    void noAuditNoLook();
    void aRepeatIsNotRun();
    void oneAtATimeASession();
    void endsWhenTakenBack();
    void endsAtItsLimit();
    void endsWithTheAgent();
    void failureIsTold();
    void whatDoesNotFitIsSaid();
};

void TestDiscoveryRunner::runsElsewhereAndIsAudited()
{
    World w;
    w.request.reason = QStringLiteral("new service");
    w.request.verify = QStringLiteral("ca");
    w.plan.discovery.store = "postgresql";
    w.plan.discovery.tables = 12;
    w.plan.discovery.found = {Candidate()};
    w.discover();
    QCOMPARE(w.results.size(), 0); // nothing waits for it
    QTRY_COMPARE(w.results.size(), 1);
    QVERIFY(w.plan.thread != QThread::currentThread());
    QCOMPARE(w.results.at(0).error, base::Error());
    QCOMPARE(w.results.at(0).discovery, w.plan.discovery);
    QCOMPARE(w.results.at(0).auditId, 1);
    QCOMPARE(w.plan.spec.password, QByteArray("s3cret"));
    QCOMPARE(w.plan.spec.url, QUrl(w.request.url));
    QCOMPARE(w.plan.spec.tls.value(QStringLiteral("verify")), QStringLiteral("ca"));
    QCOMPARE(w.audit.entries.size(), 1);
    const domain::AuditEntry &entry = w.audit.entries.at(0);
    QVERIFY(entry.isDiscovery() && !entry.isRelease());
    QCOMPARE(entry.who, QStringLiteral("ada"));
    QCOMPARE(entry.role, QStringLiteral("admin"));
    QCOMPARE(entry.key.place, QByteArray("postgresql://lk@db.internal:5432/orders"));
    QCOMPARE(entry.reason, QStringLiteral("new service"));
    QCOMPARE(entry.outcome, Outcome::Discovered);
    QVERIFY(entry.detail.contains(QLatin1String("12")));
    QTRY_COMPARE(w.plan.deleted.load(), 1);
}

void TestDiscoveryRunner::refusals_data()
{
    QTest::addColumn<QString>("url");
    QTest::addColumn<QByteArray>("password");
    QTest::addColumn<QString>("verify");
    QTest::addColumn<int>("code");
    const QString good = QStringLiteral("redis://db.internal:6379/0");
    const auto row = [](const char *name, const QString &url, const QByteArray &password,
                        const QString &verify,
                        ErrorCode code) { QTest::newRow(name) << url << password << verify << int(code); };
    row("a password in the URL", QStringLiteral("redis://lk:s3cret@db.internal/0"), {}, {}, ErrorCode::Usage);
    row("… of several hosts", QStringLiteral("redis+cluster://lk:s3cret@a:1,b:2"), {}, {}, ErrorCode::Usage);
    row("… in its query", QStringLiteral("postgresql:///db?host=/run&password=s3cret"), {}, {},
        ErrorCode::Usage);
    row("… in its fragment", good + QStringLiteral("#s3cret"), {}, {}, ErrorCode::Usage);
    row("no URL", QStringLiteral("s3cret at db"), {}, {}, ErrorCode::Usage);
    row("empty", {}, {}, {}, ErrorCode::Usage);
    row("half a bracket", QStringLiteral("redis://lk:s3cret@[::1/0"), {}, {}, ErrorCode::Usage);
    row("another kind", QStringLiteral("http://169.254.169.254/latest"), {}, {}, ErrorCode::Usage);
    row("too long", good + QString(3000, QLatin1Char('x')), {}, {}, ErrorCode::Usage);
    row("a file of the agent", QStringLiteral("sqlite:/var/lib/lockkeeper/journal.db"), {}, {},
        ErrorCode::Unsupported);
    row("a variable of the agent", good, "env:s3cret", {}, ErrorCode::Usage);
    row("a file of the agent as password", good, "file:/etc/s3cret", {}, ErrorCode::Usage);
    row("a keychain", good, "keychain:s3cret", {}, ErrorCode::Usage);
    row("a password of 1 MiB", good, QByteArray(1 << 20, 'p'), {}, ErrorCode::Usage);
    row("unknown verify", good, {}, QStringLiteral("maybe"), ErrorCode::Usage);
}

void TestDiscoveryRunner::refusals()
{
    QFETCH(QString, url);
    QFETCH(QByteArray, password);
    QFETCH(QString, verify);
    World w;
    w.request.url = url;
    w.request.password = password;
    w.request.verify = verify;
    w.discover();
    QCOMPARE(w.results.size(), 1);
    QTEST(int(w.results.at(0).error.code), "code");
    QCOMPARE(w.plan.started.load(), 0);
    QCOMPARE(w.audit.entries.size(), 1);
    const domain::AuditEntry &entry = w.audit.entries.at(0);
    QCOMPARE(entry.outcome, Outcome::Refused);
    for (const QString &text :
         {QString::fromUtf8(entry.key.place), entry.detail, entry.reason, w.results.at(0).error.line()})
        QVERIFY2(!text.contains(QLatin1String("s3cret")), qPrintable(text));
}

void TestDiscoveryRunner::refusalsFillNoAudit()
{
    World w;
    const QString good = std::exchange(w.request.url, QStringLiteral("s3cret at db"));
    for (int i = 0; i < AuditLimit::kAMinute + 50; ++i) {
        w.request.command = QByteArray::number(i).rightJustified(32, '0');
        w.discover();
        QCOMPARE(w.results.constLast().error.code, ErrorCode::Usage);
    }
    QCOMPARE(w.results.size(), AuditLimit::kAMinute + 50);
    QCOMPARE(w.audit.entries.size(), AuditLimit::kAMinute);
    w.limit.sumUp();
    QCOMPARE(w.audit.entries.size(), AuditLimit::kAMinute + 1);
    QCOMPARE(w.audit.entries.constLast().reason, QStringLiteral("50 more"));
    w.request.url = good;
    w.request.command = QByteArray(32, 'b');
    w.discover(); // an executed look is counted separately
    QTRY_COMPARE(w.plan.started.load(), 1);
    QCOMPARE(w.audit.entries.size(), AuditLimit::kAMinute + 2);
}

void TestDiscoveryRunner::looksTakenBackFillNoAudit()
{
    World w;
    w.plan.answers = false;
    const auto lookAndTakeBack = [&w] {
        const qsizetype before = w.results.size();
        w.request.command = QByteArray::number(before).rightJustified(32, '0');
        w.takenBack = std::stop_source();
        w.discover();
        w.takenBack.request_stop();
        return QTest::qWaitFor([&] { return w.results.size() > before; }, 60'000)
                   ? w.results.constLast().error.code
                   : ErrorCode::Unknown;
    };
    for (int i = 0; i < AuditLimit::kAMinute; ++i)
        QCOMPARE(lookAndTakeBack(), ErrorCode::Cancelled);
    QCOMPARE(w.audit.entries.size(), AuditLimit::kAMinute);
    for (int i = 0; i < AuditLimit::kAMinute + 50; ++i)
        QCOMPARE(lookAndTakeBack(), ErrorCode::Busy);
    QCOMPARE(w.audit.entries.size(), 2 * AuditLimit::kAMinute);
    w.limit.sumUp(); // the minute is over
    QCOMPARE(w.audit.entries.size(), 2 * AuditLimit::kAMinute + 1);
    QCOMPARE(w.audit.entries.constLast().outcome, Outcome::Refused);
    QCOMPARE(lookAndTakeBack(), ErrorCode::Cancelled);
}

void TestDiscoveryRunner::noAuditNoLook()
{
    World w;
    w.audit.failBegin = true;
    w.discover();
    QCOMPARE(w.results.size(), 1);
    QCOMPARE(w.results.at(0).error.code, ErrorCode::Storage);
    QCOMPARE(w.plan.started.load(), 0);
    w.audit.failBegin = false;
    w.discover(); // nothing keeps the session busy
    QTRY_COMPARE(w.results.size(), 2);
    QCOMPARE(w.results.at(1).error, base::Error());
}

void TestDiscoveryRunner::aRepeatIsNotRun()
{
    World w;
    w.discover();
    QTRY_COMPARE(w.results.size(), 1);
    w.discover();
    QTRY_COMPARE(w.results.size(), 2);
    QCOMPARE(w.results.at(1).error.code, ErrorCode::Usage);
    QCOMPARE(w.plan.started.load(), 1);
    w.request.command = "no id";
    w.discover();
    QCOMPARE(w.results.size(), 3);
    QCOMPARE(w.audit.entries.size(), 2);
    QCOMPARE(w.plan.started.load(), 1);
}

void TestDiscoveryRunner::oneAtATimeASession()
{
    World w;
    w.plan.answers = false;
    w.discover();
    QTRY_COMPARE(w.plan.started.load(), 1);
    w.request.command = QByteArray(32, 'b');
    w.discover();
    QCOMPARE(w.results.size(), 1);
    QCOMPARE(w.results.at(0).error.code, ErrorCode::Busy);
    QCOMPARE(w.audit.entries.at(1).outcome, Outcome::Refused);
    const auto first = std::exchange(w.asker.tickets, std::make_shared<TicketBox>());
    w.request.command = QByteArray(32, 'c');
    w.discover(); // another session
    QTRY_COMPARE(w.plan.started.load(), 2);
}

void TestDiscoveryRunner::endsWhenTakenBack()
{
    World w;
    w.plan.answers = false;
    w.discover();
    QTRY_COMPARE(w.plan.started.load(), 1);
    w.takenBack.request_stop();
    QTRY_COMPARE(w.plan.deleted.load(), 1);
    QCOMPARE(w.plan.cancelled.load(), 1);
    QTRY_COMPARE(w.results.size(), 1);
    QCOMPARE(w.results.at(0).error.code, ErrorCode::Cancelled);
    QCOMPARE(w.audit.entries.at(0).outcome, Outcome::Unknown);
}

void TestDiscoveryRunner::endsAtItsLimit()
{
    World w;
    w.runner.setLimitMs(1);
    w.plan.answers = false;
    w.discover();
    QTRY_COMPARE(w.results.size(), 1);
    QCOMPARE(w.results.at(0).error.code, ErrorCode::Timeout);
    QCOMPARE(w.audit.entries.at(0).outcome, Outcome::Unknown);
    QTRY_COMPARE(w.plan.cancelled.load(), w.plan.started.load());
}

void TestDiscoveryRunner::endsWithTheAgent()
{
    Plan plan;
    plan.answers = false;
    {
        World w;
        w.runner.setFactory([&plan](const stores::SourceSpec &) -> base::Result<std::unique_ptr<Discoverer>> {
            return std::make_unique<FakeDiscoverer>(plan);
        });
        w.discover();
        QTRY_COMPARE(plan.started.load(), 1);
    }
    QCOMPARE(plan.deleted.load(), 1);
}

void TestDiscoveryRunner::failureIsTold()
{
    World w;
    w.plan.error = {ErrorCode::Authentication, QStringLiteral("access denied"), {}};
    w.discover();
    QTRY_COMPARE(w.results.size(), 1);
    QCOMPARE(w.results.at(0).error, w.plan.error);
    QCOMPARE(w.audit.entries.at(0).outcome, Outcome::Refused);
    w.plan.error = {ErrorCode::Unreachable, QStringLiteral("no route"), {}};
    w.request.command = QByteArray(32, 'b');
    w.discover();
    QTRY_COMPARE(w.results.size(), 2);
    QCOMPARE(w.audit.entries.at(1).outcome, Outcome::Unreachable);
}

void TestDiscoveryRunner::whatDoesNotFitIsSaid()
{
    World w;
    Candidate table;
    table.table = QString(1000, QLatin1Char('t'));
    w.plan.discovery.store = "mysql";
    w.plan.discovery.found = {table};
    w.plan.discovery.rest = QList<Candidate>(9'000, table);
    w.discover();
    QTRY_COMPARE(w.results.size(), 1);
    const Discovery &told = w.results.at(0).discovery;
    QCOMPARE(told.found.size(), 1);
    QVERIFY(!told.rest.isEmpty() && told.rest.size() < 9'000);
    QVERIFY(!told.allSeen);
    QVERIFY(protocol::encode(w.results.at(0)).size() < qsizetype(protocol::kMaxFrame));
}

LOCKKEEPER_TEST(TestDiscoveryRunner)

} // namespace tst_discovery_runner

#include "tst_discovery_runner.moc"
