// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/incident_facts.h"
#include "app/report/incident_record.h"
#include "app/report/report_html.h"
#include "incident_night.h"
#include "tests/support/golden_file.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QJsonArray>
#include <QScopeGuard>
#include <QTest>
#include <QTranslator>
#include <QXmlStreamReader>

namespace tst_incident_report {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using namespace lockkeeper::app::report;

namespace {

QByteArray htmlOf(const IncidentEvidence &evidence)
{
    app::words::TimeFormat times;
    times.setZone(app::words::Zone::Utc);
    return reportHtml(reportOf(evidence, times));
}

QString storyOf(const IncidentEvidence &evidence)
{
    app::words::TimeFormat times;
    times.setZone(app::words::Zone::Utc);
    return reportOf(evidence, times).sections.constFirst().sentences.join(QLatin1Char('\n'));
}

qint64 minutes(double count)
{
    return qint64(count * double(kNightMinuteUs));
}

} // namespace

/** The report on one lock: its figures, its sentences, its HTML file. */
class TestIncidentReport : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void figures();
    void golden_data();
    void golden();
    void escapes_data();
    void escapes();
    void isSelfContained();
    void confesses_data();
    void confesses();
    void ends_data();
    void ends();
    void observedTime_data();
    void observedTime();
    void rootOfAChain();
    void showsEachHold();
    void record();
};

void TestIncidentReport::figures()
{
    const IncidentFacts facts = factsOf(incidentNight());
    QCOMPARE(facts.holds.size(), 2);
    QCOMPARE(facts.holders, 2);
    QCOMPARE(facts.waiters, 3);
    QCOMPARE(facts.waitedUs, minutes(28.2 + 29 + 23));
    QCOMPARE(facts.longestWaitUs, minutes(29));
    QCOMPARE(facts.peak, (WaitPeak{kNightEndsUs - minutes(45), 3}));
    QCOMPARE(facts.mainHold, 0);
    QCOMPARE(facts.waitedBehindUs, minutes(28 + 27 + 23));
    QVERIFY(facts.root);
    QCOMPARE(facts.root->holder, QByteArray("nightly-job@10.1.0.7"));
    QCOMPARE(facts.root->behind, 3);
    QCOMPARE(facts.unobserved,
             (QList<events::Interval>{{kNightEndsUs - minutes(10), kNightEndsUs - minutes(6)}}));
    QCOMPARE(*facts.firstSeenUs, kNightEndsUs - minutes(52));
    QCOMPARE(*facts.lastSeenUs, kNightEndsUs - minutes(16));
}

void TestIncidentReport::golden_data()
{
    QTest::addColumn<QString>("language");
    QTest::newRow("English") << QStringLiteral("en");
    QTest::newRow("Chinese") << QStringLiteral("zh_CN");
}

void TestIncidentReport::golden()
{
    QFETCH(QString, language);
    QTranslator catalogue;
    const auto removed = qScopeGuard([&catalogue] { QCoreApplication::removeTranslator(&catalogue); });
    const QString file =
        QCoreApplication::applicationDirPath() + QStringLiteral("/../app/cli/lockkeeper_%1.qm").arg(language);
    if (!QFile::exists(file))
        QSKIP("built without Qt's linguist tools");
    QVERIFY(catalogue.load(file));
    QVERIFY(QCoreApplication::installTranslator(&catalogue));
    const QString path = QStringLiteral("tests/data/report/incident_%1.html").arg(language);
    const QString fault = compareWithGolden(path, htmlOf(incidentNight()));
    QVERIFY2(fault.isEmpty(), qPrintable(fault));
}

void TestIncidentReport::escapes_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("shown");
    QTest::newRow("markup") << QByteArray("<script>x</script>")
                            << QByteArray("&lt;script&gt;x&lt;/script&gt;");
    QTest::newRow("ampersand") << QByteArray("a&amp;b") << QByteArray("a&amp;amp;b");
    QTest::newRow("quotes") << QByteArray("\" onload=\"x") << QByteArray("&quot; onload=&quot;x");
    QTest::newRow("reversed") << QByteArray("a\xe2\x80\xae"
                                            "b")
                              << QByteArray("a\\u202eb");
    QTest::newRow("escape sequence") << QByteArray("a\x1b[31m") << QByteArray("a\\x1b[31m");
    QTest::newRow("not UTF-8") << QByteArray("a\xff") << QByteArray("a\\xff");
    QTest::newRow("NUL") << QByteArray("a\0b", 3) << QByteArray("a\\x00b");
}

