// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/query/queries.h"
#include "agent/journal/storage/event_store.h"
#include "agent/journal/storage/migrations.h"
#include "agent/journal/storage/snapshot_builder.h"
#include "tests/agent/journal/journal_fixture.h"
#include "tests/support/test_program.h"

#include <QRandomGenerator>

namespace tst_journal_past {

using namespace lockkeeper;
using namespace lockkeeper::agent::journal;
using namespace lockkeeper::tests;
using events::EventKind;

namespace {

constexpr qint64 kNow = 1'000'000'000'000;
constexpr qint64 kLease = 30'000;

/** "orders/a held w1 @100~0 stuck0 [x y] may". */
QString textOf(const domain::LockState &state)
{
    static const QStringList phases{QStringLiteral("free"), QStringLiteral("held"), QStringLiteral("expired"),
                                    QStringLiteral("optimistic"), QStringLiteral("unknown")};
    QStringList waiters;
    for (const domain::Waiter &waiter : state.waiters)
        waiters += QString::fromLatin1(waiter.id);
    return QStringLiteral("%1/%2 %3 %4 @%5~%6 stuck%7 [%8]%9")
        .arg(state.key.source, QString::fromLatin1(state.key.name), phases.at(int(state.phase)),
             QString::fromLatin1(state.owner))
        .arg(state.acquiredUs.value_or(-1))
        .arg(state.windowUs)
        .arg(int(state.stuck))
        .arg(waiters.join(QLatin1Char(' ')), state.mayHaveChanged ? QStringLiteral(" may") : QString());
}

/** A database that events are filed into by hand, so that a snapshot may come every few of them. */
struct Database
{
    Database()
    {
        opened =
            connection.open(folder.filePath(QStringLiteral("journal.db")), SqliteConnection::Mode::Write) &&
            migrate(connection, agent::journal::Schema::Journal).has_value() && store.reload();
    }

    bool file(const QList<events::LockEvent> &events)
    {
        return connection.begin() && store.write(events, notes) && store.writeProgress({}) &&
               connection.commit();
    }
    bool writeNotes()
    {
        return connection.begin() && store.writeRenewals(notes, 1000) && connection.commit();
    }
    bool makeSnapshots(qint64 every)
    {
        SnapshotBuilder builder(connection, every);
        bool done = false;
        bool well = connection.begin();
        while (well && !done)
            well = builder.step(&done);
        return well && connection.commit();
    }
    base::Result<PastTable> at(qint64 us, QList<domain::LockState> &locks, qint64 nowUs = kNow)
    {
        Queries queries(connection, agent::journal::AuditFiles(), [] { return true; });
        protocol::LocksQuery query;
        query.atUs = us;
        return queries.context.begin({}, nowUs).and_then([&] {
            return queries.past.locksAt(query, seenUntil,
                                        [&locks](const domain::LockState &state) { locks.append(state); });
        });
    }
    QStringList textAt(qint64 us)
    {
        QList<domain::LockState> locks;
        const auto table = at(us, locks);
        if (!table)
            return {table.error().cause};
        QStringList lines;
        for (const domain::LockState &state : locks)
            lines += textOf(state);
        lines.sort();
        return lines;
    }

    QTemporaryDir folder;
    SqliteConnection connection;
    EventStore store{connection};
    RenewalNotes notes;
    SeenUntil seenUntil{{QStringLiteral("orders"), kNow}, {QStringLiteral("stock"), kNow}};
    bool opened = false;
};

/** A course of events as no store would have it: clocks jump, dates come late, ends are missed. */
class Course
{
public:
    explicit Course(quint32 seed) : m_random(seed) {}

    struct Renewal
    {
        qint64 atUs = 0;
        qint64 expiresUs = 0;
    };

    QList<events::LockEvent> events;
    QHash<QPair<QByteArray, qint64>, QList<Renewal>> renewals; ///< by lock and acquisition

