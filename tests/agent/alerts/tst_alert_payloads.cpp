// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/alerts/delivery/command_run.h"
#include "agent/alerts/delivery/mail_message.h"
#include "agent/alerts/delivery/payloads.h"
#include "agent/alerts/delivery/retry_schedule.h"
#include "tests/agent/alerts/sample_alerts.h"
#include "tests/support/test_program.h"

#include <QJsonArray>
#include <QJsonDocument>

namespace tst_alert_payloads {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using namespace lockkeeper::agent::alerts;
using agent::config::AlertLanguage;
using domain::Alert;

namespace {

constexpr qint64 kNowUs = 1'795'911'000'000'000; // 2026-11-29T00:10:00Z

const SendContext kContext{QStringLiteral("dc1"), AlertLanguage::English, kNowUs};
const SendContext kChinese{QStringLiteral("dc1"), AlertLanguage::Chinese, kNowUs};

DueNotice noticeOf(const Alert &alert, bool firingDelivered = false)
{
    return {1, 1, alert, firingDelivered, 0};
}

DueNotice named(const QByteArray &lock)
{
    Alert alert = firedAlert("a1");
    alert.lock.name = lock;
    alert.lock.place = lock;
    alert.holder = lock;
    alert.detail.insert(QStringLiteral("chain"), QJsonArray{QString::fromUtf8(lock)});
    return noticeOf(alert);
}

QJsonObject parsed(const QByteArray &json)
{
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(json, &error);
    if (error.error != QJsonParseError::NoError)
        QTest::qFail(qPrintable(error.errorString()), __FILE__, __LINE__);
    return document.isArray() ? document.array().first().toObject() : document.object();
}

agent::config::EmailReceiver mailTo(const QStringList &to)
{
    agent::config::EmailReceiver receiver;
    receiver.from = QStringLiteral("locks@example.com");
    receiver.to = to;
    return receiver;
}

QByteArray headerOf(const QByteArray &mail, const char *name)
{
    const QByteArray head = mail.first(mail.indexOf("\r\n\r\n") + 2);
    const qsizetype at = QByteArray("\r\n" + head).indexOf(QByteArray("\r\n") + name + ": ");
    if (at < 0)
        return {};
    QByteArray value = head.sliced(at + qsizetype(qstrlen(name)) + 2);
    qsizetype end = value.indexOf("\r\n");
    while (end >= 0 && value.size() > end + 2 && value.at(end + 2) == ' ')
        end = value.indexOf("\r\n", end + 2);
    return value.first(end);
}

QString bodyOf(const QByteArray &mail)
{
    QByteArray text;
    for (const QByteArray &line : mail.sliced(mail.indexOf("\r\n\r\n") + 4).split('\n'))
        text += QByteArray::fromBase64(line.trimmed());
    return QString::fromUtf8(text);
}

} // namespace

class AlertPayloadsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void texts_data();
    void texts();
    void levels_data();
    void levels();
    void namesTheVerdictOnTheHolder();
    void bothLanguagesAreWhole();
    void alertmanagerOfEachPhase();
    void pagerDutyOfEachPhase();
    void webhookIsSigned();
    void mailIsOneConversation();
    void longSubjectIsEncoded();
    void hostileNames_data();
    void hostileNames();
    void chatMentionsNobody();
    void delays_data();
    void delays();
};

