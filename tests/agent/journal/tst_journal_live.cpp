// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/engine/source_engine.h"
#include "agent/journal/query/queries.h"
#include "shared/events/apply.h"
#include "tests/agent/journal/journal_fixture.h"
#include "tests/agent/journal/store_life.h"
#include "tests/support/test_program.h"

namespace tst_journal_live {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using agent::engine::EngineStep;
using agent::engine::Restored;
using agent::engine::SourceEngine;
using domain::ExpiryKind;
using domain::LockState;
using domain::Phase;
using events::EventKind;

namespace {

const QString kSource = QStringLiteral("s");

stores::SourceSpec specOf(const RowKind &kind)
{
    stores::SourceSpec spec;
    spec.name = kSource;
    spec.url = QUrl(QStringLiteral("redis://127.0.0.1:6379/0"));
    spec.push = true;
    spec.pollMs = 200;
    stores::LockSet set;
    set.scheme = kind.scheme;
    set.stuckAfterUs = 2'000'000;
    set.noExpiryAfterUs = 1'000'000;
    spec.locks = {set};
    return spec;
}

QString textOf(const LockState &state)
{
    static const QStringList phases{QStringLiteral("free"), QStringLiteral("held"), QStringLiteral("expired"),
                                    QStringLiteral("optimistic"), QStringLiteral("unknown")};
    QString text = phases.at(int(state.phase));
    if (state.isHeld()) {
        text += QStringLiteral(" by %1 since %2 stuck%3")
                    .arg(QString::fromUtf8(state.owner))
                    .arg(state.acquiredUs.value_or(0))
                    .arg(int(state.stuck));
        for (const domain::Waiter &waiter : state.waiters)
            text += QStringLiteral(" <- ") + QString::fromUtf8(waiter.id);
    }
    return text;
}

/** An agent that watches a store, by polls or pushes, with links that break and restarts, and journals it. */
class WatchedLife
{
public:
    WatchedLife(const RowKind &kind, bool pushes, quint32 seed)
        : m_kind(kind), m_pushes(pushes), m_life(kind, seed, 8)
    {
    }

    bool run(int turns);
    /** Where a moment of the past isn't as the live table was; empty: nowhere. */
    QString firstDifference();
    int count(EventKind kind) const;
    int comparedDeadlines() const { return m_deadlines; }
    int comparedMoments() const { return m_compared; }

private:
    struct Moment
    {
        qint64 atUs = 0;
        qsizetype events = 0; ///< that were journalled by then
        QHash<domain::LockKey, LockState> live;
    };

