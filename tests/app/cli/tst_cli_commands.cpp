// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/tables.h"
#include "harness.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

namespace tst_cli_commands {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using domain::Outcome;

/** Each command against an agent with prepared answers, through real sockets: what is printed, and the
 * status. */
class TestCliCommands : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void locksAsJson();
    void jsonComesAsTheAgentTells();
    void jsonNamesWhomTheTableNames();
    void locksAsOfATime();
    void locksAsOfATimeAsJson();
    void locksOfAState_data();
    void locksOfAState();
    void locksOfAPlace_data();
    void locksOfAPlace();
    void locksInOrder_data();
    void locksInOrder();
    void rowsHaveAsManyWordsAsTheHeader();
    void hostileNames();
    void aSourceThatIsntSeenMakesItsLocksUnknown();
    void overviewForPeople();
    void overviewTellsWhereAndWhoBlocks();
    void overviewAsJson();
    void overviewGoesByTheAgentsClock();
    void statusAsJson();
    void statusForPeople();
    void statusTellsFindings();
    void historyInPages_data();
    void historyInPages();
    void aSlowReaderHoldsNothingUp_data();
    void aSlowReaderHoldsNothingUp();
    void historyGoesOnWhenTheLinkIsLost_data();
    void historyGoesOnWhenTheLinkIsLost();
    void historyBeforeTheJournal_data();
    void historyBeforeTheJournal();
    void historyInSlices_data();
    void historyInSlices();
    void holderThatNobodySaw();
    void holdsAsJson();
    void holdsTellTheWaitAndTheRelease();
    void auditWithoutIntent();
    void auditInPages();
    void auditVerifies_data();
    void auditVerifies();
    void auditVerifiesSignatures_data();
    void auditVerifiesSignatures();
    void auditIsComparedWithAnEarlierHead_data();
    void auditIsComparedWithAnEarlierHead();
    void watchPrintsAndResumes();
    void watchSaysWhereItBegins();
    void watchFilters_data();
    void watchFilters();
    void watchLeavesRenewalsOut_data();
    void watchLeavesRenewalsOut();
    void watchWithoutReconnecting();
    void exportsLocks();
    void exportsThePast();
    void exportsHistoryAtomically();
    void nobodyListens_data();
    void nobodyListens();
};

static QStringList words(const QString &line)
{
    return line.split(QLatin1Char(' '), Qt::SkipEmptyParts);
}

void TestCliCommands::locksAsJson()
{
    FakeAgent agent;
    agent.locks = {shownLock("lock:b", "w2"), shownLock("lock:a", "w1")};
    agent.locks[0].waiters = {{"w9", 5, QByteArray()}};
    agent.locks[0].waitersVisible = true;
    Run run(agent.address(), words(QStringLiteral("locks --json --sort name")));
    QTRY_COMPARE(run.status(), 0);
    const auto objects = run.objects();
    QCOMPARE(objects.size(), 2);
    const QJsonObject first = objects.at(0);
    for (const char *key : {"agent",      "source",
                            "store",      "scheme",
                            "place",      "lock",
                            "state",      "owner",
                            "token",      "acquired_us",
                            "window_us",  "renewed_us",
                            "expires_us", "ttl_ms",
                            "waiters",    "waiters_visible",
                            "waiters_us", "longest_wait_us",
                            "depth",      "fencing",
                            "alive",      "release",
                            "guard",      "seen_us",
                            "session",    "changes_per_minute"})
        QVERIFY2(first.contains(QLatin1String(key)), key);
    QCOMPARE(first.value(QStringLiteral("agent")).toString(), QStringLiteral("dc1"));
    QCOMPARE(first.value(QStringLiteral("store")).toString(), QStringLiteral("redis"));
    QCOMPARE(first.value(QStringLiteral("lock")).toString(), QStringLiteral("lock:a"));
    QCOMPARE(first.value(QStringLiteral("state")).toString(), QStringLiteral("held"));
    QVERIFY(first.value(QStringLiteral("depth")).isNull());
    QVERIFY(first.value(QStringLiteral("renewed_us")).isNull());
    QCOMPARE(first.value(QStringLiteral("acquired_us")).toInteger(), *agent.locks.at(1).acquiredUs);
    const QJsonObject second = objects.at(1);
    QCOMPARE(second.value(QStringLiteral("state")).toString(), QStringLiteral("contended"));
    QCOMPARE(second.value(QStringLiteral("waiters")).toArray().size(), 1);
    QVERIFY(first.value(QStringLiteral("waiters_us")).isNull()); // waiters unknown
    QCOMPARE(second.value(QStringLiteral("waiters_us")).toInteger(), agent.locks.at(0).seenUs.value_or(-1));
    QVERIFY(second.value(QStringLiteral("release")).toObject().value(QStringLiteral("possible")).toBool());
    for (const QByteArray &line : run.out().trimmed().split('\n')) // each the compact form of its object
        QCOMPARE(line, QJsonDocument::fromJson(line).toJson(QJsonDocument::Compact));
}

/** The command prints the locks in the agent's order, so a million locks needn't fit into memory. */
void TestCliCommands::jsonComesAsTheAgentTells()
{
    FakeAgent agent;
    for (const char *name : {"c", "a", "b"})
        agent.locks.append(shownLock(name, "w"));
    agent.locks[1].phase = domain::Phase::Free;
    Run run(agent.address(), words(QStringLiteral("locks --json --state held")));
    QTRY_COMPARE(run.status(), 0);
    QStringList found;
    for (const QJsonObject &object : run.objects())
        found.append(object.value(QStringLiteral("lock")).toString());
    QCOMPARE(found, QStringList({QStringLiteral("c"), QStringLiteral("b")}));
}

void TestCliCommands::jsonNamesWhomTheTableNames()
{
    using domain::Phase;
    for (const Phase phase : {Phase::Free, Phase::Held, Phase::Expired, Phase::Unknown}) {
        FakeAgent agent;
        agent.locks = {shownLock("lock:a", "w1")};
        agent.locks[0].phase = phase;
        Run table(agent.address(), words(QStringLiteral("locks")));
        Run json(agent.address(), words(QStringLiteral("locks --json")));
        QTRY_COMPARE(table.status(), 0);
        QTRY_COMPARE(json.status(), 0);
        const QString owner = json.objects().constFirst().value(QStringLiteral("owner")).toString();
        if (table.out().contains("w1")) // a free lock has no holder in either
            QCOMPARE(owner, QStringLiteral("w1"));
    }
}