    void grow(int count, Database &db)
    {
        for (int i = 0; i < count; ++i) {
            m_nowUs += below(60);
            if (below(400) == 0)
                m_aheadUs = m_aheadUs == 0 ? 500 + below(3000) : 0; // a store's clock jumps, and back
            if (below(25) == 0)
                ofSource();
            else
                ofLock(db);
        }
    }
    qint64 nowUs() const { return m_nowUs; }

private:
    qint64 below(qint64 limit) { return qint64(m_random.bounded(quint32(limit))); }

    void add(events::LockEvent event)
    {
        event.seq = quint64(events.size()) + 1;
        event.observedUs = m_nowUs;
        events.append(event);
    }
    void ofSource()
    {
        static constexpr EventKind kinds[] = {EventKind::GapOpened, EventKind::GapClosed, EventKind::SourceUp,
                                              EventKind::SourceDown};
        events::LockEvent event = sourceEvent(kinds[below(4)], m_nowUs + m_aheadUs);
        if (below(4) == 0)
            event.detail.partial = true;
        add(event);
    }
    void ofLock(Database &db)
    {
        const QByteArray name(1, char('a' + below(12)));
        std::optional<domain::LockState> &lock = m_locks[name];
        const qint64 timeUs = m_nowUs + m_aheadUs - (below(8) == 0 ? below(900) : 0);
        events::LockEvent event =
            lockEvent(EventKind::Acquired, name, "w" + QByteArray::number(below(90)), timeUs);
        event.windowUs = below(3) == 0 ? below(120) : 0;
        const bool held = lock && lock->phase == domain::Phase::Held;
        const qint64 what = below(10);
        if (!held || what < 2) {
            event.kind = held && what == 0 ? EventKind::TakenOver : EventKind::Acquired;
            event.after->windowUs = event.windowUs;
            event.after->expiresUs = timeUs + kLease;
        } else if (what < 4) {
            event.kind = below(2) == 0 ? EventKind::WaitStart : EventKind::WaitEnd;
            event.waiter = "x" + QByteArray::number(below(3));
            event.after = lock;
            event.after->waiters.removeIf([&](const domain::Waiter &w) { return w.id == event.waiter; });
            if (event.kind == EventKind::WaitStart)
                event.after->waiters.append({*event.waiter, timeUs, {}});
        } else if (what == 4) {
            event.kind = below(2) == 0 ? EventKind::Stuck : EventKind::Unstuck;
            event.after = lock;
            event.after->stuck =
                event.kind == EventKind::Stuck ? domain::StuckReason::NoExpiry : domain::StuckReason::None;
        } else if (what == 5) {
            event.kind = EventKind::Expired;
            event.after = lock;
            event.after->phase = domain::Phase::Expired;
        } else if (what == 6) {
            renew(name, *lock, db);
            return;
        } else {
            static constexpr EventKind kinds[] = {EventKind::Released, EventKind::ForceReleased,
                                                  EventKind::Lost};
            event.kind = kinds[below(3)];
            event.after.reset();
            if (below(3) == 0) { // a row that stays
                event.after = lock;
                event.after->phase = domain::Phase::Free;
                event.after->acquiredUs.reset();
            }
        }
        lock = event.after;
        add(event);
    }
    void renew(const QByteArray &name, domain::LockState &lock, Database &db)
    {
        // A noted renewal belongs to a filed hold, so file all earlier events first.
        QVERIFY(db.file(events));
        auto &seen = renewals[{name, lock.acquiredUs.value_or(0)}];
        seen.append({m_nowUs + m_aheadUs, m_nowUs + m_aheadUs + kLease});
        db.notes.insert({lock.key, lock.acquiredUs.value_or(0)},
                        {lock.acquiredUs, quint32(seen.size()), 7, seen.last().atUs, seen.last().expiresUs});
        QVERIFY(db.writeNotes());
    }

