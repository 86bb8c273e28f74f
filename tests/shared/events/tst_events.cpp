// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/base/json_line.h"
#include "shared/base/text.h"
#include "shared/events/apply.h"
#include "shared/events/event_line.h"
#include "tests/support/test_program.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

#include <algorithm>
#include <limits>

namespace tst_events {

using namespace lockkeeper;
using domain::LockState;
using domain::Phase;
using events::Applied;
using events::AppliedLocks;
using events::EventKind;
using events::LockEvent;

namespace {

const domain::LockKey kKey{QStringLiteral("orders-redis"), "redis.token", "db0", "lock:orders"};

LockState state(Phase phase, const char *owner)
{
    LockState state;
    state.key = kKey;
    state.phase = phase;
    state.owner = owner;
    state.seenUs = 1;
    return state;
}

LockEvent eventOf(quint64 seq, EventKind kind, std::optional<LockState> after)
{
    LockEvent event;
    event.seq = seq;
    event.key = kKey;
    event.store = "redis";
    event.kind = kind;
    event.after = std::move(after);
    return event;
}

QByteArray json(const LockEvent &event)
{
    return QJsonDocument(events::toJson(event, QStringLiteral("dc1"))).toJson(QJsonDocument::Compact);
}

} // namespace

/** Numbered events on a table, updates beside them, and the event object that users script against. */
class EventsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void appliesInOrder();
    void refusesHoles();
    void ignoresWhatItHas();
    void sourceEventsOnlyCount();
    void updates_data();
    void updates();
    void golden_data();
    void golden();
    void lines_data();
    void lines();
    void kindNames();
};

void EventsTest::appliesInOrder()
{
    AppliedLocks table{41, {}};
    QVERIFY(events::apply(eventOf(42, EventKind::Acquired, state(Phase::Held, "a")), table) ==
            Applied::Changed);
    QCOMPARE(table.seq, 42U);
    QCOMPARE(table.locks.value(kKey).owner, QByteArray("a"));
    QVERIFY(events::apply(eventOf(43, EventKind::TakenOver, state(Phase::Held, "b")), table) ==
            Applied::Changed);
    QCOMPARE(table.locks.value(kKey).owner, QByteArray("b"));
    QVERIFY(events::apply(eventOf(44, EventKind::Released, std::nullopt), table) == Applied::Changed);
    QVERIFY(table.locks.isEmpty());
    QCOMPARE(table.seq, 44U);
}

void EventsTest::refusesHoles()
{
    AppliedLocks table{41, {}};
    const AppliedLocks before = table;
    QVERIFY(events::apply(eventOf(43, EventKind::Acquired, state(Phase::Held, "a")), table) == Applied::Gap);
    QVERIFY(table == before);
}

void EventsTest::ignoresWhatItHas()
{
    AppliedLocks table{42, {{kKey, state(Phase::Held, "b")}}};
    const AppliedLocks before = table;
    for (quint64 seq : {0U, 1U, 42U})
        QVERIFY(events::apply(eventOf(seq, EventKind::Acquired, state(Phase::Held, "a")), table) ==
                Applied::Duplicate);
    QVERIFY(table == before);
}

void EventsTest::sourceEventsOnlyCount()
{
    AppliedLocks table{7, {{kKey, state(Phase::Held, "b")}}};
    for (EventKind kind :
         {EventKind::GapOpened, EventKind::GapClosed, EventKind::SourceUp, EventKind::SourceDown}) {
        LockEvent one = eventOf(table.seq + 1, kind, std::nullopt);
        one.key = {kKey.source, {}, {}, {}};
        QVERIFY(one.isSourceEvent());
        QVERIFY(events::apply(one, table) == Applied::NoChange);
    }
    QCOMPARE(table.seq, 11U);
    QCOMPARE(table.locks.size(), 1);
}

