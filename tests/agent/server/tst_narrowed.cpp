// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/agent/server/agent_world.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tst_narrowed {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using domain::Role;

/** A user has access to a part: no byte that the agent sends shows anything of the rest. */
class TestNarrowed : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void nothingHiddenIsTold_data();
    void nothingHiddenIsTold();
    void whatIsHiddenIsAnsweredLikeWhatIsnt();
    void reloadThatNarrowsEndsTheSession();
};

namespace {

const QByteArray kOpen = "o:1";
const QByteArray kSecret = "secret-lock-91"; ///< in the source that is seen in part
const QByteArray kAbsent = "absent-lock-91"; ///< nowhere
const QByteArray kBuried = "buried-lock-28"; ///< in the source that isn't seen
const QString kVault = QStringLiteral("vault-source-55");
const QString kGhost = QStringLiteral("ghost-source-55"); ///< nowhere
const QString kMemory = QStringLiteral("memory");
constexpr qint64 kHourUs = 3'600'000'000;

domain::LockKey keyOf(const QString &source, const QByteArray &name)
{
    return {source, "redis.token", "db0", name};
}

/** Two sources; root is an admin, and the user daemon has the grants that are tried. */
struct NarrowedWorld : AgentWorld
{
    explicit NarrowedWorld(const QList<domain::Grant> &grants)
    {
        stores::SourceSpec vault = config.sources.first();
        vault.name = kVault;
        vault.locks.first().match = "buried*";
        vault.locks.first().approval = stores::ApprovalMode::Always;
        config.sources.append(vault);
        for (stores::SourceSpec &source : config.sources)
            source.probe = true;
        for (const domain::Grant &grant : grants)
            config.access.append({{QStringLiteral("daemon")}, {}, grant});
        agent::config::AlertRule anyHold; // an alert for each lock
        anyHold.name = QStringLiteral("held");
        anyHold.when = domain::AlertCondition::HeldFor;
        config.alerts = {{anyHold}, {}, 0};
        ::chmod(qPrintable(folder.path()), 0755);
    }
    bool begin()
    {
        if (!start())
            return false;
        ::chmod(qPrintable(config.dataDir), 0711);
        return true;
    }
    FakeStore &memory() { return *stores.value(kMemory); }
    FakeStore &vault() { return *stores.value(kVault); }
};

bool canBeDaemon()
{
    return ::geteuid() == 0 && ::getpwnam("daemon");
}

struct Raw : RawClient
{
    bool greet(const QString &path, const char *user)
    {
        records = true;
        const bool switched = ::seteuid(::getpwnam(user)->pw_uid) == 0;
        const bool connected = switched && open(path);
        if (::seteuid(0) != 0 || !connected)
            return false;
        protocol::Hello hello;
        send(hello);
        return QTest::qWaitFor([this] { return read(got) && !got.isEmpty(); }) &&
               std::holds_alternative<protocol::Welcome>(got.constFirst());
    }
    /** Sends it under a new id and waits for the answer, or for the last of its pages. */
    template <typename Request> std::optional<protocol::Message> ask(Request request)
    {
        request.id = ++lastId;
        asked.insert(protocol::Message(request).index());
        send(request);
        const auto answer = answerTo(lastId);
        if (answer && tells(protocol::encode(*answer)))
            telling.insert(protocol::Message(request).index());
        return answer;
    }
    std::optional<protocol::Message> answerTo(quint64 id)
    {
        std::optional<protocol::Message> found;
        const auto look = [&] {
            if (!read(got))
                return true;
            for (const protocol::Message &message : std::as_const(got)) {
                const auto *page = std::get_if<protocol::SnapshotPage>(&message);
                if (agent::release::requestId(message) == id && (!page || page->last))
                    found = message;
            }
            return found.has_value();
        };
        return QTest::qWaitFor(look, 60'000) ? found : std::nullopt;
    }
    static bool tells(const QByteArray &bytes)
    {
        return bytes.contains(kSecret) || bytes.contains(kBuried) || bytes.contains(kVault.toUtf8());
    }
    template <typename Wanted> bool waitFor(const std::function<bool(const Wanted &)> &fits)
    {
        return QTest::qWaitFor(
            [&] {
                read(got);
                return std::any_of(got.cbegin(), got.cend(), [&](const protocol::Message &message) {
                    const auto *one = std::get_if<Wanted>(&message);
                    return one && fits(*one);
                });
            },
            60'000);
    }
    bool seesEvent(events::EventKind kind, const QByteArray &name, int times = 1)
    {
        return waitFor<protocol::EventBatch>([&, found = 0](const protocol::EventBatch &batch) mutable {
            found += int(std::count_if(batch.events.cbegin(), batch.events.cend(), [&](const auto &event) {
                return event.kind == kind && event.key.name == name;
            }));
            return found >= times;
        });
    }

    QList<protocol::Message> got;
    QSet<size_t> asked;   ///< the kinds of the questions
    QSet<size_t> telling; ///< those of them that had something hidden in an answer
    quint64 lastId = 100;
};

QByteArray commandOf(int number)
{
    return QByteArray::number(number, 16).rightJustified(32, '0');
}

protocol::ForceRelease releaseOf(const domain::LockKey &key, int number)
{
    protocol::ForceRelease order;
    order.command = commandOf(number);
    order.key = key;
    order.holder = "owner-of-" + key.name;
    order.reason = QStringLiteral("reason-for-") + QString::fromLatin1(key.name);
    return order;
}

/** Everything happens to each lock: waits, a release by force, a refusal, an end. */
bool live(NarrowedWorld &world, Raw &admin, int round)
{
    for (const auto &[store, source, name] :
         {std::tuple(&world.memory(), kMemory, kOpen), std::tuple(&world.memory(), kMemory, kSecret),
          std::tuple(&world.vault(), kVault, kBuried)}) {
        store->hold(name, "owner-of-" + name, kHourUs);
        store->queueUp(name, {{"waiter-of-" + name, {}, "SELECT '" + kSecret + "'", 0}});
        if (!admin.seesEvent(events::EventKind::WaitStart, name, round))
            return false;
        store->queueUp(name, {});
        if (!admin.seesEvent(events::EventKind::WaitEnd, name, round))
            return false;
        store->renew(name, 2 * kHourUs);
        const int number = round * 100 + name.at(0);
        const auto dry = admin.ask(protocol::Inspect{0, keyOf(source, name)});
        const auto broken = admin.ask(releaseOf(keyOf(source, name), number));
        if (!dry || !broken)
            return false;
        if (source == kVault) {
            protocol::Decision decision;
            decision.request = std::get<protocol::ReleaseResult>(*broken).auditId;
            decision.reason = QStringLiteral("reason-for-") + QString::fromLatin1(name);
            if (!admin.ask(decision))
                return false;
            store->drop(name);
        } else if (!admin.seesEvent(events::EventKind::ForceReleased, name, round)) {
            return false;
        }
        store->hold(name, "owner-of-" + name, kHourUs);
        if (!admin.seesEvent(events::EventKind::Acquired, name, source == kVault ? round : 2 * round - 1))
            return false;
    }
    domain::WaitGraph graph;
    graph.source = kMemory;
    for (const char *id : {"1", "2", "3"}) {
        domain::Session session;
        session.id = id;
        session.statement = "SELECT '" + kSecret + "'";
        graph.sessions.append(session);
    }
    graph.edges = {{"2", "1", keyOf(kMemory, kSecret), {}, 0}, {"3", "2", keyOf(kMemory, kOpen), {}, 0}};
    graph.wholeTables = {{"1", kSecret, 1}};
    world.memory().showGraph(graph);
    return true;
}

/** Each kind of query; none names a hidden lock. */
bool askAll(Raw &client, qint64 nowUs, qint64 hiddenRequest)
{
    bool all = true;
    const auto ask = [&](auto request) {
        const bool answered = client.ask(request).has_value();
        if (!answered)
            qWarning("no answer to message %d", int(protocol::Message(request).index()));
        all = all && answered;
    };
    ask(protocol::WhoAmI{});
    ask(protocol::StatusQuery{});
    ask(protocol::ApprovalsQuery{});
    ask(protocol::ChainsQuery{});
    ask(protocol::ReadNow{});
    ask(protocol::LocksQuery{});
    protocol::LocksQuery past;
    past.atUs = nowUs;
    ask(past);
    for (const bool descending : {false, true}) {
        for (const bool rare : {false, true}) {
            protocol::HistoryQuery history;
            history.descending = descending;
            history.limit = 1'000;
            if (rare)
                history.kinds = {events::EventKind::ForceReleased, events::EventKind::SourceUp};
            ask(history);
            history.lockGlob = "*1";
            ask(history);
        }
    }
    protocol::HistoryQuery byCommand;
    byCommand.command = commandOf(100 + 's');
    ask(byCommand);
    protocol::HoldsQuery holds;
    ask(holds);
    holds.lockGlob = "*1";
    ask(holds);
    for (const int limit : {1, 1'000}) {
        protocol::AuditQuery audit;
        audit.limit = limit;
        audit.verify = true;
        ask(audit);
    }
    protocol::AuditQuery ofCommand;
    ofCommand.command = byCommand.command;
    ask(ofCommand);
    for (const auto ranking : {domain::ContentionRanking::Lock, domain::ContentionRanking::Waiter,
                               domain::ContentionRanking::Holder, domain::ContentionRanking::Statement}) {
        protocol::ContentionQuery contention;
        contention.ranking = ranking;
        contention.sums = true;
        contention.limit = 1'000;
        ask(contention);
    }
    for (const auto by :
         {protocol::TimelineLanes::Lock, protocol::TimelineLanes::Holder, protocol::TimelineLanes::Source}) {
        for (const qint64 lengthUs : {kHourUs, 100 * 24 * kHourUs}) {
            protocol::TimelineQuery timeline;
            timeline.by = by;
            timeline.fromUs = timeline.stripFromUs = nowUs - lengthUs;
            timeline.toUs = timeline.stripToUs = nowUs + 1;
            timeline.sliceUs = lengthUs / 1'000;
            timeline.stripSlices = 100;
            ask(timeline);
        }
    }
    ask(protocol::WaitingQuery{0, nowUs - kHourUs, nowUs, 60});
    for (const QByteArray &glob : {QByteArray(), QByteArray("*"), kOpen})
        ask(protocol::AdviceQuery{0, {}, glob, {}, {}});
    ask(protocol::HolderChecksQuery{});
    ask(protocol::Inspect{0, keyOf(kMemory, kOpen)});
    ask(releaseOf(keyOf(kMemory, kOpen), 7'000));
    protocol::ProbeRequest probe;
    probe.command = commandOf(7'001);
    probe.source = kMemory;
    probe.forUs = 1'000;
    ask(probe);
    protocol::DiscoverRequest discover;
    discover.command = commandOf(7'002);
    discover.url = QStringLiteral("sqlite:/nowhere.db");
    ask(discover);
    protocol::Decision decision;
    decision.request = hiddenRequest;
    decision.approve = true;
    ask(decision);
    ask(protocol::AlertsQuery{});
    ask(protocol::AlertAction{});
    ask(protocol::ReceiverTest{});
    ask(protocol::Subscribe{0, 0, {}, false, true}); // the whole journal, by its events
    client.ask(protocol::Subscribe{});               // the table, in the place of it
    return all;
}

template <size_t... I> QSet<size_t> requests(std::index_sequence<I...>)
{
    QSet<size_t> all;
    const auto add = [&all](size_t index, const protocol::Message &message) {
        if (agent::release::requiredPermission(message).value_or(domain::Permission::None) !=
            domain::Permission::None)
            all.insert(index);
    };
    (add(I, std::variant_alternative_t<I, protocol::AnyMessage>{}), ...);
    return all;
}

/** Removes the parts that differ from one moment to the next. */
QByteArray bytesOf(std::optional<protocol::Message> answer, const QByteArray &name, const QByteArray &stands)
{
    if (!answer)
        return "no answer";
    std::visit(
        [](auto &m) {
            if constexpr (requires { m.id; })
                m.id = 0;
            if constexpr (requires { m.auditId; })
                m.auditId = 0;
            if constexpr (requires { m.command; })
                m.command.clear();
            if constexpr (requires { m.atSeq; })
                m.atSeq = 0;
            if constexpr (requires { m.lastSeq; })
                m.lastSeq = 0;
            if constexpr (requires { m.sources; })
                m.sources.clear();
        },
        *answer);
    return protocol::encode(*answer).replace(name, stands);
}

} // namespace

void TestNarrowed::nothingHiddenIsTold_data()
{
    QTest::addColumn<domain::Grants>("grants");
    QTest::addColumn<bool>("hidesSecret");
    QTest::addColumn<bool>("hidesVault");
    const QStringList memory{kMemory};
    const QList<QByteArray> orders{"o:*", "other*"};
    const auto row = [](const char *name, const QList<domain::Grant> &list, bool secret, bool vault) {
        QTest::newRow(name) << domain::Grants{list} << secret << vault;
    };
    row("a viewer of all, for comparison", {{Role::Viewer, {}, {}}}, false, false);
    row("a viewer of some locks", {{Role::Viewer, {}, orders}}, true, true);
    row("a viewer of a source", {{Role::Viewer, memory, {}}}, false, true);
    row("a viewer of some locks of a source", {{Role::Viewer, memory, orders}}, true, true);
    for (const Role role : {Role::Operator, Role::Approver, Role::Admin})
        QTest::addRow("%s of what a viewer sees", qPrintable(domain::roleName(role)))
            << domain::Grants{{{Role::Viewer, memory, orders}, {role, memory, orders}}} << true << true;
    row("a viewer of another source's locks", {{Role::Viewer, {kVault}, {"*"}}}, true, false);
}

void TestNarrowed::nothingHiddenIsTold()
{
    QFETCH(domain::Grants, grants);
    QFETCH(bool, hidesSecret);
    QFETCH(bool, hidesVault);
    if (!canBeDaemon())
        QSKIP("only root can connect as somebody else");
    NarrowedWorld world(grants.list);
    QVERIFY(world.begin());
    Raw admin;
    QVERIFY(admin.greet(world.socket(), "root"));
    QVERIFY(admin.ask(protocol::Subscribe{}));
    QVERIFY(live(world, admin, 1)); // before it comes
    for (const QByteArray &name : {kSecret, kBuried})
        QVERIFY(admin.waitFor<protocol::AlertChanged>(
            [&name](const protocol::AlertChanged &changed) { return changed.alert.lock.name == name; }));
    Raw client;
    QVERIFY(client.greet(world.socket(), "daemon"));
    QVERIFY(client.ask(protocol::Subscribe{0, {}, {}, true, true}));
    QVERIFY(live(world, admin, 2)); // while it looks
    world.vault().hold("buried-again", "owner-of-" + kBuried, kHourUs);
    QVERIFY(admin.seesEvent(events::EventKind::Acquired, "buried-again"));
    const auto asked = admin.ask(releaseOf(keyOf(kVault, "buried-again"), 9'000)); // and stays open
    QVERIFY(asked);
    const qint64 nowUs = world.clock.wallUs();
    QVERIFY(askAll(client, nowUs, std::get<protocol::ReleaseResult>(*asked).auditId));
    world.vault().breakLink({base::ErrorCode::Unreachable, QStringLiteral("gone"), {}});
    QVERIFY(admin.waitFor<protocol::EventBatch>([](const protocol::EventBatch &batch) {
        return std::any_of(batch.events.cbegin(), batch.events.cend(), [](const events::LockEvent &event) {
            return event.kind == events::EventKind::SourceDown && event.key.source == kVault;
        });
    }));
    QVERIFY(askAll(client, nowUs, std::get<protocol::ReleaseResult>(*asked).auditId));
    QCOMPARE(client.asked, requests(std::make_index_sequence<std::variant_size_v<protocol::AnyMessage>>()));
    for (const QByteArray &name : {kSecret, QByteArray("owner-of-" + kSecret),
                                   QByteArray("waiter-of-" + kSecret), QByteArray("reason-for-" + kSecret)})
        QVERIFY2(client.received.contains(name) != hidesSecret, name.constData());
    for (const QByteArray &name :
         {kVault.toUtf8(), kBuried, QByteArray("buried-again"), QByteArray("owner-of-" + kBuried),
          QByteArray("waiter-of-" + kBuried), QByteArray("reason-for-" + kBuried)})
        QVERIFY2(client.received.contains(name) != hidesVault, name.constData());
    if (grants.looksEverywhere()) { // the requests whose answers had something to leave out
        const auto of = [](const protocol::Message &message) { return message.index(); };
        const QSet<size_t> telling{
            of(protocol::StatusQuery{}),  of(protocol::ApprovalsQuery{}),  of(protocol::ChainsQuery{}),
            of(protocol::LocksQuery{}),   of(protocol::HistoryQuery{}),    of(protocol::HoldsQuery{}),
            of(protocol::AuditQuery{}),   of(protocol::ContentionQuery{}), of(protocol::TimelineQuery{}),
            of(protocol::WaitingQuery{}), of(protocol::AlertsQuery{}),     of(protocol::Subscribe{})};
        QCOMPARE(client.telling, telling);
        QVERIFY(client.waitFor<protocol::ApprovalChanged>(
            [](const protocol::ApprovalChanged &changed) { return changed.request.key.source == kVault; }));
    }
    if (grants.may(domain::Permission::Observe, kMemory, kOpen)) {
        for (const QByteArray &name : {kOpen, QByteArray("owner-of-" + kOpen),
                                       QByteArray("waiter-of-" + kOpen), QByteArray("reason-for-" + kOpen)})
            QVERIFY2(client.received.contains(name), name.constData());
    }
}

/** A query for a hidden lock by its name gets the same error as a query for a missing lock. */
void TestNarrowed::whatIsHiddenIsAnsweredLikeWhatIsnt()
{
    if (!canBeDaemon())
        QSKIP("only root can connect as somebody else");
    NarrowedWorld world({{Role::Viewer, {kMemory}, {"o:*"}}, {Role::Operator, {kMemory}, {"o:*"}}});
    QVERIFY(world.begin());
    Raw admin;
    QVERIFY(admin.greet(world.socket(), "root"));
    QVERIFY(admin.ask(protocol::Subscribe{}));
    QVERIFY(live(world, admin, 1));
    Raw client;
    QVERIFY(client.greet(world.socket(), "daemon"));
    const qint64 nowUs = world.clock.wallUs();
    int number = 1'000;
    const auto answersTo = [&](const QString &source, const QByteArray &name) {
        QByteArrayList answers;
        const QByteArray named = source == kMemory ? name : source.toUtf8();
        const auto ask = [&](auto request) { answers.append(bytesOf(client.ask(request), named, "NAMED")); };
        const QString filter = source == kMemory ? QString() : source;
        const QByteArray glob = source == kMemory ? name : QByteArray();
        ask(protocol::Inspect{0, keyOf(source, name)});
        ask(releaseOf(keyOf(source, name), ++number));
        protocol::LocksQuery locks;
        locks.source = filter;
        locks.nameGlob = glob;
        ask(locks);
        locks.atUs = nowUs;
        ask(locks);
        protocol::HistoryQuery history;
        history.source = filter;
        history.lockGlob = glob;
        ask(history);
        protocol::HoldsQuery holds;
        holds.source = filter;
        holds.lockGlob = glob;
        ask(holds);
        holds.key = keyOf(source, name);
        ask(holds);
        protocol::ContentionQuery contention;
        contention.source = filter;
        contention.lockGlob = glob;
        contention.toUs = nowUs;
        ask(contention);
        protocol::TimelineQuery timeline;
        timeline.source = filter;
        timeline.lockGlob = glob;
        timeline.fromUs = nowUs - kHourUs;
        timeline.toUs = nowUs;
        ask(timeline);
        timeline.keys = {keyOf(source, name)};
        ask(timeline);
        if (source != kMemory) {
            ask(protocol::ChainsQuery{0, source});
            ask(protocol::ReadNow{0, source});
            protocol::ProbeRequest probe;
            probe.command = commandOf(++number);
            probe.source = source;
            ask(probe);
        }
        return answers;
    };
    QCOMPARE(answersTo(kMemory, kSecret), answersTo(kMemory, kAbsent));
    QCOMPARE(answersTo(kVault, kBuried), answersTo(kGhost, kBuried));
    const auto inspected = client.ask(protocol::Inspect{0, keyOf(kMemory, kSecret)});
    QCOMPARE(std::get<protocol::Inspected>(*inspected).error->code, base::ErrorCode::NotFound);
}

/** Work in progress relies on the wider view, so the session ends, and the next one sees less. */
void TestNarrowed::reloadThatNarrowsEndsTheSession()
{
    if (!canBeDaemon())
        QSKIP("only root can connect as somebody else");
    NarrowedWorld world({{Role::Viewer, {}, {}}});
    QVERIFY(world.begin());
    Raw client;
    QVERIFY(client.greet(world.socket(), "daemon"));
    QVERIFY(client.ask(protocol::Subscribe{}));
    QVERIFY(world.writeConfig("[[access]]\nwho = \"user:daemon\"\nrole = \"viewer\"\nsources = [\"*\"]\n"
                              "locks = [\"o:*\", \"o:*\"]\n"));
    world.agent->reload();
    QVERIFY(client.waitFor<protocol::Goodbye>([](const protocol::Goodbye &goodbye) {
        return base::isTransient(goodbye.error.code); // it comes again by itself
    }));
    QTRY_COMPARE(client.socket.state(), QLocalSocket::UnconnectedState);
    Raw again;
    QVERIFY(again.greet(world.socket(), "daemon"));
    QCOMPARE(std::get<protocol::Welcome>(again.got.constFirst()).grants,
             (domain::Grants{{{Role::Viewer, {}, {"o:*"}}}}));
}

LOCKKEEPER_TEST(TestNarrowed)

} // namespace tst_narrowed

#include "tst_narrowed.moc"