    QRandomGenerator m_random;
    qint64 m_nowUs = 10'000;
    qint64 m_aheadUs = 0;
    QHash<QByteArray, std::optional<domain::LockState>> m_locks;
};

/** The table at a moment, made by applying every event that is dated no later. */
QStringList replayed(const QList<events::LockEvent> &events, qint64 atUs)
{
    QHash<domain::LockKey, domain::LockState> table;
    QSet<domain::LockKey> unsure;
    for (const events::LockEvent &event : events) {
        if (event.isSourceEvent())
            continue;
        if (event.timeUs > atUs) {
            if (event.timeUs - event.windowUs <= atUs)
                unsure.insert(event.key);
        } else if (event.after) {
            table.insert(event.key, *event.after);
        } else {
            table.remove(event.key);
        }
    }
    for (const domain::LockKey &key : std::as_const(unsure)) {
        domain::LockState &state = table[key];
        state.key = key;
        state.mayHaveChanged = true;
    }
    QStringList lines;
    for (const domain::LockState &state : std::as_const(table))
        lines += textOf(state);
    lines.sort();
    return lines;
}

} // namespace

class TestJournalPast : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void tellsTheTableOfAMoment();
    void equalsAReplayOfAllEvents_data();
    void equalsAReplayOfAllEvents();
    void tellsHoldsWhoseEventsAreGone();
    void neverTellsADeadlineThatMayBeWrong_data();
    void neverTellsADeadlineThatMayBeWrong();
    void saysWhatWasNotSeen_data();
    void saysWhatWasNotSeen();
    void saysHowFarItReaches();
    void aDamagedSnapshotIsPassedOver();
    void snapshotsComeWithTheRounds();
    void packsAndUnpacks();
};

void TestJournalPast::tellsTheTableOfAMoment()
{
    JournalFixture f;
    QVERIFY(f.open());
    events::LockEvent late = lockEvent(EventKind::Acquired, "b", "w2", 500);
    late.windowUs = 100;
    late.after->windowUs = 100;
    f.commit({sourceEvent(EventKind::SourceUp, 50), lockEvent(EventKind::Acquired, "a", "w1", 100), late,
              lockEvent(EventKind::Released, "a", "w1", 600)});
    const auto ask = [&f](qint64 atUs) {
        QStringList lines;
        protocol::LocksQuery query;
        query.atUs = atUs;
        f.ask([&lines, query](Queries &queries) {
            return queries.past.locksAt(query, {{QStringLiteral("orders"), 700}},
                                        [&lines](const domain::LockState &state) { lines += textOf(state); });
        });
        if (!f.lastError.cause.isEmpty())
            return QStringList{f.lastError.cause};
        lines.sort();
        return lines;
    };
    const QString a = QStringLiteral("orders/a held w1 @100~0 stuck0 []");
    const QString b = QStringLiteral("orders/b held w2 @500~100 stuck0 []");
    QCOMPARE(ask(60), QStringList());
    QCOMPARE(ask(100), QStringList{a});
    QCOMPARE(ask(399), QStringList{a});
    QCOMPARE(ask(400), (QStringList{a, QStringLiteral("orders/b unknown  @-1~0 stuck0 [] may")}));
    QCOMPARE(ask(500), (QStringList{a, b}));
    QCOMPARE(ask(600), QStringList{b});
    QCOMPARE(ask(f.clock.wallUs() + 1), QStringList{QStringLiteral("this time is in the future")});
}

void TestJournalPast::equalsAReplayOfAllEvents_data()
{
    QTest::addColumn<int>("every");
    QTest::newRow("no snapshot") << 1'000'000;
    QTest::newRow("a snapshot every 40 events") << 40;
    QTest::newRow("a snapshot every 300 events") << 300;
}

