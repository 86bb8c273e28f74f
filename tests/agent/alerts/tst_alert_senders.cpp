// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/alerts/delivery/alert_sender.h"
#include "agent/alerts/delivery/command_run.h"
#include "tests/agent/alerts/hook_server.h"
#include "tests/agent/alerts/sample_alerts.h"
#include "tests/support/certificates.h"
#include "tests/support/processor_time.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSslCertificate>
#include <QSslKey>

#include <csignal>
#include <thread>

namespace tst_alert_senders {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using namespace lockkeeper::agent;
using alerts::DueNotice;
using alerts::SendOutcome;
using SendResult = SendOutcome::SendResult;
using base::ErrorCode;

namespace {

const alerts::SendContext kContext{QStringLiteral("dc1"), agent::config::AlertLanguage::English,
                                   1'795'911'000'000'000};

DueNotice fired(const QByteArray &id = "a1")
{
    return {1, 1, firedAlert(id), false, 0};
}

agent::config::ReceiverSettings webhook(const QUrl &url, const QString &ca = {})
{
    agent::config::WebhookReceiver receiver;
    receiver.access.url = url;
    receiver.access.ca = ca;
    receiver.secret = "key";
    return {QStringLiteral("hook"), {}, {}, receiver};
}

SendOutcome sendTo(const agent::config::ReceiverSettings &receiver,
                   const QList<DueNotice> &notices = {fired()})
{
    const base::Interrupt interrupt;
    return alerts::makeSender(receiver, interrupt)->send(notices, kContext);
}

agent::config::ReceiverSettings mailTo(const QUrl &url, const QStringList &to)
{
    agent::config::EmailReceiver receiver;
    receiver.access.url = url;
    receiver.startTls = false;
    receiver.from = QStringLiteral("locks@example.com");
    receiver.to = to;
    return {QStringLiteral("mail"), {}, {}, receiver};
}

QSslConfiguration tlsOf(const Certificates &certificates, const QString &name)
{
    QSslConfiguration tls = QSslConfiguration::defaultConfiguration();
    tls.setLocalCertificateChain(QSslCertificate::fromPath(certificates.certificate(name)));
    QFile key(certificates.key(name));
    if (key.open(QIODevice::ReadOnly))
        tls.setPrivateKey(QSslKey(&key, QSsl::Ec));
    return tls;
}

QStringList shell(const char *script)
{
    return {QStringLiteral("/bin/sh"), QStringLiteral("-c"), QString::fromLatin1(script)};
}

} // namespace

class AlertSendersTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void answers_data();
    void answers();
    void unreachable();
    void hangIsInterrupted();
    void environmentHasNoProxies();
    void certificates_data();
    void certificates();
    void webhookRequest();
    void alertmanagerRequest();
    void pagerDutySendsBothHalves();
    void mailIsSent();
    void mailRefusals_data();
    void mailRefusals();
    void mailWithoutTlsIsNotSent();
    void commands_data();
    void commands();
    void commandGetsTheAlert();
    void commandThatHangsEndsWithItsChildren();
    void commandIsInterrupted();
    void silentCommandTakesNoProcessorTime();

private:
    Certificates m_certificates;
};

void AlertSendersTest::initTestCase()
{
    std::signal(SIGPIPE, SIG_IGN); // as the agent does
    const QString host = QStringLiteral("IP:127.0.0.1");
    QVERIFY(m_certificates.makeAuthority(QStringLiteral("ca")));
    QVERIFY(m_certificates.makeAuthority(QStringLiteral("other")));
    QVERIFY(m_certificates.make(QStringLiteral("good"), QStringLiteral("ca"), host));
    QVERIFY(m_certificates.make(QStringLiteral("elsewhere"), QStringLiteral("ca"),
                                QStringLiteral("DNS:hooks.example.com")));
    QVERIFY(
        m_certificates.make(QStringLiteral("expired"), QStringLiteral("ca"), host, Certificates::kExpired));
}

void AlertSendersTest::answers_data()
{
    QTest::addColumn<HookAnswer>("answer");
    QTest::addColumn<SendResult>("result");
    QTest::addColumn<QString>("cause");
    const auto row = [](const char *name, HookAnswer answer, SendResult result, const char *cause) {
        QTest::newRow(name) << answer << result << QString::fromLatin1(cause);
    };
    row("accepted", HookAnswer::Accepts, SendResult::Delivered, "");
    row("500", HookAnswer::Fails, SendResult::Retry, "the receiver answered 500: broken");
    row("400", HookAnswer::Refuses, SendResult::Rejected, "the receiver answered 400: bad \\x1b[1m");
    row("429", HookAnswer::TooMany, SendResult::Retry, "the receiver answered 429");
    row("a redirect", HookAnswer::Redirects, SendResult::Retry, "the receiver answered 302");
    row("accepted without end", HookAnswer::Endless, SendResult::Delivered, "");
    row("500 without end", HookAnswer::Floods, SendResult::Retry, "the receiver answered 500: xxx");
    row("a reset", HookAnswer::Resets, SendResult::Retry, "");
}

void AlertSendersTest::answers()
{
    QFETCH(const HookAnswer, answer);
    QFETCH(const SendResult, result);
    QFETCH(const QString, cause);
    HookServer server;
    server.answerNext({answer});
    QElapsedTimer timer;
    timer.start();
    const SendOutcome outcome = sendTo(webhook(server.url()));
    QVERIFY(timer.elapsed() < 10'000);
    QCOMPARE(outcome.result, result);
    QVERIFY2(cause.isEmpty() || outcome.error.cause.startsWith(cause), qPrintable(outcome.error.cause));
    QVERIFY(outcome.error.cause.size() < 300);
    QCOMPARE(server.requests().size(), 1); // no redirect is followed
    if (answer == HookAnswer::TooMany)
        QCOMPARE(outcome.retryAfterUs, std::optional<qint64>(2 * base::kSecondUs));
    if (answer == HookAnswer::Resets)
        QCOMPARE(outcome.error.code, ErrorCode::ConnectionLost);
}

void AlertSendersTest::unreachable()
{
    QUrl url;
    {
        const HookServer server;
        url = server.url();
    }
    const SendOutcome outcome = sendTo(webhook(url));
    QCOMPARE(outcome.result, SendResult::Retry);
    QCOMPARE(outcome.error.code, ErrorCode::Unreachable);
}

void AlertSendersTest::hangIsInterrupted()
{
    HookServer server;
    server.answerNext({HookAnswer::Hangs});
    base::Interrupt interrupt;
    SendOutcome outcome;
    std::thread sending(
        [&] { outcome = alerts::makeSender(webhook(server.url()), interrupt)->send({fired()}, kContext); });
    const bool arrived = QTest::qWaitFor([&server] { return !server.requests().isEmpty(); }, 10'000);
    QElapsedTimer timer;
    timer.start();
    interrupt.raise();
    sending.join();
    QVERIFY(arrived);
    QVERIFY(timer.elapsed() < 1'500);
    QCOMPARE(outcome.error.code, ErrorCode::Shutdown);
}

void AlertSendersTest::environmentHasNoProxies()
{
    HookServer server;
    for (const char *name : {"http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"})
        qputenv(name, "http://127.0.0.1:1");
    QCOMPARE(sendTo(webhook(server.url())).result, SendResult::Delivered);
    auto through = webhook(QUrl(QStringLiteral("http://hooks.example.com/hook")));
    std::get<agent::config::WebhookReceiver>(through.target).access.proxy = server.url(QString());
    QCOMPARE(sendTo(through).result, SendResult::Delivered);
    QVERIFY(server.requests().last().line.startsWith("POST http://hooks.example.com/hook "));
    for (const char *name : {"http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"})
        qunsetenv(name);
}

void AlertSendersTest::certificates_data()
{
    QTest::addColumn<QString>("certificate");
    QTest::addColumn<QString>("authority");
    QTest::addColumn<bool>("accepted");
    QTest::newRow("good") << QStringLiteral("good") << QStringLiteral("ca") << true;
    QTest::newRow("another authority") << QStringLiteral("good") << QStringLiteral("other") << false;
    QTest::newRow("the system's authorities") << QStringLiteral("good") << QString() << false;
    QTest::newRow("another host") << QStringLiteral("elsewhere") << QStringLiteral("ca") << false;
    QTest::newRow("expired") << QStringLiteral("expired") << QStringLiteral("ca") << false;
}

void AlertSendersTest::certificates()
{
    QFETCH(const QString, certificate);
    QFETCH(const QString, authority);
    QFETCH(const bool, accepted);
    const HookServer server(tlsOf(m_certificates, certificate));
    const QString ca = authority.isEmpty() ? QString() : m_certificates.certificate(authority);
    const SendOutcome outcome = sendTo(webhook(server.url(), ca));
    QCOMPARE(server.requests().size(), accepted ? 1 : 0);
    QCOMPARE(outcome.result, accepted ? SendResult::Delivered : SendResult::Retry);
    if (!accepted)
        QCOMPARE(outcome.error.code, ErrorCode::Authentication);
}

void AlertSendersTest::webhookRequest()
{
    const HookServer server;
    auto receiver = webhook(server.url());
    std::get<agent::config::WebhookReceiver>(receiver.target).access.token = "t0ken";
    QCOMPARE(sendTo(receiver).result, SendResult::Delivered);
    const HookRequest request = server.requests().first();
    QCOMPARE(request.line, QByteArray("POST /hook HTTP/1.1"));
    QVERIFY(request.head.contains("Content-Type: application/json\r\n"));
    QVERIFY(request.head.contains("Authorization: Bearer t0ken"));
    const qsizetype at = request.head.indexOf("X-Lockkeeper-Signature: sha256=");
    QVERIFY(at >= 0);
    QVERIFY(QJsonDocument::fromJson(request.body).isObject());
}

void AlertSendersTest::alertmanagerRequest()
{
    const HookServer server;
    agent::config::AlertmanagerReceiver target;
    target.access.url = server.url(QStringLiteral("/am/"));
    target.access.user = QStringLiteral("u");
    target.access.password = "p";
    const agent::config::ReceiverSettings receiver{QStringLiteral("am"), {}, {}, target};
    QCOMPARE(sendTo(receiver, {fired("a"), fired("b")}).result, SendResult::Delivered);
    QCOMPARE(server.requests().size(), 1);
    QCOMPARE(server.requests().first().line, QByteArray("POST /am/api/v2/alerts HTTP/1.1"));
    QVERIFY(server.requests().first().head.contains("Authorization: Basic dTpw"));
    QVERIFY(alerts::sendBatch(receiver) > 1);
    QVERIFY(alerts::repeatIntervalUs(receiver));
}

void AlertSendersTest::pagerDutySendsBothHalves()
{
    HookServer server;
    agent::config::PagerDutyReceiver target;
    target.access.url = server.url();
    target.routingKey = "key";
    const DueNotice late{1, 1, overAlert(firedAlert("a")), false, 0};
    QCOMPARE(sendTo({QStringLiteral("pd"), {}, {}, target}, {late}).result, SendResult::Delivered);
    QCOMPARE(server.requests().size(), 2);
    QVERIFY(server.bodies().last().contains("\"resolve\""));
    QCOMPARE(server.connections(), 1); // the connection is kept
    server.answerNext({HookAnswer::Accepts, HookAnswer::Fails});
    QCOMPARE(sendTo({QStringLiteral("pd"), {}, {}, target}, {late}).result, SendResult::Retry);
}

void AlertSendersTest::mailIsSent()
{
    const MailSink sink;
    QCOMPARE(sendTo(mailTo(sink.url(), {QStringLiteral("a@b.c"), QStringLiteral("d@e.f")})).result,
             SendResult::Delivered);
    QCOMPARE(sink.messages().size(), 1);
    QVERIFY(
        sink.messages().first().contains("\r\nSubject: [Lockkeeper] Warning: stuck: lock:a1 (orders)\r\n"));
    const QByteArrayList commands = sink.commands();
    QVERIFY(std::any_of(commands.cbegin(), commands.cend(), [](const QByteArray &command) {
        return command.startsWith("MAIL FROM:<locks@example.com>");
    }));
    QVERIFY(commands.contains("RCPT TO:<a@b.c>") && commands.contains("RCPT TO:<d@e.f>"));
}

void AlertSendersTest::mailRefusals_data()
{
    QTest::addColumn<QByteArray>("command");
    QTest::addColumn<QByteArray>("answer");
    QTest::addColumn<SendResult>("result");
    QTest::addColumn<int>("messages");
    QTest::newRow("one recipient") << QByteArray("RCPT TO:<a@b.c>") << QByteArray("550 unknown")
                                   << SendResult::Delivered << 1;
    QTest::newRow("every recipient") << QByteArray("RCPT") << QByteArray("550 unknown")
                                     << SendResult::Rejected << 0;
    QTest::newRow("for now") << QByteArray("RCPT") << QByteArray("450 later") << SendResult::Retry << 0;
    QTest::newRow("the message") << QByteArray(".") << QByteArray("554 spam") << SendResult::Rejected << 1;
    QTest::newRow("the message, for now")
        << QByteArray(".") << QByteArray("451 full") << SendResult::Retry << 1;
    QTest::newRow("nonsense") << QByteArray("MAIL") << QByteArray("hello") << SendResult::Retry << 0;
}

void AlertSendersTest::mailRefusals()
{
    QFETCH(const QByteArray, command);
    QFETCH(const QByteArray, answer);
    QFETCH(const SendResult, result);
    QFETCH(const int, messages);
    const MailSink sink(
        [=](const QByteArray &given) { return given.startsWith(command) ? answer : QByteArray(); });
    const SendOutcome outcome =
        sendTo(mailTo(sink.url(), {QStringLiteral("a@b.c"), QStringLiteral("d@e.f")}));
    QVERIFY2(outcome.result == result, qPrintable(outcome.error.line()));
    QCOMPARE(sink.messages().size(), messages);
}

void AlertSendersTest::mailWithoutTlsIsNotSent()
{
    const MailSink sink;
    auto receiver = mailTo(sink.url(), {QStringLiteral("a@b.c")});
    std::get<agent::config::EmailReceiver>(receiver.target).startTls = true;
    const SendOutcome outcome = sendTo(receiver);
    QCOMPARE(outcome.result, SendResult::Retry);
    QVERIFY(sink.messages().isEmpty());
}

void AlertSendersTest::commands_data()
{
    QTest::addColumn<QStringList>("command");
    QTest::addColumn<int>("code"); // of the error; -1: none
    const auto row = [](const char *name, const QStringList &command, int code) {
        QTest::newRow(name) << command << code;
    };
    row("works", shell("cat > /dev/null"), -1);
    row("doesn't read", shell("exit 0"), -1);
    row("fails", shell("echo sorry >&2; exit 3"), int(ErrorCode::Unknown));
    row("is missing", {QStringLiteral("/nowhere/program")}, int(ErrorCode::NotFound));
    row("isn't executable", {QStringLiteral("/etc/passwd")}, int(ErrorCode::NotFound));
    row("prints for ever", shell("while :; do echo yes; done"), int(ErrorCode::TooLarge));
    row("hangs", shell("sleep 60"), int(ErrorCode::Timeout));
    row("hangs deaf", shell("trap '' TERM INT HUP; while :; do sleep 60; done"), int(ErrorCode::Timeout));
    row("is no shell", {QStringLiteral("/bin/echo"), QStringLiteral("$(touch /tmp/x); exit 1")}, -1);
}

void AlertSendersTest::commands()
{
    QFETCH(const QStringList, command);
    QFETCH(const int, code);
    const base::Interrupt interrupt;
    const auto done =
        alerts::runCommand(command, {}, QByteArray(100'000, 'x'), interrupt, {1'000, 64 * 1'024});
    QCOMPARE(done ? -1 : int(done.error().code), code);
    if (code == int(ErrorCode::Unknown))
        QCOMPARE(done.error().cause, QStringLiteral("the command ended with status 3: sorry"));
}

void AlertSendersTest::commandGetsTheAlert()
{
    QTemporaryDir folder;
    qputenv("LK_TEST_SECRET", "hidden");
    const agent::config::CommandReceiver target{{QStringLiteral("/bin/sh"), QStringLiteral("-c"),
                                                 QStringLiteral("cat > \"$1/in\"; env > \"$1/env\""),
                                                 QStringLiteral("sh"), folder.path()}};
    const SendOutcome outcome = sendTo({QStringLiteral("c"), {}, {}, target});
    qunsetenv("LK_TEST_SECRET");
    QVERIFY2(outcome.result == SendResult::Delivered, qPrintable(outcome.error.line()));
    QFile input(folder.filePath(QStringLiteral("in")));
    QVERIFY(input.open(QIODevice::ReadOnly));
    QCOMPARE(QJsonDocument::fromJson(input.readAll()).object().value(QLatin1String("id")).toString(),
             QStringLiteral("a1"));
    QFile environment(folder.filePath(QStringLiteral("env")));
    QVERIFY(environment.open(QIODevice::ReadOnly));
    const QByteArray variables = environment.readAll();
    QVERIFY(variables.contains("LOCKKEEPER_ALERT_LOCK=lock:a1\n"));
    QVERIFY(variables.contains("LOCKKEEPER_ALERT_PHASE=active\n"));
    QVERIFY(variables.contains("PATH="));
    QVERIFY(!variables.contains("LK_TEST_SECRET") && !variables.contains("HOME="));
}

void AlertSendersTest::commandThatHangsEndsWithItsChildren()
{
    QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("pid"));
    const base::Interrupt interrupt;
    const QStringList command{QStringLiteral("/bin/sh"), QStringLiteral("-c"),
                              QStringLiteral("sleep 60 & echo $! > \"$1\"; wait"), QStringLiteral("sh"),
                              file};
    QProcessEnvironment environment;
    environment.insert(QStringLiteral("PATH"), QStringLiteral("/usr/bin:/bin"));
    const auto done = alerts::runCommand(command, environment, {}, interrupt, {1'000, 1'024});
    QCOMPARE(done.error().code, ErrorCode::Timeout);
    QFile pid(file);
    QVERIFY(pid.open(QIODevice::ReadOnly));
    const pid_t child = pid.readAll().trimmed().toInt();
    QVERIFY(child > 0);
    // The child is an orphan that its new parent reaps: a zombie has no command line.
    QTRY_VERIFY(::kill(child, 0) != 0 || [child] {
        QFile line(QStringLiteral("/proc/%1/cmdline").arg(child));
        return !line.open(QIODevice::ReadOnly) || line.readAll().isEmpty();
    }());
}

void AlertSendersTest::commandIsInterrupted()
{
    base::Interrupt interrupt;
    interrupt.raise();
    QElapsedTimer timer;
    timer.start();
    const auto done = alerts::runCommand(shell("sleep 60"), {}, {}, interrupt);
    QCOMPARE(done.error().code, ErrorCode::Shutdown);
    QVERIFY(timer.elapsed() < 2'000);
}

void AlertSendersTest::silentCommandTakesNoProcessorTime()
{
    const base::Interrupt interrupt;
    const qint64 beforeMs = processorMs();
    const auto done =
        alerts::runCommand(shell("exec >&- 2>&-; /bin/sleep 60"), {}, {}, interrupt, {1'000, 1'024});
    QCOMPARE(done.error().code, ErrorCode::Timeout);
    QVERIFY(processorMs() - beforeMs < 500);
}

LOCKKEEPER_TEST(AlertSendersTest)

} // namespace tst_alert_senders

#include "tst_alert_senders.moc"
