// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "harness.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QJsonArray>
#include <QLocalServer>
#include <QLocalSocket>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

namespace tst_cli_agents {

using namespace lockkeeper;
using namespace lockkeeper::tests;

/** Command lines for several agents, against agents with prepared answers, through real sockets. */
class TestCliAgents : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void locksAsTable();
    void locksAsJson();
    void stateOfTheOneThatSeesItBest();
    void asOfATime();
    void statusOfAll();
    void statusAsJson();
    void historyInOrderOfTime();
    void historyBeforeTheJournals();
    void historyOfMoreThanAPage();
    void aSlowReaderHoldsNothingUp_data();
    void aSlowReaderHoldsNothingUp();
    void historyWhereOneIsLost();
    void holdsAndAudit();
    void verifyingEachChain();
    void contentionRankedAnew();
    void watchInterleaves();
    void oneThatIsAway_data();
    void oneThatIsAway();
    void allAreAway();
    void noneIsSaidOnlyByAll_data();
    void noneIsSaidOnlyByAll();
    void lostBeforeItWasAsked();
    void sshAsksForOneAfterTheOther();
    void theSameAgentTwice();
    void twoOfOneName();
    void exportsAll();
    void exportsThePast();
    void exportWithOneAwayLeavesTheFile();
    void releaseWhereItIs();
    void releaseWhereItIsSeenBest();
    void releaseOfDifferentLocks();
    void releaseNamesItsAgent_data();
    void releaseNamesItsAgent();
    void releaseWithOneAway();
    void decisions_data();
    void decisions();
    void decisionAtTheOnlyAgent_data();
    void decisionAtTheOnlyAgent();
    void approvalsEndByTheAgentsClock_data();
    void approvalsEndByTheAgentsClock();
    void locksAreJudgedByTheAgentsClock_data();
    void locksAreJudgedByTheAgentsClock();
    void chainsOfAll();
    void probeOfOne();
    void refusedForSeveral_data();
    void refusedForSeveral();

private:
    QList<CalledAgent> both() const
    {
        return {{QStringLiteral("east"), m_one->address()}, {QStringLiteral("west"), m_two->address()}};
    }
    static QStringList words(const char *line)
    {
        return QString::fromLatin1(line).split(u' ', Qt::SkipEmptyParts);
    }

    std::unique_ptr<FakeAgent> m_one;
    std::unique_ptr<FakeAgent> m_two;
};

void TestCliAgents::init()
{
    m_one = std::make_unique<FakeAgent>();
    m_two = std::make_unique<FakeAgent>();
    m_two->name = QStringLiteral("dc2");
    m_two->journal = "j2";
    m_one->sources[0].instance = "run1";
    m_two->sources[0].instance = "run2";
}

static QList<QByteArray> lines(const QByteArray &text)
{
    return text.trimmed().split('\n');
}

static QString textOf(const QJsonObject &object, const char *name)
{
    return object.value(QLatin1String(name)).toString();
}

static QStringList column(const QList<QJsonObject> &objects, const char *name)
{
    QStringList column;
    for (const QJsonObject &object : objects)
        column.append(textOf(object, name));
    return column;
}

void TestCliAgents::locksAsTable()
{
    m_one->locks = {shownLock("b", "w1"), shownLock("a", "w2")};
    m_two->locks = {shownLock("a", "w3")};
    Run run(both(), words("locks --sort name"));
    QTRY_COMPARE(run.status(), 0);
    const auto rows = lines(run.out());
    QCOMPARE(rows.size(), 4);
    QVERIFY2(rows.at(0).startsWith("AGENT  STATE"), rows.at(0).constData());
    const QList<QByteArray> begin{"dc1    held   a ", "dc1    held   b ", "dc2    held   a "};
    for (qsizetype i = 0; i < begin.size(); ++i)
        QVERIFY2(rows.at(i + 1).startsWith(begin.at(i)), run.out().constData());
    QVERIFY(run.err().isEmpty());
}

void TestCliAgents::locksAsJson()
{
    m_two->sources[0].instance = "run1";
    m_two->sources[0].pollMs = 100;
    m_one->locks = {shownLock("a", "w1"), shownLock("b", "w2")};
    m_two->locks = {shownLock("a", "w1")};
    Run run(both(), words("locks --json --sort name"));
    QTRY_COMPARE(run.status(), 0);
    const auto objects = run.objects();
    QCOMPARE(column(objects, "agent"), QStringList({QStringLiteral("dc1"), QStringLiteral("dc2")}));
    QCOMPARE(column(objects, "lock"), QStringList({QStringLiteral("b"), QStringLiteral("a")}));
    QCOMPARE(objects.at(0).value(QStringLiteral("also_seen_by")), QJsonArray());
    QCOMPARE(objects.at(1).value(QStringLiteral("also_seen_by")), QJsonArray{QStringLiteral("dc1")});
    for (const QByteArray &line : lines(run.out())) // each the compact form of its object
        QCOMPARE(line, QJsonDocument::fromJson(line).toJson(QJsonDocument::Compact));
    Run table(both(), words("locks"));
    QTRY_COMPARE(table.status(), 0);
    QVERIFY2(table.out().contains("\ndc2,dc1  held"), table.out().constData());
}

