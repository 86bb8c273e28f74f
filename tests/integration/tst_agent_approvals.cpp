// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/base/random_id.h"
#include "tests/support/agent_process.h"
#include "tests/support/redis_server.h"
#include "tests/support/test_client.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRandomGenerator>
#include <QTest>

#include <chrono>
#include <pwd.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace tst_agent_approvals {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using domain::Outcome;

namespace {

/** A client that asks and waits, as another user of this machine. */
class Person : public QObject
{
public:
    Person() : m_client(QStringLiteral("test"))
    {
        connect(&m_client, &transport::Client::connected, this, [this] { connected = true; });
        connect(&m_client, &transport::Client::received, this, [this](const protocol::Message &message) {
            std::visit(
                [this](const auto &m) {
                    if constexpr (requires { m.id; })
                        m_answers.insert(m.id, m);
                },
                message);
        });
    }
    bool open(const QString &socket, const passwd *as)
    {
        const bool changed = as && ::setegid(as->pw_gid) == 0 && ::seteuid(as->pw_uid) == 0;
        m_client.open({socket});
        const bool open = QTest::qWaitFor([this] { return connected; }, 20'000);
        if (changed && (::seteuid(0) != 0 || ::setegid(0) != 0))
            qFatal("can't become root again");
        return open;
    }
    template <typename Answer, typename Request> std::optional<Answer> ask(Request request)
    {
        const quint64 id = post(std::move(request));
        const bool came = QTest::qWaitFor([&] { return m_answers.contains(id); }, 20'000);
        const protocol::Message answer = m_answers.take(id);
        return came && std::holds_alternative<Answer>(answer) ? std::optional(std::get<Answer>(answer))
                                                              : std::nullopt;
    }
    template <typename Request> quint64 post(Request request)
    {
        request.id = ++m_id;
        m_client.send(request);
        return request.id;
    }

    bool connected = false;

private:
    transport::Client m_client;
    QHash<quint64, protocol::Message> m_answers;
    quint64 m_id = 0;
};

struct Ran
{
    int status = -1;
    QByteArray out;
    QByteArray err;
};

std::unique_ptr<QProcess> startCtl(const QString &socket, const QStringList &arguments, const passwd *as)
{
    auto process = std::make_unique<QProcess>();
    process->setProgram(qEnvironmentVariable("LOCKKEEPER_BIN") + QStringLiteral("/lockkeeperctl"));
    process->setArguments(QStringList{QStringLiteral("--agent"), QStringLiteral("local:") + socket} +
                          arguments);
    process->setChildProcessModifier([uid = as->pw_uid, gid = as->pw_gid] {
        if (::setgid(gid) != 0 || ::setuid(uid) != 0)
            ::_exit(99);
    });
    process->start();
    return process;
}

Ran wait(QProcess &process)
{
    process.waitForFinished(30'000);
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

} // namespace

/** Two persons, a real agent, a real server. */
class TestAgentApprovals : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void throughTheShell();
    void atTheChangeOfHands();
    void restartEndsWhatIsOpen();

private:
    bool begin();
    protocol::ForceRelease order(const QByteArray &holder) const
    {
        protocol::ForceRelease order;
        order.command =
            QByteArray::number(QRandomGenerator::global()->generate64(), 16).rightJustified(32, '0');
        order.key = {QStringLiteral("s"), "redis.token", "db0", "lock:a"};
        order.holder = holder;
        order.reason = QStringLiteral("its pod is gone");
        return order;
    }
    bool take(const QByteArray &token)
    {
        return !m_redis->command({"SET", "lock:a", token, "PX", "600000"}).isError();
    }

    std::unique_ptr<RedisServer> m_redis;
    std::unique_ptr<AgentProcess> m_agent;
    const passwd m_operator = *::getpwnam("daemon");
    const passwd m_approver = *::getpwnam("nobody");
    const passwd m_stranger = *::getpwnam("bin");
};

void TestAgentApprovals::init()
{
    m_redis = std::make_unique<RedisServer>();
    m_agent = std::make_unique<AgentProcess>();
    QVERIFY(m_redis->start());
}

void TestAgentApprovals::cleanup()
{
    m_agent.reset();
    m_redis.reset();
}

bool TestAgentApprovals::begin()
{
    m_agent->configure(
        "[[access]]\nwho = \"user:daemon\"\nrole = \"operator\"\nlocks = \"lock:*\"\n"
        "[[access]]\nwho = \"user:nobody\"\nrole = \"approver\"\n[[source]]\nname = \"s\"\nurl = \"" +
        m_redis->url().toEncoded() +
        "\"\npoll_ms = 50\n  [[source.locks]]\n  scheme = \"redis.token\"\n  match = \"lock:*\"\n"
        "  approval = \"always\"\n");
    if (!m_agent->start())
        return false;
    ::chmod(qPrintable(m_agent->folder()), 0755);
    ::chmod(qPrintable(m_agent->folder() + QStringLiteral("/data")), 0711);
    const QString socket = m_agent->socket(); // its mode is set once it listens
    return QTest::qWaitFor([&socket] { return QFile::permissions(socket).testFlag(QFile::WriteOther); });
}

void TestAgentApprovals::throughTheShell()
{
    if (::geteuid() != 0)
        QSKIP("only root can be several persons");
    QVERIFY(take("token-1"));
    QVERIFY(begin());
    const QString socket = m_agent->socket();
    const auto run = [&](const char *arguments, const passwd &as) {
        const auto process = startCtl(socket, QString::fromLatin1(arguments).split(QLatin1Char(' ')), &as);
        return wait(*process);
    };
    const Ran who = run("whoami --json", m_operator);
    QCOMPARE(who.status, 0);
    const QJsonObject me = QJsonDocument::fromJson(who.out).object();
    QCOMPARE(me.value(QStringLiteral("user")).toString(), QStringLiteral("daemon"));
    QCOMPARE(me.value(QStringLiteral("way")).toString(), QStringLiteral("local"));
    QCOMPARE(me.value(QStringLiteral("role")).toString(), QStringLiteral("operator"));
    QVERIFY(run("whoami", m_approver).out.contains("approver"));
    const Ran stranger = run("locks", m_stranger);
    QCOMPARE(stranger.status, 4);
    QVERIFY2(stranger.err.contains("bin has no access to this agent"), stranger.err.constData());

    // The second entry of the audit: the first names the stranger who was refused.
    const Ran asked = run("release s lock:a --holder token-1 --reason gone --yes", m_operator);
    QCOMPARE(asked.status, 8);
    QVERIFY2(asked.err.contains("lockkeeperctl approve 2"), asked.err.constData());
    QCOMPARE(run("approve 2 --yes", m_operator).status, 4); // one's own, and no approver
    QCOMPARE(run("reject 2 --reason no", m_approver).status, 0);
    const auto waiting =
        startCtl(socket,
                 QStringLiteral("release s lock:a --holder token-1 --reason again --yes --wait")
                     .split(QLatin1Char(' ')),
                 &m_operator);
    QByteArray listed;
    QVERIFY(QTest::qWaitFor(
        [&] {
            listed = run("approvals --json", m_approver).out;
            return listed.contains("\"open\"");
        },
        20'000));
    qint64 id = 0;
    for (const QByteArray &line : listed.split('\n')) {
        const QJsonObject request = QJsonDocument::fromJson(line).object();
        if (request.value(QStringLiteral("state")).toString() == QLatin1String("open"))
            id = request.value(QStringLiteral("id")).toInteger();
    }
    const Ran approved = run(("approve " + QByteArray::number(id) + " --yes").constData(), m_approver);
    QVERIFY2(approved.status == 0, approved.err.constData());
    const Ran released = wait(*waiting);
    QVERIFY2(released.status == 0, released.err.constData());
    QVERIFY(m_redis->command({"GET", "lock:a"}).isNil());
    const Ran late = run(("approve " + QByteArray::number(id) + " --yes").constData(), m_approver);
    QCOMPARE(late.status, 1);
    QVERIFY2(late.err.contains("approved by nobody already"), late.err.constData());
    TestClient client;
    QVERIFY(client.open(socket));
    const auto page = client.ask<protocol::AuditPage>(protocol::AuditQuery{0, {}, 100, true});
    QVERIFY(page && page->verified);
    const auto entry = std::find_if(page->entries.cbegin(), page->entries.cend(),
                                    [id](const domain::AuditEntry &one) { return one.id == id; });
    QVERIFY(entry != page->entries.cend());
    QCOMPARE(entry->who, QStringLiteral("daemon"));
    QCOMPARE(entry->approver, QStringLiteral("nobody"));
    QCOMPARE(entry->outcome, Outcome::Released);
    QVERIFY(entry->intact);
}

/** Each token is a separate acquisition: one without a release request must never disappear. */
void TestAgentApprovals::atTheChangeOfHands()
{
    if (::geteuid() != 0)
        QSKIP("only root can be several persons");
    QVERIFY(begin());
    Person operating;
    Person approving;
    QVERIFY(operating.open(m_agent->socket(), &m_operator));
    QVERIFY(approving.open(m_agent->socket(), &m_approver));
    QHash<Outcome, int> outcomes;
    constexpr int kAlone = 5;
    constexpr int kRounds = 150 + kAlone;
    int tookUs = 0;
    for (int i = 0; i < kRounds; ++i) {
        const QByteArray asked = base::randomId(); // unique to this acquisition
        const QByteArray next = base::randomId();
        QVERIFY(take(asked));
        // The guard's date comes from the agent's observations: the approval has to find the same.
        QVERIFY(operating.ask<protocol::Done>(protocol::ReadNow{0, QStringLiteral("s")}));
        const auto request = operating.ask<protocol::ReleaseResult>(order(asked));
        QVERIFY(request);
        QVERIFY2(request->outcome == Outcome::AwaitingApproval, qPrintable(request->error.line()));
        // The successor comes at a random time during an approval, whose length the first rounds have
        // measured.
        const bool alone = i < kAlone;
        const auto pause = std::chrono::microseconds(
            alone ? 0 : QRandomGenerator::global()->bounded(qMax(1, 2 * tookUs / kAlone)));
        QElapsedTimer clock;
        clock.start();
        std::thread successor([this, next, pause, alone] {
            if (alone)
                return;
            RedisPlain redis(m_redis->socketPath());
            const auto until = std::chrono::steady_clock::now() + pause;
            while (std::chrono::steady_clock::now() < until) {
            }
            redis.command({"SET", "lock:a", next, "PX", "600000"});
        });
        const auto result =
            approving.ask<protocol::ReleaseResult>(protocol::Decision{0, request->auditId, true, {}});
        successor.join();
        QVERIFY(result);
        if (alone) {
            tookUs += int(clock.nsecsElapsed() / 1'000);
            QCOMPARE(result->outcome, Outcome::Released);
            continue;
        }
        ++outcomes[result->outcome];
        QCOMPARE(m_redis->command({"GET", "lock:a"}).bytes, next);
        // Refused: the agent saw the change before the approval came.
        static const QList<Outcome> kHonest{Outcome::Released, Outcome::HolderChanged, Outcome::Refused};
        QVERIFY2(kHonest.contains(result->outcome), qPrintable(result->error.line()));
    }
    qInfo("an approval took %d us; released %d, changed %d, ended before %d", tookUs / kAlone,
          outcomes.value(Outcome::Released), outcomes.value(Outcome::HolderChanged),
          outcomes.value(Outcome::Refused));
    QCOMPARE(outcomes.value(Outcome::Released) + outcomes.value(Outcome::HolderChanged) +
                 outcomes.value(Outcome::Refused),
             kRounds - kAlone);
}

void TestAgentApprovals::restartEndsWhatIsOpen()
{
    QVERIFY(take("token-1"));
    QVERIFY(begin());
    Person me;
    QVERIFY(me.open(m_agent->socket(), nullptr));
    const auto asked = me.ask<protocol::ReleaseResult>(order("token-1"));
    QVERIFY(asked);
    QCOMPARE(asked->outcome, Outcome::AwaitingApproval);
    m_agent->kill();
    QVERIFY(m_agent->start());
    QVERIFY(!m_agent->log().contains("interrupted by a crash"));
    Person again;
    QVERIFY(again.open(m_agent->socket(), nullptr));
    const auto open = again.ask<protocol::ApprovalsPage>(protocol::ApprovalsQuery{});
    QVERIFY(open && open->requests.isEmpty());
    const auto page = again.ask<protocol::AuditPage>(protocol::AuditQuery{0, {}, 100, true});
    QVERIFY(page && page->verified);
    QCOMPARE(page->entries.constFirst().outcome, Outcome::Ended);
    QCOMPARE(m_redis->command({"GET", "lock:a"}).bytes, QByteArray("token-1"));
}

LOCKKEEPER_TEST(TestAgentApprovals)

} // namespace tst_agent_approvals

#include "tst_agent_approvals.moc"
