// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/redlock/merge.h"
#include "shared/stores/redis/redlock/node_clock.h"
#include "shared/stores/redis/redlock/quorum_outcome.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_redlock_merge {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::stores::redis;
using domain::ExpiryKind;
using domain::Outcome;
using redis::Standing;

namespace {

constexpr qint64 kNowUs = 1'700'000'000'000'000;
constexpr qint64 kLeaseUs = 10'000'000;
constexpr qint64 kEarlierUs = 5'000; ///< each node's deadline is so much before the last one's

/**
 * Nodes as letters: A, B, … a token, '.' nothing, '!' unreachable, '#' another type, '0' the token A without
 * an end, '?' A with a deadline that makes no sense.
 */
QList<NodeReading> nodesOf(const QString &text)
{
    QList<NodeReading> readings;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const char c = text.at(i).toLatin1();
        NodeReading reading;
        reading.node = "n" + QByteArray::number(i + 1);
        reading.instance = "run" + QByteArray::number(i + 1);
        reading.reachable = c != '!';
        reading.lock.present = c != '.' && c != '!';
        if (reading.lock.present && c != '#') {
            const bool letter = c >= 'A' && c <= 'Z';
            reading.lock.held = true;
            reading.lock.identity = reading.lock.owner = reading.lock.token = QByteArray(1, letter ? c : 'A');
            reading.lock.expiry = letter ? ExpiryKind::At : c == '0' ? ExpiryKind::None : ExpiryKind::Unknown;
            reading.lock.expiresUs = letter ? kNowUs + kLeaseUs - i * kEarlierUs : 0;
            reading.lock.freshness = letter ? QByteArray::number(reading.lock.expiresUs / 1000) : "-1";
        }
        if (c == '#')
            reading.lock.flaw = Flaw::WrongType;
        readings.append(reading);
    }
    return readings;
}

QString viewText(const QList<domain::NodeView> &nodes)
{
    QString text;
    for (const domain::NodeView &node : nodes)
        text += QString::fromLatin1(domain::nodeHoldsName(node.holds).first(2)) + QLatin1Char(':') +
                QString::fromLatin1(node.token) + QLatin1Char(' ');
    return text.trimmed();
}

QList<NodeAct> actsOf(const QString &text)
{
    QList<NodeAct> acts;
    for (const QChar &c : text) {
        NodeAct act;
        act.node = "n" + QByteArray::number(acts.size() + 1);
        switch (c.toLatin1()) {
        case 'R':
            act.outcome = Outcome::Released;
            break;
        case 'f':
            act.outcome = Outcome::AlreadyFree;
            break;
        case 'o': // another token, which wasn't read
            act.outcome = Outcome::HolderChanged;
            act.there = false;
            break;
        case 'a': // one of these
        case 'b':
        case 'c':
            act.outcome = Outcome::HolderChanged;
            act.there = false;
            act.other = QByteArray(1, c.toLatin1());
            break;
        case 'n': // the same token with another deadline
            act.outcome = Outcome::HolderChanged;
            act.there = true;
            break;
        case 'x':
            act.outcome = Outcome::Refused;
            break;
        case 'X': // refused; the second read finds no key
            act.outcome = Outcome::Refused;
            act.there = false;
            break;
        case '?':
            break;
        case 'u':
            act.outcome = Outcome::Unknown;
            break;
        case 'U': // lost reply; the second read finds no key
            act.outcome = Outcome::Unknown;
            act.there = false;
            break;
        case 'V': // lost reply; the second read finds the key
            act.outcome = Outcome::Unknown;
            act.there = true;
            break;
        }
        acts.append(act);
    }
    return acts;
}

} // namespace

