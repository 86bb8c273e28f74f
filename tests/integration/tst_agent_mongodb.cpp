// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/integration/mongodb_rig.h"
#include "tests/support/mongod_server.h"
#include "tests/support/test_program.h"

#include <QHostAddress>
#include <QTcpSocket>

namespace tst_agent_mongodb {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using events::EventKind;
using events::LockEvent;

/** A real agent on a real MongoDB. */
class TestAgentMongodb : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();
    void lifeOfALock_data() { bothWays(); }
    void lifeOfALock();
    void expiredAndPresentStill_data() { bothWays(); }
    void expiredAndPresentStill();
    void brokenFromTheShell_data() { bothWays(); }
    void brokenFromTheShell();
    void aKilledStoreIsAGap_data() { bothWays(); }
    void aKilledStoreIsAGap();
    void olderFilesReleaseNothing_data() { bothWays(); }
    void olderFilesReleaseNothing();
    void aChangeStreamMissesNothing();
    void metricsTellOfIt_data() { bothWays(); }
    void metricsTellOfIt();
    void theReaperTakesWhatHasExpired();
    void historyHoldsAndContention_data() { bothWays(); }
    void historyHoldsAndContention();

private:
    bool begin(bool push, const QByteArray &more = {})
    {
        return m_rig->begin(m_server->url().toEncoded(), push, more);
    }
    bool saw(EventKind kind) const { return m_rig->saw(kind); }
    domain::LockState state(const QByteArray &name = "a") const { return m_rig->state(name); }
    bool take(const QByteArray &who, qint64 agoMs = 0, const QByteArray &name = "a") const
    {
        return m_application->insert("locks", lockDocument(who, name, agoMs));
    }
    bool give() const { return m_application->remove("locks", R"({"_id": "a"})"); }
    qsizetype count(EventKind kind) const { return m_rig->client->count(kind); }
    QByteArray metrics() const;

    std::unique_ptr<MongodServer> m_server;
    std::unique_ptr<DocumentClient> m_application;
    std::unique_ptr<MongodbRig> m_rig;
};

QByteArray TestAgentMongodb::metrics() const
{
    QTcpSocket socket;
    socket.connectToHost(QHostAddress(QHostAddress::LocalHost), m_rig->agent->metricsPort());
    socket.write("GET /metrics HTTP/1.0\r\n\r\n");
    const bool ended =
        QTest::qWaitFor([&socket] { return socket.state() == QAbstractSocket::UnconnectedState; });
    return ended ? socket.readAll() : QByteArray();
}

void TestAgentMongodb::initTestCase()
{
    if (!MongodServer::isInstalled())
        QSKIP(MongodServer::absent());
}

void TestAgentMongodb::init()
{
    m_server = std::make_unique<MongodServer>();
    m_rig = std::make_unique<MongodbRig>();
    // The server's own pace of removing: nothing else removes expired documents within a test.
    QVERIFY(
        m_server->start(true, {QStringLiteral("--setParameter"), QStringLiteral("ttlMonitorEnabled=false")}));
    m_application = std::make_unique<DocumentClient>(m_server->url());
    QVERIFY(m_application->index("locks", kTtlOf120s));
}

void TestAgentMongodb::cleanup()
{
    if (m_rig)
        QCOMPARE(m_rig->client->faults, QStringList());
    m_application.reset();
    m_rig.reset();
    m_server.reset();
}

void TestAgentMongodb::lifeOfALock()
{
    QFETCH(const bool, push);
    QVERIFY(begin(push));
    QVERIFY(take("h1"));
    QVERIFY(saw(EventKind::Acquired));
    QCOMPARE(m_rig->client->last(EventKind::Acquired).owner, "h1");
    QTRY_VERIFY(state().isHeld() && state().expiry == domain::ExpiryKind::At);
    // Exact by the document's time, unless a scan between that time and the insertion shows otherwise.
    QVERIFY(state().ttlMs > 110'000 && state().ttlMs <= 120'000);
    QVERIFY(m_application->update("locks", R"({"_id": "a"})", R"({"$currentDate": {"updatedAt": true}})"));
    QTRY_COMPARE(state().renewals, 1U);
    QVERIFY(give());
    QVERIFY(saw(EventKind::Released));
    QCOMPARE(count(EventKind::Acquired), 1);
    QCOMPARE(count(EventKind::Expired) + count(EventKind::GapOpened), 0);
}