void TestCliCommands::locksAsOfATime()
{
    FakeAgent agent;
    const qint64 atUs = 1'704'067'200'000'000;
    agent.locks = {shownLock("lock:a", "w1"), shownLock("lock:b", "w2"), shownLock("lock:c", "w3")};
    for (domain::LockState &lock : agent.locks)
        lock.acquiredUs = atUs - 90'000'000;
    agent.locks[1].mayHaveChanged = true;
    agent.locks[2].key.source = QStringLiteral("blind");
    agent.sources = {upSource(agent.locks.at(0).key.source), upSource(QStringLiteral("blind")),
                     upSource(QStringLiteral("later"))};
    agent.sources[0].lastSeenUs = agent.sources[0].lastSeenWallUs = atUs;
    agent.sources[0].clockOffsetUs = 0;
    agent.sources[0].findings = {
        {domain::kPartUnseen, domain::Severity::Warning, "10.0.0.3:6379", atUs - 60'000'000}};
    for (int i : {1, 2}) {
        agent.sources[i].link = domain::Link::Down;
        agent.sources[i].lastSeenWallUs.reset();
    }
    agent.sources[1].gapSinceUs = atUs - 60'000'000;
    Run run(agent.address(),
            {QStringLiteral("locks"), QStringLiteral("--at"), QStringLiteral("2024-01-01T00:00:00Z")});
    QTRY_COMPARE(run.status(), 0);
    QCOMPARE(agent.askedFor<protocol::LocksQuery>().value(0).atUs.value_or(0), atUs);
    const QByteArray out = run.out();
    QVERIFY2(out.startsWith("As of 20"), out.constData());
    QVERIFY2(out.contains("blind: not seen then, last at 20"), out.constData());
    QVERIFY2(out.contains("later: not seen then, nor before\n"), out.constData());
    QVERIFY2(out.contains("00:01:30"), out.constData()); // held for, at that time
    QVERIFY2(out.contains("held~"), out.constData());
    QVERIFY2(out.contains("~: may have changed by then"), out.constData());
    QVERIFY2(out.contains(": its part 10.0.0.3:6379 wasn't seen then"), out.constData());
    const qsizetype unknown = out.indexOf("unknown");
    QVERIFY2(unknown > 0 && out.indexOf("lock:c") > unknown, out.constData());
}