void AlertPayloadsTest::texts_data()
{
    QTest::addColumn<Alert>("alert");
    QTest::addColumn<bool>("firingDelivered");
    QTest::addColumn<QString>("english");
    QTest::addColumn<QString>("chinese");
    const auto row = [](const char *name, const Alert &alert, bool delivered, const char *english,
                        const char *chinese) {
        QTest::newRow(name) << alert << delivered << QString::fromUtf8(english) << QString::fromUtf8(chinese);
    };
    const Alert stuck = firedAlert("a1");
    row("fired", stuck, false, "Warning: stuck: lock:a1 (orders)", "警告：卡死：lock:a1 (orders)");
    row("over", overAlert(stuck), true, "Over: stuck: lock:a1 (orders)", "已结束：卡死：lock:a1 (orders)");
    row("both halves", overAlert(stuck), false,
        "Already over (fired 2026-11-29 00:01:00, over 2026-11-29 00:08:00 UTC): stuck: lock:a1 (orders)",
        "已结束（触发于 2026-11-29 00:01:00，结束于 2026-11-29 00:08:00，UTC）：卡死：lock:a1 (orders)");
    Alert down = stuck;
    down.lock = {};
    down.condition = domain::AlertCondition::SourceDown;
    down.severity = domain::AlertSeverity::Critical;
    row("a source", down, false, "Critical: source unreachable: orders", "严重：数据源无法连接：orders");
    down.source.clear();
    down.condition = domain::AlertCondition::AgentStalled;
    row("the agent", down, false, "Critical: agent stalled: dc1", "严重：Agent 停顿：dc1");
    Alert merged = overAlert(stuck);
    merged.rule = kSummaryRule;
    merged.value = 9'500;
    row("merged", merged, false,
        "9500 alerts from 2026-11-29 00:01:00 to 2026-11-29 00:08:00 UTC couldn't be delivered in time",
        "2026-11-29 00:01:00 至 2026-11-29 00:08:00（UTC）的 9500 条告警未能及时送达");
    Alert test = overAlert(stuck, 0);
    test.rule = kTestRule;
    row("a test", test, false, "Test message of the Lockkeeper agent dc1",
        "来自 Lockkeeper Agent dc1 的测试消息");
}

void AlertPayloadsTest::texts()
{
    QFETCH(const Alert, alert);
    QFETCH(const bool, firingDelivered);
    QFETCH(const QString, english);
    QFETCH(const QString, chinese);
    const DueNotice notice = noticeOf(alert, firingDelivered);
    QCOMPARE(alertText(notice, kContext, TextStyle::Plain).headline, english);
    QCOMPARE(alertText(notice, kChinese, TextStyle::Plain).headline, chinese);
}

