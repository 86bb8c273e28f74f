// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/events/event_detail.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

#include <functional>

namespace tst_event_detail {

using namespace lockkeeper;
using namespace lockkeeper::events;

/** The typed detail of an event and its JSON, which the wire, the journal and scripts have. */
class TestEventDetail : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void members_data();
    void members();
    void keepsWhatItDoesNotKnow_data();
    void keepsWhatItDoesNotKnow();
    void causesAreDocumented();
};

void TestEventDetail::members_data()
{
    QTest::addColumn<EventDetail>("detail");
    QTest::addColumn<QByteArray>("json");
    const auto row = [](const char *json, const std::function<void(EventDetail &)> &set) {
        EventDetail detail;
        set(detail);
        QTest::newRow(json) << detail << QByteArray(json);
    };
    row("{}", [](EventDetail &) {});
    row(R"({"previous":"w1"})", [](EventDetail &d) { d.previous.emplace(QStringLiteral("w1")); });
    row(R"({"previous":""})", [](EventDetail &d) { d.previous.emplace(QString()); });
    row(R"({"previous":null})", [](EventDetail &d) { d.previous.emplace(); });
    row(R"({"last_seen_us":0})", [](EventDetail &d) { d.lastSeenUs = 0; });
    row(R"({"since_us":9007199254740993})", [](EventDetail &d) { d.sinceUs = 9'007'199'254'740'993; });
    row(R"({"cause":"journal","dropped":4})", [](EventDetail &d) {
        d.cause = EventCause::Journal;
        d.dropped = 4;
    });
    row(R"({"coalesced":2})", [](EventDetail &d) { d.coalesced = 2; });
    row(R"({"node":"n","partial":true,"slots":"0-5"})", [](EventDetail &d) {
        d.node = QStringLiteral("n");
        d.slotRanges = QStringLiteral("0-5");
        d.partial = true;
    });
    row(R"({"message":"no"})", [](EventDetail &d) { d.message = QStringLiteral("no"); });
    row(R"({"outcome":"lock_gone"})", [](EventDetail &d) { d.outcome = WaitOutcome::LockGone; });
    row(R"({"outcome":"acquired"})", [](EventDetail &d) { d.outcome = WaitOutcome::Acquired; });
    row(R"({"state":"free"})", [](EventDetail &d) { d.state = TableState::Free; });
    row(R"({"state":"gone"})", [](EventDetail &d) { d.state = TableState::Gone; });
    row(R"({"reason":"holder_gone"})", [](EventDetail &d) { d.reason = domain::StuckReason::HolderGone; });
    row(R"({"cause":"connection_lost"})", [](EventDetail &d) { d.error = base::ErrorCode::ConnectionLost; });
    row(R"({"cause":"unknown"})", [](EventDetail &d) { d.error = base::ErrorCode::Unknown; });
    row(R"({"came_back":true,"cause":"went_back"})", [](EventDetail &d) {
        d.cameBack = true;
        d.cause = EventCause::WentBack;
    });
    row(R"({"first_seen":true})", [](EventDetail &d) { d.firstSeen = true; });
    row(R"({"unseen":true})", [](EventDetail &d) { d.unseen = true; });
    row(R"({"missed":true})", [](EventDetail &d) { d.missed = true; });
    row(R"({"may_be":"released"})", [](EventDetail &d) { d.mayBeReleased = true; });
}

void TestEventDetail::members()
{
    QFETCH(EventDetail, detail);
    QFETCH(QByteArray, json);
    QCOMPARE(QJsonDocument(detail.toJson()).toJson(QJsonDocument::Compact), json);
    const EventDetail read = EventDetail::fromJson(QJsonDocument::fromJson(json).object());
    QVERIFY(read == detail);
    QVERIFY(read.others.isEmpty());
}

void TestEventDetail::keepsWhatItDoesNotKnow_data()
{
    QTest::addColumn<QByteArray>("json");
    for (const char *json :
         {R"({"new":{"a":[1,2.5]}})", R"({"cause":"of_a_newer_agent"})", R"({"outcome":"stolen"})",
          R"({"state":7})", R"({"reason":"bored"})", R"({"previous":["a"]})", R"({"since_us":"soon"})",
          R"({"may_be":"expired"})", R"({"unseen":"yes"})", R"({"coalesced":true,"node":3})"})
        QTest::newRow(json) << QByteArray(json);
}

void TestEventDetail::keepsWhatItDoesNotKnow()
{
    QFETCH(QByteArray, json);
    const EventDetail detail = EventDetail::fromJson(QJsonDocument::fromJson(json).object());
    EventDetail onlyOthers;
    onlyOthers.others = detail.others;
    QVERIFY(detail == onlyOthers);
    QCOMPARE(QJsonDocument(detail.toJson()).toJson(QJsonDocument::Compact), json);
}

void TestEventDetail::causesAreDocumented()
{
    QFile file(qEnvironmentVariable("LOCKKEEPER_SOURCE") + QLatin1String("/shared/protocol/PROTOCOL.md"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray protocol = file.readAll();
    for (int cause = 1; cause <= int(kLastCause); ++cause) {
        const QByteArray name = causeName(EventCause(cause)).toByteArray();
        QVERIFY2(protocol.contains('`' + name + '`'), name.constData());
        QCOMPARE(causeFromName(QString::fromLatin1(name)), EventCause(cause));
    }
    QCOMPARE(causeFromName(QString()), EventCause::None);
    QCOMPARE(causeFromName(QStringLiteral("nothing")), EventCause::None);
}

LOCKKEEPER_TEST(TestEventDetail)

} // namespace tst_event_detail

#include "tst_event_detail.moc"