void TestJournalPast::equalsAReplayOfAllEvents()
{
    QFETCH(int, every);
    for (quint32 seed = 1; seed <= 8; ++seed) {
        Database db;
        QVERIFY(db.opened);
        Course course(seed);
        for (int part = 0; part < 3;
             ++part) { // as after a restart: a snapshot continues where the last one ended
            course.grow(400, db);
            QVERIFY(db.file(course.events));
            QVERIFY(db.makeSnapshots(every));
        }
        QRandomGenerator random(seed);
        for (int i = 0; i < 60; ++i) {
            const qint64 atUs = 10'500 + random.bounded(int(course.nowUs() - 9'500));
            const QStringList wanted = replayed(course.events, atUs);
            const QStringList found = db.textAt(atUs);
            QVERIFY2(found == wanted, qPrintable(QStringLiteral("seed %1 at %2\n%3\nbut was\n%4")
                                                     .arg(seed)
                                                     .arg(atUs)
                                                     .arg(wanted.join(u'\n'), found.join(u'\n'))));
        }
    }
}

void TestJournalPast::tellsHoldsWhoseEventsAreGone()
{
    for (const bool early : {true, false}) { // the snapshot was made before the events were deleted, or after
        Database db;
        QVERIFY(db.opened);
        events::LockEvent first = lockEvent(EventKind::Acquired, "old", "w1", 100);
        QList<events::LockEvent> course{sourceEvent(EventKind::SourceUp, 50), first,
                                        lockEvent(EventKind::Acquired, "gone", "w2", 110),
                                        lockEvent(EventKind::Acquired, "open", "w3", 120)};
        for (int i = 0; i < 40; ++i)
            course += lockEvent(i % 2 ? EventKind::Released : EventKind::Acquired, "busy", "w", 200 + i);
        course += lockEvent(EventKind::Released, "gone", "w2", 300);
        course += lockEvent(EventKind::Released, "old", "w1", 400);
        for (qsizetype i = 0; i < course.size(); ++i)
            course[i].seq = quint64(i) + 1;
        QVERIFY(db.file(course));
        if (early)
            QVERIFY(db.makeSnapshots(20));
        QVERIFY(db.connection.run(QStringLiteral("DELETE FROM events WHERE seq <= 20")));
        QVERIFY(db.connection.run(db.connection.statement("retain_delete_snapshots")));
        if (!early)
            QVERIFY(db.makeSnapshots(20));
        const QString old = QStringLiteral("orders/old held w1 @100~0 stuck0 []");
        const QString open = QStringLiteral("orders/open held w3 @120~0 stuck0 []");
        const QString gone = QStringLiteral("orders/gone held w2 @110~0 stuck0 []");
        QCOMPARE(db.textAt(250), (QStringList{gone, old, open}));
        QCOMPARE(db.textAt(300), (QStringList{old, open}));
        QCOMPARE(db.textAt(500), QStringList{open});
        QVERIFY(db.textAt(150).constFirst().startsWith(QLatin1String("the journal has the table")));
    }
}

void TestJournalPast::neverTellsADeadlineThatMayBeWrong_data()
{
    QTest::addColumn<quint32>("seed");
    for (quint32 seed = 20; seed < 24; ++seed)
        QTest::addRow("course %u", seed) << seed;
}