void TestCliCommands::locksAsOfATimeAsJson()
{
    FakeAgent agent;
    agent.locks = {shownLock("lock:a", "w1")};
    agent.locks[0].mayHaveChanged = true;
    Run run(agent.address(), words(QStringLiteral("locks --json --at 2024-01-01T00:00:00Z")));
    QTRY_COMPARE(run.status(), 0);
    const QJsonObject object = run.objects().value(0);
    QCOMPARE(object.value(QStringLiteral("as_of_us")).toInteger(), 1'704'067'200'000'000);
    QCOMPARE(object.value(QStringLiteral("may_have_changed")).toBool(), true);
    QCOMPARE(object.value(QStringLiteral("state")).toString(), QStringLiteral("held"));
}

void TestCliCommands::locksOfAState_data()
{
    QTest::addColumn<QString>("state");
    QTest::addColumn<QString>("names");
    QTest::newRow("all") << QString()
                         << QStringLiteral("stuck stuckwait expired contended expiring held free");
    QTest::newRow("held") << QStringLiteral("held") << QStringLiteral("contended expiring held");
    QTest::newRow("free") << QStringLiteral("free") << QStringLiteral("free");
    QTest::newRow("expired") << QStringLiteral("expired") << QStringLiteral("expired");
    QTest::newRow("stuck") << QStringLiteral("stuck") << QStringLiteral("stuck stuckwait");
    QTest::newRow("contended") << QStringLiteral("contended") << QStringLiteral("stuckwait contended");
}

void TestCliCommands::locksOfAState()
{
    QFETCH(QString, state);
    QFETCH(QString, names);
    FakeAgent agent;
    for (const char *name : {"held", "free", "expired", "stuck", "stuckwait", "contended", "expiring"})
        agent.locks.append(shownLock(name, "w"));
    agent.locks[1].phase = domain::Phase::Free;
    agent.locks[2].phase = domain::Phase::Expired;
    agent.locks[3].stuck = agent.locks[4].stuck = domain::StuckReason::NoExpiry;
    agent.locks[4].waiters = agent.locks[5].waiters = {{"w", std::nullopt, QByteArray()}};
    agent.locks[6].ttlMs = 3'600'000;
    QStringList arguments = words(QStringLiteral("locks --json --sort severity"));
    if (!state.isEmpty())
        arguments << QStringLiteral("--state") << state;
    Run run(agent.address(), arguments);
    QTRY_COMPARE(run.status(), 0);
    QStringList found;
    for (const QJsonObject &object : run.objects())
        found.append(object.value(QStringLiteral("lock")).toString());
    QCOMPARE(found.join(QLatin1Char(' ')), names);
}

void TestCliCommands::locksOfAPlace_data()
{
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<QString>("shown"); // by their owners
    QTest::newRow("a table") << QStringLiteral("--place app.shedlock") << QStringLiteral("w1");
    QTest::newRow("a database") << QStringLiteral("--place app.*") << QStringLiteral("w1 w2");
    QTest::newRow("in order") << QStringLiteral("--place app.* --sort name") << QStringLiteral("w1 w2");
    QTest::newRow("its letters count") << QStringLiteral("--place APP.*") << QString();
    QTest::newRow("any") << QString() << QStringLiteral("w1 w2 w3");
}

void TestCliCommands::locksOfAPlace()
{
    QFETCH(const QString, arguments);
    QFETCH(const QString, shown);
    FakeAgent agent;
    agent.locks = {shownLock("job", "w1"), shownLock("job", "w2"), shownLock("job", "w3")};
    agent.locks[0].key.place = "app.shedlock";
    agent.locks[1].key.place = "app.jobs";
    agent.locks[2].key.place = "other.jobs";
    Run run(agent.address(), words(QStringLiteral("locks --json ") + arguments));
    QTRY_COMPARE(run.status(), 0);
    QStringList owners;
    for (const QJsonObject &lock : run.objects())
        owners.append(lock.value(QStringLiteral("owner")).toString());
    owners.sort();
    QCOMPARE(owners.join(QLatin1Char(' ')), shown);
    Run table(agent.address(), words(QStringLiteral("locks ") + arguments));
    QTRY_COMPARE(table.status(), 0);
    for (const char *owner : {"w1", "w2", "w3"})
        QCOMPARE(table.out().contains(owner), shown.contains(QLatin1String(owner)));
}

void TestCliCommands::locksInOrder_data()
{
    QTest::addColumn<QString>("order");
    QTest::addColumn<QString>("names");
    QTest::newRow("severity") << QStringLiteral("severity") << QStringLiteral("stuck waited old young");
    QTest::newRow("name") << QStringLiteral("name") << QStringLiteral("old stuck waited young");
    QTest::newRow("source") << QStringLiteral("source") << QStringLiteral("waited old stuck young");
    QTest::newRow("held") << QStringLiteral("held") << QStringLiteral("old waited young stuck");
    QTest::newRow("remaining") << QStringLiteral("remaining") << QStringLiteral("young waited old stuck");
    QTest::newRow("waiters") << QStringLiteral("waiters") << QStringLiteral("waited old stuck young");
}

void TestCliCommands::locksInOrder()
{
    QFETCH(QString, order);
    QFETCH(QString, names);
    FakeAgent agent;
    for (const char *name : {"young", "old", "stuck", "waited"})
        agent.locks.append(shownLock(name, "w"));
    domain::LockState *young = agent.locks.data();
    *young[0].acquiredUs += 5'000'000;
    young[0].expiresUs = *young[0].expiresUs - 10'000'000;
    *young[1].acquiredUs -= 5'000'000;
    young[1].expiresUs = *young[1].expiresUs + 5'000'000;
    young[2].stuck = domain::StuckReason::NoExpiry;
    young[2].expiry = domain::ExpiryKind::None;
    young[2].acquiredUs.reset();
    young[3].key.source = QStringLiteral("a-source");
    young[3].waitersVisible = true;
    young[3].waiters = {{"w", std::nullopt, QByteArray()}};
    agent.sources.append(upSource(QStringLiteral("a-source")));
    Run run(agent.address(), words(QStringLiteral("locks --json --sort ")) << order);
    QTRY_COMPARE(run.status(), 0);
    QStringList found;
    for (const QJsonObject &object : run.objects())
        found.append(object.value(QStringLiteral("lock")).toString());
    QCOMPARE(found.join(QLatin1Char(' ')), names);
}

/** In every state of a lock, our own cells are one word, and only the last cell may be empty. */
void TestCliCommands::rowsHaveAsManyWordsAsTheHeader()
{
    FakeAgent agent;
    for (const char *name : {"a", "b", "c", "d", "e"})
        agent.locks.append(shownLock(name, "w"));
    agent.locks[0].windowUs = 0;
    agent.locks[1].acquiredBy = domain::Evidence::FirstSeen;
    agent.locks[2].phase = domain::Phase::Free;
    agent.locks[3].expiry = domain::ExpiryKind::None;
    *agent.locks[3].acquiredUs -= 300'000'000'000;
    agent.locks[4].phase = domain::Phase::Unknown;
    events::LockEvent gap = acquired(2, "");
    gap.kind = events::EventKind::GapOpened;
    agent.events = {acquired(1, "lock:a"), gap};
    for (const char *command : {"locks", "history"}) {
        Run run(agent.address(), {QString::fromLatin1(command)});
        QTRY_COMPARE(run.status(), 0);
        const QStringList lines = QString::fromUtf8(run.out()).trimmed().split(u'\n');
        QVERIFY(lines.size() > 2);
        const auto count = [](const QString &line) { return line.simplified().split(u' ').size(); };
        if (qstrcmp(command, "history") == 0) // its last column is a text
            continue;
        for (const QString &line : lines)
            QVERIFY2(count(line) == count(lines.first()), qPrintable(line));
    }
}

void TestCliCommands::hostileNames()
{
    FakeAgent agent;
    agent.locks = {shownLock(QByteArray("a\xff\0\x1b[31m\r\n\xe2\x80\xae", 13), "<b>w</b>")};
    Run people(agent.address(), words(QStringLiteral("locks")));
    QTRY_COMPARE(people.status(), 0);
    QCOMPARE(people.out().count('\n'), 2);
    QVERIFY(!people.out().contains('\x1b') && !people.out().contains('\r') &&
            !people.out().contains("\xe2\x80\xae"));
    QVERIFY(people.out().contains("<b>w</b>"));
    Run json(agent.address(), words(QStringLiteral("locks --json")));
    QTRY_COMPARE(json.status(), 0);
    QCOMPARE(json.out().count('\n'), 1);
    const QString name = json.objects().at(0).value(QStringLiteral("lock")).toString();
    QVERIFY(name.startsWith(QLatin1String("a\\xff")));
    QVERIFY(name.contains(QChar(u'\x1b')));
}

void TestCliCommands::aSourceThatIsntSeenMakesItsLocksUnknown()
{
    FakeAgent agent;
    agent.locks = {shownLock("lock:a", "w1")};
    agent.sources[0].link = domain::Link::Down;
    Run run(agent.address(), words(QStringLiteral("locks --json")));
    QTRY_COMPARE(run.status(), 0);
    QCOMPARE(run.objects().at(0).value(QStringLiteral("state")).toString(), QStringLiteral("unknown"));
}

void TestCliCommands::overviewForPeople()
{
    FakeAgent agent;
    agent.locks = {shownLock("lock:a", "w1"), shownLock("lock:b", "w2")};
    agent.locks[1].stuck = domain::StuckReason::NoExpiry;
    const qint64 now = base::SystemClock().wallUs();
    agent.status.wallUs = now;
    domain::Contention cost;
    cost.key = agent.locks[0].key;
    cost.key.name = "costly";
    cost.waitersVisible = true;
    cost.waits = {3, 90'000'000, 30'000'000, 30'000'000, 40'000'000};
    cost.acquisitions = 17;
    agent.contention.locks = {cost};
    // Nobody observed this hour a week ago, nor two minutes of the last hour.
    agent.waiting = [now](protocol::WaitingPage &page) {
        const qint64 agoUs = now - page.toUs;
        protocol::SourceWaiting &source = page.sources.first();
        if (agoUs > 100'000'000'000)
            source.gaps = {{page.fromUs, page.toUs}};
        else if (agoUs < 3'600'000'000)
            source.gaps = {{page.fromUs + 600'000'000, page.fromUs + 720'000'000}};
        if (source.waitedUs.size() == 60)
            source.waitedUs[5] = 180'000'000;
    };
    domain::AuditEntry broken;
    broken.id = 9;
    broken.timeUs = now - 3'600'000'000;
    broken.key = cost.key;
    broken.who = QStringLiteral("kim");
    broken.outcome = domain::Outcome::Released;
    domain::AuditEntry old = broken;
    old.id = 8;
    old.timeUs = now - 100'000'000'000;
    old.who = QStringLiteral("lee");
    agent.audit = {broken, old};
    Run run(agent.address(), words(QStringLiteral("overview")));
    QTRY_COMPARE(run.status(), 0);
    const QByteArray out = run.out();
    QVERIFY2(out.startsWith("1 stuck.\n"), out.constData());
    QVERIFY2(out.contains("lock:b") && !out.contains("lock:a "), out.constData());
    const auto cellsOf = [&out](const char *first) {
        const QList<QByteArray> lines = out.split('\n');
        for (const QByteArray &line : lines) {
            if (line.startsWith(first))
                return line.simplified();
        }
        return QByteArray();
    };
    QCOMPARE(cellsOf("last "), QByteArray("last 00:01:30 3 17 0 96.7%"));
    QCOMPARE(cellsOf("a_day_ago "), QByteArray("a_day_ago 00:01:30 3 17 0 100.0%"));
    QCOMPARE(cellsOf("a_week_ago "), QByteArray("a_week_ago — — — — 0.0%")); // an unobserved hour
    QVERIFY2(out.contains("Waiters, last hour: average 0.1, peak 3.0 (") &&
                 out.contains("data for 58 of 60 minutes"),
             out.constData());
    QVERIFY2(out.contains("costly") && out.contains("Force-releases in the last 24 hours: 1"),
             out.constData());
    QVERIFY2(out.contains("kim") && !out.contains("lee"), out.constData());
    QVERIFY2(out.contains("Sources\n") && out.contains("orders not observed "), out.constData());
    QVERIFY2(out.contains("(00:02:00)"), out.constData());
    // The gap before the agent's start isn't a line for each source.
    agent.status.startedWallUs = now - 25'000'000;
    const auto waiting = agent.waiting;
    agent.waiting = [now](protocol::WaitingPage &page) {
        page.sources.first().gaps = {{page.fromUs, std::min(page.toUs, now - 24'000'000)}};
    };
    Run fresh(agent.address(), words(QStringLiteral("overview")));
    QTRY_COMPARE(fresh.status(), 0);
    QVERIFY2(fresh.out().contains("\nagent started 25.0 s ago\n") && !fresh.out().contains("not observed"),
             fresh.out().constData());
    agent.waiting = waiting;
    // The agent lists only some of the locks. It still sums the waits of all; its other sums are lower
    // bounds.
    agent.contention.more = true;
    agent.contention.waitedUs = 120'000'000;
    agent.contention.waits = 4;
    Run many(agent.address(), words(QStringLiteral("overview")));
    QTRY_COMPARE(many.status(), 0);
    QVERIFY2(many.out().simplified().contains("last 00:02:00 4 ≥17 ≥0 96.7%"), many.out().constData());
    Run object(agent.address(), words(QStringLiteral("overview --json")));
    QTRY_COMPARE(object.status(), 0);
    const QJsonObject hour =
        object.objects().constFirst().value(QStringLiteral("hours")).toArray().at(0).toObject();
    QCOMPARE(hour.value(QStringLiteral("waits")).toInt(), 4);
    QVERIFY(!hour.value(QStringLiteral("waits_truncated")).toBool(true));
    QVERIFY(hour.value(QStringLiteral("truncated")).toBool());
}

/** Two tables may have a lock of the same name. In a chain, the session to look at is its head. */
void TestCliCommands::overviewTellsWhereAndWhoBlocks()
{
    FakeAgent agent;
    agent.locks = {shownLock("job", "w1")};
    agent.locks[0].stuck = domain::StuckReason::NoExpiry;
    agent.locks[0].key.place = "app.shedlock";
    domain::WaitGraph graph;
    graph.source = QStringLiteral("orders");
    graph.endedUs = base::SystemClock().wallUs();
    for (const char *id : {"4711", "4712", "51", "52"})
        graph.sessions.emplaceBack().id = id;
    const domain::LockKey row{QStringLiteral("orders"), "sql.row", "app.jobs/PRIMARY", "17"};
    const qint64 sinceUs = graph.endedUs - 30'000'000;
    graph.edges = {
        {"4712", "4711", row, sinceUs, 0}, {"51", "52", row, sinceUs, 0}, {"52", "51", row, sinceUs, 0}};
    agent.graphs = {graph};
    Run run(agent.address(), words(QStringLiteral("overview")));
    QTRY_COMPARE(run.status(), 0);
    QVERIFY2(run.out().contains("orders  app.shedlock"), run.out().constData());
    QVERIFY2(run.out().contains("orders: 4711 blocks 1 by app.jobs/PRIMARY 17; 30.0s of waiting"),
             run.out().constData());
    QVERIFY2(run.out().contains("orders: deadlock: "), run.out().constData());
    QVERIFY2(!run.out().contains("51 blocks") && !run.out().contains("52 blocks"), run.out().constData());
    Run json(agent.address(), words(QStringLiteral("overview --json")));
    QTRY_COMPARE(json.status(), 0);
    const QJsonObject whole = json.objects().constFirst();
    const QJsonObject lock = whole.value(QStringLiteral("attention")).toArray().at(0).toObject();
    QCOMPARE(lock.value(QStringLiteral("lock")).toObject().value(QStringLiteral("place")).toString(),
             QStringLiteral("app.shedlock"));
    const QJsonArray heads = whole.value(QStringLiteral("chain_heads")).toArray();
    QCOMPARE(heads.size(), 1);
    QCOMPARE(heads.at(0).toObject().value(QStringLiteral("session")).toString(), QStringLiteral("4711"));
    const QJsonArray deadlocks = whole.value(QStringLiteral("deadlocks")).toArray();
    QCOMPARE(deadlocks.size(), 1);
    QCOMPARE(deadlocks.at(0).toObject().value(QStringLiteral("sessions")).toArray().size(), 2);
}

void TestCliCommands::overviewAsJson()
{
    FakeAgent agent;
    agent.sources = {upSource(QStringLiteral("orders"))};
    agent.sources[0].link = domain::Link::Down;
    agent.sources[0].error = {base::ErrorCode::Unreachable, QStringLiteral("nobody listens"), {}};
    agent.locks = {shownLock("lock:b", "w2")};
    agent.locks[0].stuck = domain::StuckReason::NoExpiry;
    Run run(agent.address(), words(QStringLiteral("overview --json")));
    QTRY_COMPARE(run.status(), 0);
    QCOMPARE(run.objects().size(), 1);
    const QJsonObject o = run.objects().constFirst();
    QCOMPARE(o.value(QStringLiteral("stuck")).toInt(-1), 0); // nobody can observe it
    QVERIFY(!o.value(QStringLiteral("fine")).toBool(true));
    const QJsonObject unseen = o.value(QStringLiteral("unseen")).toArray().at(0).toObject();
    QCOMPARE(unseen.value(QStringLiteral("source")).toString(), QStringLiteral("orders"));
    QVERIFY(unseen.value(QStringLiteral("why")).toString().contains(QLatin1String("nobody listens")));
    QCOMPARE(o.value(QStringLiteral("hours")).toArray().size(), 3);
    for (const char *key : {"attention", "top", "breaks", "sources"})
        QVERIFY2(o.value(QLatin1String(key)).isArray(), key);
    agent.waiting = [](protocol::WaitingPage &page) {
        page.sources.first().gaps = {{page.fromUs, page.fromUs + 360'000'000}};
    };
    Run newer(agent.address(), words(QStringLiteral("overview --json")));
    QTRY_COMPARE(newer.status(), 0);
    const QJsonObject told = newer.objects().constFirst();
    const QJsonArray minutes = told.value(QStringLiteral("waiters")).toArray();
    QCOMPARE(minutes.size(), 60);
    QVERIFY(minutes.at(5).toObject().value(QStringLiteral("waiting")).isNull());
    QCOMPARE(minutes.at(6).toObject().value(QStringLiteral("waiting")).toDouble(-1), 0.0);
    QCOMPARE(told.value(QStringLiteral("gaps")).toArray().size(), 1);
    const QJsonObject hour = told.value(QStringLiteral("hours")).toArray().at(2).toObject();
    QCOMPARE(hour.value(QStringLiteral("observed_share")).toDouble(), 0.9);
}

void TestCliCommands::statusAsJson()
{
    FakeAgent agent;
    agent.status.lastSeq = 1042;
    agent.sources[0].link = domain::Link::Down;
    agent.sources[0].error = {base::ErrorCode::PermissionDenied, QStringLiteral("NOPERM"),
                              QStringLiteral("+get")};
    Run run(agent.address(), words(QStringLiteral("status --json")));
    QTRY_COMPARE(run.status(), 0);
    QCOMPARE(run.objects().size(), 1);
    const QJsonObject status = run.objects().at(0);
    QCOMPARE(status.value(QStringLiteral("agent")).toString(), QStringLiteral("dc1"));
    QCOMPARE(status.value(QStringLiteral("seq")).toInteger(), 1042);
    QVERIFY(status.value(QStringLiteral("journal_error")).isNull());
    const QJsonObject source = status.value(QStringLiteral("sources")).toArray().at(0).toObject();
    QCOMPARE(source.value(QStringLiteral("link")).toString(), QStringLiteral("down"));
    QCOMPARE(source.value(QStringLiteral("error")).toObject().value(QStringLiteral("code")).toString(),
             QStringLiteral("permission_denied"));
}

void TestCliCommands::statusForPeople()
{
    FakeAgent agent;
    agent.sources[0].access = {{"break:eval", false, true, QStringLiteral("ACL SETUSER +eval")}};
    Run run(agent.address(), words(QStringLiteral("status")));
    QTRY_COMPARE(run.status(), 0);
    QVERIFY(run.out().contains("dc1"));
    QVERIFY(run.out().contains("orders"));
    QVERIFY2(run.out().contains("ACL SETUSER +eval"), "what is missing is named with its remedy");
    QVERIFY(!run.err().contains("journal"));
    agent.status.journalError = {base::ErrorCode::Corrupt, QStringLiteral("torn"), {}};
    Run damaged(agent.address(), words(QStringLiteral("status")));
    QTRY_COMPARE(damaged.status(), 0);
    QVERIFY(damaged.err().contains("the journal or its audit is incomplete: torn"));
    QVERIFY2(run.out().contains("UTC"), "the zone is in sight");
}

void TestCliCommands::statusTellsFindings()
{
    FakeAgent agent;
    agent.sources[0].findings = {
        {"evicted_keys", domain::Severity::Danger, "17", 1'795'000'000'000'000},
        {"eviction_policy", domain::Severity::Warning, "allkeys-\x1b[31mlru", {}, "10.0.0.7:6379"},
    };
    Run json(agent.address(), words(QStringLiteral("status --json")));
    QTRY_COMPARE(json.status(), 0);
    const QJsonObject source =
        json.objects().at(0).value(QStringLiteral("sources")).toArray().at(0).toObject();
    const QJsonArray findings = source.value(QStringLiteral("findings")).toArray();
    QCOMPARE(findings.size(), 2);
    QCOMPARE(findings.at(0).toObject(),
             (QJsonObject{{QStringLiteral("code"), QStringLiteral("evicted_keys")},
                          {QStringLiteral("severity"), QStringLiteral("danger")},
                          {QStringLiteral("value"), QStringLiteral("17")},
                          {QStringLiteral("node"), QJsonValue()},
                          {QStringLiteral("t_us"), qint64(1'795'000'000'000'000)}}));
    QVERIFY(findings.at(1).toObject().value(QStringLiteral("t_us")).isNull());
    Run people(agent.address(), words(QStringLiteral("status")));
    QTRY_COMPARE(people.status(), 0);
    QVERIFY2(people.out().contains("danger: Keys are being evicted: 17"), people.out().constData());
    QVERIFY(people.out().contains("warning: 10.0.0.7:6379: Locks may be evicted"));
    QCOMPARE(findings.at(1).toObject().value(QStringLiteral("node")).toString(),
             QStringLiteral("10.0.0.7:6379"));
    QVERIFY(people.out().contains("maxmemory-policy noeviction"));
    QVERIFY(!people.out().contains('\x1b')); // no control characters from a server's texts
}

/**
 * The command takes the last hour by the agent's clock. By this computer's clock, the agent would report too
 * little.
 */
void TestCliCommands::overviewGoesByTheAgentsClock()
{
    FakeAgent agent;
    agent.status.wallUs = base::SystemClock().wallUs() - 86'400'000'000;
    domain::AuditEntry broken;
    broken.timeUs = agent.status.wallUs - 3'600'000'000;
    broken.outcome = domain::Outcome::Released;
    agent.audit = {broken};
    Run run(agent.address(), words(QStringLiteral("overview --json")));
    QTRY_COMPARE(run.status(), 0);
    QCOMPARE(agent.askedFor<protocol::ContentionQuery>().value(0).toUs, std::optional(agent.status.wallUs));
    QCOMPARE(agent.askedFor<protocol::WaitingQuery>().value(0).toUs, agent.status.wallUs);
    QCOMPARE(run.objects().at(0).value(QStringLiteral("breaks_24h")).toInteger(), 1);
}

void TestCliCommands::historyInPages_data()
{
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<int>("count");
    QTest::addColumn<int>("queries");
    QTest::newRow("default") << QString() << 1000 << 1;
    QTest::newRow("all") << QStringLiteral("--limit 0") << 2500 << 3;
    QTest::newRow("1500") << QStringLiteral("--limit 1500") << 1500 << 2;
    QTest::newRow("after") << QStringLiteral("--after 2490") << 10 << 1;
}

void TestCliCommands::historyInPages()
{
    QFETCH(QString, arguments);
    QFETCH(int, count);
    QFETCH(int, queries);
    FakeAgent agent;
    for (quint64 seq = 1; seq <= 2500; ++seq)
        agent.events.append(acquired(seq, "lock:a"));
    Run run(agent.address(), words(QStringLiteral("history --json ") + arguments));
    QTRY_COMPARE(run.status(), 0);
    const auto objects = run.objects();
    QCOMPARE(objects.size(), count);
    for (qsizetype i = 1; i < objects.size(); ++i)
        QCOMPARE(objects.at(i).value(QStringLiteral("seq")).toInteger(),
                 objects.at(i - 1).value(QStringLiteral("seq")).toInteger() + 1);
    QCOMPARE(agent.askedFor<protocol::HistoryQuery>().size(), queries);
}

void TestCliCommands::historyGoesOnWhenTheLinkIsLost_data()
{
    QTest::addColumn<int>("hangsUpAt");
    QTest::addColumn<bool>("anew");
    QTest::addColumn<int>("status");
    QTest::addColumn<int>("count");
    QTest::newRow("in the middle") << 2 << false << 0 << 2500;
    QTest::newRow("before the first page") << 1 << false << 3 << 0;
    QTest::newRow("another journal") << 2 << true << 3 << 1000;
}

void TestCliCommands::aSlowReaderHoldsNothingUp_data()
{
    QTest::addColumn<QString>("command");
    QTest::addColumn<int>("lines");
    QTest::newRow("locks") << QStringLiteral("locks --json") << 2;
    QTest::newRow("history") << QStringLiteral("history --json --limit 0") << 2500;
    QTest::newRow("history as a table") << QStringLiteral("history --limit 0") << 2503;
    QTest::newRow("audit") << QStringLiteral("audit --json --limit 0 --verify") << 1201;
    QTest::newRow("audit as a table") << QStringLiteral("audit --limit 0") << 1202;
    QTest::newRow("export") << QStringLiteral("export --format csv --history --limit 0") << 2501;
}

/**
 * The command answers pings even if the user doesn't scroll the pager: the agent drops a connection that
 * answers none.
 */
void TestCliCommands::aSlowReaderHoldsNothingUp()
{
    QFETCH(QString, command);
    QFETCH(int, lines);
    FakeAgent agent;
    agent.locks = {shownLock("lock:a", "w1"), shownLock("lock:b", "w2")};
    for (quint64 seq = 1; seq <= 2500; ++seq)
        agent.events.append(acquired(seq, "lock:a"));
    for (qint64 id = 1200; id > 0; --id) {
        domain::AuditEntry entry;
        entry.id = id;
        agent.audit.append(entry);
    }
    QSemaphore gate;
    Run run(agent.address(), words(command));
    run.output().gate = &gate;
    QTRY_VERIFY_WITH_TIMEOUT(run.output().waits, 60'000);
    QCOMPARE(run.status(), -1);
    gate.release(1'000);
    QTRY_COMPARE(run.status(), 0);
    QVERIFY(!run.output().late); // the event loop kept running
    QCOMPARE(run.out().count('\n'), lines);
}

/** The link breaks, as when the command is stopped for longer than the agent waits for a ping. */
void TestCliCommands::historyGoesOnWhenTheLinkIsLost()
{
    QFETCH(int, hangsUpAt);
    QFETCH(bool, anew);
    QFETCH(int, status);
    QFETCH(int, count);
    FakeAgent agent;
    for (quint64 seq = 1; seq <= 2500; ++seq)
        agent.events.append(acquired(seq, "lock:a"));
    agent.hangsUpAt = hangsUpAt;
    agent.journalThen = anew ? "j2" : "";
    Run run(agent.address(), words(QStringLiteral("history --json --limit 0")));
    QTRY_COMPARE(run.status(), status);
    const auto objects = run.objects();
    QCOMPARE(objects.size(), count);
    for (int i = 0; i < count; ++i)
        QCOMPARE(objects.at(i).value(QStringLiteral("seq")).toInteger(), i + 1);
}

void TestCliCommands::historyBeforeTheJournal_data()
{
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<bool>("empty");
    QTest::addColumn<QByteArray>("note"); // empty: none
    const QByteArray begins("the journal begins at 2026-11-20T22:05:45");
    QTest::newRow("before") << QStringLiteral("--from 2026-11-20T00:00:00Z") << false << begins;
    QTest::newRow("before, for scripts")
        << QStringLiteral("--json --from 2026-11-20T00:00:00Z") << false << begins;
    QTest::newRow("after its beginning")
        << QStringLiteral("--from 2026-11-21T00:00:00Z") << false << QByteArray();
    QTest::newRow("since ever") << QString() << false << QByteArray();
    QTest::newRow("holds before") << QStringLiteral("holds --lock * --from 2026-11-20T00:00:00Z") << false
                                  << begins;
    QTest::newRow("holds after its beginning")
        << QStringLiteral("holds --lock * --from 2026-11-21T00:00:00Z") << false << QByteArray();
    QTest::newRow("an export before its beginning")
        << QStringLiteral("export --format json --history --from 2026-11-20T00:00:00Z") << false << begins;
    QTest::newRow("an export after its beginning")
        << QStringLiteral("export --format json --history --from 2026-11-21T00:00:00Z") << false
        << QByteArray();
    QTest::newRow("of nothing") << QStringLiteral("--from 2026-11-20T00:00:00Z") << true
                                << QByteArray("the journal has no events");
}

/** If the journal doesn't reach back far enough, an empty answer doesn't mean that nothing happened. */
void TestCliCommands::historyBeforeTheJournal()
{
    QFETCH(const QString, arguments);
    QFETCH(const bool, empty);
    QFETCH(const QByteArray, note);
    qputenv("TZ", "UTC");
    FakeAgent agent;
    if (!empty) {
        agent.events = {acquired(1, "lock:a")};
        agent.events[0].timeUs = 1'795'212'345'000'000;
    }
    const bool isCommand = !arguments.isEmpty() && !arguments.startsWith(QLatin1Char('-'));
    Run run(agent.address(), words(isCommand ? arguments : QStringLiteral("history ") + arguments));
    QTRY_COMPARE(run.status(), 0);
    QCOMPARE(run.err().contains("what was before isn't known"), !note.isEmpty());
    QVERIFY2(run.err().contains(note), run.err().constData());
}

void TestCliCommands::historyInSlices_data()
{
    QTest::addColumn<QString>("command");
    QTest::newRow("history") << QStringLiteral("history --json --limit 0");
    QTest::newRow("export") << QStringLiteral("export --format json --history --limit 0");
}

/** A page without events isn't the end if the agent reports how far it has read. */
void TestCliCommands::historyInSlices()
{
    QFETCH(QString, command);
    FakeAgent agent;
    for (quint64 seq = 1; seq <= 1000; ++seq)
        agent.events.append(acquired(seq, "lock:a"));
    agent.slice = 100;
    Run run(agent.address(), words(command));
    QTRY_COMPARE(run.status(), 0);
    QList<qint64> seqs;
    for (const QJsonObject &object : run.objects())
        seqs.append(object.value(QStringLiteral("seq")).toInteger());
    QCOMPARE(seqs, (QList<qint64>{1, 201, 401, 601, 801}));
    QCOMPARE(agent.askedFor<protocol::HistoryQuery>().size(), 10);
}

void TestCliCommands::holderThatNobodySaw()
{
    FakeAgent agent;
    events::LockEvent event = acquired(1, "lock:a");
    event.ownerKnown = false;
    event.owner.clear();
    agent.events.append(event); // as the store reported
    event.seq = 2;
    event.detail = events::EventDetail::fromJson({{QStringLiteral("unseen"), true}});
    agent.events.append(event);
    Run run(agent.address(), words(QStringLiteral("history")));
    QTRY_COMPARE(run.status(), 0);
    QCOMPARE(run.out().count(" NULL "), 1);
    QCOMPARE(run.out().count(" not seen "), 1);
}

void TestCliCommands::holdsAsJson()
{
    FakeAgent agent;
    agent.holds = {
        {shownLock("lock:a", "w").key, true, "w", 100, 5, true, std::nullopt, 0, QByteArray(), 3, 0}};
    Run run(agent.address(), words(QStringLiteral("holds --lock lock:a --json")));
    QTRY_COMPARE(run.status(), 0);
    const QJsonObject hold = run.objects().at(0);
    for (const char *key : {"source", "place", "lock", "owner", "from_us", "from_window_us", "to_us",
                            "to_window_us", "end", "renewals", "waited_us", "by", "reason", "command"})
        QVERIFY2(hold.contains(QLatin1String(key)), key);
    QVERIFY(hold.value(QStringLiteral("to_us")).isNull());
    QVERIFY(hold.value(QStringLiteral("end")).isNull());
    QVERIFY(hold.value(QStringLiteral("waited_us")).isNull());
    QVERIFY(hold.value(QStringLiteral("by")).isNull());
}

void TestCliCommands::holdsTellTheWaitAndTheRelease()
{
    FakeAgent agent;
    protocol::Hold hold{
        shownLock("lock:a", "w").key, true, "w", 100, 0, true, 900, 0, "force_released", 3, 0};
    hold.waitedUs = 4'200'000;
    hold.waitSeen = false;
    hold.command = "c0ffee";
    hold.by = QStringLiteral("ada");
    hold.role = QStringLiteral("operator");
    hold.reason = QStringLiteral("its pod was killed");
    hold.mayBe = "released";
    agent.holds = {hold};
    Run json(agent.address(), words(QStringLiteral("holds --lock lock:a --json")));
    QTRY_COMPARE(json.status(), 0);
    const QJsonObject told = json.objects().at(0);
    QCOMPARE(told.value(QStringLiteral("waited_us")).toInteger(), 4'200'000);
    QCOMPARE(told.value(QStringLiteral("wait_seen")), QJsonValue(false));
    for (const auto &[key, value] : {std::pair("by", "ada"), std::pair("reason", "its pod was killed"),
                                     std::pair("command", "c0ffee"), std::pair("may_be", "released")})
        QCOMPARE(told.value(QLatin1String(key)).toString(), QLatin1String(value));
    const QString table = app::cli::holdsTable({hold}).render(250, false);
    for (const char *word : {" 4.2s ", " ≥ ", " force_released? ", " ada ", "its pod was killed"})
        QVERIFY2(table.contains(QString::fromUtf8(word)), qPrintable(table));
}

/** A damaged audit may have the outcome alone: neither time nor user nor lock are known. */
void TestCliCommands::auditWithoutIntent()
{
    FakeAgent agent;
    domain::AuditEntry entry;
    entry.id = 7;
    entry.outcome = domain::Outcome::Released;
    entry.outcomeTimeUs = 1'795'000'000'000'000;
    entry.intact = false;
    agent.audit = {entry};
    Run table(agent.address(), words(QStringLiteral("audit --verify")));
    QTRY_COMPARE(table.status(), 0);
    QVERIFY2(table.out().simplified().contains(QString::fromUtf8(" 7! — — released — — — —").toUtf8()),
             table.out().constData());
    QVERIFY2(!table.out().contains("7!  1970-"), table.out().constData());
    Run object(agent.address(), words(QStringLiteral("audit --json")));
    QTRY_COMPARE(object.status(), 0);
    QVERIFY(object.objects().constFirst().value(QStringLiteral("t_us")).isNull());
}

void TestCliCommands::auditInPages()
{
    FakeAgent agent;
    for (qint64 id = 2500; id > 0; --id) {
        domain::AuditEntry entry;
        entry.id = id;
        entry.outcome = Outcome::Released;
        agent.audit.append(entry);
    }
    Run run(agent.address(), words(QStringLiteral("audit --json --limit 0")));
    QTRY_COMPARE(run.status(), 0);
    QCOMPARE(run.objects().size(), 2500);
    for (const char *key : {"id", "t_us", "who", "role", "source", "place", "lock", "holder", "reason",
                            "because", "guard", "outcome", "command", "approver"})
        QVERIFY2(run.objects().at(0).contains(QLatin1String(key)), key);
    QCOMPARE(run.objects().last().value(QStringLiteral("id")).toInteger(), 1);
}

void TestCliCommands::auditVerifies_data()
{
    QTest::addColumn<bool>("intact");
    QTest::addColumn<int>("status");
    QTest::newRow("intact") << true << 0;
    QTest::newRow("broken") << false << 1;
}

void TestCliCommands::auditVerifies()
{
    QFETCH(bool, intact);
    QFETCH(int, status);
    FakeAgent agent;
    agent.chainIntact = intact;
    Run run(agent.address(), words(QStringLiteral("audit --verify --json")));
    QTRY_COMPARE(run.status(), status);
    QCOMPARE(run.objects().last().value(QStringLiteral("verified")).toBool(), intact);
    QCOMPARE(run.err().contains("entry 7: records 101 to 206 of the audit are missing"), !intact);
}

void TestCliCommands::auditVerifiesSignatures_data()
{
    QTest::addColumn<int>("records");     // of the chain
    QTest::addColumn<int>("signedUntil"); // -1: not at all
    QTest::addColumn<qint64>("ageUs");
    QTest::addColumn<bool>("byAnother");
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("says");
    const qint64 hour = 3'600'000'000;
    QTest::newRow("signed") << 150 << 100 << hour << false << 0
                            << QByteArray("Signed with this key until record 100 of 150.");
    QTest::newRow("not at all") << 150 << -1 << hour << false << 1
                                << QByteArray("isn't signed with this key");
    QTest::newRow("by another key") << 150 << 100 << hour << true << 1
                                    << QByteArray("isn't signed with this key");
    QTest::newRow("no more since") << 200 << 100 << hour << false << 1 << QByteArray("at record 100 of 200");
    QTest::newRow("long ago") << 150 << 100 << 2 * hour << false << 1 << QByteArray("at record 100 of 150");
}

void TestCliCommands::auditVerifiesSignatures()
{
    QFETCH(int, records);
    QFETCH(int, signedUntil);
    QFETCH(qint64, ageUs);
    QFETCH(bool, byAnother);
    QFETCH(int, status);
    QFETCH(QByteArray, says);
    const auto key = base::SigningKey::generate();
    const auto other = base::SigningKey::generate();
    QTemporaryDir folder;
    const QString keyFile = folder.filePath(QStringLiteral("audit.key.pub"));
    QFile file(keyFile);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(key->publicKey().pem());
    file.close();
    FakeAgent agent;
    agent.auditRecords = records;
    if (signedUntil >= 0) {
        domain::AuditSignature signature{
            signedUntil, QByteArray(32, 'h'), 5 - ageUs, key->publicKey().id(), {}};
        signature.signature = *(byAnother ? other : key)->sign(signature.text());
        agent.auditSignature = signature;
    }
    Run run(agent.address(),
            words(QStringLiteral("audit --verify")) + QStringList{QStringLiteral("--public-key"), keyFile});
    QTRY_COMPARE(run.status(), status);
    QVERIFY2((run.out() + run.err()).contains(says), (run.out() + run.err()).constData());
}

void TestCliCommands::auditIsComparedWithAnEarlierHead_data()
{
    QTest::addColumn<QString>("options");
    QTest::addColumn<bool>("isAnchored");
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("says");
    const QString hash = QString(QLatin1String("3f")).repeated(32);
    const QString other = QString(QLatin1String("40")).repeated(32);
    const auto verify = [](const QString &more) { return QStringLiteral("audit --verify ") + more; };
    QTest::newRow("the agent's own") << verify({}) << true << 0
                                     << QByteArray("Compared with the head of 3 records that was signed at");
    QTest::newRow("nothing") << verify({}) << false << 1 << QByteArray("no earlier head to compare it with");
    QTest::newRow("a number alone") << verify(QStringLiteral("--at-least 206")) << false << 1
                                    << QByteArray("no earlier head to compare it with");
    QTest::newRow("fewer") << verify(QStringLiteral("--at-least 207")) << true << 1
                           << QByteArray("the audit has 206 records and should have 207");
    QTest::newRow("as many") << verify(QStringLiteral("--at-least 206")) << true << 0
                             << QByteArray("Chain verified");
    QTest::newRow("its hash") << verify(QStringLiteral("--head ") + hash) << false << 0
                              << QByteArray("Chain verified");
    QTest::newRow("another hash") << verify(QStringLiteral("--head ") + other) << true << 1
                                  << QByteArray("no record of the audit has the hash 4040");
    QTest::newRow("no hash") << verify(QStringLiteral("--head 12")) << true << 2
                             << QByteArray("64 hexadecimal digits");
    QTest::newRow("not verifying") << QStringLiteral("audit --at-least 3") << true << 2
                                   << QByteArray("needs --verify");
    QTest::newRow("printed") << QStringLiteral("audit --head") << true << 0
                             << QByteArray("the audit has 206 records. Compare later: lockkeeperctl audit "
                                           "--verify --at-least 206 --head ") +
                                    hash.toLatin1();
}

void TestCliCommands::auditIsComparedWithAnEarlierHead()
{
    QFETCH(QString, options);
    QFETCH(bool, isAnchored);
    QFETCH(int, status);
    QFETCH(QByteArray, says);
    FakeAgent agent;
    agent.auditRecords = 206;
    if (!isAnchored)
        agent.auditAnchor.reset();
    Run run(agent.address(), words(options));
    QTRY_COMPARE(run.status(), status);
    QVERIFY2((run.out() + run.err()).contains(says), (run.out() + run.err()).constData());
    QCOMPARE((run.out() + run.err()).contains("verified"),
             status == 0 && !options.endsWith(QLatin1String("--head")));
}

void TestCliCommands::watchPrintsAndResumes()
{
    FakeAgent agent;
    agent.events = {acquired(1, "lock:a"), acquired(2, "lock:b")};
    Run run(agent.address(), words(QStringLiteral("watch --since 0 --json")));
    QTRY_COMPARE(run.objects().size(), 2);
    agent.hangUp(true);
    QTRY_VERIFY(run.err().contains("the link is lost"));
    agent.events.append(acquired(3, "lock:c"));
    agent.listenAgain();
    QTRY_COMPARE(run.objects().size(), 3);
    QVERIFY(run.err().contains("connected again"));
    QCOMPARE(run.objects().at(2).value(QStringLiteral("seq")).toInteger(), 3);
    QCOMPARE(agent.askedFor<protocol::Subscribe>().last().since.value_or(0), quint64(2));
    QCOMPARE(agent.askedFor<protocol::Subscribe>().last().journal, QByteArray("j1"));
    QVERIFY(!agent.askedFor<protocol::Subscribe>().last().snapshot);
    QCOMPARE(run.status(), -1);
    // The command prints repeated events once.
    agent.sendToAll(protocol::EventBatch{{acquired(3, "lock:c"), acquired(4, "lock:d")}});
    QTRY_COMPARE(run.objects().size(), 4);
}

void TestCliCommands::watchSaysWhereItBegins()
{
    FakeAgent agent;
    agent.firstSeq = 100;
    agent.events = {acquired(100, "lock:a")};
    Run old(agent.address(), words(QStringLiteral("watch --since 5 --json --for 200ms")));
    QTRY_COMPARE(old.status(), 0);
    QCOMPARE(old.out().split('\n').at(0), QByteArray("{\"fresh\":true,\"from_seq\":99}"));
    QCOMPARE(old.objects().size(), 2);
    Run now(agent.address(), words(QStringLiteral("watch --json --for 200ms")));
    QTRY_COMPARE(now.status(), 0);
    QVERIFY2(now.out().isEmpty(), "without --since nothing is missed");
}

void TestCliCommands::watchFilters_data()
{
    QTest::addColumn<QString>("options");
    QTest::addColumn<QString>("seqs");
    QTest::newRow("none") << QString() << QStringLiteral("1 2 3 4 5 6");
    QTest::newRow("a source and what it didn't see")
        << QStringLiteral("--source orders") << QStringLiteral("1 2 3 4 5");
    QTest::newRow("a lock and what wasn't seen")
        << QStringLiteral("--lock lock:a*") << QStringLiteral("1 2 4 5 6");
    QTest::newRow("kinds") << QStringLiteral("--event stuck,acquired") << QStringLiteral("1 2 3 6");
    QTest::newRow("a state") << QStringLiteral("--state stuck") << QStringLiteral("2 5");
    QTest::newRow("free again") << QStringLiteral("--state free") << QStringLiteral("4 5");
    QTest::newRow("together") << QStringLiteral("--source orders --lock lock:a --event stuck")
                              << QStringLiteral("2");
}

void TestCliCommands::watchFilters()
{
    QFETCH(QString, options);
    QFETCH(QString, seqs);
    FakeAgent agent;
    agent.events = {acquired(1, "lock:a"), acquired(2, "lock:a"), acquired(3, "lock:b"),
                    acquired(4, "lock:a"), acquired(5, ""),       acquired(6, "lock:a2")};
    agent.events[1].kind = events::EventKind::Stuck;
    agent.events[3].kind = events::EventKind::Released;
    agent.events[4].kind = events::EventKind::GapOpened;
    agent.events[5].key.source = QStringLiteral("other");
    Run run(agent.address(), words(QStringLiteral("watch --since 0 --json ") + options));
    const auto found = [&run] {
        QStringList all;
        for (const QJsonObject &object : run.objects())
            all.append(QString::number(object.value(QStringLiteral("seq")).toInteger()));
        return all.join(u' ');
    };
    QTRY_COMPARE(found(), seqs);
    // Omitted events count as seen: after a cut the stream continues behind them.
    agent.hangUp(true);
    QTRY_VERIFY(run.err().contains("the link is lost"));
    agent.listenAgain();
    QTRY_COMPARE(agent.askedFor<protocol::Subscribe>().size(), 2);
    QCOMPARE(agent.askedFor<protocol::Subscribe>().last().since.value_or(0), quint64(6));
}

void TestCliCommands::watchLeavesRenewalsOut_data()
{
    QTest::addColumn<bool>("renewals");
    QTest::newRow("with") << true;
    QTest::newRow("without") << false;
}

void TestCliCommands::watchLeavesRenewalsOut()
{
    QFETCH(bool, renewals);
    FakeAgent agent;
    Run run(agent.address(),
            words(QStringLiteral("watch --json ") + (renewals ? QStringLiteral("--renewals") : QString())));
    QTRY_COMPARE(agent.askedFor<protocol::Subscribe>().size(), 1);
    QCOMPARE(agent.askedFor<protocol::Subscribe>().at(0).renewals, renewals);
    events::LockEvent renewal = acquired(0, "lock:a");
    renewal.kind = events::EventKind::Renewed;
    agent.sendToAll(protocol::EventBatch{{renewal, acquired(1, "lock:a")}});
    QTRY_COMPARE(run.objects().size(), renewals ? 2 : 1);
    if (renewals)
        QVERIFY(run.objects().at(0).value(QStringLiteral("seq")).isNull());
}

void TestCliCommands::watchWithoutReconnecting()
{
    FakeAgent agent;
    Run run(agent.address(), words(QStringLiteral("watch --no-reconnect")));
    QTRY_COMPARE(agent.askedFor<protocol::Subscribe>().size(), 1);
    agent.hangUp();
    QTRY_COMPARE(run.status(), 3);
}

void TestCliCommands::exportsLocks()
{
    FakeAgent agent;
    agent.locks = {shownLock("=cmd|' /C calc'!A0", "w,1"), shownLock("-5", "\x1b[31m\x07\xe2\x80\xae")};
    Run run(agent.address(), words(QStringLiteral("export --format csv")));
    QTRY_COMPARE(run.status(), 0);
    QVERIFY(run.out().contains(",-5,") && run.out().contains("\\x1b[31m\\x07\\u202e"));
    const auto lines = run.out().split('\n');
    QVERIFY(lines.at(0).startsWith("agent,source,store,scheme,place,lock,"));
    QVERIFY(lines.at(0).endsWith('\r'));
    QVERIFY(lines.at(1).contains(",'=cmd|"));
    QVERIFY(lines.at(1).contains("\"w,1\""));
}

/** It isn't the live table under a time that was asked for. */
void TestCliCommands::exportsThePast()
{
    FakeAgent agent;
    agent.locks = {shownLock("lock:a", "w1")};
    const auto line = [](const char *format) {
        return words(QStringLiteral("export --at 2026-11-20T10:00:00Z --format ")) << QLatin1String(format);
    };
    const qint64 atUs = 1'795'168'800'000'000;
    Run json(agent.address(), line("json"));
    QTRY_COMPARE(json.status(), 0);
    QCOMPARE(agent.askedFor<protocol::LocksQuery>().constLast().atUs, std::optional(atUs));
    QCOMPARE(json.objects().constFirst().value(QStringLiteral("as_of_us")).toInteger(), atUs);
    Run csv(agent.address(), line("csv"));
    QTRY_COMPARE(csv.status(), 0);
    QVERIFY2(csv.out().contains(",as_of,may_have_changed\r\n"), csv.out().constData());
    QVERIFY2(csv.out().contains(",2026-11-20T10:00:00.000000Z,false\r\n"), csv.out().constData());
}

void TestCliCommands::exportsHistoryAtomically()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("history.json"));
    FakeAgent agent;
    for (quint64 seq = 1; seq <= 1500; ++seq)
        agent.events.append(acquired(seq, "lock:a"));
    Run run(agent.address(), words(QStringLiteral("export --format json --history --limit 0 -o ") + path));
    QTRY_COMPARE(run.status(), 0);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll().count('\n'), 1500);
    file.close();
    // A failed export leaves the old file unchanged.
    Run failing({QStringLiteral("/nonexistent/a.sock")},
                words(QStringLiteral("export --format json -o ") + path));
    QTRY_COMPARE(failing.status(), 3);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll().count('\n'), 1500);
    Run nowhere(agent.address(), words(QStringLiteral("export --format json -o /nonexistent/file")));
    QTRY_COMPARE(nowhere.status(), 1);
}

void TestCliCommands::nobodyListens_data()
{
    QTest::addColumn<QString>("line");
    for (const char *line : {"status", "locks", "watch", "history", "holds --lock a", "audit",
                             "export --format csv", "release s l --reason r --holder h --yes"})
        QTest::newRow(line) << QString::fromLatin1(line);
}

void TestCliCommands::nobodyListens()
{
    QFETCH(QString, line);
    Run run({QStringLiteral("/nonexistent/a.sock")}, words(line));
    QTRY_COMPARE(run.status(), 3);
    QVERIFY(run.out().isEmpty());
    QCOMPARE(run.err().count('\n'), 1);
}

LOCKKEEPER_TEST(TestCliCommands)

} // namespace tst_cli_commands

#include "tst_cli_commands.moc"