/** In each place that text from a store or a user reaches. */
void TestIncidentReport::escapes()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, shown);
    IncidentEvidence evidence = incidentNight();
    const qsizetype before = htmlOf(evidence).count(shown);
    evidence.key.name = text;
    evidence.holds[0].owner = evidence.holds[1].owner = text;
    for (events::LockEvent &event : evidence.events) {
        event.key.name = event.owner = text;
        if (event.waiter)
            event.waiter = text;
    }
    evidence.audit[0].reason = evidence.audit[0].who = evidence.audit[0].approver = QString::fromUtf8(text);
    evidence.audit[1].detail = QString::fromUtf8(text);
    evidence.alerts[0].lock.name = text;
    evidence.alerts[0].acknowledgedBy = QString::fromUtf8(text);
    evidence.advice.advice[0].holder = evidence.advice.advice[0].lock.name = text;
    evidence.timeline.gaps[0].part = QString::fromUtf8(text);
    evidence.source->server = evidence.source->address = QString::fromUtf8(text);
    evidence.agent = QString::fromUtf8(text);
    const QByteArray html = htmlOf(evidence);
    QVERIFY(!html.contains(text));
    QVERIFY(!html.contains("<script"));
    QVERIFY(html.count(shown) > before + 10 || text.contains('\xff'));
    QXmlStreamReader reader(html);
    while (!reader.atEnd())
        reader.readNext();
    QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
}

/** One file: a reader without a network sees all of it, and nobody learns that it was opened. */
void TestIncidentReport::isSelfContained()
{
    const QByteArray html = htmlOf(incidentNight());
    QXmlStreamReader reader(html);
    int pictures = 0;
    while (!reader.atEnd()) {
        reader.readNext();
        if (!reader.isStartElement())
            continue;
        QVERIFY(reader.name() != QLatin1String("script") && reader.name() != QLatin1String("link"));
        pictures += reader.name() == QLatin1String("svg") ? 1 : 0;
        for (const QXmlStreamAttribute &attribute : reader.attributes()) {
            QVERIFY(attribute.name() != QLatin1String("src") && attribute.name() != QLatin1String("href"));
            QVERIFY(!attribute.name().startsWith(QLatin1String("on")));
        }
    }
    QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
    QCOMPARE(pictures, 1);
    QVERIFY(html.contains("@media print"));
    QVERIFY(!html.contains("@import"));
    QVERIFY(html.contains("class=\"gap\"") && html.contains("class=\"forced\""));
}

void TestIncidentReport::confesses_data()
{
    QTest::addColumn<std::function<void(IncidentEvidence &)>>("change");
    QTest::addColumn<QByteArray>("words");
    const auto row = [](const char *name, std::function<void(IncidentEvidence &)> change, const char *words) {
        QTest::newRow(name) << std::move(change) << QByteArray(words);
    };
    const auto unread = [](EvidencePart part) {
        return [part](IncidentEvidence &evidence) {
            evidence.unread.append(
                {part, {base::ErrorCode::PermissionDenied, QStringLiteral("not allowed"), {}}});
            if (part == EvidencePart::Holds)
                evidence.holds.clear();
            if (part == EvidencePart::Audit)
                evidence.audit.clear();
            if (part == EvidencePart::Timeline)
                evidence.timeline = {};
        };
    };
    row("holds", unread(EvidencePart::Holds), "When the lock was held couldn't be read.");
    row("timeline", unread(EvidencePart::Timeline), "The times of observation couldn't be read.");
    row("audit", unread(EvidencePart::Audit), "Whether somebody tried to release the lock by force couldn't");
    row("events", unread(EvidencePart::Events), "Not read: the events of the lock. not allowed");
    row("alerts", unread(EvidencePart::Alerts), "Not read: the alerts. not allowed");
    row("advice", unread(EvidencePart::Advice), "Not read: the advice. not allowed");
    row("status", unread(EvidencePart::Status), "Not read: the state of the source. not allowed");
    row(
        "cut events", [](IncidentEvidence &evidence) { evidence.eventsCut = true; },
        "There were too many events");
    row(
        "cut holds", [](IncidentEvidence &evidence) { evidence.holdsCut = true; },
        "seen held at least 2 time");
    row(
        "cut audit", [](IncidentEvidence &evidence) { evidence.auditCut = true; },
        "earlier attempts may be missing");
    row(
        "cut advice", [](IncidentEvidence &evidence) { evidence.advice.more = true; },
        "further advice is possible");
    row(
        "hidden waiters", [](IncidentEvidence &evidence) { evidence.timeline.lanes[0].waits.clear(); },
        "none seen");
    row(
        "agents", [](IncidentEvidence &evidence) { evidence.leftOutAgents = {QStringLiteral("dc2")}; },
        "may know more about this lock: dc2.");
    row(
        "no holds", [](IncidentEvidence &evidence) { evidence.holds.clear(); },
        "The lock was not seen held in this time.");
    row(
        "no attempts", [](IncidentEvidence &evidence) { evidence.audit.clear(); },
        "Somebody may have changed the store directly.");
}

