// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/agents/agent_names.h"
#include "app/cli/agents/event_merge.h"
#include "app/cli/agents/merge.h"
#include "app/cli/agents/seen_once.h"
#include "app/cli/commands/release_choice.h"
#include "fake_agent.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_cli_merge {

using namespace lockkeeper;
using namespace lockkeeper::app::cli;
using namespace lockkeeper::tests;

/** The pure functions that merge the answers of several agents. */
class TestCliMerge : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void inOrder_data();
    void inOrder();
    void historiesAsTheyCome();
    void historyWaitsForEachAgent();
    void historyEndsWithItsLimit();
    void names_data();
    void names();
    void addressed_data();
    void addressed();
    void oneRowForOneLock();
    void differentStoresStayApart_data();
    void differentStoresStayApart();
    void twoSourcesOfOneAgentStay();
    void release_data();
    void release();
};

/** "1 4|2 3+": a list for each agent; "+" if more entries follow. */
static QList<Answers<int>> answersOf(const QString &text)
{
    QList<Answers<int>> answers;
    for (const QString &agent : text.split(QLatin1Char('|'))) {
        Answers<int> own;
        own.more = agent.endsWith(QLatin1Char('+'));
        for (const QString &number : QString(agent).remove(QLatin1Char('+')).split(u' ', Qt::SkipEmptyParts))
            own.list.append(number.toInt());
        answers.append(own);
    }
    return answers;
}

void TestCliMerge::inOrder_data()
{
    QTest::addColumn<QString>("agents");
    QTest::addColumn<int>("limit");
    QTest::addColumn<QString>("merged");
    const auto row = [](const char *name, const char *agents, int limit, const char *merged) {
        QTest::newRow(name) << QString::fromLatin1(agents) << limit << QString::fromLatin1(merged);
    };
    row("alternating", "1 4|2 3", 99, "0:1 1:2 1:3 0:4");
    row("the earlier agent's of equals", "5|5|4 5", 99, "2:4 0:5 1:5 2:5");
    row("each agent's own order stays", "3 1|2", 99, "1:2 0:3 0:1");
    row("limit", "1 3|2 4", 3, "0:1 1:2 0:3+");
    row("as many as there are", "1 3|2", 3, "0:1 1:2 0:3");
    row("not past what an agent left out", "1 2+|3 4", 99, "0:1 0:2+");
    row("one that is whole", "1|2 3+", 99, "0:1 1:2 1:3+");
    row("an agent without any", "|1", 99, "1:1");
    row("none", "|", 99, "");
}

void TestCliMerge::inOrder()
{
    QFETCH(QString, agents);
    QFETCH(int, limit);
    const auto merged = mergeInOrder(
        answersOf(agents), [](int a, int b) { return a < b; }, limit);
    QStringList items;
    for (const Merged<int> &one : merged.list)
        items.append(QStringLiteral("%1:%2").arg(one.agent).arg(one.item));
    QTEST(items.join(QLatin1Char(' ')) + (merged.more ? QStringLiteral("+") : QString()), "merged");
}

static events::LockEvent at(qint64 timeUs)
{
    events::LockEvent event = acquired(1, "a");
    event.timeUs = timeUs;
    return event;
}

/** A merge of two agents, and its result. */
struct TwoHistories
{
    explicit TwoHistories(qint64 limit = 0)
        : merge(2, limit, [this](qsizetype agent, const events::LockEvent &event) {
              out.append(QStringLiteral("%1:%2").arg(agent).arg(event.timeUs));
          })
    {
    }
    void add(qsizetype agent, const QList<qint64> &times, bool more)
    {
        QList<events::LockEvent> events;
        for (const qint64 time : times)
            events.append(at(time));
        merge.add(agent, events, more ? [this, agent] { asked.append(agent); } : std::function<void()>());
    }

    QStringList out;
    QList<qsizetype> asked;
    EventMerge merge;
};

void TestCliMerge::historiesAsTheyCome()
{
    TwoHistories two;
    two.add(0, {1, 5}, true);
    QVERIFY(two.out.isEmpty());
    two.add(1, {2, 3}, false);
    QCOMPARE(two.out.join(u' '), QStringLiteral("0:1 1:2 1:3 0:5"));
    QCOMPARE(two.asked, QList<qsizetype>{0}); // once, and only when its page was used up
    two.add(0, {7}, false);
    QCOMPARE(two.out.constLast(), QStringLiteral("0:7"));
}

void TestCliMerge::historyWaitsForEachAgent()
{
    TwoHistories two;
    two.add(0, {1}, false);
    two.merge.end(0);
    QVERIFY(two.out.isEmpty());
    two.merge.end(1); // it couldn't be reached
    QCOMPARE(two.out, QStringList{QStringLiteral("0:1")});
}

