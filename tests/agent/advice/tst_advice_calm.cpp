// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/agent/advice/evidence_story.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>

namespace tst_advice_calm {

using namespace lockkeeper;
using namespace lockkeeper::agent::advice;
using namespace lockkeeper::tests;

namespace {

constexpr qint64 kDayMs = 86'400'000;

/** Random but repeatable: the seed is part of the test. */
class CalmDay
{
public:
    explicit CalmDay(quint32 seed) : m_random(seed) {}

    qint64 between(qint64 low, qint64 high)
    {
        return low + qint64(m_random.generateDouble() * double(high - low));
    }
    /** Most are near the median, few take several times as long. */
    qint64 skewed(qint64 medianMs, double sigma)
    {
        const double normal = std::sqrt(-2 * std::log(1 - m_random.generateDouble())) *
                              std::cos(6.283185 * m_random.generateDouble());
        return std::max<qint64>(1,
                                qint64(double(medianMs) * std::exp(sigma * std::clamp(normal, -4.0, 4.0))));
    }
    QByteArray worker(int count) { return "w" + QByteArray::number(m_random.bounded(count)); }
    bool happens(double probability) { return m_random.generateDouble() < probability; }

private:
    QRandomGenerator m_random;
};

EvidenceStory watchdog(CalmDay &day)
{
    EvidenceStory story("watchdog");
    story.ttl(30'000);
    while (story.nowMs() < kDayMs)
        story.hold(day.worker(3), day.between(1'000, 60'000), day.skewed(90'000, 0.3)).renewedEvery(10'000);
    return story;
}

EvidenceStory shortJobs(CalmDay &day)
{
    EvidenceStory story("jobs");
    story.ttl(30'000);
    while (story.nowMs() < kDayMs)
        story.hold(day.worker(4), day.between(200, 9'000), day.skewed(1'200, 0.5));
    return story;
}

/** Random tokens, as most clients write them. */
EvidenceStory tokens(CalmDay &day)
{
    EvidenceStory story("tokens");
    story.ttl(20'000);
    for (int i = 0; story.nowMs() < kDayMs; ++i)
        story.hold("token-" + QByteArray::number(i), day.between(5, 400), day.between(200, 2'000));
    return story;
}

/** A job that dies now and then. Nobody waits for it. */
EvidenceStory mortal(CalmDay &day)
{
    EvidenceStory story("mortal");
    story.ttl(40'000);
    while (story.nowMs() < kDayMs) {
        const bool dies = day.happens(0.02);
        story.hold(day.worker(2), day.between(5'000, 60'000), dies ? 40'000 : day.between(3'000, 20'000),
                   dies ? EvidenceEnd::Expired : EvidenceEnd::Released);
    }
    return story;
}

EvidenceStory fairQueue(CalmDay &day)
{
    EvidenceStory story("queue", "redis.redisson");
    story.ttl(30'000);
    while (story.nowMs() < kDayMs)
        story.hold(day.worker(6), day.between(1, 20), day.between(500, 4'000)).waited(400, 30);
    return story;
}

EvidenceStory readers(CalmDay &day)
{
    EvidenceStory story("readers", "redis.redisson");
    story.lock.isShared = true;
    story.ttl(30'000);
    while (story.nowMs() < kDayMs)
        story.hold(day.worker(9), day.between(1, 3'000), day.skewed(4'000, 1.0));
    return story;
}

EvidenceStory permits(CalmDay &day)
{
    EvidenceStory story("semaphore:x", "redis.semaphore");
    story.lock.isShared = true;
    story.ttl(15'000);
    while (story.nowMs() < kDayMs)
        story.hold(day.worker(9), day.between(1, 300), day.between(1'000, 15'000));
    return story;
}

EvidenceStory leader(CalmDay &)
{
    EvidenceStory story("leader", "etcd.lease");
    story.ttl(15'000).open("node-1", 0);
    story.setNowMs(kDayMs);
    story.renewedEvery(5'000);
    return story;
}

EvidenceStory rows(CalmDay &day)
{
    EvidenceStory story("orders.id=7", "sql.row");
    story.ttl(0);
    while (story.nowMs() < kDayMs) {
        story.hold("conn " + day.worker(20), day.between(100, 5'000), day.between(2, 400)).waited(2, 1);
        story.last().statement = "UPDATE orders SET state = ? WHERE id = ?";
    }
    return story;
}

/** Two threads of one host take two locks, independently of each other. */
QList<EvidenceStory> threads(CalmDay &day)
{
    QList<EvidenceStory> both{EvidenceStory("thread-a"), EvidenceStory("thread-b")};
    for (EvidenceStory &story : both) {
        while (story.nowMs() < kDayMs)
            story.hold("host-1", day.between(50, 3'000), day.between(100, 3'000));
    }
    return both;
}

} // namespace

/** A day of healthy locks of many kinds yields no advice. */
class TestAdviceCalm : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void noAdvice_data();
    void noAdvice();
    void plantedFaultsAlone();

private:
    static QList<EvidenceStory> calmDay(quint32 seed)
    {
        CalmDay day(seed);
        return QList<EvidenceStory>{watchdog(day), shortJobs(day), tokens(day), mortal(day), fairQueue(day),
                                    readers(day),  permits(day),   leader(day), rows(day)} +
               threads(day);
    }
};

void TestAdviceCalm::noAdvice_data()
{
    QTest::addColumn<quint32>("seed");
    for (quint32 seed = 1; seed <= 4; ++seed)
        QTest::addRow("seed %u", seed) << seed;
}

void TestAdviceCalm::noAdvice()
{
    QFETCH(quint32, seed);
    QCOMPARE(textOf(adviceFrom(evidenceOf(calmDay(seed), kDayMs))), QString());
}

/** One fault of each kind in the same day: each is found, and nothing else. */
void TestAdviceCalm::plantedFaultsAlone()
{
    CalmDay day(99);
    QList<EvidenceStory> stories = calmDay(99);
    EvidenceStory hasty("short lease");
    while (hasty.nowMs() < kDayMs) {
        const qint64 workMs = day.skewed(5'000, 0.3);
        hasty.hold(day.worker(2), day.between(3'000, 9'000), std::min<qint64>(workMs, 10'000),
                   workMs < 10'000 ? EvidenceEnd::Released : EvidenceEnd::Expired);
    }
    EvidenceStory herd("herd");
    while (herd.nowMs() < kDayMs)
        herd.hold(day.worker(10), day.between(1, 60), day.between(500, 2'500));
    EvidenceStory slow("slow job");
    slow.ttl(600'000);
    for (int i = 0; slow.nowMs() < kDayMs; ++i)
        slow.hold("w1", day.between(3'000, 9'000), i == 4'000 ? 60'000 : day.between(8'000, 11'000));
    QList<EvidenceStory> pair{EvidenceStory("pair-a"), EvidenceStory("pair-b")};
    for (int i = 0; i < 2'000; ++i) {
        EvidenceStory &outer = pair[i % 2];
        EvidenceStory &inner = pair[1 - i % 2];
        outer.setNowMs(40'000LL * i);
        inner.setNowMs(40'000LL * i);
        const QByteArray owner = day.worker(2);
        outer.hold(owner, 100, 900);
        inner.hold(owner, 300, 500);
    }
    stories += QList<EvidenceStory>{hasty, herd, slow} + pair;
    QCOMPARE(
        textOf(adviceFrom(evidenceOf(stories, kDayMs))),
        QStringLiteral("lease_too_short short lease certain 20000; unusually_long_hold slow job certain; "
                       "opposite_orders pair-a+pair-b certain; polls_too_fast herd likely"));
}

LOCKKEEPER_TEST(TestAdviceCalm)

} // namespace tst_advice_calm

#include "tst_advice_calm.moc"