/**
 * The state filter uses the state from the agent that sees the lock best. The other agents' states don't
 * count.
 */
void TestCliAgents::stateOfTheOneThatSeesItBest()
{
    m_two->sources[0].instance = "run1";
    m_two->sources[0].pollMs = 100;
    m_one->locks = {shownLock("a", "w1")};
    m_two->locks = m_one->locks;
    m_two->locks[0].phase = domain::Phase::Free;
    Run held(both(), words("locks --state held --json"));
    QTRY_COMPARE(held.status(), 0);
    QVERIFY(held.out().isEmpty());
    Run free(both(), words("locks --state free --json"));
    QTRY_COMPARE(free.status(), 0);
    QCOMPARE(column(free.objects(), "agent"), QStringList{QStringLiteral("dc2")});
}

void TestCliAgents::asOfATime()
{
    for (FakeAgent *agent : {m_one.get(), m_two.get()}) {
        agent->locks = {shownLock("a", "w1")};
    }
    m_two->sources[0].link = domain::Link::Down;
    for (const char *command : {"locks", "chains"}) {
        Run run(both(), words(command) + words("--at 2026-11-20T10:00:00Z"));
        QTRY_COMPARE(run.status(), 0);
        QVERIFY2(run.out().startsWith("As of 2026-11-20T"), run.out().constData());
        QVERIFY2(run.out().contains("\ndc2/orders: not seen then"), run.out().constData());
        QVERIFY(!run.out().contains("dc1/orders: not seen"));
    }
    Run json(both(), words("locks --json --at 2026-11-20T10:00:00Z"));
    QTRY_COMPARE(json.status(), 0);
    QCOMPARE(json.objects().size(), 2);
    for (const QJsonObject &object : json.objects())
        QCOMPARE(object.value(QStringLiteral("as_of_us")).toInteger(), 1'795'168'800'000'000);
}

void TestCliAgents::statusOfAll()
{
    m_two->sources.append(upSource(QStringLiteral("shop")));
    m_two->sources[1].link = domain::Link::Down;
    m_two->sources[1].error = {base::ErrorCode::Unreachable, QStringLiteral("connection refused"), {}};
    Run run(both(), words("status"));
    QTRY_COMPARE(run.status(), 0);
    for (const char *said : {"Agent dc1, version", "Agent dc2, version", "AGENT  SOURCE", "dc1    orders",
                             "dc2    orders", "dc2    shop", "\ndc2/shop: connection refused"})
        QVERIFY2(run.out().contains(said), run.out().constData());
    QCOMPARE(run.out().count("SOURCE"), 1);
}

void TestCliAgents::statusAsJson()
{
    Run run(both(), words("status --json"));
    QTRY_COMPARE(run.status(), 0);
    QCOMPARE(column(run.objects(), "agent"), QStringList({QStringLiteral("dc1"), QStringLiteral("dc2")}));
}

static events::LockEvent eventAt(quint64 seq, qint64 timeUs)
{
    events::LockEvent event = acquired(seq, "a");
    event.timeUs = timeUs;
    return event;
}

void TestCliAgents::historyInOrderOfTime()
{
    m_one->events = {eventAt(1, 10), eventAt(2, 40), eventAt(3, 30)};
    m_two->events = {eventAt(1, 20), eventAt(2, 50)};
    Run run(both(), words("history --json --limit 4"));
    QTRY_COMPARE(run.status(), 0);
    QStringList found;
    for (const QJsonObject &object : run.objects())
        found.append(QStringLiteral("%1/%2").arg(
            textOf(object, "agent"), QString::number(object.value(QStringLiteral("seq")).toInt())));
    QCOMPARE(found.join(u' '), QStringLiteral("dc1/1 dc2/1 dc1/2 dc1/3"));
    Run table(both(), words("history"));
    QTRY_COMPARE(table.status(), 0);
    QCOMPARE(lines(table.out()).size(), 6);
    QVERIFY(table.out().startsWith("AGENT  TIME"));
    Run none(both(), words("history --lock x --limit 1 --json"));
    QTRY_COMPARE(none.status(), 0);
}

/** Each agent's journal begins at another time. */
void TestCliAgents::historyBeforeTheJournals()
{
    constexpr qint64 kDayUs = 86'400'000'000;
    const qint64 fromUs = 1'795'132'800'000'000; // 2026-11-20
    m_one->events = {eventAt(1, fromUs + kDayUs)};
    m_two->events = {eventAt(1, fromUs - kDayUs)};
    for (const char *command :
         {"history --from 2026-11-20T00:00:00Z", "history --json --limit 1 --from 2026-11-20T00:00:00Z"}) {
        Run run(both(), words(command));
        QTRY_COMPARE(run.status(), 0);
        QVERIFY2(run.err().contains("dc1: the journal begins at "), run.err().constData());
        QVERIFY2(!run.err().contains("dc2: "), run.err().constData());
    }
}

void TestCliAgents::historyOfMoreThanAPage()
{
    for (int i = 1; i <= 2500; ++i) {
        m_one->events.append(eventAt(quint64(i), 2 * i));
        m_two->events.append(eventAt(quint64(i), 2 * i + 1));
    }
    Run run(both(), words("history --json --limit 0"));
    QTRY_COMPARE_WITH_TIMEOUT(run.status(), 0, 20000);
    const auto objects = run.objects();
    QCOMPARE(objects.size(), 5000);
    for (qsizetype i = 0; i < objects.size(); ++i)
        QCOMPARE(objects.at(i).value(QStringLiteral("t_us")).toInteger(), i + 2);
}

void TestCliAgents::aSlowReaderHoldsNothingUp_data()
{
    QTest::addColumn<QString>("command");
    QTest::addColumn<int>("lines");
    QTest::newRow("history") << QStringLiteral("history --json --limit 0") << 5'000;
    QTest::newRow("history as a table") << QStringLiteral("history --limit 0") << 5'005;
    QTest::newRow("export") << QStringLiteral("export --format csv --history --limit 0") << 5'001;
}

/**
 * The command answers pings even if the user doesn't scroll the pager: an agent drops a connection that
 * answers none.
 */
void TestCliAgents::aSlowReaderHoldsNothingUp()
{
    QFETCH(QString, command);
    QFETCH(int, lines);
    for (int i = 1; i <= 2500; ++i) {
        m_one->events.append(eventAt(quint64(i), 2 * i));
        m_two->events.append(eventAt(quint64(i), 2 * i + 1));
    }
    QSemaphore gate;
    Run run(both(), words(command.toLatin1().constData()));
    run.output().gate = &gate;
    QTRY_VERIFY_WITH_TIMEOUT(run.output().waits, 60'000);
    QCOMPARE(run.status(), -1);
    for (const FakeAgent *agent : {m_one.get(), m_two.get()}) // no query for more than can be written
        QCOMPARE(agent->askedFor<protocol::HistoryQuery>().size(), 1);
    gate.release(10'000);
    QTRY_COMPARE_WITH_TIMEOUT(run.status(), 0, 20'000);
    QVERIFY(!run.output().late); // the event loop kept running
    QCOMPARE(run.out().count('\n'), lines);
}

void TestCliAgents::historyWhereOneIsLost()
{
    m_one->events = {eventAt(1, 10)};
    m_two->answersHistory = false;
    Run run(both(), words("history --json"));
    QTRY_COMPARE(run.status(), 3);
    QCOMPARE(column(run.objects(), "agent"), QStringList{QStringLiteral("dc1")});
    QCOMPARE(lines(run.err()).size(), 1);
    QVERIFY2(run.err().startsWith("dc2: "), run.err().constData());
}

void TestCliAgents::holdsAndAudit()
{
    protocol::Hold hold;
    hold.key = shownLock("a", "w").key;
    for (const qint64 from : {50, 20}) {
        hold.fromUs = from;
        m_one->holds.append(hold);
    }
    hold.fromUs = 30;
    m_two->holds = {hold};
    Run holds(both(), words("holds --lock a --json --limit 2"));
    QTRY_COMPARE(holds.status(), 0);
    QCOMPARE(column(holds.objects(), "agent"), QStringList({QStringLiteral("dc1"), QStringLiteral("dc2")}));
    QVERIFY(holds.err().contains("there are more"));

    domain::AuditEntry entry;
    entry.key = hold.key;
    for (const qint64 time : {90, 60}) {
        entry.id = time;
        entry.timeUs = time;
        m_one->audit.append(entry);
    }
    entry.timeUs = 70;
    m_two->audit = {entry};
    Run audit(both(), words("audit --json"));
    QTRY_COMPARE(audit.status(), 0);
    QCOMPARE(column(audit.objects(), "agent"),
             QStringList({QStringLiteral("dc1"), QStringLiteral("dc2"), QStringLiteral("dc1")}));
    Run table(both(), words("audit"));
    QTRY_COMPARE(table.status(), 0);
    QVERIFY(table.out().startsWith("AGENT  "));
    QCOMPARE(lines(table.out()).size(), 4);
}

void TestCliAgents::verifyingEachChain()
{
    domain::AuditEntry entry;
    entry.key = shownLock("a", "w").key;
    entry.id = 1;
    m_one->audit = {entry};
    m_two->audit = {entry};
    m_two->chainIntact = false;
    Run run(both(), words("audit --verify"));
    QTRY_COMPARE(run.status(), 1);
    QVERIFY2(run.out().contains("dc1: Chain verified"), run.out().constData());
    QVERIFY2(run.err().contains("dc2: the chain of the audit is broken"), run.err().constData());
    QVERIFY(run.out().contains("dc2 "));
    Run json(both(), words("audit --verify --json"));
    QTRY_COMPARE(json.status(), 1);
    const auto objects = json.objects();
    QCOMPARE(objects.size(), 4);
    QVERIFY(objects.at(2).value(QStringLiteral("verified")).toBool());
    QVERIFY(!objects.at(3).value(QStringLiteral("verified")).toBool());
    QCOMPARE(textOf(objects.at(3), "agent"), QStringLiteral("dc2"));
}

void TestCliAgents::contentionRankedAnew()
{
    domain::Contention cost;
    cost.key = shownLock("a", "w").key;
    cost.waitersVisible = true;
    for (const qint64 waited : {90, 10}) {
        cost.waits.totalUs = waited;
        m_one->contention.locks.append(cost);
    }
    cost.waits.totalUs = 50;
    m_two->contention.locks = {cost};
    Run run(both(), words("contention --json --top 2"));
    QTRY_COMPARE(run.status(), 0);
    QCOMPARE(column(run.objects(), "agent"), QStringList({QStringLiteral("dc1"), QStringLiteral("dc2")}));
    QVERIFY(run.err().contains("there are more"));
}

void TestCliAgents::watchInterleaves()
{
    Run run(both(), words("watch --json"));
    QTRY_VERIFY(!m_one->askedFor<protocol::Subscribe>().isEmpty());
    QTRY_VERIFY(!m_two->askedFor<protocol::Subscribe>().isEmpty());
    m_two->sendToAll(protocol::EventBatch{{acquired(1, "x")}});
    QTRY_COMPARE(run.objects().size(), 1);
    m_one->sendToAll(protocol::EventBatch{{acquired(1, "y")}});
    QTRY_COMPARE(run.objects().size(), 2);
    QCOMPARE(column(run.objects(), "agent"), QStringList({QStringLiteral("dc2"), QStringLiteral("dc1")}));
    m_two->hangUp();
    QTRY_VERIFY(run.err().contains("dc2: the link is lost"));
    QTRY_VERIFY(run.err().contains("dc2: connected again"));
    QTRY_COMPARE(m_two->askedFor<protocol::Subscribe>().size(), 2);
    QCOMPARE(m_one->askedFor<protocol::Subscribe>().size(), 1);
    QCOMPARE(run.status(), -1);

    Run text(both(), words("watch --no-reconnect"));
    QTRY_COMPARE(m_one->askedFor<protocol::Subscribe>().size(), 2);
    QTRY_COMPARE(m_two->askedFor<protocol::Subscribe>().size(), 3);
    m_two->sendToAll(protocol::EventBatch{{acquired(2, "x")}});
    QTRY_VERIFY2(text.out().startsWith("dc2  "), text.out().constData());
    m_two->hangUp();
    QTRY_COMPARE(text.status(), 3);
}

void TestCliAgents::oneThatIsAway_data()
{
    QTest::addColumn<QString>("command");
    for (const char *command : {"status", "locks", "locks --json", "history", "history --json",
                                "holds --lock a", "audit", "audit --json", "export --format csv",
                                "export --format json --history", "overview", "status --json"})
        QTest::newRow(command) << QString::fromLatin1(command);
}

void TestCliAgents::oneThatIsAway()
{
    QFETCH(QString, command);
    m_one->locks = {shownLock("a", "w1")};
    m_one->events = {acquired(1, "a")};
    domain::AuditEntry entry;
    entry.key = shownLock("a", "w").key;
    m_one->audit = {entry};
    protocol::Hold hold;
    hold.key = entry.key;
    m_one->holds = {hold};
    m_two->hangUp(true);
    Run run(both(), command.split(u' '));
    QTRY_COMPARE(run.status(), 3);
    QVERIFY2(run.out().contains("dc1"), run.out().constData());
    QCOMPARE(lines(run.err()).size(), 1);
    QVERIFY2(run.err().startsWith("west: "), run.err().constData());
}

void TestCliAgents::allAreAway()
{
    m_one->hangUp(true);
    m_two->hangUp(true);
    Run run(both(), words("locks --json"));
    QTRY_COMPARE(run.status(), 3);
    QVERIFY(run.out().isEmpty());
    QCOMPARE(lines(run.err()).size(), 2);
}

/** Whether none exists is unknown. */
void TestCliAgents::noneIsSaidOnlyByAll_data()
{
    QTest::addColumn<QString>("command");
    QTest::addColumn<QByteArray>("none");
    QTest::newRow("locks") << QStringLiteral("locks") << QByteArray("no lock matches");
    QTest::newRow("history") << QStringLiteral("history") << QByteArray("no event matches");
    QTest::newRow("holds") << QStringLiteral("holds --lock a") << QByteArray("no hold matches");
    QTest::newRow("audit") << QStringLiteral("audit") << QByteArray("the audit is empty");
    QTest::newRow("contention") << QStringLiteral("contention") << QByteArray("no lock was waited for");
    QTest::newRow("advise") << QStringLiteral("advise") << QByteArray("no advice: 0 holds of 0 locks");
    QTest::newRow("approvals") << QStringLiteral("approvals") << QByteArray("no force-release waits");
}

void TestCliAgents::noneIsSaidOnlyByAll()
{
    QFETCH(QString, command);
    QFETCH(QByteArray, none);
    Run all(both(), command.split(u' '));
    QTRY_COMPARE(all.status(), 0);
    QVERIFY2(all.err().startsWith(none), all.err().constData());
    m_two->hangUp(true);
    Run one(both(), command.split(u' '));
    QTRY_COMPARE(one.status(), 3);
    QVERIFY2(!one.err().contains(none), one.err().constData());
}

/** Somebody types another agent's password: nothing was asked yet, so nothing is lost. */
void TestCliAgents::lostBeforeItWasAsked()
{
    m_one->locks = {shownLock("a", "w1")};
    m_one->pingOften();
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("silent.sock"));
    QLocalServer silent; // accepts, and says nothing
    QVERIFY(silent.listen(path));
    Run run({{QStringLiteral("east"), m_one->address()}, {QStringLiteral("west"), {path}}},
            words("locks --json"));
    QTRY_COMPARE(m_one->askedFor<protocol::Hello>().size(), 1);
    QTRY_VERIFY(m_one->pongs > 0); // the client has read its welcome
    QVERIFY(m_one->askedFor<protocol::LocksQuery>().isEmpty());
    m_one->hangUp();
    QTRY_COMPARE(m_one->askedFor<protocol::Hello>().size(), 2);
    QTRY_VERIFY(silent.hasPendingConnections());
    delete silent.nextPendingConnection();
    QTRY_COMPARE(run.status(), 3);
    QCOMPARE(column(run.objects(), "lock"), QStringList{QStringLiteral("a")});
    QCOMPARE(m_one->askedFor<protocol::LocksQuery>().size(), 1);
    QVERIFY2(run.err().startsWith("west: "), run.err().constData());
}

/** ssh prompts for one agent after the other: at one terminal, a user couldn't distinguish two prompts. */
void TestCliAgents::sshAsksForOneAfterTheOther()
{
    QTemporaryDir folder;
    const QString told = folder.filePath(QStringLiteral("told"));
    const QByteArray pipe = folder.filePath(QStringLiteral("go")).toUtf8();
    QCOMPARE(::mkfifo(pipe.constData(), 0600), 0);
    QFile script(folder.filePath(QStringLiteral("ssh")));
    QVERIFY(script.open(QIODevice::WriteOnly));
    script.write("#!/bin/sh\necho begin >> " + told.toUtf8() + "\nread answer < " + pipe + "\necho end >> " +
                 told.toUtf8() + "\nexit 255\n");
    script.close();
    QVERIFY(script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    const QByteArray path = qgetenv("PATH");
    const auto restored = qScopeGuard([&path] { qputenv("PATH", path); });
    qputenv("PATH", folder.path().toUtf8() + ':' + path);
    const auto said = [&told] {
        QFile file(told);
        return file.open(QIODevice::ReadOnly) ? file.readAll().simplified() : QByteArray();
    };
    const auto at = [](const char *host) { return transport::Address{{}, QString::fromLatin1(host)}; };
    Run run({{QStringLiteral("east"), at("a")}, {QStringLiteral("west"), at("b")}}, words("locks"),
            QStringLiteral("somebody is there"));
    for (const char *sofar : {"begin", "begin end begin"}) {
        QTRY_COMPARE(said(), QByteArray(sofar));
        QFile answer(QString::fromUtf8(pipe));
        QVERIFY(answer.open(QIODevice::WriteOnly) && answer.write("x\n") == 2);
    }
    QTRY_COMPARE(run.status(), 3);
    QCOMPARE(said(), QByteArray("begin end begin end"));
    QCOMPARE(lines(run.err()).size(), 2);
}

void TestCliAgents::theSameAgentTwice()
{
    m_one->locks = {shownLock("a", "w1")};
    Run run({{QStringLiteral("east"), m_one->address()}, {QStringLiteral("again"), m_one->address()}},
            words("locks --json"));
    QTRY_COMPARE(run.status(), 0);
    QCOMPARE(run.objects().size(), 1);
    QCOMPARE(m_one->askedFor<protocol::LocksQuery>().size(), 1);
    QVERIFY2(run.err().contains("same agent as east"), run.err().constData());
}

void TestCliAgents::twoOfOneName()
{
    m_two->name = m_one->name;
    m_one->locks = {shownLock("a", "w1")};
    m_two->locks = m_one->locks;
    Run run(both(), words("locks --json"));
    QTRY_COMPARE(run.status(), 0);
    QCOMPARE(column(run.objects(), "agent"), QStringList({QStringLiteral("east"), QStringLiteral("west")}));
}

void TestCliAgents::exportsAll()
{
    QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("locks.csv"));
    m_two->sources[0].instance = "run1";
    m_one->locks = {shownLock("a", "w1"), shownLock("b", "w1")};
    m_two->locks = {shownLock("a", "w1"), shownLock("c", "w1")};
    Run run(both(), words("export --format csv -o") << file);
    QTRY_COMPARE(run.status(), 0);
    QFile written(file);
    QVERIFY(written.open(QIODevice::ReadOnly));
    const auto rows = lines(written.readAll());
    QCOMPARE(rows.size(), 4);
    QVERIFY(rows.at(0).trimmed().endsWith(",also_seen_by"));
    QVERIFY2(rows.at(1).startsWith("dc1,orders,"), rows.at(1).constData());
    QVERIFY2(rows.at(1).trimmed().endsWith("\"[\"\"dc2\"\"]\""), rows.at(1).constData());

    m_one->events = {eventAt(1, 10), eventAt(2, 30)};
    m_two->events = {eventAt(1, 20)};
    Run history(both(), words("export --format csv --history"));
    QTRY_COMPARE(history.status(), 0);
    QCOMPARE(lines(history.out()).size(), 4);
    QVERIFY2(lines(history.out()).at(2).startsWith("1,dc2,"), history.out().constData());
}

void TestCliAgents::exportsThePast()
{
    for (FakeAgent *agent : {m_one.get(), m_two.get()}) {
        agent->locks = {shownLock("a", "w1")};
    }
    Run run(both(), words("export --format csv --at 2026-11-20T10:00:00Z"));
    QTRY_COMPARE(run.status(), 0);
    const auto rows = lines(run.out());
    QCOMPARE(rows.size(), 3);
    QVERIFY2(rows.at(0).trimmed().endsWith(",as_of,may_have_changed,also_seen_by"), rows.at(0).constData());
    QVERIFY2(rows.at(2).trimmed().endsWith(",2026-11-20T10:00:00.000000Z,false,[]"), rows.at(2).constData());
}

void TestCliAgents::exportWithOneAwayLeavesTheFile()
{
    QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("locks.csv"));
    QFile before(file);
    QVERIFY(before.open(QIODevice::WriteOnly) && before.write("before") == 6);
    before.close();
    m_one->locks = {shownLock("a", "w1")};
    m_two->hangUp(true);
    Run run(both(), words("export --format csv -o") << file);
    QTRY_COMPARE(run.status(), 3);
    QVERIFY2(run.err().contains("isn't written"), run.err().constData());
    QVERIFY(before.open(QIODevice::ReadOnly));
    QCOMPARE(before.readAll(), QByteArray("before"));
}

static QStringList releaseOf(const QString &source, const QString &more = {})
{
    QStringList line{QStringLiteral("release"),  source,
                     QStringLiteral("a"),        QStringLiteral("--holder"),
                     QStringLiteral("w1"),       QStringLiteral("--yes"),
                     QStringLiteral("--reason"), QStringLiteral("gone")};
    return line + more.split(u' ', Qt::SkipEmptyParts);
}

void TestCliAgents::releaseWhereItIs()
{
    m_two->locks = {shownLock("a", "w1")};
    Run run(both(), releaseOf(QStringLiteral("orders")));
    QTRY_COMPARE(run.status(), 0);
    QVERIFY2(run.err().contains("via agent dc2"), run.err().constData());
    QVERIFY(m_one->askedFor<protocol::ForceRelease>().isEmpty());
    QCOMPARE(m_two->askedFor<protocol::ForceRelease>().size(), 1);
}

void TestCliAgents::releaseWhereItIsSeenBest()
{
    m_one->locks = {shownLock("a", "w1")};
    m_two->locks = m_one->locks;
    m_two->sources[0].instance = "run1";
    m_two->sources[0].mode = domain::ObservationMode::Push;
    Run run(both(), releaseOf(QStringLiteral("orders"), QStringLiteral("--json")));
    QTRY_COMPARE(run.status(), 0);
    QVERIFY2(run.err().contains("via agent dc2"), run.err().constData());
    QCOMPARE(column(run.objects(), "agent"), QStringList{QStringLiteral("dc2")});
    QVERIFY(m_one->askedFor<protocol::ForceRelease>().isEmpty());
    QCOMPARE(m_two->askedFor<protocol::ForceRelease>().size(), 1);
}

void TestCliAgents::releaseOfDifferentLocks()
{
    m_one->locks = {shownLock("a", "w1")};
    m_two->locks = m_one->locks;
    Run run(both(), releaseOf(QStringLiteral("orders")));
    QTRY_COMPARE(run.status(), 2);
    QVERIFY2(run.err().contains("dc1/orders --place 'db0'") && run.err().contains("dc2/orders --place"),
             run.err().constData());
    for (const FakeAgent *agent : {m_one.get(), m_two.get()})
        QVERIFY(agent->askedFor<protocol::ForceRelease>().isEmpty());
    Run unknown(both(), releaseOf(QStringLiteral("shop")));
    QTRY_COMPARE(unknown.status(), 2);
    QVERIFY2(unknown.err().contains("dc1/orders, dc2/orders"), unknown.err().constData());
}

void TestCliAgents::releaseNamesItsAgent_data()
{
    QTest::addColumn<QString>("source");
    QTest::newRow("as the user calls it") << QStringLiteral("west/orders");
    QTest::newRow("as it calls itself") << QStringLiteral("dc2/orders");
}

void TestCliAgents::releaseNamesItsAgent()
{
    QFETCH(QString, source);
    m_one->locks = {shownLock("a", "w1")};
    m_two->locks = m_one->locks;
    Run run(both(), releaseOf(source));
    QTRY_COMPARE(run.status(), 0);
    QVERIFY(m_one->askedFor<protocol::ForceRelease>().isEmpty());
    QCOMPARE(m_two->askedFor<protocol::ForceRelease>().size(), 1);
    QCOMPARE(m_two->askedFor<protocol::ForceRelease>().constFirst().key.source, QStringLiteral("orders"));
}

/** It may have a lock of this name, too. */
void TestCliAgents::releaseWithOneAway()
{
    m_one->locks = {shownLock("a", "w1")};
    m_two->hangUp(true);
    Run run(both(), releaseOf(QStringLiteral("orders")));
    QTRY_COMPARE(run.status(), 3);
    QVERIFY2(run.err().contains("west: ") && run.err().contains("AGENT/SOURCE"), run.err().constData());
    QVERIFY(m_one->askedFor<protocol::ForceRelease>().isEmpty());
    for (const char *source : {"east/orders", "dc1/orders"}) {
        Run named(both(), releaseOf(QString::fromLatin1(source)));
        QTRY_COMPARE(named.status(), 0);
    }
    QCOMPARE(m_one->askedFor<protocol::ForceRelease>().size(), 2);
    Run away(both(), releaseOf(QStringLiteral("west/orders")));
    QTRY_COMPARE(away.status(), 3);
}

void TestCliAgents::decisions_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<int>("status");
    QTest::addColumn<int>("atOne"); // decisions
    QTest::addColumn<int>("atTwo");
    const auto row = [](const char *name, const char *line, int status, int atOne, int atTwo) {
        QTest::newRow(name) << QString::fromLatin1(line) << status << atOne << atTwo;
    };
    row("the only one", "approve 7 --yes", 0, 0, 1);
    row("at both", "approve 5 --yes", 2, 0, 0);
    row("of this agent", "approve dc1/5 --yes", 0, 1, 0);
    row("as the user calls it", "approve west/5 --yes", 0, 0, 1);
    row("open at one, decided at the other", "approve 6 --yes", 0, 1, 0);
    row("at none", "reject 9", 2, 0, 0);
    row("at no such agent", "reject dc3/5", 2, 0, 0);
    row("no number", "reject dc1/x", 2, 0, 0);
}

void TestCliAgents::decisions()
{
    QFETCH(QString, line);
    QFETCH(int, status);
    domain::ApprovalRequest request;
    request.key = shownLock("a", "w").key;
    const auto with = [&request](qint64 id, bool open) {
        domain::ApprovalRequest one = request;
        one.id = id;
        one.state = open ? domain::ApprovalRequest::ApprovalState::Open
                         : domain::ApprovalRequest::ApprovalState::Rejected;
        return one;
    };
    m_one->approvals = {with(5, true), with(6, true)};
    m_two->approvals = {with(5, true), with(6, false), with(7, true)};
    Run run(both(), line.split(u' '));
    QTRY_COMPARE(run.status(), status);
    QTEST(int(m_one->askedFor<protocol::Decision>().size()), "atOne");
    QTEST(int(m_two->askedFor<protocol::Decision>().size()), "atTwo");
    Run listed(both(), words("approvals"));
    QTRY_COMPARE(listed.status(), 0);
    QCOMPARE(lines(listed.out()).size(), 6);
    QVERIFY(listed.out().startsWith("AGENT  "));
}

void TestCliAgents::decisionAtTheOnlyAgent_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<int>("status");
    QTest::newRow("by its number") << QStringLiteral("approve 5 --yes") << 0;
    QTest::newRow("as the user calls it") << QStringLiteral("approve east/5 --yes") << 0;
    QTest::newRow("as it calls itself") << QStringLiteral("approve dc1/5 --yes") << 0;
    QTest::newRow("another agent's") << QStringLiteral("approve dc2/5 --yes") << 2;
}