void EventsTest::updates_data()
{
    QTest::addColumn<std::optional<LockState>>("before");
    QTest::addColumn<LockState>("update");
    QTest::addColumn<std::optional<LockState>>("after");
    const auto row = [](const char *name, std::optional<LockState> before, const LockState &update,
                        std::optional<LockState> after) { QTest::newRow(name) << before << update << after; };
    const LockState held = state(Phase::Held, "a");
    const LockState renewed = [&held] {
        LockState one = held;
        one.renewals = 1;
        return one;
    }();
    const LockState freed = state(Phase::Free, "a");
    const LockState unreadable = state(Phase::Unknown, "");
    LockState gone = freed;
    gone.seenUs.reset();
    row("a renewal", held, renewed, renewed);
    row("the same", held, held, held);
    row("a hold begins with an event", std::nullopt, held, std::nullopt);
    row("one that was over before comes", std::nullopt, state(Phase::Expired, "a"),
        state(Phase::Expired, "a"));
    row("a free row comes", std::nullopt, freed, freed);
    row("an unreadable lock comes", std::nullopt, unreadable, unreadable);
    row("and becomes readable", unreadable, held, held);
    row("a free row goes", freed, gone, std::nullopt);
    row("an unreadable lock goes", unreadable, gone, std::nullopt);
    row("a hold ends with an event", held, gone, held);
    row("one past its deadline has had its event", state(Phase::Expired, "a"), gone, std::nullopt);
    row("nothing to go", std::nullopt, gone, std::nullopt);
}

void EventsTest::updates()
{
    QFETCH(std::optional<LockState>, before);
    QFETCH(LockState, update);
    QFETCH(std::optional<LockState>, after);
    AppliedLocks table{5, {}};
    if (before)
        table.locks.insert(kKey, *before);
    const AppliedLocks was = table;
    const Applied applied = events::applyUpdate(update, table);
    QCOMPARE(table.seq, 5U);
    QCOMPARE(table.locks.contains(kKey), after.has_value());
    if (after)
        QVERIFY(table.locks.value(kKey) == *after);
    QCOMPARE(applied == Applied::Changed, !(table == was));
}

void EventsTest::golden_data()
{
    QTest::addColumn<LockEvent>("event");
    QTest::addColumn<QByteArray>("json");
    LockEvent acquired = eventOf(1042, EventKind::Acquired, std::nullopt);
    acquired.owner = "3b5f";
    acquired.timeUs = 1'795'212'345'678'901;
    acquired.observedUs = 1'795'212'345'680'102;
    acquired.ttlMs = 30'000;
    acquired.expiresUs = 1'795'212'375'678'901;
    QTest::newRow("acquired")
        << acquired
        << QByteArray(
               R"({"agent":"dc1","command":null,"detail":{},"event":"acquired","expires_us":1795212375678901,)"
               R"("lock":"lock:orders","observed_us":1795212345680102,"owner":"3b5f","place":"db0","scheme":"redis.token",)"
               R"("seq":1042,"source":"orders-redis","store":"redis","t_us":1795212345678901,"ttl_ms":30000,"waiter":null,"window_us":0})");

    LockEvent forced = eventOf(0, EventKind::ForceReleased, std::nullopt);
    forced.ownerKnown = false;
    forced.key.name = QByteArray("a\xff\x1b", 3);
    forced.timeUs = 5;
    forced.windowUs = 2;
    forced.observedUs = 6;
    forced.command = "c-1";
    forced.detail.lastSeenUs = 3;
    QTest::newRow("without number and owner")
        << forced
        << QByteArray(
               R"({"agent":"dc1","command":"c-1","detail":{"last_seen_us":3},"event":"force_released","expires_us":null,)"
               R"("lock":"a\\xff\u001b","observed_us":6,"owner":null,"place":"db0","scheme":"redis.token","seq":null,)"
               R"("source":"orders-redis","store":"redis","t_us":5,"ttl_ms":null,"waiter":null,"window_us":2})");

    LockEvent waits = eventOf(3, EventKind::WaitStart, std::nullopt);
    waits.owner = "h";
    waits.waiter = QByteArray("w");
    QTest::newRow("a waiter")
        << waits
        << QByteArray(
               R"({"agent":"dc1","command":null,"detail":{},"event":"wait_start","expires_us":null,"lock":"lock:orders",)"
               R"("observed_us":0,"owner":"h","place":"db0","scheme":"redis.token","seq":3,"source":"orders-redis",)"
               R"("store":"redis","t_us":0,"ttl_ms":null,"waiter":"w","window_us":0})");

    LockEvent gap = eventOf(4, EventKind::GapOpened, std::nullopt);
    gap.key = {kKey.source, {}, {}, {}};
    gap.timeUs = gap.observedUs = 9;
    gap.detail.cause = events::EventCause::SourceDown;
    QTest::newRow("of a source")
        << gap
        << QByteArray(
               R"({"agent":"dc1","command":null,"detail":{"cause":"source_down"},"event":"gap_opened","expires_us":null,)"
               R"("lock":null,"observed_us":9,"owner":null,"place":null,"scheme":null,"seq":4,"source":"orders-redis",)"
               R"("store":"redis","t_us":9,"ttl_ms":null,"waiter":null,"window_us":0})");
}

