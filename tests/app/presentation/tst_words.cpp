// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/application/language.h"
#include "app/filter/query_time.h"
#include "app/models/commands_model.h"
#include "app/models/event_columns.h"
#include "app/presentation/alert_formatter.h"
#include "app/presentation/command_formatter.h"
#include "app/presentation/event_formatter.h"
#include "app/words/alert_description.h"
#include "app/words/error_words.h"
#include "app/words/event_words.h"
#include "app/words/time_format.h"
#include "app/words/words.h"
#include "shared/base/clock.h"
#include "shared/transport/ssh_errors.h"
#include "tests/support/test_program.h"

#include <QLocale>
#include <QScopeGuard>
#include <QSet>
#include <QTest>

#include <ctime>

namespace tst_words {

using namespace lockkeeper;
using app::words::Words;

/** Every code has words, and no two codes of a kind share the same words. */
class WordsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void badges()
    {
        distinct(app::replica::kBadgeCount,
                 [](int i) { return app::replica::badgeText(app::replica::Badge(i)); });
    }
    void events()
    {
        distinct(int(events::EventKind::SourceDown) + 1,
                 [](int i) { return Words::event(events::EventKind(i)); });
    }
    void alerts()
    {
        using app::presentation::AlertFormatter;
        distinct(int(domain::kLastAlertCondition) + 1,
                 [](int i) { return app::words::AlertDescription::condition(domain::AlertCondition(i)); });
        distinct(int(domain::kLastAlertCondition) + 1, [](int i) {
            domain::Alert alert;
            alert.condition = domain::AlertCondition(i);
            alert.source = QStringLiteral("orders");
            alert.lock = {QStringLiteral("orders"), "redis.token", "db0", "lock:a"};
            return app::words::AlertDescription::sentence(alert, QStringLiteral("dc1"));
        });
        distinct(int(domain::AlertPhase::Resolved) + 1,
                 [](int i) { return app::words::AlertDescription::phase(domain::AlertPhase(i)); });
        distinct(int(domain::AlertSeverity::Critical) + 1,
                 [](int i) { return app::words::AlertDescription::severity(domain::AlertSeverity(i)); });
    }
    void alertValues_data()
    {
        QTest::addColumn<int>("condition");
        QTest::addColumn<qint64>("value");
        QTest::addColumn<qint64>("threshold");
        QTest::addColumn<QString>("text");
        using domain::AlertCondition;
        const auto row = [](AlertCondition condition, qint64 value, qint64 threshold, const char *text) {
            QTest::newRow(domain::alertConditionName(condition).data())
                << int(condition) << value << threshold << QString::fromUtf8(text);
        };
        row(AlertCondition::LongestWait, 101'000'000, 60'000'000, "00:01:41 > 00:01:00");
        row(AlertCondition::Waiters, 1'200, 1'000, "1,200 > 1,000");
        row(AlertCondition::HeldRatio, 7'300, 5'000, "7.3 × > 5 ×");
        row(AlertCondition::LeaseMargin, 42, 200, "4.2 % < 20 %");
        row(AlertCondition::Stuck, 1, 1, "—");
    }
    void alertValues()
    {
        QFETCH(int, condition);
        QFETCH(qint64, value);
        QFETCH(qint64, threshold);
        domain::Alert alert;
        alert.condition = domain::AlertCondition(condition);
        alert.value = value;
        alert.threshold = threshold;
        QTEST(app::words::AlertDescription::value(alert), "text");
    }
    /** A gap's row: which part, from – to, how long and why. */
    void gaps()
    {
        app::words::TimeFormat times;
        times.setZone(app::words::Zone::Utc);
        const app::presentation::EventFormatter formatter(&times);
        events::LockEvent opened;
        opened.kind = events::EventKind::GapOpened;
        opened.key.source = QStringLiteral("payments");
        opened.timeUs = 1'795'212'000'000'000;
        opened.detail = events::EventDetail::fromJson(
            {{QStringLiteral("partial"), true},
             {QStringLiteral("node"), QStringLiteral("10.0.0.3:6379")},
             {QStringLiteral("cause"), QStringLiteral("source_down")},
             {QStringLiteral("message"), QStringLiteral("Connection refused")}});
        events::LockEvent closed = opened;
        closed.kind = events::EventKind::GapClosed;
        closed.timeUs += 12'300'000;
        closed.detail = events::EventDetail::fromJson(
            {{QStringLiteral("partial"), true}, {QStringLiteral("node"), QStringLiteral("10.0.0.3:6379")}});
        QCOMPARE(
            formatter.gapSentence(opened),
            QStringLiteral("Node 10.0.0.3:6379 of payments not observed from 2026-11-20 22:00:00 UTC on: "
                           "Connection refused"));
        QVERIFY(app::words::EventWords::opens(opened, closed));
        QCOMPARE(formatter.gapSentence(closed, &opened),
                 QStringLiteral("Node 10.0.0.3:6379 of payments observed again; not observed "
                                "2026-11-20 22:00:00–22:00:12 UTC, for 12.3 s: Connection refused"));
        QCOMPARE(formatter.gapSentence(closed),
                 QStringLiteral("Node 10.0.0.3:6379 of payments observed again "
                                "from 2026-11-20 22:00:12 UTC on"));
        // If the gap's beginning isn't among the loaded events, the sentence about its end states it.
        closed.detail.sinceUs = opened.timeUs;
        QCOMPARE(formatter.gapSentence(closed),
                 QStringLiteral("Node 10.0.0.3:6379 of payments observed again; not observed "
                                "2026-11-20 22:00:00–22:00:12 UTC, for 12.3 s"));
        events::LockEvent whole = opened;
        whole.detail =
            events::EventDetail::fromJson({{QStringLiteral("cause"), QStringLiteral("agent_restarted")}});
        QVERIFY(!app::words::EventWords::opens(whole, closed));
        QCOMPARE(formatter.gapSentence(whole),
                 QStringLiteral("payments not observed from 2026-11-20 22:00:00 "
                                "UTC on: the agent wasn't running"));
        whole.detail = events::EventDetail::fromJson({{QStringLiteral("cause"), QStringLiteral("reloaded")}});
        QVERIFY(formatter.gapSentence(whole).endsWith(QStringLiteral("on: it was configured otherwise")));
        events::LockEvent set = opened;
        set.detail.cause = events::EventCause::SetUnread;
        set.detail.node = QStringLiteral("app.shedlock");
        QVERIFY(formatter.gapSentence(set).startsWith(
            QStringLiteral("Locks at app.shedlock in payments not observed from ")));
        opened.detail.slotRanges = QStringLiteral("0-5460");
        QVERIFY(!app::words::EventWords::opens(opened, closed));
        QVERIFY(formatter.gapSentence(opened).startsWith(
            QStringLiteral("Slots 0-5460 of payments (node 10.0.0.3:6379) not observed from ")));
    }
    /** A hold that the agent found at its first look began earlier than the time beside it. */
    void firstSeen()
    {
        const app::words::TimeFormat times;
        const app::presentation::EventFormatter formatter(&times);
        events::LockEvent event;
        event.kind = events::EventKind::Acquired;
        QCOMPARE(formatter.text(event, app::models::WindowColumn), QString());
        event.detail = events::EventDetail::fromJson({{QStringLiteral("first_seen"), true}});
        QCOMPARE(formatter.text(event, app::models::WindowColumn), QStringLiteral("≥"));
        QVERIFY(app::words::EventWords::doubts(event).contains(QStringLiteral("began earlier")));
    }
    void changes_data()
    {
        QTest::addColumn<QString>("sentence");
        QTest::newRow("gone") << QStringLiteral("Its row or key no longer exists.");
        QTest::newRow("free") << QStringLiteral("It isn't held now.");
        QTest::newRow("optimistic") << QStringLiteral("It isn't held now.");
        QTest::newRow("unknown") << QStringLiteral("whether it is held isn't known.");
    }
    /** Each state that the agent writes into a `changed` event has its sentence. */
    void changes()
    {
        QFETCH(QString, sentence);
        const app::words::TimeFormat times;
        const app::presentation::EventFormatter formatter(&times);
        events::LockEvent event;
        event.kind = events::EventKind::Changed;
        event.detail = events::EventDetail::fromJson(
            {{QStringLiteral("state"), QString::fromLatin1(QTest::currentDataTag())}});
        QVERIFY2(formatter.sentence(event).contains(sentence), qPrintable(formatter.sentence(event)));
    }
    /** An event that may not have happened says so in the table, and why beside it. */
    void doubtfulEvents()
    {
        const app::words::TimeFormat times;
        const app::presentation::EventFormatter formatter(&times);
        events::LockEvent event;
        event.kind = events::EventKind::Acquired;
        const QString plain = Words::event(event.kind);
        const auto text = [&] { return formatter.text(event, app::models::EventKindColumn); };
        const auto lines = [&] { return app::words::EventWords::doubts(event).count(QLatin1Char('\n')) + 1; };
        QCOMPARE(text(), plain);
        QVERIFY(app::words::EventWords::doubts(event).isEmpty());
        event.detail = events::EventDetail::fromJson({{QStringLiteral("coalesced"), 3}});
        QCOMPARE(text(), plain);
        QVERIFY(app::words::EventWords::doubts(event).endsWith(QLatin1String(": 3")));
        event.ownerKnown = false;
        const auto holder = [&] { return formatter.text(event, app::models::EventHolderColumn); };
        QCOMPARE(holder(), QStringLiteral("NULL")); // as the store reported
        event.detail.unseen = true;
        QCOMPARE(text(), plain + QLatin1String(" (unseen)"));
        QCOMPARE(holder(), QStringLiteral("not seen"));
        QCOMPARE(lines(), 2);
        event.detail = events::EventDetail::fromJson(
            {{QStringLiteral("may_be"), QStringLiteral("released")}, {QStringLiteral("missed"), true}});
        QCOMPARE(text(), plain + QLatin1String(" (perhaps)"));
        QCOMPARE(lines(), 2);
    }
    void outcomes()
    {
        distinct(int(domain::Outcome::Ended) + 1, [](int i) { return Words::outcome(domain::Outcome(i)); });
        distinct(int(domain::Outcome::Ended) + 1,
                 [](int i) { return Words::outcomeSentence(domain::Outcome(i)); });
        // The unreachable party may be the agent, and the audit keeps the sentence for good.
        const QString unreached = Words::outcomeSentence(domain::Outcome::Unreachable);
        QVERIFY2(!unreached.startsWith(QLatin1String("The store")), qPrintable(unreached));
        const QString lost = Words::outcomeSentence(domain::Outcome::Unknown);
        QVERIFY2(!lost.contains(QLatin1String("being read")), qPrintable(lost));
    }
    void errors()
    {
        distinct(int(base::ErrorCode::Shutdown) + 1,
                 [](int i) { return app::words::ErrorWords::title(base::ErrorCode(i)); });
        // A full Redis also reports this code, as does a user's file: neither is the agent's journal.
        const base::Error full{base::ErrorCode::Storage, QStringLiteral("OOM command not allowed"), {}};
        QVERIFY(!app::words::ErrorWords::title(full.code).contains(QLatin1String("journal")));
        QCOMPARE(app::words::ErrorWords::remedy(full), QString());
    }
    /** In another language, the original English text follows the translated words. */
    void causes()
    {
        const base::Error error{base::ErrorCode::Unreachable, QStringLiteral("nobody listens"),
                                QStringLiteral("Start it.")};
        const QString said = QStringLiteral("nobody listens");
        QCOMPARE(app::words::ErrorWords::cause(error), said);
        QCOMPARE(app::words::ErrorWords::cause({error.code, {}, {}}),
                 app::words::ErrorWords::title(error.code));
        const QLocale before;
        const auto restore = qScopeGuard([&before] { QLocale::setDefault(before); });
        QLocale::setDefault(QLocale(QStringLiteral("zh_CN")));
        QCOMPARE(app::words::ErrorWords::cause(error), QStringLiteral("Can't be reached (%1)").arg(said));
        QCOMPARE(app::words::ErrorWords::line(error),
                 QStringLiteral("Can't be reached (%1). Start it.").arg(said));
        QCOMPARE(app::words::ErrorWords::cause({base::ErrorCode::Unknown, error.cause, {}}), said);
        const app::words::TimeFormat times;
        const app::presentation::CommandFormatter formatter(&times);
        app::models::CommandsModel commands;
        commands.setFormatter(&formatter);
        app::models::ConsoleRelease command;
        for (const base::Error &one : {error, base::Error()}) {
            command.error = one;
            commands.add(command);
        }
        const auto detail = [&commands](int row) {
            return commands.index(row, app::models::CommandDetailColumn).data().toString();
        };
        QCOMPARE(detail(1), app::words::ErrorWords::cause(error));
        QCOMPARE(detail(0), QString());
    }
    /** The console translates the remedies that programs report, and keeps the names within them. */
    void remedies()
    {
        const base::Error known =
            transport::sshFailure({{}, QStringLiteral("db1")}, 255, "Permission denied (publickey).");
        const base::Error own{base::ErrorCode::Busy, QStringLiteral("locked"), QStringLiteral("GRANT x")};
        const base::Error none{base::ErrorCode::Busy, QStringLiteral("locked"), {}};
        const base::Error standby{
            base::ErrorCode::Unknown, QStringLiteral("this agent is standby; active is <dc2>"), {}};
        QCOMPARE(app::words::ErrorWords::cause(standby), standby.cause);
        QCOMPARE(app::words::ErrorWords::remedy(known), known.remedy);
        QCOMPARE(app::words::ErrorWords::detail(known), known.line());
        const QLocale before;
        const auto restore = qScopeGuard([&before] { QLocale::setDefault(before); });
        app::Language language;
        language.setLanguage(QStringLiteral("zh_CN"));
        const QString words = app::words::ErrorWords::remedy(known);
        QVERIFY2(words.contains(QStringLiteral("ssh db1")) && !words.contains(QStringLiteral("terminal")),
                 qPrintable(words));
        QVERIFY(app::words::ErrorWords::detail(known).endsWith(words));
        QVERIFY(app::words::ErrorWords::line(known).endsWith(words));
        QCOMPARE(app::words::ErrorWords::cause(standby),
                 QStringLiteral("该 Agent 处于待命状态；处于活动状态的是 <dc2>"));
        QCOMPARE(app::words::ErrorWords::remedy(own), QStringLiteral("GRANT x"));
        QVERIFY(!app::words::ErrorWords::remedy(none).isEmpty());
    }
    /** A filter takes the words that the badges show, and the interface's word for yesterday. */
    void filtersInChinese()
    {
        using namespace app::filter;
        using namespace app::replica;
        constexpr qint64 kDayUs = 86'400'000'000;
        const QueryClock clock{1'795'000'000'000'000, QTimeZone::utc()};
        QVERIFY(!parseQuery(QStringLiteral("state:卡死")));
        QVERIFY(!parseQueryTime(QStringLiteral("昨天 22:00"), clock));
        const QLocale before;
        const auto restore = qScopeGuard([&before] { QLocale::setDefault(before); });
        app::Language language;
        language.setLanguage(QStringLiteral("zh_CN"));
        for (int badge = 0; badge < kBadgeCount; ++badge) {
            QString word = badgeText(Badge(badge));
            word.remove(QChar(0x2026));
            const auto query = parseQuery(QStringLiteral("state：") + word);
            QVERIFY2(query, qPrintable(word));
            QCOMPARE(*query,
                     *parseQuery(QStringLiteral("state:%1")
                                     .arg(QString::fromLatin1(badgeName(Badge(badge)).toByteArray()))));
        }
        const auto english = parseQueryTime(QStringLiteral("yesterday 22:00"), clock);
        QVERIFY(english && *english < clock.nowUs && clock.nowUs - *english < 2 * kDayUs);
        for (const char *text : {"昨天 22:00", "昨天22：00", "昨天　22:00"})
            QCOMPARE(parseQueryTime(QString::fromUtf8(text), clock), english);
    }
    void releases()
    {
        distinct(int(domain::ReleaseOff::ReadOnly) + 1,
                 [](int i) { return Words::releaseOff(domain::ReleaseOff(i)); });
    }
    void evidence()
    {
        distinct(int(domain::Evidence::Notification) + 1,
                 [](int i) { return Words::evidence(domain::Evidence(i)); });
    }
    void links()
    {
        distinct(3, [](int i) { return Words::link(domain::Link(i)); });
        distinct(2, [](int i) { return Words::mode(domain::ObservationMode(i)); });
    }
    /** A column's title names the current zone, which differs from the zone half a year ago. */
    void timesOfAnotherSeasonNameTheirZone()
    {
        qputenv("TZ", "Europe/Berlin");
        tzset();
        const app::words::TimeFormat times;
        const app::presentation::EventFormatter formatter(&times);
        const auto cell = [&formatter](qint64 us) {
            events::LockEvent event;
            event.timeUs = us;
            return formatter.text(event, app::models::TimeColumn);
        };
        const QString now = times.zoneText(base::SystemClock().wallUs());
        const bool summer = now == QLatin1String("UTC+2");
        QCOMPARE(cell(1'768'478'400'000'000),
                 QStringLiteral("2026-01-15 13:00:00.000%1").arg(QLatin1String(summer ? " UTC+1" : "")));
        QCOMPARE(cell(1'784'116'800'000'000),
                 QStringLiteral("2026-07-15 14:00:00.000%1").arg(QLatin1String(summer ? "" : " UTC+2")));
    }
    void holdEnds()
    {
        QCOMPARE(Words::holdEnd("released"), Words::event(events::EventKind::Released));
        QCOMPARE(Words::holdEnd("force_released"), Words::event(events::EventKind::ForceReleased));
        QVERIFY(Words::holdEnd({}) != Words::holdEnd("gap"));
        QCOMPARE(Words::holdEnd("of_a_later_version"), QStringLiteral("of_a_later_version"));
    }

private:
    static void distinct(int count, const std::function<QString(int)> &word)
    {
        QSet<QString> seen;
        for (int i = 0; i < count; ++i) {
            QVERIFY2(!word(i).isEmpty(), qPrintable(QString::number(i)));
            QVERIFY2(!seen.contains(word(i)), qPrintable(word(i)));
            seen.insert(word(i));
        }
    }
};

LOCKKEEPER_TEST(WordsTest)

} // namespace tst_words

#include "tst_words.moc"