/**
 * The TTL monitor comes about once a minute: until then the document still exists, although its lock has
 * expired.
 */
void TestAgentMongodb::expiredAndPresentStill()
{
    QFETCH(const bool, push);
    QVERIFY(begin(push));
    QVERIFY(take("h1", 119'000));
    QVERIFY(saw(EventKind::Expired));
    QTRY_COMPARE(state().phase, domain::Phase::Expired);
    QCOMPARE(state().owner, "h1");
    QCOMPARE(m_application->count("locks"), 1);
    QVERIFY(give());
    const auto isShownAsHeld = [this] {
        return m_rig->client->table.locks.contains(MongodbRig::key()) && state().phase != domain::Phase::Free;
    };
    QTRY_VERIFY(!isShownAsHeld());
    QCOMPARE(count(EventKind::Expired), 1);
    QCOMPARE(count(EventKind::Released), 0);
}

void TestAgentMongodb::brokenFromTheShell()
{
    QFETCH(const bool, push);
    QVERIFY(begin(push));
    QVERIFY(take("h1"));
    QTRY_VERIFY2(state().isHeld(), m_rig->told().constData());
    const QJsonObject lock = m_rig->json({QStringLiteral("locks")}).constFirst();
    QCOMPARE(lock.value(QLatin1String("store")).toString(), QStringLiteral("mongodb"));
    QCOMPARE(lock.value(QLatin1String("owner")).toString(), QStringLiteral("h1"));
    const QStringList release{QStringLiteral("release"), QStringLiteral("s"),
                              QStringLiteral("a"),       QStringLiteral("--reason"),
                              QStringLiteral("test"),    QStringLiteral("--yes"),
                              QStringLiteral("--guard"), lock.value(QLatin1String("guard")).toString()};
    const Output done = m_rig->ctl(release);
    QVERIFY2(done.status == 0, (done.out + done.err).constData());
    QVERIFY(saw(EventKind::ForceReleased));
    QCOMPARE(m_application->count("locks"), 0);
    QVERIFY(take("h2"));
    QTRY_COMPARE(state().owner, "h2");
    const Output again = m_rig->ctl(release);
    QVERIFY2(again.status == 5, (again.out + again.err).constData());
    QCOMPARE(m_application->count("locks"), 1);
    // The old guard doesn't end the same client's next hold either, even if the agent missed the end of this
    // hold.
    for (const bool seen : {true, false}) {
        const QByteArray guard = state().guard;
        QVERIFY(!guard.isEmpty() && give());
        if (seen)
            QTRY_VERIFY(!state().isHeld());
        QVERIFY(take("h2"));
        QTRY_VERIFY(!state().guard.isEmpty() && state().guard != guard);
        QStringList old = release;
        old.last() = QString::fromLatin1(guard);
        const Output changed = m_rig->ctl(old);
        QVERIFY2(changed.status == 5, (changed.out + changed.err).constData());
        QCOMPARE(m_application->count("locks"), 1);
    }
}

void TestAgentMongodb::aKilledStoreIsAGap()
{
    QFETCH(const bool, push);
    QVERIFY(begin(push));
    QVERIFY(take("h1"));
    QTRY_VERIFY(state().isHeld());
    const QByteArray guard = state().guard;
    m_server->kill();
    QVERIFY(saw(EventKind::SourceDown));
    QVERIFY(m_server->restart());
    QVERIFY(saw(EventKind::GapClosed));
    QTRY_VERIFY(state().isHeld() && state().release.possible());
    QCOMPARE(state().guard, guard);
    QCOMPARE(count(EventKind::Acquired), 1);
    QCOMPARE(count(EventKind::Released) + count(EventKind::Expired), 0);
}

/** Holds that come and go between two readings, also while the agent is away. */
/** Restored from files: a lock that isn't in them was lost, and one that had been released came back. */
void TestAgentMongodb::olderFilesReleaseNothing()
{
    QFETCH(const bool, push);
    QVERIFY(take("h1"));
    QVERIFY(m_server->keepCopy());
    QVERIFY(m_server->restart()); // an election more than the copy has seen
    QVERIFY(begin(push));
    QTRY_VERIFY2(state().isHeld(), m_rig->told().constData());
    QVERIFY(give());
    QVERIFY(take("h2", 0, "b"));
    QTRY_VERIFY2(state("b").isHeld() && count(EventKind::Released) == 1, m_rig->told().constData());
    QVERIFY(m_server->putCopyBack());
    QTRY_VERIFY2_WITH_TIMEOUT(count(EventKind::GapClosed) > 0 &&
                                  count(EventKind::GapClosed) == count(EventKind::GapOpened),
                              m_rig->told().constData(), 30'000);
    QTRY_COMPARE(count(EventKind::Lost), 1);
    QCOMPARE(m_rig->client->last(EventKind::Lost).key.name, QByteArray("b"));
    QTRY_COMPARE(count(EventKind::Acquired), 3);
    QVERIFY2(m_rig->client->last(EventKind::Acquired).detail.cameBack, m_rig->told().constData());
    QCOMPARE(count(EventKind::Released), 1);
}

void TestAgentMongodb::aChangeStreamMissesNothing()
{
    constexpr int kHolds = 20;
    QVERIFY(begin(true));
    QTRY_VERIFY(m_rig->isPushed());
    const auto hold = [&] {
        for (int i = 0; i < kHolds; ++i) {
            if (!take("h" + QByteArray::number(i)) || !give())
                return false;
        }
        return true;
    };
    QVERIFY(hold());
    QTRY_COMPARE(count(EventKind::Released), kHolds);
    QCOMPARE(count(EventKind::Acquired), kHolds);
    QVERIFY(take("before"));
    QTRY_COMPARE(count(EventKind::Acquired), kHolds + 1);
    m_rig->agent->kill();
    QVERIFY(give());
    QVERIFY(hold());
    QVERIFY(take("after"));
    QVERIFY(m_rig->agent->start());
    const auto told = [this](const char *kind, const char *who) {
        return m_rig
            ->ctl({QStringLiteral("--json"), QStringLiteral("history"), QStringLiteral("--event"),
                   QString::fromLatin1(kind), QStringLiteral("--from"), QStringLiteral("-1h")})
            .out.count(who);
    };
    QTRY_COMPARE_WITH_TIMEOUT(told("acquired", "\"after\""), 1, 20'000);
    QCOMPARE(told("released", "\"h19\""), 2);
    QCOMPARE(told("released", "\"before\""), 1);
    QCOMPARE(told("released", "\"after\""), 0);
    QCOMPARE(told("taken_over", "\"after\""), 0);
    const Output gaps =
        m_rig->ctl({QStringLiteral("--json"), QStringLiteral("history"), QStringLiteral("--event"),
                    QStringLiteral("gap_opened"), QStringLiteral("--from"), QStringLiteral("-1h")});
    QVERIFY2(!gaps.out.contains("agent_restarted"), gaps.out.constData());
    const QJsonObject source = m_rig->json({QStringLiteral("status")})
                                   .constFirst()
                                   .value(QLatin1String("sources"))
                                   .toArray()
                                   .at(0)
                                   .toObject();
    const int offsetUs = source.value(QLatin1String("clock_offset_us")).toInt(INT_MAX);
    QVERIFY2(qAbs(offsetUs) < 50'000, qPrintable(QString::number(offsetUs))); // one machine
}

void TestAgentMongodb::metricsTellOfIt()
{
    QFETCH(const bool, push);
    QVERIFY(take("h1"));
    QVERIFY(take("h2", 3'600'000, "old")); // and no TTL monitor comes
    QVERIFY(begin(push));
    QTRY_VERIFY(state().isHeld() && state("old").phase == domain::Phase::Expired);
    QTRY_COMPARE(m_rig->isPushed(), push);
    QByteArray text;
    const auto tells = [&](const QByteArrayList &lines) {
        text = metrics();
        return std::all_of(lines.cbegin(), lines.cend(), [&](const QByteArray &line) {
            return text.contains("\nlockkeeper_" + line + '\n');
        });
    };
    QTRY_VERIFY2(
        tells({R"(source_up{source="s"} 1)", R"(locks{source="s",scheme="mongodb.ttl",state="held"} 1)",
               R"(locks{source="s",scheme="mongodb.ttl",state="expired"} 1)",
               R"(source_finding{source="s",code="ttl_overdue",severity="warning"} 1)",
               R"(source_pushing{source="s"} )" + QByteArray(push ? "1" : "0"),
               R"(push_missed_total{source="s"} 0)"}),
        text.constData());
    m_server->kill();
    QTRY_VERIFY2(tells({R"(source_up{source="s"} 0)"}), text.constData());
}

void TestAgentMongodb::theReaperTakesWhatHasExpired()
{
    QVERIFY(begin(false, "  reaper = \"expired\"\n  reaper_delay = \"1s\"\n"));
    QVERIFY(take("h1"));
    QVERIFY(take("h2", 3'600'000, "old"));
    QVERIFY(saw(EventKind::ForceReleased));
    QCOMPARE(m_rig->client->last(EventKind::ForceReleased).key.name, "old");
    QCOMPARE(m_application->count("locks"), 1);
    QVERIFY(state().isHeld());
    const QList<QJsonObject> audit = m_rig->json({QStringLiteral("audit")});
    QCOMPARE(audit.size(), 1);
    QCOMPARE(audit.constFirst().value(QLatin1String("who")).toString(), QStringLiteral("reaper"));
    QCOMPARE(audit.constFirst().value(QLatin1String("outcome")).toString(), QStringLiteral("released"));
}

void TestAgentMongodb::historyHoldsAndContention()
{
    QFETCH(const bool, push);
    QVERIFY(begin(push));
    QTRY_COMPARE(m_rig->isPushed(), push);
    for (int i = 1; i <= 3; ++i) {
        QVERIFY(take("h" + QByteArray::number(i)));
        QTRY_COMPARE(count(EventKind::Acquired), i);
        QVERIFY(give());
        QTRY_COMPARE(count(EventKind::Released), i);
    }
    const auto owners = [this](const char *command, const QStringList &more = {}) {
        QByteArrayList told;
        for (const QJsonObject &line : m_rig->json(
                 QStringList{QLatin1String(command), QStringLiteral("--from"), QStringLiteral("-1h")} + more))
            told.append(line.value(QLatin1String("owner")).toString().toUtf8());
        return told;
    };
    const QByteArrayList three{"h1", "h2", "h3"};
    QCOMPARE(owners("history", {QStringLiteral("--event"), QStringLiteral("acquired")}), three);
    QByteArrayList held = owners("holds", {QStringLiteral("--lock"), QStringLiteral("a")});
    std::sort(held.begin(), held.end());
    QCOMPARE(held, three);
    const QJsonObject row =
        m_rig->json({QStringLiteral("contention"), QStringLiteral("--from"), QStringLiteral("-1h")})
            .constFirst();
    qInfo() << row;
}

LOCKKEEPER_TEST(TestAgentMongodb)

} // namespace tst_agent_mongodb

#include "tst_agent_mongodb.moc"