void AlertPayloadsTest::levels_data()
{
    QTest::addColumn<domain::AlertCondition>("condition");
    QTest::addColumn<qint64>("value");
    QTest::addColumn<QString>("line");
    using domain::AlertCondition;
    const auto row = [](AlertCondition condition, qint64 value, const char *line) {
        QTest::newRow(line) << condition << value << QString::fromUtf8(line);
    };
    row(AlertCondition::LongestWait, 12'340'000, "Value: 12.3s (threshold 1.0s)");
    row(AlertCondition::WaitingNow, 125'000'000, "Value: 2m 5s (threshold 1.0s)");
    row(AlertCondition::HeldFor, 7'380'000'000, "Value: 2h 3m (threshold 1.0s)");
    row(AlertCondition::Absent, 180'000'000'000, "Value: 2d 2h (threshold 1.0s)");
    row(AlertCondition::Waiters, 12, "Value: 12 (threshold 1000000)");
    row(AlertCondition::HeldRatio, 5'250, "Value: 5.3× (threshold 1000.0×)");
    row(AlertCondition::LeaseMargin, 123, "Value: 12.3% (threshold 100000.0%)");
}

void AlertPayloadsTest::levels()
{
    QFETCH(const domain::AlertCondition, condition);
    QFETCH(const qint64, value);
    QFETCH(const QString, line);
    Alert alert = firedAlert("a");
    alert.condition = condition;
    alert.value = value;
    alert.threshold = 1'000'000;
    const AlertText text = alertText(noticeOf(alert), kContext, TextStyle::Plain);
    QVERIFY2(text.lines.contains(line), qPrintable(text.lines.join(QLatin1Char('\n'))));
}

void AlertPayloadsTest::namesTheVerdictOnTheHolder()
{
    Alert alert = firedAlert("a");
    alert.detail.insert(QStringLiteral("liveness"),
                        QJsonObject{{QStringLiteral("verdict"), QStringLiteral("dead")},
                                    {QStringLiteral("evidence"), QStringLiteral("pod_gone")},
                                    {QStringLiteral("target"), QStringLiteral("shop/orders-7f9")},
                                    {QStringLiteral("checked_us"), qint64(1'795'000'000'000'000)}});
    const AlertText english = alertText(noticeOf(alert), kContext, TextStyle::Plain);
    QVERIFY2(english.lines.contains(QStringLiteral(
                 "Is the holder alive: dead (asked shop/orders-7f9 at 2026-11-18 11:06:40 UTC)")),
             qPrintable(english.lines.join(QLatin1Char('\n'))));
    const AlertText chinese = alertText(noticeOf(alert), kChinese, TextStyle::Plain);
    QVERIFY2(chinese.lines.contains(QString::fromUtf8(
                 "持有者是否存活：已失效（于 2026-11-18 11:06:40 UTC 探测 shop/orders-7f9）")),
             qPrintable(chinese.lines.join(QLatin1Char('\n'))));
    alert.detail.insert(QStringLiteral("liveness"), QStringLiteral("dead"));
    QVERIFY(!alertText(noticeOf(alert), kContext, TextStyle::Plain)
                 .lines.join(QLatin1Char('\n'))
                 .contains(QLatin1String("alive")));
}

void AlertPayloadsTest::bothLanguagesAreWhole()
{
    for (int i = 0; i <= int(domain::kLastAlertCondition); ++i) {
        Alert alert = firedAlert("a");
        alert.condition = domain::AlertCondition(i);
        const QString english = alertText(noticeOf(alert), kContext, TextStyle::Plain).headline;
        const QString chinese = alertText(noticeOf(alert), kChinese, TextStyle::Plain).headline;
        QVERIFY(english.startsWith(QLatin1String("Warning: ")) && !english.contains(QLatin1String(": :")));
        QVERIFY(chinese.size() > english.size() / 3 && chinese != english);
        QVERIFY(!chinese.contains(QString::fromUtf8("：：")));
    }
}

void AlertPayloadsTest::alertmanagerOfEachPhase()
{
    const Alert alert = firedAlert("a1");
    const QJsonObject fired = parsed(alertmanagerBody({noticeOf(alert)}, kContext));
    const QJsonObject labels = fired.value(QLatin1String("labels")).toObject();
    QCOMPARE(labels.value(QLatin1String("alertname")).toString(), QStringLiteral("stuck"));
    QCOMPARE(labels.value(QLatin1String("severity")).toString(), QStringLiteral("warning"));
    QCOMPARE(labels.value(QLatin1String("lock")).toString(), QStringLiteral("lock:a1"));
    QCOMPARE(labels.value(QLatin1String("alert_id")).toString(), QStringLiteral("a1"));
    QCOMPARE(fired.value(QLatin1String("startsAt")).toString(), QStringLiteral("2026-11-29T00:01:00.000Z"));
    QVERIFY(!fired.contains(QLatin1String("endsAt")));
    SendContext other = kContext;
    other.agent = QStringLiteral("dc2");
    QCOMPARE(parsed(alertmanagerBody({noticeOf(alert)}, other)).value(QLatin1String("labels")).toObject(),
             labels);
    const QJsonObject over = parsed(alertmanagerBody({noticeOf(overAlert(alert), true)}, kContext));
    QCOMPARE(over.value(QLatin1String("endsAt")).toString(), QStringLiteral("2026-11-29T00:08:00.000Z"));
    QCOMPARE(over.value(QLatin1String("labels")).toObject(), labels);
    const QJsonObject late = parsed(alertmanagerBody({noticeOf(overAlert(alert))}, kContext));
    QCOMPARE(late.value(QLatin1String("endsAt")).toString(), QStringLiteral("2026-11-29T00:12:00.000Z"));
}

void AlertPayloadsTest::pagerDutyOfEachPhase()
{
    const auto actions = [](const Alert &alert, bool delivered) {
        QStringList list;
        for (const QByteArray &body : pagerDutyBodies(noticeOf(alert, delivered), kContext, "key")) {
            const QJsonObject event = parsed(body);
            if (event.value(QLatin1String("dedup_key")).toString() != QLatin1String("a1") ||
                event.value(QLatin1String("routing_key")).toString() != QLatin1String("key"))
                return QStringList{QStringLiteral("wrong keys")};
            list.append(event.value(QLatin1String("event_action")).toString());
        }
        return list;
    };
    Alert alert = firedAlert("a1");
    QCOMPARE(actions(alert, false), QStringList{QStringLiteral("trigger")});
    QCOMPARE(actions(overAlert(alert), true), QStringList{QStringLiteral("resolve")});
    QCOMPARE(actions(overAlert(alert), false),
             QStringList({QStringLiteral("trigger"), QStringLiteral("resolve")}));
    const QJsonObject late = parsed(pagerDutyBodies(noticeOf(overAlert(alert)), kContext, "key").first());
    QCOMPARE(late.value(QLatin1String("payload")).toObject().value(QLatin1String("severity")).toString(),
             QStringLiteral("info"));
    alert.acknowledgedUs = kNowUs;
    QCOMPARE(actions(alert, false), QStringList({QStringLiteral("trigger"), QStringLiteral("acknowledge")}));
    QCOMPARE(actions(alert, true), QStringList{QStringLiteral("acknowledge")});
}

void AlertPayloadsTest::webhookIsSigned()
{
    // RFC 4231, test case 2.
    QCOMPARE(webhookSignature("what do ya want for nothing?", "Jefe"),
             QByteArray("sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"));
    const QJsonObject body = parsed(webhookBody(noticeOf(firedAlert("a1")), kContext));
    QCOMPARE(body.value(QLatin1String("phase")).toString(), QStringLiteral("active"));
    QCOMPARE(body.value(QLatin1String("fired_us")).toInteger(), 1'795'910'460'000'000);
    QVERIFY(body.value(QLatin1String("resolved_us")).isNull());
    QVERIFY(body.value(QLatin1String("text"))
                .toString()
                .startsWith(QLatin1String("Warning: stuck: `lock:a1` (`orders`)\nSeverity: Warning\n")));
}

void AlertPayloadsTest::mailIsOneConversation()
{
    const auto receiver = mailTo({QStringLiteral("ann@example.com"), QStringLiteral("bob@example.com")});
    const QByteArray fired = mailMessage(noticeOf(firedAlert("a1")), kContext, receiver);
    const QByteArray over = mailMessage(noticeOf(overAlert(firedAlert("a1")), true), kContext, receiver);
    QCOMPARE(headerOf(fired, "Message-ID"), QByteArray("<a1.1795910460000000.0.fired@example.com>"));
    QCOMPARE(headerOf(over, "References"), headerOf(fired, "Message-ID"));
    QVERIFY(headerOf(over, "Message-ID") != headerOf(fired, "Message-ID"));
    QCOMPARE(headerOf(fired, "To"), QByteArray("ann@example.com,\r\n bob@example.com"));
    QCOMPARE(headerOf(fired, "Date"), QByteArray("Sun, 29 Nov 2026 00:10:00 +0000"));
    QCOMPARE(headerOf(fired, "Subject"), QByteArray("[Lockkeeper] Warning: stuck: lock:a1 (orders)"));
    QVERIFY(bodyOf(fired).contains(QLatin1String("Holder: worker-1\r\n")));
}

void AlertPayloadsTest::longSubjectIsEncoded()
{
    DueNotice notice = named(QByteArray("锁").repeated(60));
    const QByteArray mail = mailMessage(notice, kContext, mailTo({QStringLiteral("a@b.c")}));
    QByteArray subject;
    for (const QByteArray &word : headerOf(mail, "Subject").split(' ')) {
        QVERIFY(word.trimmed().size() <= 75);
        QVERIFY(word.startsWith("=?UTF-8?B?"));
        const QByteArray part = QByteArray::fromBase64(word.trimmed().sliced(10).chopped(2));
        QVERIFY(QString::fromUtf8(part).toUtf8() == part); // no character is cut
        subject += part;
    }
    QCOMPARE(QString::fromUtf8(subject), QString(QLatin1String("[Lockkeeper] ") +
                                                 alertText(notice, kContext, TextStyle::Plain).headline));
}

void AlertPayloadsTest::hostileNames_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::newRow("header injection") << QByteArray("x\r\nBcc: all@example.com\r\n\r\nhello");
    QTest::newRow("end of a mail") << QByteArray("x\r\n.\r\nMAIL FROM:<a@b>");
    QTest::newRow("escapes") << QByteArray("\x1b[2J\x07\x9b");
    QTest::newRow("not UTF-8") << QByteArray("\xff\xfe\x80 a");
    QTest::newRow("JSON") << QByteArray("\",\"severity\":\"info\\");
    QTest::newRow("NUL") << QByteArray("a\0b", 3);
    QTest::newRow("bidirectional") << QByteArray("a\xe2\x80\xae"
                                                 "b");
    QTest::newRow("an encoded word") << QByteArray("=?UTF-8?B?SGk=?=");
    QTest::newRow("placeholders") << QByteArray("%1 %2 %L1 $(id) `id`");
    QTest::newRow("long") << QByteArray(100'000, 'x');
    QTest::newRow("long outside of the basic plane") << QByteArray("\xf0\x9f\x94\x92").repeated(5'000);
}

void AlertPayloadsTest::hostileNames()
{
    QFETCH(const QByteArray, name);
    const DueNotice notice = named(name);
    QVERIFY(parsed(webhookBody(notice, kContext)).contains(QLatin1String("text")));
    QCOMPARE(parsed(webhookBody(notice, kContext)).value(QLatin1String("severity")).toString(),
             QStringLiteral("warning"));
    QVERIFY(parsed(alertmanagerBody({notice}, kContext)).contains(QLatin1String("labels")));
    const QJsonObject trigger = parsed(pagerDutyBodies(notice, kContext, "key").first());
    QVERIFY(trigger.value(QLatin1String("payload"))
                .toObject()
                .value(QLatin1String("summary"))
                .toString()
                .size() <= 1'024);
    const QByteArray mail = mailMessage(notice, kContext, mailTo({QStringLiteral("a@b.c")}));
    QCOMPARE(mail.count("\r\n\r\n"), 1);
    QVERIFY(headerOf(mail, "Bcc").isNull());
    QCOMPARE(mail.count('\n'), mail.count("\r\n"));
    for (const QByteArray &line : mail.split('\n'))
        QVERIFY(line.size() < 998);
    QVERIFY(!bodyOf(mail).contains(QLatin1String("\r\nBcc")));
    for (const AlertText &text :
         {alertText(notice, kContext, TextStyle::Plain), alertText(notice, kContext, TextStyle::Chat)}) {
        QVERIFY(text.headline.size() < 1'000);
        const QStringList lines = text.lines + QStringList{text.headline};
        for (const QString &line : lines)
            QVERIFY(std::none_of(line.cbegin(), line.cend(),
                                 [](QChar c) { return c.category() == QChar::Other_Control; }));
    }
    for (const QString &variable : commandEnvironment(notice, kContext).toStringList())
        QVERIFY(
            std::none_of(variable.cbegin(), variable.cend(), [](QChar c) { return c < QLatin1Char(' '); }));
}

void AlertPayloadsTest::chatMentionsNobody()
{
    const AlertText text = alertText(named("<!channel> & `@all`"), kContext, TextStyle::Chat);
    QCOMPARE(text.headline, QStringLiteral("Warning: stuck: `&lt;!channel&gt; &amp; '@all'` (`orders`)"));
}

void AlertPayloadsTest::delays_data()
{
    QTest::addColumn<qint64>("failures");
    QTest::addColumn<double>("random");
    QTest::addColumn<qint64>("delayMs");
    const auto row = [](qint64 failures, double random, qint64 delayMs) {
        QTest::addRow("%lld, %g", static_cast<long long>(failures), random) << failures << random << delayMs;
    };
    row(1, 0, 500);
    row(1, 1, 1'000);
    row(2, 0.5, 1'500);
    row(8, 1, 128'000);
    row(9, 1, 256'000);
    row(10, 0, 150'000);
    row(10, 1, 300'000);
    row(1'000'000'000'000, 1, 300'000);
    row(0, 1, 1'000);
}

void AlertPayloadsTest::delays()
{
    QFETCH(const qint64, failures);
    QFETCH(const double, random);
    QTEST(retryDelayUs(failures, random) / 1'000, "delayMs");
}

LOCKKEEPER_TEST(AlertPayloadsTest)

} // namespace tst_alert_payloads

#include "tst_alert_payloads.moc"