/** Two names in agents.toml may be one address, and the number of another agent isn't this one's. */
void TestCliAgents::decisionAtTheOnlyAgent()
{
    QFETCH(QString, line);
    QFETCH(int, status);
    domain::ApprovalRequest request;
    request.id = 5;
    request.key = shownLock("a", "w").key;
    m_one->approvals = {request};
    m_one->outcome.error.cause = QStringLiteral("not replicated");
    Run run({{QStringLiteral("east"), m_one->address()}}, line.split(u' '));
    QTRY_COMPARE(run.status(), status);
    QCOMPARE(m_one->askedFor<protocol::Decision>().size(), status == 0 ? 1 : 0);
    QCOMPARE(run.out().contains("not replicated"), status == 0);
}

void TestCliAgents::approvalsEndByTheAgentsClock_data()
{
    QTest::addColumn<int>("agents");
    QTest::newRow("one") << 1;
    QTest::newRow("two") << 2;
}

/** This computer's clock has no part in it: it may be off by a day. */
void TestCliAgents::approvalsEndByTheAgentsClock()
{
    QFETCH(int, agents);
    constexpr qint64 kDayUs = 86'400'000'000;
    const qint64 wallUs = base::SystemClock().wallUs();
    qint64 offUs = kDayUs;
    for (FakeAgent *agent : {m_one.get(), m_two.get()}) {
        agent->status.wallUs = wallUs + offUs;
        domain::ApprovalRequest request;
        request.id = 5;
        request.key = shownLock("a", "w").key;
        request.endsUs = agent->status.wallUs + 250'000'000;
        agent->approvals = {request};
        offUs = -offUs;
    }
    Run run(both().first(agents), words("approvals"));
    QTRY_COMPARE(run.status(), 0);
    QCOMPARE(run.out().count("open 00:04:10"), agents);
}

