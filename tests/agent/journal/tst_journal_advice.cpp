// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/query/advice_queries.h"
#include "tests/agent/journal/journal_fixture.h"
#include "tests/support/test_program.h"

namespace tst_journal_advice {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using agent::journal::AdviceQueries;
using events::EventKind;

namespace {

constexpr qint64 kSecondUs = 1'000'000;
constexpr qint64 kEndUs = 2'000 * kSecondUs;

/** Holds of a lease of 30 s: 20 short ones, then some that nearly take it whole, each a minute apart. */
QList<events::LockEvent> holds(const QByteArray &name, int late)
{
    QList<events::LockEvent> events;
    qint64 nowUs = 10 * kSecondUs;
    for (int i = 0; i < 20 + late; ++i) {
        events.append(lockEvent(EventKind::Acquired, name, "w1", nowUs));
        nowUs += (i < 20 ? 5 : 28) * kSecondUs;
        events.append(lockEvent(EventKind::Released, name, "w1", nowUs));
        nowUs += 30 * kSecondUs;
    }
    return events;
}

QString textOf(const protocol::AdvicePage &page)
{
    QStringList lines;
    for (const domain::Advice &one : page.advice)
        lines += QStringLiteral("%1 %2/%3 %4")
                     .arg(QString::fromLatin1(domain::adviceCodeName(one.code)), one.lock.source,
                          QString::fromUtf8(one.lock.name), QString::number(one.ttlUs.value_or(0)));
    return lines.join(QLatin1String("; "));
}

} // namespace

/** Advice from the rows of a journal. */
class TestJournalAdvice : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void fromHolds();
    void rangesAndFilters_data();
    void rangesAndFilters();
    void gapsAreNoEvidence();
    void unseenLocksStayUnseen();
    void clockOfClients();
    void longHoldsThatContinue();
    void heldWithoutExpiry();
    void readsTheNewestHoldsOfMany();

private:
    static protocol::AdviceQuery queryOf(qint64 fromUs = 0, qint64 toUs = kEndUs)
    {
        protocol::AdviceQuery query;
        query.id = 9;
        query.fromUs = fromUs;
        query.toUs = toUs;
        return query;
    }
    static protocol::AdvicePage ask(JournalFixture &f, const protocol::AdviceQuery &query,
                                    const domain::Sight &sight = {})
    {
        AdviceQueries::Sources sources{{QStringLiteral("orders"), {kEndUs, 100'000, {}}}};
        return f.ask([query, sources](
                         agent::journal::Queries &queries) { return queries.advice.advice(query, sources); },
                     sight);
    }
};

void TestJournalAdvice::fromHolds()
{
    JournalFixture f;
    QVERIFY(f.open());
    f.commit(QList<events::LockEvent>{sourceEvent(EventKind::SourceUp, 50)} + holds("hasty", 3) +
             holds("calm", 0));
    const protocol::AdvicePage page = ask(f, queryOf());
    QCOMPARE(textOf(page), QStringLiteral("lease_too_short orders/hasty 60000000"));
    QCOMPARE(page.id, 9u);
    QCOMPARE(page.locks, 2);
    QCOMPARE(page.holds, 43);
    QCOMPARE(page.fromUs, 50); // the journal's first event
    QCOMPARE(page.observedPermille, 1000);
    QVERIFY(!page.more);
    const QJsonObject &figures = page.advice.constFirst().figures;
    QCOMPARE(figures.value(QLatin1String("ttl_us")).toInteger(), 30 * kSecondUs);
    QCOMPARE(figures.value(QLatin1String("late")).toInteger(), 3);
    QCOMPARE(figures.value(QLatin1String("p99_us")).toInteger(), 28 * kSecondUs);
}

void TestJournalAdvice::rangesAndFilters_data()
{
    QTest::addColumn<protocol::AdviceQuery>("query");
    QTest::addColumn<qint64>("holds");
    QTest::addColumn<bool>("advised");
    QTest::newRow("all") << queryOf() << 23LL << true;
    QTest::newRow("the short holds alone") << queryOf(0, 700 * kSecondUs) << 20LL << false;
    protocol::AdviceQuery query = queryOf();
    query.lockGlob = "has*";
    QTest::newRow("this lock") << query << 23LL << true;
    query.lockGlob = "other*";
    QTest::newRow("another lock") << query << 0LL << false;
    query.lockGlob.clear();
    query.source = QStringLiteral("stock");
    QTest::newRow("another source") << query << 0LL << false;
    query = queryOf();
    query.fromUs.reset();
    QTest::newRow("everything") << query << 23LL << true;
}

void TestJournalAdvice::rangesAndFilters()
{
    QFETCH(protocol::AdviceQuery, query);
    QFETCH(bool, advised);
    JournalFixture f;
    QVERIFY(f.open());
    f.commit(QList<events::LockEvent>{sourceEvent(EventKind::SourceUp, 50)} + holds("hasty", 3));
    const protocol::AdvicePage page = ask(f, query);
    QTEST(page.holds, "holds");
    QCOMPARE(!page.advice.isEmpty(), advised);
}

/** The holds of the gap have their length from the last observation, not from their holder. */
void TestJournalAdvice::gapsAreNoEvidence()
{
    JournalFixture f;
    QVERIFY(f.open());
    QList<events::LockEvent> events{sourceEvent(EventKind::SourceUp, 50)};
    for (const events::LockEvent &event : holds("hasty", 3)) {
        const bool isLate = event.timeUs > 720 * kSecondUs;
        if (isLate && event.kind == EventKind::Released)
            events += {sourceEvent(EventKind::GapOpened, event.timeUs - 2 * kSecondUs),
                       sourceEvent(EventKind::GapClosed, event.timeUs - kSecondUs)};
        events.append(event);
    }
    f.commit(events);
    const protocol::AdvicePage page = ask(f, queryOf());
    QCOMPARE(textOf(page), QString());
    QCOMPARE(page.holds, 23);
}

void TestJournalAdvice::unseenLocksStayUnseen()
{
    JournalFixture f;
    QVERIFY(f.open());
    f.commit(QList<events::LockEvent>{sourceEvent(EventKind::SourceUp, 50)} + holds("hasty", 3) +
             holds("secret", 3));
    const domain::Sight sight{{{{domain::Role::Viewer, {}, {"hasty"}}}}, {QStringLiteral("orders")}};
    const protocol::AdvicePage page = ask(f, queryOf(), sight);
    QCOMPARE(textOf(page), QStringLiteral("lease_too_short orders/hasty 60000000"));
    QCOMPARE(page.locks, 1);
    QCOMPARE(page.holds, 23);
}

void TestJournalAdvice::clockOfClients()
{
    JournalFixture f;
    QVERIFY(f.open());
    f.commit({sourceEvent(EventKind::SourceUp, 50)});
    AdviceQueries::Sources sources{{QStringLiteral("orders"), {kEndUs, 100'000, 5 * kSecondUs}}};
    protocol::AdviceQuery query = queryOf();
    const auto answer = [&] {
        return textOf(f.ask([query, sources](agent::journal::Queries &queries) {
            return queries.advice.advice(query, sources);
        }));
    };
    QCOMPARE(answer(), QStringLiteral("client_clock_off orders/ 0"));
    query.lockGlob = "a";
    QCOMPARE(answer(), QString());
}

void TestJournalAdvice::longHoldsThatContinue()
{
    JournalFixture f;
    QVERIFY(f.open());
    f.commit(QList<events::LockEvent>{sourceEvent(EventKind::SourceUp, 50)} + holds("hung", 0) +
             QList<events::LockEvent>{lockEvent(EventKind::Acquired, "hung", "w9", 800 * kSecondUs)});
    const protocol::AdvicePage page = ask(f, queryOf());
    QCOMPARE(textOf(page), QStringLiteral("unusually_long_hold orders/hung 0"));
    QCOMPARE(page.advice.constFirst().holder, QByteArray("w9"));
    QCOMPARE(page.advice.constFirst().figures.value(QLatin1String("longest_us")).toInteger(),
             1'200 * kSecondUs);
    QCOMPARE(textOf(ask(f, queryOf(0, 810 * kSecondUs))), QString());
}

void TestJournalAdvice::heldWithoutExpiry()
{
    JournalFixture f;
    QVERIFY(f.open());
    events::LockEvent event = lockEvent(EventKind::Acquired, "stays", "w1", 800 * kSecondUs);
    event.ttlMs.reset();
    event.expiresUs.reset();
    event.after->expiresUs.reset();
    event.after->ttlMs = 0;
    event.after->expiry = domain::ExpiryKind::None;
    f.commit({sourceEvent(EventKind::SourceUp, 50), event});
    QCOMPARE(textOf(ask(f, queryOf())), QStringLiteral("no_expiry orders/stays 0"));
}

void TestJournalAdvice::readsTheNewestHoldsOfMany()
{
    constexpr qint64 kHolds = 53'000;
    constexpr qint64 kStepUs = 30'000;
    JournalFixture f;
    QVERIFY(f.open());
    QList<events::LockEvent> events{sourceEvent(EventKind::SourceUp, 50)};
    for (qint64 i = 0; i < kHolds; ++i) {
        const QByteArray name = "lock:" + QByteArray::number(i % 500);
        events += {lockEvent(EventKind::Acquired, name, "w", 100 + i * kStepUs),
                   lockEvent(EventKind::Released, name, "w", 100 + i * kStepUs + 10'000)};
    }
    f.commit(events);
    const protocol::AdvicePage page = ask(f, queryOf());
    QVERIFY2(f.lastError == base::Error(), qPrintable(f.lastError.line()));
    QVERIFY(page.more);
    QVERIFY(page.holds > 500 && page.holds <= 50'000);
    QCOMPARE(page.fromUs, 100 + (kHolds - page.holds) * kStepUs);
    QCOMPARE(page.locks, 500);
    QCOMPARE(textOf(page), QString());
}

LOCKKEEPER_TEST(TestJournalAdvice)

} // namespace tst_journal_advice

#include "tst_journal_advice.moc"
