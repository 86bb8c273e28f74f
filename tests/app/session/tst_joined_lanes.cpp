// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/joined_lanes.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_joined_lanes {

using namespace lockkeeper;
using namespace app::session;

/** The Timeline of a store that two agents watch, as after a hand-over between them. */
class TestJoinedLanes : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void lanes_data();
    void lanes();
    void otherStoresStayApart();
};

namespace {

/** "200-400" or "200-": open. */
std::pair<qint64, std::optional<qint64>> spanOf(const QByteArray &text)
{
    const qsizetype dash = text.indexOf('-');
    const QByteArray to = text.mid(dash + 1);
    return {text.first(dash).toLongLong(), to.isEmpty() ? std::nullopt : std::optional(to.toLongLong())};
}

/** "a gap 200-400; a lock 50-100 120-": an agent's gaps, and the holds of its locks. */
protocol::TimelinePage pageOf(const QByteArray &text)
{
    protocol::TimelinePage page;
    page.fromUs = 0;
    page.toUs = 1'000;
    for (const QByteArray &part : text.split(';')) {
        const QByteArrayList words = part.simplified().split(' ');
        if (words.size() < 2)
            continue;
        const QString source = QString::fromUtf8(words.at(0)) + QStringLiteral("/orders");
        protocol::TimelineLane lane;
        lane.key = {source, "redis.token", "db0", words.at(1)};
        for (qsizetype i = 2; i < words.size(); ++i) {
            const auto [fromUs, toUs] = spanOf(words.at(i));
            if (words.at(1) == "gap") {
                page.gaps.append({source, fromUs, toUs, {}, QStringLiteral("standby")});
                continue;
            }
            protocol::Hold hold;
            hold.key = *lane.key;
            hold.fromUs = fromUs;
            hold.toUs = toUs;
            lane.holds.append(hold);
        }
        if (words.at(1) != "gap")
            page.lanes.append(lane);
    }
    return page;
}

QByteArray textOf(qint64 fromUs, const std::optional<qint64> &toUs)
{
    return ' ' + QByteArray::number(fromUs) + '-' + (toUs ? QByteArray::number(*toUs) : QByteArray());
}

QByteArray textOf(const protocol::TimelinePage &page)
{
    QByteArrayList parts;
    for (const protocol::TimelineLane &lane : page.lanes) {
        parts.append(lane.key->source.left(1).toUtf8() + ' ' + lane.key->name);
        for (const protocol::Hold &hold : lane.holds)
            parts.last() += textOf(hold.fromUs, hold.toUs);
    }
    for (const protocol::TimelineGap &gap : page.gaps)
        parts.append(gap.source.left(1).toUtf8() + " gap" + textOf(gap.fromUs, gap.toUs));
    std::sort(parts.begin(), parts.end());
    return parts.join("; ");
}

/** Agents a and b watch one store, and `best` sees it now. */
SameStores storesOf(const QByteArray &best, bool same = true)
{
    SameStores stores;
    for (const QByteArray &agent : {QByteArray("a"), QByteArray("b")}) {
        domain::SourceState state;
        state.name = QString::fromUtf8(agent) + QStringLiteral("/orders");
        state.store = "redis";
        state.instance = same ? "run" : "run of " + agent;
        state.link = agent == best ? domain::Link::Up : domain::Link::Standby;
        stores.take(state);
    }
    return stores;
}

} // namespace

void TestJoinedLanes::lanes_data()
{
    QTest::addColumn<QByteArray>("told");
    QTest::addColumn<qint64>("firstOfB"); // a's journal begins at 10
    QTest::addColumn<QByteArray>("shown");
    QTest::newRow("handed over, held through it")
        << QByteArray("a gap 400-; a l 50-100 120-; b gap 20-500; b l 500-600") << qint64(20)
        << QByteArray("a gap 400-500; b gap 400-500; b l 50-100 120-500 500-600");
    QTest::newRow("before b's journal")
        << QByteArray("a gap 400-; a l 12-15; b gap 20-500; b l 700-") << qint64(20)
        << QByteArray("a gap 400-500; b gap 400-500; b l 12-15 700-");
    QTest::newRow("b has nothing yet") << QByteArray("a gap 400-; a l 50-100") << qint64(0)
                                       << QByteArray("a gap 400-; a l 50-100; b gap 400-");
    QTest::newRow("seen by both: once, as the best saw it")
        << QByteArray("a l 50-100 200-300; b l 51-101 201-301") << qint64(10)
        << QByteArray("b l 51-101 201-301");
    QTest::newRow("there and back")
        << QByteArray("a gap 300-; a l 100-150; b gap 20-310 500-700; b l 350-400 800-") << qint64(20)
        << QByteArray("a gap 300-310; a gap 500-700; b gap 300-310; b gap 500-700; "
                      "b l 100-150 350-400 800-");
    QTest::newRow("gone before b came")
        << QByteArray("a gap 400-; a old 50-100; b gap 20-500; b l 500-") << qint64(20)
        << QByteArray("a gap 400-500; a old 50-100; b gap 400-500; b l 500-");
}

void TestJoinedLanes::lanes()
{
    QFETCH(QByteArray, told);
    QFETCH(qint64, firstOfB);
    QFETCH(QByteArray, shown);
    protocol::TimelinePage page = pageOf(told);
    joinLanes(page, storesOf("b"), {{QStringLiteral("a"), 10}, {QStringLiteral("b"), firstOfB}});
    QCOMPARE(textOf(page), shown);
}

void TestJoinedLanes::otherStoresStayApart()
{
    const QByteArray told("a gap 400-; a l 50-100; b gap 20-500; b l 500-600");
    protocol::TimelinePage page = pageOf(told);
    joinLanes(page, storesOf("b", false), {{QStringLiteral("a"), 10}, {QStringLiteral("b"), 20}});
    QCOMPARE(textOf(page), textOf(pageOf(told)));
}

LOCKKEEPER_TEST(TestJoinedLanes)

} // namespace tst_joined_lanes

#include "tst_joined_lanes.moc"