void TestCliAgents::locksAreJudgedByTheAgentsClock_data()
{
    QTest::addColumn<int>("agents");
    QTest::addColumn<QString>("line");
    for (const int agents : {1, 2}) {
        for (const char *line : {"locks", "locks --json", "locks --json --sort name", "export --format csv"})
            QTest::addRow("%d: %s", agents, line) << agents << QString::fromLatin1(line);
    }
}

/** If this computer's clock is ahead, not all of them count as unseen; if it is behind, not all count as
 * seen.
 */
void TestCliAgents::locksAreJudgedByTheAgentsClock()
{
    QFETCH(int, agents);
    QFETCH(QString, line);
    const qint64 wallUs = base::SystemClock().wallUs();
    qint64 offUs = -86'400'000'000;
    for (FakeAgent *agent : {m_one.get(), m_two.get()}) {
        agent->status.wallUs = wallUs + offUs;
        agent->sources = {upSource(QStringLiteral("orders")), upSource(QStringLiteral("silent"))};
        agent->sources[0].lastSeenWallUs = wallUs + offUs;
        agent->sources[1].lastSeenWallUs = wallUs + offUs - 600'000'000;
        agent->locks = {shownLock("a", "w"), shownLock("b", "w")};
        agent->locks[1].key.source = QStringLiteral("silent");
        for (domain::LockState &lock : agent->locks) {
            lock.acquiredUs = wallUs + offUs - 4'000'000'000;
            lock.expiresUs = wallUs + offUs + 4'000'000'000;
        }
        offUs = -offUs;
    }
    Run run(both().first(agents), words(line.toUtf8().constData()));
    QTRY_COMPARE(run.status(), 0);
    const QByteArray out = run.out();
    if (line == QLatin1String("locks")) {
        QVERIFY2(out.count("held") == agents && out.count("unknown") == agents, out.constData());
        QCOMPARE(out.count("01:06:4"), agents);
    } else {
        const bool csv = line.endsWith(QLatin1String("csv"));
        QVERIFY2(out.count(csv ? ",held," : "\"state\":\"held\"") == agents, out.constData());
        QVERIFY2(out.count(csv ? ",unknown," : "\"state\":\"unknown\"") >= agents, out.constData());
    }
}