void TestIncidentReport::confesses()
{
    QFETCH(std::function<void(IncidentEvidence &)>, change);
    QFETCH(QByteArray, words);
    IncidentEvidence evidence = incidentNight();
    const auto text = [&evidence] { return htmlOf(evidence); };
    QVERIFY(!text().contains(words));
    change(evidence);
    QVERIFY2(text().contains(words), text().constData());
}

void TestIncidentReport::ends_data()
{
    QTest::addColumn<QByteArray>("end");
    QTest::addColumn<QString>("sentence");
    QTest::newRow("released") << QByteArray("released") << QStringLiteral("Its holder released it at");
    QTest::newRow("expired") << QByteArray("expired") << QStringLiteral("Its lease ended at");
    QTest::newRow("taken over") << QByteArray("taken_over")
                                << QStringLiteral("no release of the earlier holder");
    QTest::newRow("forced") << QByteArray("force_released")
                            << QStringLiteral("by kim: job hangs since the deployment. Approved by lee.");
    QTest::newRow("lost") << QByteArray("lost") << QStringLiteral("is not known.");
    QTest::newRow("gap") << QByteArray("gap") << QStringLiteral("Its end was not observed");
    QTest::newRow("open") << QByteArray()
                          << QStringLiteral("It had not ended when the lock was last observed");
}

void TestIncidentReport::ends()
{
    QFETCH(QByteArray, end);
    QFETCH(QString, sentence);
    IncidentEvidence evidence = incidentNight();
    evidence.holds[1].end = end;
    if (end.isEmpty())
        evidence.holds[1].toUs.reset();
    QVERIFY2(storyOf(evidence).contains(sentence), qPrintable(storyOf(evidence)));
}

void TestIncidentReport::observedTime_data()
{
    QTest::addColumn<std::function<void(IncidentEvidence &)>>("change");
    QTest::addColumn<double>("unobserved"); // minutes
    QTest::addColumn<QString>("share");
    const auto row = [](const char *name, double unobserved, const char *share,
                        std::function<void(IncidentEvidence &)> change) {
        QTest::newRow(name) << std::move(change) << unobserved << QString::fromLatin1(share);
    };
    row("one gap", 4, "93.3 %", [](IncidentEvidence &) {});
    row("none", 0, "the whole time", [](IncidentEvidence &evidence) { evidence.timeline.gaps.clear(); });
    row("open", 10, "83.3 %", [](IncidentEvidence &evidence) { evidence.timeline.gaps[0].toUs.reset(); });
    row("of another source", 0, "the whole time",
        [](IncidentEvidence &evidence) { evidence.timeline.gaps[0].source = QStringLiteral("billing"); });
    row("a part", 4, "at least 93.3 %",
        [](IncidentEvidence &evidence) { evidence.timeline.gaps[0].part = QStringLiteral("10.1.0.3:6379"); });
    row("before the journal", 19, "68.3 %",
        [](IncidentEvidence &evidence) { evidence.timeline.firstUs = evidence.range.fromUs + minutes(15); });
    row("an empty journal", 60, "0.0 %", [](IncidentEvidence &evidence) { evidence.timeline.firstUs = 0; });
    row("the source is gone", 12, "80.0 %",
        [](IncidentEvidence &evidence) { evidence.source->lastSeenUs = evidence.range.toUs - minutes(12); });
    row("a second", 1.0 / 60, "99.9 %", [](IncidentEvidence &evidence) {
        evidence.timeline.gaps[0].toUs = evidence.timeline.gaps[0].fromUs + 1'000'000;
    });
}