void EventsTest::golden()
{
    QFETCH(LockEvent, event);
    QFETCH(QByteArray, json);
    QCOMPARE(tst_events::json(event), json);
    QByteArray line("before\n");
    events::appendLine(line, event, QStringLiteral("dc1"));
    QCOMPARE(line, "before\n" + json + '\n');
}

void EventsTest::lines_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("plain") << QByteArray("lock:orders ~[]{}'/<>&");
    QTest::newRow("quotes") << QByteArray(R"(a"b\c\\)");
    QTest::newRow("controls") << QByteArray("a\0\b\t\n\f\r\x1b\x1f\x7f", 11);
    QTest::newRow("controls that some terminals obey")
        << QByteArray("\xc2\x9b[31m \xc2\x80 \xc2\x9f \xc2\xa0");
    QTest::newRow("UTF-8") << QByteArray("\xc3\xa9 \xe9\x94\x81 \xf0\x9f\x94\x92 \xe2\x80\xa8");
    QTest::newRow("directions and separators")
        << QByteArray("\xe2\x80\xae"
                      "gnp \xe2\x81\xa6 \xe2\x80\xa9 \xf3\xa0\x80\x81 \xef\xbb\xbf");
    QTest::newRow("bytes") << QByteArray("\xff\xc0\x80 \xed\xa0\x80 \xf4\x90\x80\x80 \xc3");
}

/** The line equals the object, for all texts. */
void EventsTest::lines()
{
    QFETCH(QByteArray, text);
    const QString decoded = QString::fromUtf8(text);
    LockEvent event = eventOf(std::numeric_limits<qint64>::max(), EventKind::TakenOver, std::nullopt);
    event.key = {decoded, text, text, text};
    event.store = text;
    event.owner = event.command = text;
    event.waiter = text;
    event.timeUs = std::numeric_limits<qint64>::min();
    event.expiresUs = -1;
    event.detail = events::EventDetail::fromJson(
        {{QStringLiteral("previous"), decoded}, {QStringLiteral("list"), QJsonArray{1.5, decoded}}});
    for (const bool known : {true, false}) {
        event.ownerKnown = known;
        QByteArray line;
        events::appendLine(line, event, decoded);
        const QJsonDocument object(events::toJson(event, decoded));
        QCOMPARE(line, base::compactJson(object) + '\n');
        QCOMPARE(QJsonDocument::fromJson(line)[QLatin1String("lock")], object[QLatin1String("lock")]);
        const QString shown = QString::fromUtf8(line.chopped(1));
        QCOMPARE(base::displayText(shown), shown);
    }
}

void EventsTest::kindNames()
{
    const QByteArrayList expected{"acquired",   "renewed",        "released",   "expired",
                                  "taken_over", "wait_start",     "wait_end",   "stuck",
                                  "unstuck",    "force_released", "gap_opened", "gap_closed",
                                  "source_up",  "source_down",    "lost",       "changed"};
    for (qsizetype i = 0; i < expected.size(); ++i) {
        QCOMPARE(events::kindName(EventKind(i)).toByteArray(), expected.at(i));
        QVERIFY(events::kindFromName(expected.at(i)) == EventKind(i));
    }
    QVERIFY(!events::kindFromName("nothing"));
}

LOCKKEEPER_TEST(EventsTest)

} // namespace tst_events

#include "tst_events.moc"
