// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/agent/advice/evidence_story.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <functional>

namespace tst_advice_rules {

using namespace lockkeeper;
using namespace lockkeeper::agent::advice;
using namespace lockkeeper::tests;
using Tell = std::function<void(EvidenceStory &)>;

namespace {

constexpr EvidenceEnd kRanOut = EvidenceEnd::Expired;

/** Holds of 1 to 3 s under a lease of 10 s. */
void calm(EvidenceStory &story, int holds, const QByteArray &owner = "w1")
{
    for (int i = 0; i < holds; ++i)
        story.hold(owner, 500, 1'000 + i % 5 * 500);
}

void times(int count, const std::function<void()> &what)
{
    for (int i = 0; i < count; ++i)
        what();
}

void nested(EvidenceStory &outer, EvidenceStory &inner, const QByteArray &owner, qint64 fromMs)
{
    outer.setNowMs(fromMs);
    inner.setNowMs(fromMs);
    outer.hold(owner, 0, 900);
    inner.hold(owner, 200, 500);
}

} // namespace

/** Each rule finds its fault, and stays silent below its least evidence. */
class TestAdviceRules : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void locks_data();
    void locks();
    void orders_data();
    void orders();
    void clocks();
    void unobservedHoldsCountForNothing();
    void identities_data();
    void identities();
    void proposedLeasesAreRound_data();
    void proposedLeasesAreRound();

private:
    void leaseRows();
    void holdRows();
    void handOverRows();
    static void row(const char *name, const Tell &tell, const char *advice)
    {
        QTest::newRow(name) << tell << QString::fromLatin1(advice);
    }
};

void TestAdviceRules::leaseRows()
{
    const auto shortLease = [](int late, int expired) {
        return [late, expired](EvidenceStory &s) {
            calm(s, 20);
            times(late, [&s] { s.hold("w1", 500, 9'000); });
            times(expired, [&s] { s.hold("w1", 500, 10'000, kRanOut); });
        };
    };
    row("work takes as long as the lease", shortLease(3, 3), "lease_too_short a certain 20000");
    row("it nearly does", shortLease(3, 0), "lease_too_short a possible 20000");
    row("two slow holds are exceptions", shortLease(2, 0), "");
    row("dead holders alone say nothing of the work", shortLease(0, 8), "");
    row(
        "too few holds", [](EvidenceStory &s) { times(19, [&s] { s.hold("w1", 500, 9'000); }); }, "");
    row(
        "less than one in a hundred",
        [](EvidenceStory &s) {
            calm(s, 400);
            times(3, [&s] { s.hold("w1", 500, 9'000); });
        },
        "");
    row(
        "renewed holds outlast any lease",
        [](EvidenceStory &s) { times(30, [&s] { s.hold("w1", 500, 9'500).renewedEvery(3'000); }); }, "");
    row(
        "wide windows", [](EvidenceStory &s) { times(30, [&s] { s.hold("w1", 500, 9'000).windows(900); }); },
        "");

    const auto longLease = [](int dead, qint64 nextMs) {
        return [dead, nextMs](EvidenceStory &s) {
            s.ttl(60'000);
            calm(s, 20);
            times(dead, [&s, nextMs] {
                s.hold("w1", 500, 60'000, kRanOut);
                s.hold("w2", nextMs, 1'000);
            });
        };
    };
    row("others wait for dead holders", longLease(3, 10), "lease_too_long a likely 6000");
    row("nobody waits for them", longLease(3, 5'000), "");
    row("one dead holder", longLease(1, 10), "");
    row(
        "a waiter is seen",
        [](EvidenceStory &s) {
            s.ttl(60'000);
            calm(s, 20);
            times(3, [&s] { s.hold("w1", 500, 60'000, kRanOut).waited(30'000, 100); });
        },
        "lease_too_long a certain 6000");

    const auto renewals = [](qint64 everyMs, int holds) {
        return [everyMs, holds](EvidenceStory &s) {
            times(holds, [&s, everyMs] { s.hold("w1", 500, 50'000).renewedEvery(everyMs); });
        };
    };
    row("renewed after six tenths", renewals(6'000, 3), "renewal_too_late a likely 20000");
    row("renewed after half", renewals(5'000, 3), "");
    row("renewed after a third", renewals(3'300, 3), "");
    row("too few renewals", renewals(6'000, 1), "");
    row(
        "a missed renewal has ended it",
        [](EvidenceStory &s) { times(3, [&s] { s.hold("w1", 500, 50'000, kRanOut).renewedEvery(7'000); }); },
        "renewal_too_late a certain 30000");
}

void TestAdviceRules::holdRows()
{
    const auto longHold = [](int others, qint64 lengthMs) {
        return [others, lengthMs](EvidenceStory &s) {
            s.ttl(60'000);
            calm(s, others);
            s.hold("w9", 500, lengthMs);
        };
    };
    row("five times as long", longHold(30, 15'100), "unusually_long_hold a likely");
    row("five times as long, many others", longHold(120, 15'100), "unusually_long_hold a certain");
    row("four times as long", longHold(30, 12'000), "");
    row("too few others", longHold(19, 40'000), "");
    row(
        "a holder that renews for ever",
        [](EvidenceStory &s) {
            calm(s, 25);
            s.open("w9", 500);
            s.setNowMs(s.nowMs() + 100'000);
            s.renewedEvery(3'000);
        },
        "unusually_long_hold a likely");
    row(
        "short holds and a hiccup",
        [](EvidenceStory &s) {
            times(40, [&s] { s.hold("w1", 500, 10); });
            s.hold("w1", 500, 800);
        },
        "");
    row(
        "its start wasn't seen",
        [](EvidenceStory &s) {
            s.hold("w9", 0, 100'000);
            s.last().startSeen = false;
            calm(s, 40);
        },
        "");

    const auto unending = [](int holds, qint64 lengthMs) {
        return [holds, lengthMs](EvidenceStory &s) {
            s.ttl(0);
            times(holds, [&s, lengthMs] {
                s.hold("w1", 500, lengthMs);
                s.last().hasNoExpiry = true;
            });
        };
    };
    row("no expiry", unending(3, 2'000), "no_expiry a certain");
    row("twice without expiry", unending(2, 2'000), "");
    row("the expiry comes a moment later", unending(9, 200), "");
    row(
        "held without expiry",
        [](EvidenceStory &s) {
            s.ttl(0).open("w1", 500);
            s.last().hasNoExpiry = true;
            s.setNowMs(s.nowMs() + 61'000);
        },
        "no_expiry a certain");
    const auto week = [](const QByteArray &other) {
        return [other](EvidenceStory &s) {
            s.lock.waitersVisible = true;
            times(999, [&s] { s.hold("w1", 700'000, 1'000); });
            s.hold(other, 700'000, 1'000);
        };
    };
    row("a week alone", week("w1"), "never_contended a possible");
    row("another holder", week("w2"), "");
}

void TestAdviceRules::handOverRows()
{
    const auto handOvers = [](int count, qint64 gapMs, qint64 lengthMs) {
        return [=](EvidenceStory &s) {
            times(count, [&] { s.hold("w1", gapMs, lengthMs).waited(500, gapMs + 10); });
        };
    };
    row("free while somebody waits", handOvers(12, 800, 2'000), "polls_too_slowly a likely");
    row("free for a tenth of a second", handOvers(12, 100, 800), "");
    row("a small share of the time", handOvers(12, 300, 6'000), "");
    row("few hand-overs", handOvers(10, 800, 2'000), "");
    row(
        "nobody waits", [](EvidenceStory &s) { calm(s, 30); }, "");

    const auto herd = [](int clients, qint64 gapMs) {
        return [=](EvidenceStory &s) {
            for (int i = 0; i < 60; ++i)
                s.hold("w" + QByteArray::number(i % clients), gapMs, 1'500);
        };
    };
    row("a herd of ten", herd(10, 20), "polls_too_fast a likely");
    row(
        "names with random tokens",
        [](EvidenceStory &s) {
            for (int i = 0; i < 60; ++i)
                s.hold("w" + QByteArray::number(i % 10) + "#ab12cd34" + QByteArray::number(i), 20, 1'500);
        },
        "polls_too_fast a likely");
    row("four clients", herd(4, 20), "");
    row("a pause between the holds", herd(10, 400), "");
    row("random tokens name nobody", herd(60, 20), "");
    row(
        "a queue isn't a herd",
        [herd](EvidenceStory &s) {
            herd(10, 20)(s);
            s.lock.waitersVisible = true;
        },
        "");
    const auto chain = [](const QByteArray &statement) {
        return [statement](EvidenceStory &s) {
            s.lock.key.scheme = "sql.row";
            times(6, [&] {
                s.hold("conn 7", 500, 20'000).waited(15'000, 10);
                s.last().statement = statement;
            });
        };
    };
    row("one statement blocks", chain("UPDATE stock"), "chain_head_statement a likely");
    row("no statement is known", chain({}), "");
}

void TestAdviceRules::locks_data()
{
    QTest::addColumn<Tell>("tell");
    QTest::addColumn<QString>("advice");
    leaseRows();
    holdRows();
    handOverRows();
}

void TestAdviceRules::locks()
{
    QFETCH(Tell, tell);
    EvidenceStory story("a");
    tell(story);
    QTEST(textOf(adviceFrom(evidenceOf({story}, story.nowMs()))), "advice");
}

void TestAdviceRules::orders_data()
{
    QTest::addColumn<int>("first");
    QTest::addColumn<int>("second");
    QTest::addColumn<int>("partial");
    QTest::addColumn<QString>("advice");
    QTest::newRow("both orders") << 4 << 4 << 0 << QStringLiteral("opposite_orders a+b certain");
    QTest::newRow("one order") << 9 << 0 << 0 << QString();
    QTest::newRow("rarely the other way") << 9 << 3 << 0 << QString();
    QTest::newRow("by chance") << 5 << 5 << 5 << QString();
}

void TestAdviceRules::orders()
{
    QFETCH(int, first);
    QFETCH(int, second);
    QFETCH(int, partial);
    EvidenceStory a("a");
    EvidenceStory b("b");
    qint64 nowMs = 1'000;
    const auto owner = [&nowMs] { return "w" + QByteArray::number(nowMs / 2'000 % 2); };
    times(first, [&] { nested(a, b, owner(), nowMs += 2'000); });
    times(second, [&] { nested(b, a, owner(), nowMs += 2'000); });
    times(partial, [&] {
        nested(a, b, owner(), nowMs += 2'000);
        b.last().toUs = *a.last().toUs + 100'000;
    });
    QTEST(textOf(adviceFrom(evidenceOf({a, b}, nowMs + 5'000))), "advice");
}

void TestAdviceRules::clocks()
{
    AdviceEvidence evidence = evidenceOf({}, 10'000);
    SourceEvidence &source = evidence.sources[QStringLiteral("orders")];
    source.clientsOffUs = 900'000;
    QCOMPARE(textOf(adviceFrom(evidence)), QString());
    source.clientsOffUs = -2'000'000;
    QCOMPARE(textOf(adviceFrom(evidence)), QStringLiteral("client_clock_off orders certain"));
}

void TestAdviceRules::unobservedHoldsCountForNothing()
{
    EvidenceStory story("a");
    times(30, [&story] {
        story.hold("w1", 500, 9'500);
        story.last().isObserved = false;
    });
    QCOMPARE(textOf(adviceFrom(evidenceOf({story}, story.nowMs()))), QString());
}

void TestAdviceRules::identities_data()
{
    QTest::addColumn<QByteArray>("owner");
    QTest::addColumn<QByteArray>("identity");
    const auto row = [](const char *owner, const char *identity) {
        QTest::newRow(owner) << QByteArray(owner) << QByteArray(identity);
    };
    row("feed-worker-9#24c35ef952f8", "feed-worker-9");
    row("web-1:8c5fb37f-420e-4fee-bd3d-5f1685af0c7c", "web-1");
    row("8c5fb37f-420e-4fee-bd3d-5f1685af0c7c:1", "8c5fb37f-420e-4fee-bd3d-5f1685af0c7c:1"); // a thread
    row("8c5fb37f420e4fee", "8c5fb37f420e4fee");
    row("worker-3@10.2.3.17:41532", "worker-3@10.2.3.17:41532");
    row("pod-7f9c4d5b8", "pod-7f9c4d5b8");
    row("conn 12345678", "conn 12345678");
    row("#24c35ef952f8", "#24c35ef952f8");
    row("", "");
}

void TestAdviceRules::identities()
{
    QFETCH(QByteArray, owner);
    EvidenceHold hold;
    hold.owner = owner;
    QTEST(identityOf(hold), "identity");
}

void TestAdviceRules::proposedLeasesAreRound_data()
{
    QTest::addColumn<qint64>("us");
    QTest::addColumn<qint64>("rounded");
    QTest::newRow("a second") << 1'000'000LL << 1'000'000LL;
    QTest::newRow("a little more") << 1'000'001LL << 1'500'000LL;
    QTest::newRow("18 s") << 18'000'000LL << 20'000'000LL;
    QTest::newRow("41 s") << 41'000'000LL << 60'000'000LL;
    QTest::newRow("61 s") << 61'000'000LL << 120'000'000LL;
    QTest::newRow("milliseconds") << 340'000LL << 400'000LL;
}

void TestAdviceRules::proposedLeasesAreRound()
{
    QFETCH(qint64, us);
    QTEST(roundedUpUs(us), "rounded");
}

LOCKKEEPER_TEST(TestAdviceRules)

} // namespace tst_advice_rules

#include "tst_advice_rules.moc"