void TestIncidentReport::observedTime()
{
    QFETCH(std::function<void(IncidentEvidence &)>, change);
    QFETCH(double, unobserved);
    QFETCH(QString, share);
    IncidentEvidence evidence = incidentNight();
    change(evidence);
    QCOMPARE(factsOf(evidence).unobservedUs(), minutes(unobserved));
    QVERIFY2(storyOf(evidence).contains(share), qPrintable(storyOf(evidence)));
}

/** An uncertain beginning, such as one in a gap, lies below the holds before it. */
void TestIncidentReport::showsEachHold()
{
    IncidentEvidence evidence = incidentNight();
    evidence.holds[0].fromWindowUs = minutes(20);
    app::words::TimeFormat times;
    const ReportPicture drawn = reportOf(evidence, times).picture;
    QStringList order;
    for (const PictureShape &shape : drawn.shapes) {
        if (shape.kind == ShapeKind::Unsure)
            order.append(QStringLiteral("unsure"));
        else if (shape.kind == ShapeKind::Hold)
            order.append(QStringLiteral("hold"));
        QVERIFY(shape.rect.left() >= 0 && shape.rect.right() <= drawn.width);
        QVERIFY(shape.rect.top() >= 0 && shape.rect.bottom() <= drawn.height);
    }
    QCOMPARE(order, (QStringList{QStringLiteral("unsure"), QStringLiteral("hold"), QStringLiteral("hold")}));
}

/** A lock of a connection: the root is the head of the chain, not the lock's own holder. */
void TestIncidentReport::rootOfAChain()
{
    IncidentEvidence evidence = incidentNight();
    evidence.key.scheme = "sql.row";
    for (protocol::TimelineLane &lane : evidence.timeline.lanes)
        lane.key = evidence.key;
    domain::WaitGraph graph;
    graph.source = evidence.key.source;
    for (const char *id : {"17", "18", "19"}) {
        domain::Session session;
        session.id = id;
        graph.sessions.append(session);
    }
    domain::LockKey other = evidence.key;
    other.name = "149";
    graph.edges = {{"18", "17", other, evidence.range.fromUs, 0, {}},
                   {"19", "18", evidence.key, evidence.range.fromUs, 0, {}}};
    evidence.graphs = {graph};
    const IncidentFacts facts = factsOf(evidence);
    QVERIFY(facts.root);
    QCOMPARE(facts.root->holder, QByteArray("17"));
    QCOMPARE(facts.root->session.id, QByteArray("17"));
    QCOMPARE(facts.root->length, 3);
    QCOMPARE(facts.root->behind, 2);
    QVERIFY(!facts.root->deadlock);
    evidence.graphs[0].edges.append({"17", "19", other, evidence.range.fromUs, 0, {}});
    QVERIFY(storyOf(evidence).contains(QStringLiteral("a deadlock")));
}

void TestIncidentReport::record()
{
    IncidentEvidence evidence = incidentNight();
    evidence.eventsCut = true;
    evidence.unread.append(
        {EvidencePart::Alerts, {base::ErrorCode::PermissionDenied, QStringLiteral("no"), {}}});
    QJsonObject object = incidentObject(evidence);
    QCOMPARE(object.value(QStringLiteral("waiters")).toInt(), 3);
    QCOMPARE(object.value(QStringLiteral("unobserved_us")).toInteger(), minutes(4));
    QCOMPARE(object.value(QStringLiteral("holds")).toArray().size(), 2);
    QCOMPARE(object.value(QStringLiteral("cut")).toArray(), QJsonArray{QStringLiteral("events")});
    QCOMPARE(object.value(QStringLiteral("unread")).toArray().size(), 1);
    evidence.unread.append({EvidencePart::Timeline, {}});
    object = incidentObject(evidence);
    QVERIFY(object.value(QStringLiteral("waiters")).isNull());
    QVERIFY(object.value(QStringLiteral("unobserved_us")).isNull());
}

LOCKKEEPER_TEST(TestIncidentReport)

} // namespace tst_incident_report

#include "tst_incident_report.moc"