void TestCliAgents::chainsOfAll()
{
    domain::WaitGraph graph;
    graph.source = QStringLiteral("orders");
    m_one->graphs = {graph};
    m_two->graphs = {graph};
    Run run(both(), words("chains"));
    QTRY_COMPARE(run.status(), 0);
    QVERIFY2(run.out().startsWith("dc1/orders: ") && run.out().contains("\ndc2/orders: "),
             run.out().constData());
}

void TestCliAgents::probeOfOne()
{
    m_two->sources[0].name = QStringLiteral("shop");
    Run run(both(), words("probe shop --yes --json"));
    QTRY_COMPARE(run.status(), 0);
    QCOMPARE(column(run.objects(), "agent"), QStringList{QStringLiteral("dc2")});
    QVERIFY(m_one->askedFor<protocol::ProbeRequest>().isEmpty());
    m_two->sources[0].name = QStringLiteral("orders");
    Run both2(both(), words("probe orders --yes"));
    QTRY_COMPARE(both2.status(), 2);
    QVERIFY2(both2.err().contains("dc1/orders | dc2/orders"), both2.err().constData());
    Run named(both(), words("probe dc1/orders --yes"));
    QTRY_COMPARE(named.status(), 0);
    QCOMPARE(m_one->askedFor<protocol::ProbeRequest>().size(), 1);
}

void TestCliAgents::refusedForSeveral_data()
{
    QTest::addColumn<QString>("line");
    for (const char *line : {"watch --since 5", "history --after 5", "history --before 5",
                             "export --format json --history --after 5", "discover redis://h", "bridge",
                             "--trust SHA256:aa status"})
        QTest::newRow(line) << QString::fromLatin1(line);
}

void TestCliAgents::refusedForSeveral()
{
    QFETCH(QString, line);
    using namespace app::cli;
    const auto parsed = parse(words("--agent a --agent b") + line.split(u' '), 0);
    const auto *stop = std::get_if<Stop>(&parsed);
    QVERIFY(stop);
    QCOMPARE(stop->status, 2);
    QVERIFY2(stop->text.contains(QStringLiteral("agent")), qPrintable(stop->text));
    // One that is named twice is one.
    QVERIFY(std::holds_alternative<CommandLine>(parse(words("--agent a --agent a") + line.split(u' '), 0)));
}

LOCKKEEPER_TEST(TestCliAgents)

} // namespace tst_cli_agents

#include "tst_cli_agents.moc"