    agent::engine::Instant now() const { return {m_life.nowUs() - 1'790'000'000'000'000, m_life.nowUs()}; }
    void take(const EngineStep &step);
    void connect();
    void scan();
    bool restart();
    void turn();
    void look();
    std::optional<QHash<domain::LockKey, LockState>> pastAt(qint64 atUs);
    QString differenceAt(const Moment &moment);
    QString difference(const LockState &live, const LockState &past);

    RowKind m_kind;
    bool m_pushes;
    StoreLife m_life;
    JournalFixture m_journal;
    agent::journal::SqliteConnection m_read;
    agent::journal::Queries m_queries{m_read, agent::journal::AuditFiles(), [] { return true; }};
    std::unique_ptr<SourceEngine> m_engine;
    QList<events::LockEvent> m_events;
    QList<Moment> m_moments;
    QList<std::pair<qint64, LockState>> m_renewed; ///< and when that was seen
    QList<stores::Subject> m_asked;
    bool m_up = false;
    bool m_wanted = false; ///< a scan
    int m_deadlines = 0;
    int m_compared = 0;
};

void WatchedLife::take(const EngineStep &step)
{
    if (!step.events.isEmpty()) {
        m_events += step.events;
        m_journal.journal->append(step.events,
                                  {{kSource, "redis", m_engine->table().lastSeenUs(), QByteArray()}});
    }
    for (const LockState &state : step.updates) {
        if (!state.isHeld() || state.renewals == 0)
            continue;
        m_journal.journal->noteRenewal(state);
        m_renewed.append({m_life.nowUs(), state});
    }
    m_asked += step.pointReads;
    m_wanted = m_wanted || step.scan;
}

void WatchedLife::connect()
{
    m_up = true;
    stores::ServerInfo info;
    info.store = "redis";
    info.instance = "run1";
    info.places = {"db0"};
    take(m_engine->opened(info, now()));
    if (m_pushes) {
        stores::PushState state;
        state.on = state.blind = true;
        take(m_engine->pushStateChanged(state, now()));
    }
    (void)m_life.takeChanges();
}

void WatchedLife::scan()
{
    m_wanted = false;
    take(m_engine->pageRead({m_life.nowUs(), m_life.nowUs(), m_life.all()}, now()));
    take(m_engine->scanEnded({true, m_life.nowUs(), m_life.nowUs(), 8, {}}, now()));
}

/** The agent ends, and starts again from its journal. */
bool WatchedLife::restart()
{
    const qint64 seenUs = m_engine ? m_engine->table().lastSeenUs() : 0;
    if (m_engine) // the last message of an agent that exits
        m_journal.journal->append({}, {{kSource, "redis", seenUs, QByteArray()}});
    const auto opened = m_journal.open();
    if (!opened)
        return false;
    Restored restored;
    for (const auto &source : opened->sources) {
        restored.lastSeenUs = source.lastSeenUs;
        restored.gapOpen = source.gapOpen;
        restored.gapSinceUs = source.firstUpUs;
    }
    restored.locks = opened->idle + opened->held;
    m_engine = std::make_unique<SourceEngine>(specOf(m_kind), 1);
    m_up = m_wanted = false;
    m_asked.clear();
    take(m_engine->start(restored, now()));
    return true;
}

void WatchedLife::turn()
{
    m_life.advance(m_life.draw(1, 120) * 1'000);
    if (m_life.draw(0, 2) == 0)
        m_life.act();
    const QList<stores::Change> changes = m_life.takeChanges();
    if (!m_up) {
        if (m_life.draw(0, 4) == 0)
            connect();
        return;
    }
    if (m_life.draw(0, 150) == 0) {
        m_up = false;
        take(m_engine->failed({base::ErrorCode::ConnectionLost, QStringLiteral("cut"), {}}, now()));
        return;
    }
    for (const stores::Change &change : changes) {
        stores::Push push;
        push.changes = {change};
        if (m_pushes)
            take(m_engine->pushed(push, now()));
    }
    take(m_engine->tick(now()));
    if (m_wanted)
        scan();
    else if (!m_asked.isEmpty())
        look();
}

/** Point reads are answered. */
void WatchedLife::look()
{
    const QList<stores::Subject> asked = std::exchange(m_asked, {});
    stores::Page page{m_life.nowUs(), m_life.nowUs(), {}};
    for (const stores::Subject &lock : asked)
        page.locks.append(m_life.at(lock.name));
    take(m_engine->pageRead(page, now()));
    take(m_engine->pointsRead(asked));
}

bool WatchedLife::run(int turns)
{
    m_journal.clock.setWallUs(m_life.nowUs());
    if (!restart())
        return false;
    for (int i = 0; i < turns; ++i) {
        if (i % 400 == 399 && !restart())
            return false;
        turn();
        if (i % 7 != 0)
            continue;
        Moment moment{m_life.nowUs(), m_events.size(), {}};
        for (const LockState &state : m_engine->table().locks())
            moment.live.insert(state.key, state);
        m_moments.append(moment);
    }
    m_life.advance(60'000'000);
    m_journal.clock.setWallUs(m_life.nowUs());
    m_journal.close(); // all renewals are written
    return m_read.open(m_journal.path(), agent::journal::SqliteConnection::Mode::Read);
}

int WatchedLife::count(EventKind kind) const
{
    return int(std::count_if(m_events.cbegin(), m_events.cend(),
                             [kind](const events::LockEvent &event) { return event.kind == kind; }));
}

/** Empty before the journal's reach. */
std::optional<QHash<domain::LockKey, LockState>> WatchedLife::pastAt(qint64 atUs)
{
    QHash<domain::LockKey, LockState> table;
    protocol::LocksQuery query;
    query.atUs = atUs;
    const auto told = m_queries.context.begin({}, m_life.nowUs()).and_then([&] {
        return m_queries.past.locksAt(query, {},
                                      [&table](const LockState &state) { table.insert(state.key, state); });
    });
    return told ? std::optional(table) : std::nullopt;
}

QString WatchedLife::difference(const LockState &live, const LockState &past)
{
    if (textOf(live) != textOf(past))
        return QStringLiteral("was \"%1\" and is told as \"%2\"").arg(textOf(live), textOf(past));
    if (live.phase != Phase::Held || past.expiry == ExpiryKind::Unknown) // not known is no claim
        return {};
    ++m_deadlines;
    if (live.expiry != past.expiry || live.expiresUs != past.expiresUs)
        return QStringLiteral("had the deadline %1 and is told with %2")
            .arg(live.expiresUs.value_or(0))
            .arg(past.expiresUs.value_or(0));
    return {};
}

QString WatchedLife::differenceAt(const Moment &moment)
{
    // The journal knows more by now: earlier changes that the agent saw only later.
    QHash<domain::LockKey, LockState> live = moment.live;
    QSet<domain::LockKey> recorded;
    for (qsizetype i = 0; i < m_events.size(); ++i) {
        const events::LockEvent &event = m_events.at(i);
        if (event.isSourceEvent() || event.timeUs > moment.atUs)
            continue;
        if (i < moment.events && event.after)
            recorded.insert(event.key);
        else if (i < moment.events)
            recorded.remove(event.key);
        else if (event.after)
            live.insert(event.key, *event.after);
        else
            live.remove(event.key);
    }
    for (const auto &[seenUs, state] : std::as_const(m_renewed)) {
        const auto held = live.find(state.key);
        if (seenUs > moment.atUs && state.renewedUs <= moment.atUs && held != live.end() &&
            held->acquiredUs == state.acquiredUs && state.renewals > held->renewals && state.expiresUs) {
            held->renewals = state.renewals;
            held->expiresUs = state.expiresUs;
        }
    }
    const auto past = pastAt(moment.atUs);
    if (!past)
        return {};
    ++m_compared;
    for (const LockState &state : live) {
        const bool neverHeld = state.phase == Phase::Free || state.phase == Phase::Optimistic;
        const auto told = past->constFind(state.key);
        const bool unsure = told != past->cend() && told->phase == Phase::Unknown && told->mayHaveChanged;
        if (neverHeld && (told == past->cend() || unsure) && !recorded.contains(state.key))
            continue;
        const QString wrong = told == past->cend() ? QStringLiteral("isn't told: %1").arg(textOf(state))
                                                   : difference(state, *told);
        if (!wrong.isEmpty())
            return QString::fromUtf8(state.key.name) + QLatin1Char(' ') + wrong;
    }
    for (const LockState &state : *past) {
        const bool unsure = state.phase == Phase::Unknown && state.mayHaveChanged;
        if (!live.contains(state.key) && !unsure)
            return QStringLiteral("%1 wasn't there: %2")
                .arg(QString::fromUtf8(state.key.name), textOf(state));
    }
    return {};
}

QString WatchedLife::firstDifference()
{
    for (const Moment &moment : std::as_const(m_moments)) {
        const QString wrong = differenceAt(moment);
        if (wrong.isEmpty())
            continue;
        QStringList lines{QStringLiteral("at %1: %2").arg(moment.atUs).arg(wrong)};
        for (qsizetype i = std::max<qsizetype>(0, moment.events - 200);
             i < std::min(m_events.size(), moment.events + 60); ++i) {
            const events::LockEvent &event = m_events.at(i);
            if (event.isSourceEvent() || !wrong.startsWith(QString::fromUtf8(event.key.name)))
                continue;
            lines += QStringLiteral("%1 %2 @%3~%4 %5 %6 %7")
                         .arg(QLatin1String(i < moment.events ? "before" : "after "),
                              QString::fromLatin1(events::kindName(event.kind).toByteArray()))
                         .arg(event.timeUs)
                         .arg(event.windowUs)
                         .arg(event.observedUs)
                         .arg(QString::fromUtf8(event.owner), event.after ? textOf(*event.after) : QString());
        }
        return lines.join(QLatin1Char('\n'));
    }
    return {};
}

} // namespace

class TestJournalLive : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void pastEqualsLive_data();
    void pastEqualsLive();
};

void TestJournalLive::pastEqualsLive_data()
{
    QTest::addColumn<RowKind>("kind");
    QTest::addColumn<bool>("pushes");
    const QList<std::pair<const char *, RowKind>> kinds{
        {"keys with a TTL", {"redis.token", RowKind::Store}},
        {"leases that are revoked late", {"etcd.lease", RowKind::Late}},
        {"permits of a semaphore", {"redis.permit", RowKind::Clients}},
        {"queues", {"zookeeper.queue", RowKind::Never, false, false, true, true}},
        {"inserted rows", {"sql.insert", RowKind::Clients, false, true}},
        {"inserted rows without a lease", {"sql.insert", RowKind::Never, false, true}},
        {"rows with a status", {"sql.status", RowKind::Never, true}},
        {"leases in rows that stay", {"sql.lease", RowKind::Clients, true}},
        {"shedlock", {"sql.shedlock", RowKind::Row, true, true, false}},
        {"re-entrant and read-write", {"redis.redisson", RowKind::Store, false, false, true, true, true}},
        {"advisory", {"sql.advisory", RowKind::Never, false, false, true, true}},
        {"versions", {"sql.version", RowKind::Never, true, false, true, false, false, true}},
    };
    for (const auto &[name, kind] : kinds) {
        for (const bool pushes : {false, true})
            QTest::addRow("%s, %s", name, pushes ? "pushed" : "polled") << kind << pushes;
    }
}

void TestJournalLive::pastEqualsLive()
{
    QFETCH(RowKind, kind);
    QFETCH(bool, pushes);
    int deadlines = 0;
    for (quint32 seed = 1; seed <= 3; ++seed) {
        WatchedLife life(kind, pushes, seed);
        QVERIFY(life.run(1'000));
        const QString wrong = life.firstDifference();
        if (!wrong.isEmpty())
            qWarning().noquote() << wrong;
        QVERIFY2(wrong.isEmpty(), qPrintable(QStringLiteral("seed %1").arg(seed)));
        QVERIFY(life.comparedMoments() > 100);
        if (!kind.optimistic) // nobody holds an optimistic lock
            QVERIFY(life.count(EventKind::Acquired) > 20);
        deadlines += life.comparedDeadlines();
    }
    if (!kind.optimistic)
        QVERIFY(deadlines > 100);
}

LOCKKEEPER_TEST(TestJournalLive)

} // namespace tst_journal_live

#include "tst_journal_live.moc"