void TestJournalPast::neverTellsADeadlineThatMayBeWrong()
{
    QFETCH(quint32, seed);
    Database db;
    QVERIFY(db.opened);
    Course course(seed);
    course.grow(1'500, db);
    QVERIFY(db.file(course.events));
    int told = 0;
    int renewed = 0;
    for (qint64 atUs = 10'500; atUs < course.nowUs(); atUs += 501) {
        QList<domain::LockState> locks;
        QVERIFY(db.at(atUs, locks));
        for (const domain::LockState &state : std::as_const(locks)) {
            QCOMPARE(state.release.safety, domain::ReleaseSafety::Off);
            QCOMPARE(state.release.why, domain::ReleaseOff::Past);
            QVERIFY(state.guard.isEmpty());
            if (state.phase != domain::Phase::Held || !state.expiresUs)
                continue;
            qint64 deadline = *state.acquiredUs + kLease;
            for (const auto &one : course.renewals.value({state.key.name, *state.acquiredUs})) {
                if (one.atUs <= atUs) {
                    deadline = one.expiresUs;
                    ++renewed;
                }
            }
            QCOMPARE(*state.expiresUs, deadline);
            ++told;
        }
    }
    QVERIFY2(told > 20, qPrintable(QString::number(told)));
    QVERIFY(renewed > 0);
}

void TestJournalPast::saysWhatWasNotSeen_data()
{
    QTest::addColumn<qint64>("atUs");
    QTest::addColumn<bool>("seen");
    QTest::addColumn<qint64>("lastSeenUs");
    QTest::newRow("before the source was there") << qint64(40) << false << qint64(-1);
    QTest::newRow("seen") << qint64(150) << true << qint64(150);
    QTest::newRow("at the last look before the gap") << qint64(200) << true << qint64(200);
    QTest::newRow("within the gap") << qint64(250) << false << qint64(200);
    QTest::newRow("seen again") << qint64(300) << true << qint64(300);
    QTest::newRow("a server of several is away") << qint64(450) << true << qint64(450);
    QTest::newRow("a server of several is away again") << qint64(800) << true << qint64(800);
    QTest::newRow("the agent was down") << qint64(600) << false << qint64(500);
    QTest::newRow("at the last look of all") << qint64(900) << true << qint64(900);
    QTest::newRow("after it") << qint64(901) << false << qint64(900);
}

void TestJournalPast::saysWhatWasNotSeen()
{
    QFETCH(qint64, atUs);
    QFETCH(bool, seen);
    QFETCH(qint64, lastSeenUs);
    Database db;
    QVERIFY(db.opened);
    events::LockEvent part = sourceEvent(EventKind::GapOpened, 400);
    part.detail.partial = true;
    part.detail.node = QStringLiteral("10.0.0.3:6379");
    QList<events::LockEvent> dropped{sourceEvent(EventKind::GapOpened, 220),
                                     sourceEvent(EventKind::GapClosed, 240)};
    for (events::LockEvent &event : dropped)
        event.detail.cause = events::EventCause::Journal;
    QList<events::LockEvent> course{sourceEvent(EventKind::SourceUp, 10, QStringLiteral("stock")),
                                    sourceEvent(EventKind::SourceUp, 100),
                                    lockEvent(EventKind::Acquired, "a", "w1", 120),
                                    sourceEvent(EventKind::GapOpened, 200),
                                    dropped.at(0),
                                    dropped.at(1),
                                    sourceEvent(EventKind::GapClosed, 300),
                                    part,
                                    sourceEvent(EventKind::GapOpened, 500),
                                    sourceEvent(EventKind::GapClosed, 700)};
    for (qsizetype i = 0; i < course.size(); ++i)
        course[i].seq = quint64(i) + 1;
    QVERIFY(db.file(course));
    db.seenUntil = {{QStringLiteral("orders"), 900}, {QStringLiteral("stock"), 900}};
    QList<domain::LockState> locks;
    const auto table = db.at(atUs, locks);
    QVERIFY(table);
    const auto state = std::find_if(table->sources.cbegin(), table->sources.cend(),
                                    [](const auto &s) { return s.name == QLatin1String("orders"); });
    QVERIFY(state != table->sources.cend());
    QCOMPARE(state->link == domain::Link::Up, seen);
    QCOMPARE(state->lastSeenUs.value_or(-1), lastSeenUs);
    QCOMPARE(state->gapSinceUs.has_value(), !seen && lastSeenUs >= 0);
    QCOMPARE(locks.size(), qsizetype(atUs >= 120));
    for (const domain::LockState &lock : std::as_const(locks))
        QCOMPARE(lock.seenUs.value_or(-1), lastSeenUs); // last known, and from when
    // Which locks that server has isn't journalled: of none of the source's it is sure.
    const bool partly = atUs >= 400;
    QCOMPARE(std::any_of(locks.cbegin(), locks.cend(), [](const auto &l) { return l.mayHaveChanged; }),
             partly);
    QCOMPARE(state->findings.size(), qsizetype(partly));
    if (partly) {
        QCOMPARE(state->findings.first().code, QByteArray(domain::kPartUnseen));
        QCOMPARE(state->findings.first().value, QByteArray("10.0.0.3:6379"));
        QCOMPARE(state->findings.first().whenUs.value_or(-1), 400);
    }
}

void TestJournalPast::saysHowFarItReaches()
{
    Database db;
    QVERIFY(db.opened);
    QCOMPARE(db.textAt(5), QStringList{QStringLiteral(
                               "the journal has the table of locks only since 1970-01-12T13:46:40.000Z")});
    events::LockEvent up = sourceEvent(EventKind::SourceUp, 2'000'000);
    up.seq = 1;
    QVERIFY(db.file({up}));
    QCOMPARE(db.textAt(1'999'999),
             QStringList{
                 QStringLiteral("the journal has the table of locks only since 1970-01-01T00:00:02.000Z")});
    QCOMPARE(db.textAt(2'000'000), QStringList());
}

void TestJournalPast::aDamagedSnapshotIsPassedOver()
{
    Database db;
    QVERIFY(db.opened);
    Course course(3);
    course.grow(300, db);
    QVERIFY(db.file(course.events));
    QVERIFY(db.makeSnapshots(50));
    const qint64 atUs = course.nowUs() + 5'000;
    const QStringList wanted = db.textAt(atUs);
    QVERIFY(!wanted.isEmpty());
    QVERIFY(db.connection.run(
        QStringLiteral("UPDATE snapshots SET locks = x'0102' WHERE last_seq = (SELECT max(last_seq) FROM "
                       "snapshots)")));
    QCOMPARE(db.textAt(atUs), wanted);
    QVERIFY(db.makeSnapshots(50)); // and is recreated
    QCOMPARE(db.textAt(atUs), wanted);
    const auto all = db.connection.scalar(QStringLiteral("SELECT count(*) FROM snapshots"));
    QCOMPARE(all->toInt(), int(course.events.size() / 50));
}

void TestJournalPast::snapshotsComeWithTheRounds()
{
    JournalFixture f;
    QVERIFY(f.open());
    QList<events::LockEvent> many;
    for (int i = 0; i < 45'000; ++i)
        many += lockEvent(i % 2 ? EventKind::Released : EventKind::Acquired,
                          "k" + QByteArray::number(i / 2 % 700), "w", 100 + i);
    f.commit(many);
    f.close();
    QVERIFY(f.open()); // a round begins with the start
    QTRY_COMPARE(f.sql(QStringLiteral("SELECT count(*) FROM snapshots")).toInt(), 2);
    QVERIFY(f.failures.isEmpty());
}

void TestJournalPast::packsAndUnpacks()
{
    const PresentLocks locks{{1, 0}, {2, 900}, {400, 1}, {70'000'000'000, 1000}};
    const QByteArray bytes = packed(locks, 1000);
    QCOMPARE(unpacked(bytes, 1000), std::optional(locks));
    QVERIFY(bytes.size() < 20);
    QVERIFY(!unpacked(bytes.chopped(1), 1000));
    QVERIFY(!unpacked(QByteArray(40, '\xff'), 1000));
    const PresenceChanges changes{{2, 0}, {3, 950}, {400, 960}};
    QCOMPARE(merged(locks, changes), (PresentLocks{{1, 0}, {3, 950}, {400, 960}, {70'000'000'000, 1000}}));
}

LOCKKEEPER_TEST(TestJournalPast)

} // namespace tst_journal_past

#include "tst_journal_past.moc"