void TestCliMerge::historyEndsWithItsLimit()
{
    TwoHistories two(3);
    two.add(0, {1, 4, 6}, true);
    QVERIFY(!two.merge.isFull());
    two.add(1, {2, 5}, true);
    QCOMPARE(two.out.join(u' '), QStringLiteral("0:1 1:2 0:4"));
    QVERIFY(two.merge.isFull());
    QVERIFY(two.asked.isEmpty());
}

void TestCliMerge::names_data()
{
    QTest::addColumn<QString>("agents"); // typed=configured@journal
    QTest::addColumn<QString>("names");
    const auto row = [](const char *name, const char *agents, const char *names) {
        QTest::newRow(name) << QString::fromLatin1(agents) << QString::fromLatin1(names);
    };
    row("as they call themselves", "a=dc1@1 b=dc2@2", "dc1 dc2");
    row("of one name", "a=dc@1 b=dc@2 c=dc3@3", "a b dc3");
    row("one that wasn't reached", "a=dc1@1 b=@", "dc1 b");
    row("called as one that wasn't reached", "dc1=@ b=dc1@1", "dc1 b");
    row("called as another one is", "dc1=east@1 b=dc1@2", "east b");
    row("the same twice", "a=dc1@1 b=dc1@1", "dc1 b=0");
    row("the same name, another journal", "a=dc1@1 b=dc1@2 c=dc1@1", "a b c=0");
    row("agents that don't tell their journal", "a=dc1@ b=dc1@", "a b");
    row("nobody was reached", "a=@ b=@", "a b");
}

void TestCliMerge::names()
{
    QFETCH(QString, agents);
    QList<AgentIdentity> identities;
    for (const QString &agent : agents.split(u' ')) {
        const QString own = agent.section(u'=', 1);
        identities.append(
            {agent.section(u'=', 0, 0), own.section(u'@', 0, 0), own.section(u'@', 1).toUtf8()});
    }
    QStringList found;
    for (const AgentName &name : nameAgents(identities))
        found.append(name.sameAs < 0 ? name.label : QStringLiteral("%1=%2").arg(name.label).arg(name.sameAs));
    QTEST(found.join(u' '), "names");
}

void TestCliMerge::addressed_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("found");
    QTest::newRow("an agent's") << QStringLiteral("dc2/orders") << QStringLiteral("1:orders");
    QTest::newRow("a source alone") << QStringLiteral("orders") << QString();
    QTest::newRow("nobody's") << QStringLiteral("dc3/orders") << QString();
    QTest::newRow("a longer name") << QStringLiteral("dc22/orders") << QString();
    QTest::newRow("an address") << QStringLiteral("ssh://db1/orders") << QStringLiteral("3:orders");
    QTest::newRow("a source with a slash") << QStringLiteral("dc1/a/b") << QStringLiteral("0:a/b");
    QTest::newRow("no source") << QStringLiteral("dc1/") << QString();
}

void TestCliMerge::addressed()
{
    QFETCH(QString, text);
    const QList<QString> names{QStringLiteral("dc1"), QStringLiteral("dc2"), QString(),
                               QStringLiteral("ssh://db1")};
    QStringList found;
    for (const Addressed &one : addressedTo(text, names))
        found.append(QStringLiteral("%1:%2").arg(one.agent).arg(one.rest));
    QTEST(found.join(u' '), "found");
}

/** "orders@run1: a b": a source of this name, of this run of a Redis, and its locks. */
static LiveTable tableOf(const QString &text, qint64 pollMs = 500, const QByteArray &place = "db0")
{
    protocol::SnapshotPage page{1, 0, true, {}, {}};
    for (const QString &part : text.split(QLatin1Char(';'), Qt::SkipEmptyParts)) {
        const QString head = part.section(u':', 0, 0).trimmed();
        domain::SourceState source = upSource(head.section(u'@', 0, 0));
        source.instance = head.section(u'@', 1).toUtf8();
        source.pollMs = pollMs;
        page.sources.append(source);
        for (const QString &name : part.section(u':', 1).split(u' ', Qt::SkipEmptyParts)) {
            domain::LockState lock = shownLock(name.toUtf8(), "w");
            lock.key.source = source.name;
            lock.key.place = place;
            page.locks.append(lock);
        }
    }
    LiveTable table;
    table.add(page);
    return table;
}

static domain::LockKey keyOf(const char *source, const QByteArray &name)
{
    return {QString::fromLatin1(source), "redis.token", "db0", name};
}

void TestCliMerge::oneRowForOneLock()
{
    const LiveTable slow = tableOf(QStringLiteral("orders@run1: a b"), 1000);
    const LiveTable fast = tableOf(QStringLiteral("shop@run1: a c"), 100);
    const LiveTable equal = tableOf(QStringLiteral("other@run1: a c"), 100);
    const SeenOnce once({&slow, &fast, &equal});
    QVERIFY(once.isShownByAnother(0, keyOf("orders", "a")));
    QVERIFY(!once.isShownByAnother(1, keyOf("shop", "a")));
    QVERIFY(once.isShownByAnother(2, keyOf("other", "a")));
    QCOMPARE(once.alsoSeenBy(1, keyOf("shop", "a")), QList<qsizetype>({0, 2}));
    QVERIFY(!once.isShownByAnother(0, keyOf("orders", "b"))); // nobody else sees it
    QVERIFY(once.alsoSeenBy(0, keyOf("orders", "b")).isEmpty());
    QVERIFY(!once.isShownByAnother(1, keyOf("shop", "c"))); // the earlier one of equals
    QVERIFY(once.isShownByAnother(2, keyOf("other", "c")));
}

