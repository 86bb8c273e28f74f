// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/base/clock.h"
#include "tests/support/agent_process.h"
#include "tests/support/etcd_server.h"
#include "tests/support/mariadb_server.h"
#include "tests/support/program.h"
#include "tests/support/redis_server.h"
#include "tests/support/tcp_proxy.h"
#include "tests/support/test_client.h"
#include "tests/support/test_program.h"
#include "tests/support/zookeeper_server.h"

#include <QElapsedTimer>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTcpSocket>
#include <QTest>
#include <QTimer>

#include <csignal>

namespace tst_agent_election {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using events::EventKind;
using events::LockEvent;

constexpr qint64 kTtlUs = 3'000'000;
/** After this time, MariaDB ends the session of a stopped process, and with it its lock. */
constexpr qint64 kSessionUs = 4'000'000;

qint64 wallUs()
{
    return base::SystemClock().wallUs();
}

/** One of the two: its process, a console, and its way to the store of the election, which can be cut. */
struct Member
{
    /** `votes`: where the election is; empty: in Redis, by the proxy. */
    Member(const RedisServer &redis, const QByteArray &votes, const QByteArray &givenName)
        : name(givenName), proxy(redis.socketPath())
    {
        proxy.listen();
        // The source of the election is watched as well; the source under test has a separate connection.
        agent.configure("election = \"votes\"\nelection_ttl = \"3s\"\n" +
                            (votes.isEmpty()
                                 ? source("votes", ofSocket(proxy.path()), "redis.token", "lockkeeper:*")
                                 : votes) +
                            source("orders", ofSocket(redis.socketPath()), "redis.token", "lock:*"),
                        {}, name);
    }
    static QByteArray ofSocket(const QString &path) { return "redis+unix://" + path.toUtf8() + "?db=0"; }
    static QByteArray source(const QByteArray &name, const QByteArray &url, const QByteArray &scheme,
                             const QByteArray &match)
    {
        return "[[source]]\nname = \"" + name + "\"\nurl = \"" + url +
               "\"\npoll_ms = 50\nstatement_timeout_ms = 1000\n  [[source.locks]]\n  scheme = \"" + scheme +
               "\"\n  match = \"" + match + "\"\n";
    }
    bool start() { return agent.start() && client.open(agent.socket()); }
    std::optional<protocol::Status> status()
    {
        return client.ask<protocol::Status>(protocol::StatusQuery{}, 5'000);
    }
    /** GET /healthz or /metrics. */
    QByteArray http(const QByteArray &path) const;

    QByteArray name;
    ProxyThread proxy;
    AgentProcess agent;
    TestClient client;
    bool answers = true; ///< it runs, and isn't stopped
};

QByteArray Member::http(const QByteArray &path) const
{
    QTcpSocket socket;
    socket.connectToHost(QStringLiteral("127.0.0.1"), agent.metricsPort());
    QByteArray answer;
    if (socket.waitForConnected(5'000)) {
        socket.write("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        while (socket.waitForReadyRead(5'000))
            answer += socket.readAll();
    }
    return answer;
}

/** A time in which an agent was active, by its status and its journal. */
struct Term
{
    QByteArray agent;
    QByteArray epoch;
    qint64 fromUs = 0; ///< it became active
    qint64 seenUs = 0; ///< it said so last
};

/** Two real agents on one real store: exactly one observes, journals and releases. */
class TestAgentElection : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void killed_data() { stores(); }
    void killed();
    void ended();
    void stoppedAndResumed_data() { stores(); }
    void stoppedAndResumed();
    void storeOfTheElectionAway();

private:
    /** Where the election is. */
    static void stores()
    {
        QTest::addColumn<int>("none"); // the row's name says it, also where a test has none
        for (const char *store : {"redis", "mariadb", "etcd", "zookeeper"})
            QTest::newRow(store) << 0;
    }
    /** Polls both agents until `until` returns true, and notes which agent is active when. */
    bool watch(const std::function<bool()> &until, int withinMs = 20'000);
    void note(Member &member);
    /** A user-level lock of a database names the session, which any user may see, but no agent. */
    bool namesTheActive(const QByteArray &told) const
    {
        return told.toLower().contains("standby") && (m_mariaDb || told.contains("active is left on "));
    }
    bool isActive(const Member &member) const { return m_active.contains(member.name); }
    QList<LockEvent> journal(Member &member);
    /** Checks the invariants of both journals. */
    void checkJournals();
    /** The hand-over as `to`'s journal has it, and `from`'s. */
    void checkGap(Member &from, qint64 fromEndUs, Member &to);
    const Term &lastTerm(const Member &member) const;

    std::unique_ptr<RedisServer> m_redis;
    std::unique_ptr<MariaDbServer> m_mariaDb;
    std::unique_ptr<EtcdServer> m_etcd;
    std::unique_ptr<ZookeeperServer> m_zookeeper;
    std::unique_ptr<Member> m_a;
    std::unique_ptr<Member> m_b;
    QTimer m_load;
    int m_turn = 0;
    QSet<QByteArray> m_active; ///< the agents whose last status said so
    QList<Term> m_terms;
    QStringList m_faults;
};

void TestAgentElection::init()
{
    m_terms.clear();
    m_active.clear();
    m_faults.clear();
    m_redis = std::make_unique<RedisServer>();
    QVERIFY(m_redis->start());
    const QByteArray store = QTest::currentDataTag();
    QByteArray votes;
    if (store == "mariadb") {
        m_mariaDb = std::make_unique<MariaDbServer>(
            QStringList{QStringLiteral("--wait-timeout=%1").arg(kSessionUs / 1'000'000)});
        QVERIFY(m_mariaDb->start());
        m_mariaDb->exec(QStringLiteral("CREATE DATABASE app;"));
        votes = Member::source("votes", m_mariaDb->url(QStringLiteral("app")).toEncoded(), "sql.advisory",
                               "lockkeeper:*");
    } else if (store == "etcd") {
        if (!EtcdServer::isInstalled())
            QSKIP(EtcdServer::absent());
        m_etcd = std::make_unique<EtcdServer>();
        QVERIFY(m_etcd->start());
        votes = Member::source("votes", m_etcd->url().toEncoded(), "etcd.lease", "lockkeeper:*");
    } else if (store == "zookeeper") {
        if (!ZookeeperServer::isInstalled())
            QSKIP(ZookeeperServer::absent());
        m_zookeeper = std::make_unique<ZookeeperServer>();
        QVERIFY(m_zookeeper->start());
        votes =
            Member::source("votes", m_zookeeper->url().toEncoded(), "zookeeper.sequence", "/lockkeeper/*");
    }
    m_a = std::make_unique<Member>(*m_redis, votes, "left");
    m_b = std::make_unique<Member>(*m_redis, votes, "right");
    m_load.disconnect();
    connect(&m_load, &QTimer::timeout, this, [this] {
        const QByteArray name = "lock:" + QByteArray::number(++m_turn % 7);
        m_redis->command({"SET", name, QByteArray::number(m_turn), "PX", "60000"});
        m_redis->command({"DEL", "lock:" + QByteArray::number((m_turn + 3) % 7)});
    });
    m_load.start(25);
    QVERIFY(m_a->start());
    QVERIFY(watch([this] { return isActive(*m_a); }));
    QVERIFY(m_b->start());
    // The standby knows the active agent, and reports no fault. GET_LOCK() shows no holder's name.
    if (!m_mariaDb)
        QTRY_VERIFY_WITH_TIMEOUT(m_b->status()->election->holder.startsWith(QLatin1String("left on ")),
                                 20'000);
    QVERIFY(watch([this] { return m_terms.constLast().seenUs > m_terms.constFirst().fromUs + 500'000; }));
}

void TestAgentElection::cleanup()
{
    m_load.stop();
    if (m_a && m_a->agent.isRunning())
        m_a->agent.signal(SIGCONT);
    m_a.reset();
    m_b.reset();
    m_redis.reset();
    m_mariaDb.reset();
    m_etcd.reset();
    m_zookeeper.reset();
}

bool TestAgentElection::watch(const std::function<bool()> &until, int withinMs)
{
    return QTest::qWaitFor(
        [&] {
            note(*m_a);
            note(*m_b);
            return until();
        },
        withinMs);
}

void TestAgentElection::note(Member &member)
{
    const auto status = member.answers ? member.status() : std::nullopt;
    if (!status || !status->election || !status->election->active) {
        m_active.remove(member.name);
        return;
    }
    m_active.insert(member.name);
    const QByteArray &epoch = status->election->epoch;
    if (m_terms.isEmpty() || m_terms.constLast().agent != member.name || m_terms.constLast().epoch != epoch) {
        for (const Term &term : std::as_const(m_terms)) { // an earlier one that isn't over
            if (term.agent == member.name && term.epoch == epoch)
                m_faults.append(QStringLiteral("two are active: %1 in epoch %2 again")
                                    .arg(QString::fromUtf8(member.name), QString::fromUtf8(epoch)));
        }
        m_terms.append({member.name, epoch, status->election->sinceWallUs, 0});
    }
    m_terms.last().seenUs = status->wallUs;
}

const Term &TestAgentElection::lastTerm(const Member &member) const
{
    static const Term none;
    for (auto term = m_terms.crbegin(); term != m_terms.crend(); ++term) {
        if (term->agent == member.name)
            return *term;
    }
    return none;
}

QList<LockEvent> TestAgentElection::journal(Member &member)
{
    QList<LockEvent> all;
    for (;;) {
        protocol::HistoryQuery query;
        query.source = QStringLiteral("orders");
        query.limit = 1'000;
        query.afterSeq = all.isEmpty() ? 0 : all.constLast().seq;
        const auto page = member.client.ask<protocol::EventPage>(query);
        if (!page)
            return {};
        all += page->events;
        if (!page->more || page->events.isEmpty())
            return all;
    }
}

void TestAgentElection::checkJournals()
{
    QVERIFY2(m_faults.isEmpty(), qPrintable(m_faults.join(QLatin1Char('\n'))));
    for (qsizetype i = 1; i < m_terms.size(); ++i) {
        QVERIFY2(m_terms.at(i - 1).seenUs < m_terms.at(i).fromUs, "two were active at once");
        for (const Term &before : m_terms.first(i)) { // each agent's own, where the lock has no fencing token
            if (before.agent == m_terms.at(i).agent)
                QVERIFY(before.epoch.toLongLong() < m_terms.at(i).epoch.toLongLong());
        }
    }
    for (Member *member : {m_a.get(), m_b.get()}) {
        const QList<LockEvent> events = journal(*member);
        QVERIFY(!events.isEmpty());
        for (const LockEvent &event : events) {
            if (event.isSourceEvent())
                continue;
            const auto next = std::find_if(m_terms.cbegin(), m_terms.cend(),
                                           [&](const Term &term) { return event.timeUs < term.fromUs; });
            const bool inTerm = next != m_terms.cbegin() && std::prev(next)->agent == member->name;
            QVERIFY2(inTerm,
                     qPrintable(QStringLiteral("%1 of %2 at %3 while it wasn't active")
                                    .arg(QString::fromLatin1(events::kindName(event.kind).toByteArray()),
                                         QString::fromUtf8(member->name))
                                    .arg(event.timeUs)));
        }
    }
}

void TestAgentElection::checkGap(Member &from, qint64 fromEndUs, Member &to)
{
    const qint64 activeUs = lastTerm(to).fromUs;
    const QList<LockEvent> gained = journal(to);
    const auto closed = std::find_if(gained.crbegin(), gained.crend(),
                                     [](const LockEvent &e) { return e.kind == EventKind::GapClosed; });
    const auto opened = std::find_if(gained.crbegin(), gained.crend(),
                                     [](const LockEvent &e) { return e.kind == EventKind::GapOpened; });
    QVERIFY(closed != gained.crend() && opened != gained.crend());
    QVERIFY(opened->seq < closed->seq);
    QCOMPARE(opened->detail.causeText(), QStringLiteral("standby"));
    QCOMPARE(closed->detail.sinceUs.value_or(0), opened->timeUs);
    QVERIFY(closed->timeUs >= activeUs);
    QVERIFY2(closed->timeUs < activeUs + 10'000'000, "its first whole pass didn't end the gap");

    const QList<LockEvent> lost = journal(from);
    const auto left = std::find_if(lost.crbegin(), lost.crend(),
                                   [](const LockEvent &e) { return e.kind == EventKind::GapOpened; });
    QVERIFY(left != lost.crend());
    QCOMPARE(left->detail.causeText(), QStringLiteral("standby"));
    QVERIFY(left->timeUs <= fromEndUs);
    for (const LockEvent &event : lost) {
        if (!event.isSourceEvent())
            QVERIFY2(event.timeUs <= left->timeUs, "an event in its own gap");
    }
    qInfo("nobody saw for %lld ms; active after %lld ms", (closed->timeUs - left->timeUs) / 1'000,
          (activeUs - fromEndUs) / 1'000);
}

void TestAgentElection::killed()
{
    const auto refused = m_b->client.ask<protocol::Failed>(
        protocol::Inspect{0, {QStringLiteral("orders"), "redis.token", "db0", "lock:1"}});
    QVERIFY(refused && namesTheActive(refused->error.cause.toUtf8()));
    protocol::ForceRelease order;
    order.command = QByteArray(32, 'a');
    order.key = {QStringLiteral("orders"), "redis.token", "db0", "lock:1"};
    order.holder = "1";
    order.reason = QStringLiteral("a test");
    const auto released = m_b->client.ask<protocol::ReleaseResult>(order);
    QVERIFY(released && released->outcome == domain::Outcome::Refused);
    QVERIFY2(namesTheActive(released->error.cause.toUtf8()), qPrintable(released->error.cause));
    const QByteArray health = m_b->http("/healthz");
    QVERIFY2(health.contains("ok: this agent is standby") && namesTheActive(health), health.constData());
    const auto activeLine = [](const QByteArray &metrics) {
        static const QRegularExpression active(QStringLiteral("\nlockkeeper_active(\\{.*\\} \\d)\n"));
        return active.match(QString::fromUtf8(metrics)).captured(1);
    };
    const QString standby = activeLine(m_b->http("/metrics"));
    const QString elected = activeLine(m_a->http("/metrics"));
    QVERIFY2(standby.endsWith(QLatin1String("} 0")), qPrintable(standby));
    QCOMPARE(elected, QString(standby).replace(standby.size() - 1, 1, QLatin1Char('1')));
    const Output text =
        run("lockkeeperctl", {QStringLiteral("--agent"), QStringLiteral("local:") + m_b->agent.socket(),
                              QStringLiteral("status")});
    QVERIFY2(text.status == 0 && namesTheActive(text.out), (text.out + text.err).constData());

    m_a->answers = false;
    m_a->agent.kill();
    const qint64 killedUs = wallUs();
    QVERIFY(watch([this] { return isActive(*m_b); }));
    QVERIFY2(lastTerm(*m_b).fromUs - killedUs <= 2 * kTtlUs, "it took longer than two TTLs");
    QVERIFY(watch([this] { return lastTerm(*m_b).seenUs > lastTerm(*m_b).fromUs + 1'000'000; }));
    QVERIFY(m_a->start()); // and is standby
    m_a->answers = true;
    QVERIFY(watch([this] { return !isActive(*m_a) && isActive(*m_b); }));
    checkGap(*m_a, killedUs, *m_b);
    checkJournals();
}

void TestAgentElection::ended()
{
    m_a->answers = false;
    m_a->client.close();
    QCOMPARE(m_a->agent.terminate(), 0);
    const qint64 endedUs = wallUs();
    QVERIFY(watch([this] { return isActive(*m_b); }));
    // By the lease alone it would have been two thirds of a TTL at least.
    QVERIFY2(lastTerm(*m_b).fromUs < endedUs + kTtlUs * 2 / 3, "it waited for the lease to run out");
    QVERIFY(watch([this] { return lastTerm(*m_b).seenUs > lastTerm(*m_b).fromUs + 500'000; }));
    QVERIFY(m_a->start());
    m_a->answers = true;
    checkGap(*m_a, endedUs, *m_b);
    checkJournals();
}

void TestAgentElection::stoppedAndResumed()
{
    // An order that it has read before it is stopped, or after: never carried out by it.
    m_redis->command({"SET", "lock:kept", "me", "PX", "600000"});
    QTRY_VERIFY_WITH_TIMEOUT(m_a->client.list()
                                 .value_or(QHash<domain::LockKey, domain::LockState>())
                                 .contains({QStringLiteral("orders"), "redis.token", "db0", "lock:kept"}),
                             20'000);
    m_a->answers = false;
    m_a->agent.signal(SIGSTOP);
    const qint64 stoppedUs = wallUs();
    protocol::ForceRelease order;
    order.command = QByteArray(32, 'b');
    order.key = {QStringLiteral("orders"), "redis.token", "db0", "lock:kept"};
    order.holder = "me";
    order.reason = QStringLiteral("a test");
    const quint64 id = m_a->client.post(order);
    QVERIFY(watch([this] { return isActive(*m_b); }));
    QVERIFY2(lastTerm(*m_b).fromUs - stoppedUs <= 2 * kTtlUs + 500'000 + (m_mariaDb ? kSessionUs : 0),
             "it took longer than two TTLs");
    QVERIFY(watch([this] { return lastTerm(*m_b).seenUs > lastTerm(*m_b).fromUs + 500'000; }));
    m_a->agent.signal(SIGCONT);
    m_a->answers = true;
    QVERIFY(watch([this] { return !isActive(*m_a) && isActive(*m_b); }));
    if (const auto answer = m_a->client.wait(id, 10'000)) { // the link may have been lost meanwhile
        const auto *result = std::get_if<protocol::ReleaseResult>(&*answer);
        if (result)
            QVERIFY(result->outcome != domain::Outcome::Released);
    }
    QCOMPARE(m_redis->command({"GET", "lock:kept"}).bytes, QByteArray("me"));
    if (!m_a->client.connected)
        QVERIFY(m_a->client.open(m_a->agent.socket()));
    QVERIFY(watch([this] { return lastTerm(*m_b).seenUs > lastTerm(*m_b).fromUs + 1'500'000; }));
    checkGap(*m_a, stoppedUs + 100'000, *m_b);
    checkJournals();
}

void TestAgentElection::storeOfTheElectionAway()
{
    const qint64 cutUs = wallUs();
    m_a->proxy.cutAnswersAfter(0);
    m_b->proxy.cutAnswersAfter(0);
    QVERIFY(watch([this] { return !isActive(*m_a); }));
    QVERIFY2(lastTerm(*m_a).seenUs < cutUs + kTtlUs, "active past its lease");
    // No agent is active, and both report the error.
    QVERIFY(watch([this] {
        const auto one = m_a->status();
        const auto two = m_b->status();
        return one && two && one->election->error != base::Error() && two->election->error != base::Error();
    }));
    QVERIFY(!isActive(*m_b));
    const QByteArray health = m_b->http("/healthz");
    QVERIFY2(health.startsWith("HTTP/1.1 503") && health.contains("election: "), health.constData());
    QVERIFY(m_b->http("/metrics").contains("\nlockkeeper_election_failing 1"));
    m_a->proxy.cutAnswersAfter(-1);
    m_b->proxy.cutAnswersAfter(-1);
    QVERIFY(watch([this] { return isActive(*m_a) || isActive(*m_b); })); // either may win
    QVERIFY(watch([this] { return m_terms.constLast().seenUs > m_terms.constLast().fromUs + 500'000; }));
    QVERIFY(m_active.size() == 1);
    checkJournals();
}

LOCKKEEPER_TEST(TestAgentElection)

} // namespace tst_agent_election

#include "tst_agent_election.moc"
