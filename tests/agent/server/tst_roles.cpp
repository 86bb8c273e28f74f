// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/agent/server/agent_world.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QTest>

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tst_roles {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using domain::Role;

/**
 * Every message of every role at every source, by a client of raw bytes; and the users that may connect at
 * all.
 */
class TestRoles : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyMessage_data();
    void everyMessage();
    void discoveryNeedsAnAdminEverywhere_data();
    void discoveryNeedsAnAdminEverywhere();
    void whoComesIn_data();
    void refusalsFillNoAudit();
    void whoComesIn();
    void modeFollowsTheEntries();
    void reloadReachesSessions();
    void reloadEndsSessionsWithoutAccess();
};

namespace {

enum class Verdict { Allowed, Refused, NotARequest };

QString ownUser()
{
    return QString::fromLocal8Bit(::getpwuid(::geteuid())->pw_name);
}

/** A whole agent of two sources, whose own user has one role at the first of them, and for its locks o:*. */
struct RolesWorld : AgentWorld
{
    explicit RolesWorld(std::optional<Role> role, bool narrowed = true)
    {
        stores::SourceSpec second = config.sources.first();
        second.name = QStringLiteral("other");
        config.sources.append(second);
        for (stores::SourceSpec &source : config.sources)
            source.probe = true;
        if (!role)
            return;
        agent::config::AccessRule rule;
        rule.users = {ownUser()};
        rule.grant.role = *role;
        if (narrowed && *role != Role::Viewer) {
            rule.grant.sources = {QStringLiteral("mem*")};
            rule.grant.locks = {"o:*"};
        }
        config.access = {rule};
    }
};

/** Its answers, by the id of the request. */
struct Raw : RawClient
{
    bool greet(const QString &path)
    {
        if (!open(path))
            return false;
        protocol::Hello hello;
        send(hello);
        return QTest::qWaitFor([this] { return read(got) && !got.isEmpty(); }) &&
               std::holds_alternative<protocol::Welcome>(got.constFirst());
    }
    std::optional<protocol::Message> answerTo(quint64 id)
    {
        std::optional<protocol::Message> found;
        const auto look = [&] {
            if (!read(got))
                return true;
            for (const protocol::Message &message : std::as_const(got)) {
                if (agent::release::requestId(message) == id &&
                    (id != 0 || std::holds_alternative<protocol::Failed>(message) ||
                     std::holds_alternative<protocol::Identified>(message))) // without an id it's no answer
                    found = message;
            }
            return found.has_value();
        };
        return QTest::qWaitFor(look, 10'000) ? found : std::nullopt;
    }
    QList<protocol::Message> got;
};

protocol::Message releaseOf(const QString &source, const QByteArray &name)
{
    protocol::ForceRelease order;
    order.command = QByteArray::number(qHash(source + QString::fromLatin1(name)), 16).rightJustified(32, '0');
    order.key = {source, "redis.token", "db0", name};
    order.holder = "alice";
    order.reason = QStringLiteral("try");
    return order;
}

protocol::Message probeOf(const QString &source)
{
    protocol::ProbeRequest order;
    order.command = QByteArray::number(qHash(source), 16).rightJustified(32, 'e');
    order.source = source;
    order.forUs = 1'000;
    return order;
}

/** The agent refuses the file itself, after the role: nothing is connected to. */
protocol::DiscoverRequest discoveryOf(char digit)
{
    protocol::DiscoverRequest order;
    order.command = QByteArray(32, digit);
    order.url = QStringLiteral("sqlite:/nowhere.db");
    return order;
}

} // namespace

void TestRoles::everyMessage_data()
{
    QTest::addColumn<QString>("role");
    for (const Role role : {Role::Viewer, Role::Operator, Role::Approver, Role::Admin})
        QTest::newRow(qPrintable(domain::roleName(role))) << domain::roleName(role);
}

void TestRoles::everyMessage()
{
    QFETCH(QString, role);
    RolesWorld world(domain::roleFromName(role));
    QVERIFY(world.start());
    Raw client;
    QVERIFY(client.greet(world.socket()));
    const auto &welcome = std::get<protocol::Welcome>(client.got.constFirst());
    QCOMPARE(welcome.role, role);
    QCOMPARE(welcome.grants.list.size(), 1);
    const bool acts = role != QLatin1String("viewer");
    struct Case
    {
        const char *name;
        protocol::Message message;
        Verdict verdict;
    };
    const QString memory = QStringLiteral("memory");
    const QString other = QStringLiteral("other");
    const QString unknown = QStringLiteral("elsewhere");
    const auto when = [](bool may) { return may ? Verdict::Allowed : Verdict::Refused; };
    QList<Case> cases;
    for (const QString &source : {memory, other, unknown}) {
        const bool granted = source == memory;
        cases.append({"release", releaseOf(source, "o:1"), when(acts && granted)});
        cases.append({"release of a lock that isn't granted", releaseOf(source, "p:1"), Verdict::Refused});
        cases.append({"probe", probeOf(source), Verdict::Refused}); // some of its locks aren't the source
        cases.append({"locks", protocol::LocksQuery{0, source, {}, {}}, Verdict::Allowed});
        cases.append({"chains", protocol::ChainsQuery{0, source}, Verdict::Allowed});
        cases.append({"read now", protocol::ReadNow{0, source}, Verdict::Allowed});
        protocol::HistoryQuery history;
        history.source = source;
        cases.append({"history", history, Verdict::Allowed});
        protocol::HoldsQuery holds;
        holds.source = source;
        cases.append({"holds", holds, Verdict::Allowed});
        protocol::ContentionQuery contention;
        contention.source = source;
        cases.append({"contention", contention, Verdict::Allowed});
        protocol::TimelineQuery timeline;
        timeline.source = source;
        timeline.toUs = 1;
        cases.append({"timeline", timeline, Verdict::Allowed});
        cases.append(
            {"inspect", protocol::Inspect{0, {source, "redis.token", "db0", "o:1"}}, Verdict::Allowed});
    }
    cases.append({"discover", discoveryOf('d'), Verdict::Refused}); // an admin of some sources isn't enough
    cases.append({"subscribe", protocol::Subscribe{}, Verdict::Allowed});
    cases.append({"audit", protocol::AuditQuery{}, Verdict::Allowed});
    cases.append({"status", protocol::StatusQuery{}, Verdict::Allowed});
    cases.append({"waiting", protocol::WaitingQuery{0, 0, 1, 0}, Verdict::Allowed});
    cases.append({"approvals", protocol::ApprovalsQuery{}, Verdict::Allowed});
    cases.append({"alerts", protocol::AlertsQuery{}, Verdict::Allowed});
    cases.append({"an alert that isn't there", protocol::AlertAction{}, Verdict::Allowed});
    cases.append({"test of a receiver", protocol::ReceiverTest{}, Verdict::Refused});
    cases.append({"advice", protocol::AdviceQuery{}, Verdict::Allowed});
    cases.append({"a holder's liveness", protocol::HolderChecksQuery{}, Verdict::Allowed});
    cases.append({"who am I", protocol::WhoAmI{}, Verdict::Allowed});
    const auto answers = std::to_array<protocol::Message>({protocol::Welcome{},
                                                           protocol::Subscribed{},
                                                           protocol::SnapshotPage{},
                                                           protocol::EventBatch{},
                                                           protocol::StateBatch{},
                                                           protocol::EventPage{},
                                                           protocol::HoldPage{},
                                                           protocol::AuditPage{},
                                                           protocol::Inspected{},
                                                           protocol::ReleaseResult{},
                                                           protocol::Done{},
                                                           protocol::Status{},
                                                           protocol::Failed{},
                                                           protocol::ChainsPage{},
                                                           protocol::ContentionPage{},
                                                           protocol::WaitingPage{},
                                                           protocol::ProbeResult{},
                                                           protocol::TimelinePage{},
                                                           protocol::Identified{},
                                                           protocol::ApprovalsPage{},
                                                           protocol::ApprovalChanged{},
                                                           protocol::DiscoverResult{},
                                                           protocol::AlertsPage{},
                                                           protocol::AlertChanged{},
                                                           protocol::AdvicePage{},
                                                           protocol::HolderChecksPage{}});
    for (const protocol::Message &message : answers)
        cases.append({"an agent's message", message, Verdict::NotARequest});
    QSet<size_t> kinds;
    qsizetype acted = 0;
    quint64 id = 100;
    for (const Case &one : std::as_const(cases)) {
        protocol::Message message = one.message;
        ++id;
        bool carriesId = false;
        std::visit(
            [&](auto &m) {
                if constexpr (requires { m.id; }) {
                    m.id = id;
                    carriesId = true;
                }
            },
            message);
        kinds.insert(message.index());
        client.send(message);
        const auto answer = client.answerTo(carriesId ? id : 0);
        QVERIFY2(answer, one.name);
        const auto *failed = std::get_if<protocol::Failed>(&*answer);
        const auto *release = std::get_if<protocol::ReleaseResult>(&*answer);
        const auto *probe = std::get_if<protocol::ProbeResult>(&*answer);
        const auto *discovery = std::get_if<protocol::DiscoverResult>(&*answer);
        acted += (release || probe || discovery) && one.verdict != Verdict::NotARequest;
        const base::ErrorCode code = failed      ? failed->error.code
                                     : release   ? release->error.code
                                     : probe     ? probe->error.code
                                     : discovery ? discovery->error.code
                                                 : base::ErrorCode::Unknown;
        switch (one.verdict) {
        case Verdict::Allowed:
            QVERIFY2(code != base::ErrorCode::PermissionDenied && code != base::ErrorCode::Protocol,
                     one.name);
            break;
        case Verdict::Refused:
            QVERIFY2(code == base::ErrorCode::PermissionDenied, one.name);
            if (!std::holds_alternative<protocol::ReceiverTest>(message))
                QVERIFY2(!failed, one.name); // an act, which is audited
            break;
        case Verdict::NotARequest:
            QVERIFY2(code == base::ErrorCode::Protocol, one.name);
            break;
        }
        client.got.clear();
    }
    // Hello, LoginNeeded, Login, Goodbye, Ping, Pong and Cancel begin, end or keep a session and aren't
    // answered; decisions are of tst_approvals.
    QCOMPARE(size_t(kinds.size()), std::variant_size_v<protocol::AnyMessage> - 8);
    protocol::AuditQuery query;
    query.id = ++id;
    client.send(query);
    const auto page = client.answerTo(id);
    QVERIFY(page && std::holds_alternative<protocol::AuditPage>(*page));
    const auto entries = std::get<protocol::AuditPage>(*page).entries;
    QCOMPARE(entries.size(), acted);
    for (const domain::AuditEntry &entry : entries) {
        QCOMPARE(entry.who, ownUser());
        const bool inReach = entry.key.source == memory && entry.key.name.startsWith("o:");
        if (!entry.isProbe() && !entry.isDiscovery())
            QCOMPARE(entry.role, inReach ? role : QStringLiteral("viewer"));
    }
}

void TestRoles::discoveryNeedsAnAdminEverywhere_data()
{
    QTest::addColumn<QString>("role");
    QTest::addColumn<bool>("narrowed");
    QTest::addColumn<bool>("may");
    for (const Role role : {Role::Viewer, Role::Operator, Role::Approver, Role::Admin}) {
        const QString name = domain::roleName(role);
        QTest::addRow("%s of some", qPrintable(name)) << name << true << false;
        QTest::addRow("%s of all", qPrintable(name)) << name << false << (role == Role::Admin);
    }
}

/** It makes the agent connect to any address: no grant for some sources gives that. */
void TestRoles::discoveryNeedsAnAdminEverywhere()
{
    QFETCH(QString, role);
    QFETCH(bool, narrowed);
    RolesWorld world(domain::roleFromName(role), narrowed);
    QVERIFY(world.start());
    Raw client;
    QVERIFY(client.greet(world.socket()));
    protocol::DiscoverRequest order = discoveryOf('d');
    order.id = 7;
    client.send(order);
    const auto answer = client.answerTo(7);
    QVERIFY(answer && std::holds_alternative<protocol::DiscoverResult>(*answer));
    const base::ErrorCode code = std::get<protocol::DiscoverResult>(*answer).error.code;
    QFETCH(bool, may); // an admin's question is heard: this agent has nothing that could answer it
    QCOMPARE(code, may ? base::ErrorCode::Unsupported : base::ErrorCode::PermissionDenied);
}

void TestRoles::refusalsFillNoAudit()
{
    using agent::release::AuditLimit;
    RolesWorld world(Role::Viewer);
    QVERIFY(world.start());
    Raw client;
    QVERIFY(client.greet(world.socket()));
    quint64 id = 100;
    const auto ask = [&](auto message) {
        message.id = ++id;
        message.command = QByteArray::number(id).rightJustified(32, '0');
        client.send(message);
        return client.answerTo(id);
    };
    for (int i = 0; i < AuditLimit::kAMinute; ++i) {
        const auto answer = ask(protocol::DiscoverRequest{});
        QVERIFY(answer && std::holds_alternative<protocol::DiscoverResult>(*answer));
    }
    const QString memory = QStringLiteral("memory");
    const auto look = ask(protocol::DiscoverRequest{});
    QVERIFY(look && std::holds_alternative<protocol::DiscoverResult>(*look));
    QCOMPARE(std::get<protocol::DiscoverResult>(*look).error.code, base::ErrorCode::PermissionDenied);
    const auto probe = ask(std::get<protocol::ProbeRequest>(probeOf(memory)));
    QVERIFY(probe && std::holds_alternative<protocol::ProbeResult>(*probe));
    QCOMPARE(std::get<protocol::ProbeResult>(*probe).error.code, base::ErrorCode::PermissionDenied);
    const auto release = ask(std::get<protocol::ForceRelease>(releaseOf(memory, "o:1")));
    QVERIFY(release && std::holds_alternative<protocol::ReleaseResult>(*release));
    QCOMPARE(std::get<protocol::ReleaseResult>(*release).error.code, base::ErrorCode::PermissionDenied);
    QCOMPARE(std::get<protocol::ReleaseResult>(*release).auditId, 0);
    protocol::AuditQuery query;
    query.id = ++id;
    query.limit = 1'000;
    client.send(query);
    const auto page = client.answerTo(id);
    QVERIFY(page && std::holds_alternative<protocol::AuditPage>(*page));
    QCOMPARE(std::get<protocol::AuditPage>(*page).entries.size(), AuditLimit::kAMinute);
}

void TestRoles::whoComesIn_data()
{
    QTest::addColumn<QString>("who");  // of the entry
    QTest::addColumn<QString>("as");   // connects
    QTest::addColumn<QString>("role"); // empty: is turned away
    const auto row = [](const char *name, const char *who, const char *as, const char *role) {
        QTest::newRow(name) << QString::fromLatin1(who) << QString::fromLatin1(as)
                            << QString::fromLatin1(role);
    };
    row("a user that is named", "user:daemon", "daemon", "operator");
    row("one that isn't", "user:daemon", "nobody", "");
    row("by a group", "group:daemon", "daemon", "operator");
    row("of none of the groups", "group:daemon", "nobody", "");
    row("root beside an entry", "user:daemon", "root", "admin");
}

/** The kernel identifies the connecting user, and the listening socket alone rejects no user. */
void TestRoles::whoComesIn()
{
    QFETCH(QString, who);
    QFETCH(QString, as);
    QFETCH(QString, role);
    const passwd *user = ::getpwnam(qPrintable(as));
    if (::geteuid() != 0 || !user)
        QSKIP("only root can connect as somebody else");
    const uid_t uid = user->pw_uid;
    const gid_t gid = user->pw_gid;
    RolesWorld world(std::nullopt);
    ::chmod(qPrintable(world.folder.path()), 0755);
    agent::config::AccessRule rule;
    (who.startsWith(QLatin1String("user:")) ? rule.users : rule.groups)
        .append(who.section(QLatin1Char(':'), 1));
    rule.grant.role = Role::Operator;
    // By a group alone the kernel keeps the others out: a second one lets them knock.
    rule.groups.append(QStringLiteral("no-such-group"));
    world.config.access = {rule};
    QVERIFY(world.start());
    ::chmod(qPrintable(world.config.dataDir), 0711);
    RawClient client;
    QVERIFY(::setegid(gid) == 0 && ::seteuid(uid) == 0);
    const bool connected = client.open(world.socket());
    QVERIFY(::seteuid(0) == 0 && ::setegid(0) == 0);
    QVERIFY(connected);
    client.send(protocol::Hello{});
    QList<protocol::Message> got;
    QTRY_VERIFY(client.read(got) && !got.isEmpty());
    if (role.isEmpty()) {
        QVERIFY(std::holds_alternative<protocol::Goodbye>(got.constFirst()));
        const base::Error error = std::get<protocol::Goodbye>(got.constFirst()).error;
        QCOMPARE(error.code, base::ErrorCode::PermissionDenied);
        QVERIFY2(error.line().contains(QStringLiteral("who = [\"user:%1\"]").arg(as)),
                 qPrintable(error.line()));
        QTRY_COMPARE(client.socket.state(), QLocalSocket::UnconnectedState);
    } else {
        const auto &welcome = std::get<protocol::Welcome>(got.constFirst());
        QCOMPARE(welcome.user, as);
        QCOMPARE(welcome.role, role);
    }
}

void TestRoles::modeFollowsTheEntries()
{
    RolesWorld world(std::nullopt);
    QVERIFY(world.start());
    const auto mode = [&world] {
        struct stat status
        {
        };
        return ::stat(qPrintable(world.socket()), &status) == 0 ? int(status.st_mode & 0777) : -1;
    };
    QCOMPARE(mode(), 0600);
    agent::config::AccessRule rule;
    rule.users = {QStringLiteral("daemon")};
    world.config.access = {rule};
    QVERIFY(world.start());
    QCOMPARE(mode(), 0666);
    rule.users.clear();
    rule.groups = {QStringLiteral("daemon")};
    world.config.access = {rule};
    QVERIFY(world.start());
    QCOMPARE(mode(), ::geteuid() == 0 ? 0660 : 0666); // only root gives a file to any group
    rule.groups = {QStringLiteral("no-such-group")};
    world.config.access = {rule};
    QVERIFY(world.start());
    QCOMPARE(mode(), 0666);
}

/** By the file and SIGHUP's way: a session has its new role at once, or is turned away. */
void TestRoles::reloadReachesSessions()
{
    RolesWorld world(std::nullopt);
    const auto write = [&world](const QByteArray &access) { return world.writeConfig(access); };
    QVERIFY(world.start());
    Raw client;
    QVERIFY(client.greet(world.socket()));
    QCOMPARE(std::get<protocol::Welcome>(client.got.constFirst()).role, QStringLiteral("admin"));
    const QByteArray me = ownUser().toUtf8();
    client.got.clear();
    QVERIFY(write("[[access]]\nwho = \"user:" + me + "\"\nrole = \"operator\"\nlocks = \"o:*\"\n"));
    world.agent->reload();
    const auto told = client.answerTo(0);
    QVERIFY(told && std::holds_alternative<protocol::Identified>(*told));
    const domain::Grants grants = std::get<protocol::Identified>(*told).grants;
    QCOMPARE(grants, (domain::Grants{{{Role::Operator, {}, {"o:*"}}}}));
    client.got.clear();
    protocol::Message release = releaseOf(QStringLiteral("memory"), "p:1");
    std::get<protocol::ForceRelease>(release).id = 7;
    client.send(release);
    const auto refused = client.answerTo(7);
    QCOMPARE(std::get<protocol::ReleaseResult>(*refused).error.code, base::ErrorCode::PermissionDenied);
    client.send(protocol::WhoAmI{8});
    const auto me8 = client.answerTo(8);
    QCOMPARE(std::get<protocol::Identified>(*me8).grants, grants);
    QCOMPARE(std::get<protocol::Identified>(*me8).way, QStringLiteral("local"));
    QVERIFY(write("")); // the owner again
    client.got.clear();
    world.agent->reload();
    QCOMPARE(std::get<protocol::Identified>(*client.answerTo(0)).grants.role(), Role::Admin);
}

/** A user who loses access doesn't stay connected: the open session ends within 5 s, with the reason. */
void TestRoles::reloadEndsSessionsWithoutAccess()
{
    const passwd *user = ::getpwnam("daemon");
    if (::geteuid() != 0 || !user)
        QSKIP("only root can connect as somebody else");
    const uid_t uid = user->pw_uid;
    const QByteArray two = "[[access]]\nwho = [\"user:daemon\", \"user:nobody\"]\nrole = \"operator\"\n";
    RolesWorld world(std::nullopt);
    ::chmod(qPrintable(world.folder.path()), 0755);
    agent::config::AccessRule rule;
    rule.users = {QStringLiteral("daemon"), QStringLiteral("nobody")};
    rule.grant.role = Role::Operator;
    world.config.access = {rule};
    QVERIFY(world.writeConfig(two));
    QVERIFY(world.start());
    ::chmod(qPrintable(world.config.dataDir), 0711);
    Raw client;
    QVERIFY(::seteuid(uid) == 0);
    const bool connected = client.open(world.socket());
    QVERIFY(::seteuid(0) == 0);
    QVERIFY(connected);
    client.send(protocol::Hello{});
    QTRY_VERIFY(client.read(client.got) && !client.got.isEmpty());
    QCOMPARE(std::get<protocol::Welcome>(client.got.constFirst()).user, QStringLiteral("daemon"));
    client.got.clear();
    world.agent->reload();
    protocol::WhoAmI who;
    who.id = 7;
    client.send(who);
    QVERIFY(client.answerTo(7)); // its access is unchanged: the session stays
    client.got.clear();
    QVERIFY(world.writeConfig("[[access]]\nwho = \"user:nobody\"\nrole = \"operator\"\n"));
    QElapsedTimer sinceReload;
    sinceReload.start();
    world.agent->reload();
    const auto goodbye = [&client]() -> const protocol::Goodbye * {
        client.read(client.got);
        for (const protocol::Message &message : std::as_const(client.got)) {
            if (const auto *one = std::get_if<protocol::Goodbye>(&message))
                return one;
        }
        return nullptr;
    };
    QTRY_VERIFY(goodbye());
    QCOMPARE(goodbye()->error.code, base::ErrorCode::PermissionDenied);
    QVERIFY2(goodbye()->error.line().contains(QStringLiteral("daemon has no access to this agent")),
             qPrintable(goodbye()->error.line()));
    QTRY_COMPARE(client.socket.state(), QLocalSocket::UnconnectedState);
    QVERIFY2(sinceReload.elapsed() < 5'000, qPrintable(QString::number(sinceReload.elapsed())));
}

LOCKKEEPER_TEST(TestRoles)

} // namespace tst_roles

#include "tst_roles.moc"