void TestCliMerge::differentStoresStayApart_data()
{
    QTest::addColumn<QString>("one");
    QTest::addColumn<QString>("other");
    QTest::addColumn<QByteArray>("place");
    QTest::newRow("another server") << QStringLiteral("s@run1: a") << QStringLiteral("s@run2: a")
                                    << QByteArray("db0");
    QTest::newRow("not proven") << QStringLiteral("s@: a") << QStringLiteral("s@: a") << QByteArray("db0");
    QTest::newRow("clusters") << QStringLiteral("s@cluster: a") << QStringLiteral("s@cluster: a")
                              << QByteArray("db0");
    QTest::newRow("another database")
        << QStringLiteral("s@run1: a") << QStringLiteral("s@run1: a") << QByteArray("db1");
    QTest::newRow("another lock") << QStringLiteral("s@run1: a") << QStringLiteral("s@run1: b")
                                  << QByteArray("db0");
}

void TestCliMerge::differentStoresStayApart()
{
    QFETCH(QString, one);
    QFETCH(QString, other);
    QFETCH(QByteArray, place);
    const LiveTable first = tableOf(one);
    const LiveTable second = tableOf(other, 500, place);
    const SeenOnce once({&first, &second});
    for (const auto &[agent, table] : {std::pair(0, &first), std::pair(1, &second)}) {
        QVERIFY(!once.isShownByAnother(agent, table->locks().constFirst().key));
        QVERIFY(once.alsoSeenBy(agent, table->locks().constFirst().key).isEmpty());
    }
}

void TestCliMerge::twoSourcesOfOneAgentStay()
{
    const LiveTable two = tableOf(QStringLiteral("s@run1: a; t@run1: a"), 100);
    const LiveTable slow = tableOf(QStringLiteral("s@run1: a"), 500);
    const SeenOnce once({&two, &slow});
    QVERIFY(!once.isShownByAnother(0, keyOf("s", "a")));
    QVERIFY(!once.isShownByAnother(0, keyOf("t", "a")));
    QVERIFY(once.isShownByAnother(1, keyOf("s", "a")));
}

void TestCliMerge::release_data()
{
    QTest::addColumn<QStringList>("agents"); // the last one polls the most often
    QTest::addColumn<QString>("chosen");     // or the candidates
    const auto row = [](const char *name, const QStringList &agents, const char *chosen) {
        QTest::newRow(name) << agents << QString::fromLatin1(chosen);
    };
    const QString has = QStringLiteral("orders@run1: a");
    const QString hasNot = QStringLiteral("orders@run1: b");
    const QString another = QStringLiteral("orders@run2: a");
    const QString elsewhere = QStringLiteral("shop@run1: a");
    row("the only one", {has, hasNot}, "0");
    row("the same lock, where it is seen best", {has, has}, "1");
    row("different locks", {has, another}, "0 1");
    row("not proven to be one", {QStringLiteral("orders@: a"), QStringLiteral("orders@: a")}, "0 1");
    row("only where the source has this name", {has, elsewhere}, "0");
    row("nobody shows it, and one has the source", {hasNot, elsewhere}, "0");
    row("nobody shows it, and two see the same store", {hasNot, hasNot}, "1");
    row("nobody shows it, of two stores", {hasNot, QStringLiteral("orders@run2: b")}, "0 1");
    row("no such source", {elsewhere, elsewhere}, "");
    row("two of one store, and another", {has, has, another}, "1 2");
}

void TestCliMerge::release()
{
    QFETCH(QStringList, agents);
    QList<LiveTable> tables;
    for (qsizetype i = 0; i < agents.size(); ++i)
        tables.append(tableOf(agents.at(i), 1000 - i));
    QList<const LiveTable *> pointers;
    for (const LiveTable &table : std::as_const(tables))
        pointers.append(&table);
    ReleaseOptions options;
    options.source = QStringLiteral("orders");
    options.lock = QStringLiteral("a");
    const ReleaseChoice choice = chooseForRelease(pointers, options);
    QStringList found;
    for (const ReleaseChoice::ReleaseCandidate &one : choice.candidates)
        found.append(QString::number(one.agent));
    if (choice.agent)
        found = QStringList{QString::number(*choice.agent)};
    QTEST(found.join(u' '), "chosen");
}

LOCKKEEPER_TEST(TestCliMerge)

} // namespace tst_cli_merge

#include "tst_cli_merge.moc"