/** The rules of Redlock, node by node, without a server. */
class TestRedlockMerge : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void standing_data()
    {
        QTest::addColumn<QString>("nodes");
        QTest::addColumn<QuorumStanding>("standing");
        QTest::addColumn<QString>("token");
        QTest::newRow("1 held") << "A" << QuorumStanding::Held << "A";
        QTest::newRow("1 free") << "." << QuorumStanding::Absent << "";
        QTest::newRow("1 unreadable") << "#" << QuorumStanding::Unreadable << "";
        QTest::newRow("2 both") << "AA" << QuorumStanding::Held << "A";
        QTest::newRow("2 one is no majority") << "A." << QuorumStanding::NoQuorum << "A";
        QTest::newRow("2 one unreachable") << "A!" << QuorumStanding::Indeterminate << "A";
        QTest::newRow("2 free as far as seen") << ".!" << QuorumStanding::Absent << "";
        QTest::newRow("3 all") << "AAA" << QuorumStanding::Held << "A";
        QTest::newRow("3 two") << "A.A" << QuorumStanding::Held << "A";
        QTest::newRow("3 two, one unreachable") << "A!A" << QuorumStanding::Held << "A";
        QTest::newRow("3 one left") << "..A" << QuorumStanding::NoQuorum << "A";
        QTest::newRow("3 one and one unreachable") << ".!A" << QuorumStanding::Indeterminate << "A";
        QTest::newRow("3 two holders race") << "AB." << QuorumStanding::NoQuorum << "A";
        QTest::newRow("3 three race") << "CBA" << QuorumStanding::NoQuorum << "C";
        QTest::newRow("4 half is no majority") << "AA.." << QuorumStanding::NoQuorum << "A";
        QTest::newRow("4 half and one unreachable") << "AA.!" << QuorumStanding::Indeterminate << "A";
        QTest::newRow("4 three") << "AAA." << QuorumStanding::Held << "A";
        QTest::newRow("5 all") << "AAAAA" << QuorumStanding::Held << "A";
        QTest::newRow("5 three of five") << ".A.AA" << QuorumStanding::Held << "A";
        QTest::newRow("5 three, two unreachable") << "AAA!!" << QuorumStanding::Held << "A";
        QTest::newRow("5 two, three without") << "AA..." << QuorumStanding::NoQuorum << "A";
        QTest::newRow("5 two, one unreachable") << "AA..!" << QuorumStanding::Indeterminate << "A";
        QTest::newRow("5 one, one unreachable: no majority possible")
            << "A...!" << QuorumStanding::NoQuorum << "A";
        QTest::newRow("5 one, two unreachable") << "A..!!" << QuorumStanding::Indeterminate << "A";
        QTest::newRow("5 none, two unreachable") << "...!!" << QuorumStanding::Absent << "";
        QTest::newRow("5 none, three unreachable") << "..!!!" << QuorumStanding::Indeterminate << "";
        QTest::newRow("5 majority against a leftover") << "ABABA" << QuorumStanding::Held << "A";
        QTest::newRow("5 mixed") << "ABACB" << QuorumStanding::NoQuorum << "A";
        QTest::newRow("5 mixed, more of the later") << "ABBC." << QuorumStanding::NoQuorum << "B";
        QTest::newRow("5 held among unreadable") << "A#A#A" << QuorumStanding::Held << "A";
        QTest::newRow("5 unreadable majority") << "##A#A" << QuorumStanding::Unreadable << "";
        QTest::newRow("5 unreadable minority") << "#...." << QuorumStanding::NoQuorum << "";
        QTest::newRow("6 three is no majority") << "AAA..." << QuorumStanding::NoQuorum << "A";
        QTest::newRow("7 four") << "AA.AA.." << QuorumStanding::Held << "A";
        QTest::newRow("7 three and one unreachable") << "AA.A!.." << QuorumStanding::Indeterminate << "A";
        QTest::newRow("9 five") << "A.A.A.A.A" << QuorumStanding::Held << "A";
        QTest::newRow("9 four and four unreachable") << "AAAA!!!!." << QuorumStanding::Indeterminate << "A";
        QTest::newRow("9 four") << "AAAA....." << QuorumStanding::NoQuorum << "A";
    }
    void standing()
    {
        QFETCH(QString, nodes);
        QFETCH(Standing, standing);
        const MergedLock merged = merge({2, "l"}, nodesOf(nodes), 0, kNowUs);
        QCOMPARE(merged.standing, standing);
        QTEST(QString::fromLatin1(merged.lock.token), "token");
        QCOMPARE(merged.lock.identity, merged.lock.token);
        QCOMPARE(merged.lock.set, 2);
        QCOMPARE(merged.lock.name, QByteArray("l"));
        QCOMPARE(merged.lock.present, standing != Standing::Absent);
        QCOMPARE(merged.lock.held, standing == Standing::Held);
        QCOMPARE(merged.lock.nodes.size(), nodes.size());
        QCOMPARE(merged.lock.flaw == Flaw::Indeterminate, standing == Standing::Indeterminate);
    }

    void showsWhatEachNodeHolds()
    {
        const MergedLock merged = merge({0, "l"}, nodesOf(QStringLiteral("AAB.!A#")), 0, kNowUs);
        QCOMPARE(merged.standing, Standing::Indeterminate);
        QCOMPARE(viewText(merged.lock.nodes), QStringLiteral("ot:A ot:A ot:B no: un: ot:A un:"));
        const MergedLock held = merge({0, "l"}, nodesOf(QStringLiteral("AAB.A")), 0, kNowUs);
        QCOMPARE(viewText(held.lock.nodes), QStringLiteral("ho:A ho:A ot:B no: ho:A"));
        QCOMPARE(held.lock.nodes.at(1).expiresUs, std::optional(kNowUs + kLeaseUs - kEarlierUs));
    }

    void deadline_data()
    {
        QTest::addColumn<QString>("nodes");
        QTest::addColumn<qint64>("ttlUs");   ///< seen before
        QTest::addColumn<qint64>("leastUs"); ///< the least deadline, before the drift, after kNowUs
        QTest::addColumn<qint64>("endUs");   ///< from when on no majority is left
        QTest::addColumn<qint64>("drift");
        const qint64 most = 100'000 + 2'000; // of 10 s
        QTest::newRow("one node") << "A" << qint64(0) << kLeaseUs << kLeaseUs << most;
        // The third deadline to pass of five leaves two.
        QTest::newRow("five") << "AAAAA" << qint64(0) << kLeaseUs - 4 * kEarlierUs
                              << kLeaseUs - 2 * kEarlierUs << most;
        QTest::newRow("three of five")
            << "AAA.." << qint64(0) << kLeaseUs - 2 * kEarlierUs << kLeaseUs - 2 * kEarlierUs << most;
        QTest::newRow("longer lease known") << "AAA.." << qint64(30'000'000) << kLeaseUs - 2 * kEarlierUs
                                            << kLeaseUs - 2 * kEarlierUs << qint64(302'000);
        QTest::newRow("one without an end")
            << "0AA.." << qint64(0) << kLeaseUs - 2 * kEarlierUs << kLeaseUs - 2 * kEarlierUs << most - 50;
    }
    void deadline()
    {
        QFETCH(qint64, ttlUs);
        QFETCH(qint64, leastUs);
        QFETCH(qint64, endUs);
        QFETCH(qint64, drift);
        QFETCH(QString, nodes);
        const MergedLock merged = merge({0, "l"}, nodesOf(nodes), ttlUs, kNowUs);
        QCOMPARE(merged.lock.expiry, ExpiryKind::At);
        QCOMPARE(merged.lock.expiresBy, domain::Evidence::Ttl);
        QCOMPARE(merged.lock.expiresUs, kNowUs + leastUs - drift);
        QCOMPARE(merged.lock.expiresUs + merged.lock.expirySlackUs, kNowUs + endUs);
    }

    void theDriftDoesNotShrinkWithTheLease()
    {
        const MergedLock early = merge({0, "l"}, nodesOf(QStringLiteral("AAA")), 0, kNowUs);
        const MergedLock late =
            merge({0, "l"}, nodesOf(QStringLiteral("AAA")), early.ttlUs, kNowUs + kLeaseUs / 2);
        QCOMPARE(late.lock.expiresUs, early.lock.expiresUs);
    }

    void aMajorityWithoutAnEndNeverEnds()
    {
        QCOMPARE(merge({0, "l"}, nodesOf(QStringLiteral("000AA")), 0, kNowUs).lock.expiry, ExpiryKind::None);
        QCOMPARE(merge({0, "l"}, nodesOf(QStringLiteral("?AAAA")), 0, kNowUs).lock.expiry,
                 ExpiryKind::Unknown);
    }

    void movesTimesByTheNodesClocks()
    {
        QList<NodeReading> nodes = nodesOf(QStringLiteral("AAA"));
        for (NodeReading &node : nodes) {
            node.lock.expiresUs = kNowUs + kLeaseUs;
            node.uncertaintyUs = 1'000;
        }
        nodes[1].lock.expiresUs += 3'600'000'000; // its clock is an hour ahead
        nodes[1].shiftUs = -3'600'000'000;
        const MergedLock merged = merge({0, "l"}, nodes, kLeaseUs, kNowUs);
        QCOMPARE(merged.lock.expiresUs, kNowUs + kLeaseUs - 1'000 - driftUs(kLeaseUs));
        QCOMPARE(merged.lock.expiresUs + merged.lock.expirySlackUs, kNowUs + kLeaseUs + 1'000);
        QCOMPARE(merged.lock.nodes.at(1).expiresUs, std::optional(kNowUs + kLeaseUs));
    }

    void theGuardPinsEachNode()
    {
        const MergedLock merged = merge({0, "l"}, nodesOf(QStringLiteral("A!BA.")), 0, kNowUs);
        const QList<NodeGuard> guards = nodeGuardsOf(merged.lock.freshness, 5);
        QCOMPARE(guards.size(), 5);
        const QByteArray first = QByteArray::number((kNowUs + kLeaseUs) / 1000);
        QCOMPARE(guards.at(0), (NodeGuard{true, "run1", first}));
        QCOMPARE(guards.at(1), (NodeGuard{false, "run2", {}}));
        QCOMPARE(guards.at(2), (NodeGuard{true, "run3", {}})); // another token there: none of ours
        QVERIFY(!guards.at(3).freshness.isEmpty());
        QCOMPARE(guards.at(4), (NodeGuard{true, "run5", {}}));
        QVERIFY(nodeGuardsOf(merged.lock.freshness, 4).isEmpty());
        QVERIFY(nodeGuardsOf("", 3).isEmpty());
        QVERIFY(nodeGuardsOf("a\nb\nc", 3).isEmpty());
    }

    void whatMayBeHeld_data()
    {
        QTest::addColumn<QString>("nodes");
        QTest::addColumn<bool>("a");
        QTest::addColumn<bool>("b");
        QTest::newRow("both") << "AB.!!" << true << true;
        QTest::newRow("one") << "AAB!." << true << false;
        QTest::newRow("none") << "A..!." << false << false;
        QTest::newRow("unseen") << "..!!!" << true << true;
    }
    void whatMayBeHeld()
    {
        QFETCH(QString, nodes);
        const MergedLock merged = merge({0, "l"}, nodesOf(nodes), 0, kNowUs);
        QTEST(domain::mayBeHeldBy(merged.lock.nodes, "A"), "a");
        QTEST(domain::mayBeHeldBy(merged.lock.nodes, "B"), "b");
    }

    void clockBetweenReadings()
    {
        NodeClock clock;
        QVERIFY(!clock.isKnown());
        clock.read(1'000'000, 1'000'010, 100'000, 100'210); // 900,000 ± 100 or so
        QVERIFY(clock.isKnown());
        const qint64 offset = clock.offsetUs();
        QVERIFY(offset >= 899'800 && offset <= 900'000);
        QVERIFY(clock.uncertaintyUs() >= 100);
        // A worse reading that agrees moves nothing; a better one that agrees neither.
        clock.read(1'100'000, 1'109'000, 200'000, 215'000);
        QCOMPARE(clock.offsetUs(), offset);
        clock.read(offset + 300'010, offset + 300'011, 300'000, 300'020);
        QCOMPARE(clock.offsetUs(), offset);
        // Set forward by a minute: followed at once.
        clock.read(61'200'000, 61'200'010, 400'000, 400'100);
        QVERIFY(qAbs(clock.offsetUs() - 60'800'000) < 1'000);
        // Nonsense is left out: the second reading before the first.
        const qint64 kept = clock.offsetUs();
        clock.read(5, 1, 500'000, 500'001);
        QCOMPARE(clock.offsetUs(), kept);
    }

    void release_data()
    {
        QTest::addColumn<QString>("acts");
        QTest::addColumn<bool>("preview");
        QTest::addColumn<Outcome>("outcome");
        const auto row = [](const char *acts, bool preview, Outcome outcome) {
            QTest::addRow("%s%s", acts, preview ? " first" : "")
                << QString::fromLatin1(acts) << preview << outcome;
        };
        row("RRRRR", false, Outcome::Released);
        row("RRR??", false, Outcome::Released);
        row("RRff?", false, Outcome::Released);
        row("Rffo?", false, Outcome::Released);
        row("RR???", false, Outcome::Partial);
        row("R????", false, Outcome::Partial);
        row("RRx??", false, Outcome::Partial);
        row("RRX??", false, Outcome::Released);
        row("RRu??", false, Outcome::Partial);
        row("RRU??", false, Outcome::Released);
        row("RRV??", false, Outcome::Partial);
        row("RRn??", false, Outcome::Partial);
        row("uuuuu", false, Outcome::Unknown);
        row("UUUUU", false, Outcome::Unknown);
        row("VVVVV", false, Outcome::Unknown);
        row("fffff", false, Outcome::AlreadyFree);
        row("ooooo", false, Outcome::HolderChanged);
        row("offf?", false, Outcome::AlreadyFree);
        row("oofff", false, Outcome::AlreadyFree);
        row("ooff", false, Outcome::AlreadyFree);
        row("fffX?", false, Outcome::AlreadyFree);
        row("ooff?", false, Outcome::Unreachable); // the other may have three
        row("ffXX?", false, Outcome::Refused);
        row("ooof?", false, Outcome::HolderChanged);
        row("aaaff", false, Outcome::HolderChanged);
        row("abcff", false, Outcome::AlreadyFree); // each has one node, and nobody the lock
        row("aabbc", false, Outcome::AlreadyFree);
        row("abc?f", false, Outcome::AlreadyFree);
        row("abc??", false, Outcome::Unreachable);
        row("aab?f", false, Outcome::Unreachable);
        row("aabof", false, Outcome::HolderChanged);
        row("nnnnn", false, Outcome::HolderChanged);
        row("n????", false, Outcome::HolderChanged);
        row("oo???", false, Outcome::Unreachable); // nobody says that it was renewed
        row("xxxxx", false, Outcome::Refused);
        row("?????", false, Outcome::Unreachable);
        row("ff???", false, Outcome::Unreachable);
        row("R", false, Outcome::Released);
        row("RR", false, Outcome::Released);
        row("R?", false, Outcome::Partial);
        row("RR??", false, Outcome::Partial);
        row("RRRR?????", false, Outcome::Partial);
        row("RRRRR????", false, Outcome::Released);
        // Before anything is written: what can't reach a majority, or was renewed, isn't begun.
        row("RRRRR", true, Outcome::Released);
        row("RRR??", true, Outcome::Released);
        row("RR???", true, Outcome::Unreachable);
        row("RRx??", true, Outcome::Refused);
        row("RRRRn", true, Outcome::HolderChanged);
        row("RRRRo", true, Outcome::Released);
        row("fffff", true, Outcome::AlreadyFree);
        row("ooff?", true, Outcome::Unreachable);
    }
    void release()
    {
        QFETCH(QString, acts);
        QFETCH(bool, preview);
        QTEST(verdictOf(actsOf(acts), preview).outcome, "outcome");
    }
};

LOCKKEEPER_TEST(TestRedlockMerge)

} // namespace tst_redlock_merge

#include "tst_redlock_merge.moc"
