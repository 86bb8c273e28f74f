// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/alerts/delivery/alert_sender.h"
#include "tests/agent/alerts/hook_server.h"
#include "tests/agent/alerts/sample_alerts.h"
#include "tests/support/certificates.h"
#include "tests/support/free_port.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStandardPaths>
#include <QTcpSocket>

#include <csignal>
#include <sys/prctl.h>

namespace tst_alert_peers {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using namespace lockkeeper::agent;
using alerts::DueNotice;
using SendResult = alerts::SendOutcome::SendResult;

namespace {

qint64 nowUs()
{
    return base::SystemClock().wallUs();
}

DueNotice notice(const domain::Alert &alert, bool firingDelivered = false)
{
    return {1, 1, alert, firingDelivered, 0};
}

domain::Alert firedNow(const QByteArray &id)
{
    return firedAlert(id, nowUs());
}

/** A server of other people's that ends with this object. */
class PeerProcess
{
public:
    ~PeerProcess()
    {
        m_process.kill();
        m_process.waitForFinished();
    }
    void start(const QString &program, const QStringList &arguments)
    {
        m_process.setChildProcessModifier([] { ::prctl(PR_SET_PDEATHSIG, SIGKILL); });
        m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        m_process.start(program, arguments);
    }
    QByteArray line()
    {
        while (!m_process.canReadLine() && m_process.waitForReadyRead(20'000)) {
        }
        return m_process.readLine();
    }

private:
    QProcess m_process;
};

bool listens(quint16 port)
{
    QTcpSocket socket;
    socket.connectToHost(QHostAddress(QHostAddress::LocalHost), port);
    return socket.waitForConnected(1'000);
}

QJsonArray alertsOf(quint16 port)
{
    QTcpSocket socket;
    socket.connectToHost(QHostAddress(QHostAddress::LocalHost), port);
    if (!socket.waitForConnected(5'000))
        return {};
    socket.write("GET /api/v2/alerts HTTP/1.0\r\nHost: localhost\r\n\r\n");
    while (socket.waitForReadyRead(5'000)) {
    }
    const QByteArray reply = socket.readAll();
    return QJsonDocument::fromJson(reply.sliced(reply.indexOf("\r\n\r\n") + 4)).array();
}

} // namespace

/** Alertmanager and a mail server as they are: they accept and understand what the agent sends. */
class AlertPeersTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void alertmanagerShowsAndNotifies();
    void alertmanagerTakesHostileNames();
    void mailServerWithLogin();

private:
    bool startManager(const QUrl &hook);
    alerts::SendOutcome send(const config::ReceiverSettings &receiver, const QList<DueNotice> &notices);
    config::ReceiverSettings manager() const;

    QTemporaryDir m_folder;
    quint16 m_port = 0;
    PeerProcess m_manager;
    std::unique_ptr<HookServer> m_hook;
};

void AlertPeersTest::initTestCase()
{
    std::signal(SIGPIPE, SIG_IGN); // as the agent does
    m_hook = std::make_unique<HookServer>();
}

alerts::SendOutcome AlertPeersTest::send(const config::ReceiverSettings &receiver,
                                         const QList<DueNotice> &notices)
{
    const base::Interrupt interrupt;
    return alerts::makeSender(receiver, interrupt)
        ->send(notices, {QStringLiteral("dc 1"), config::AlertLanguage::English, nowUs()});
}

config::ReceiverSettings AlertPeersTest::manager() const
{
    config::AlertmanagerReceiver target;
    target.access.url = QUrl(QStringLiteral("http://127.0.0.1:%1").arg(m_port));
    return {QStringLiteral("am"), {}, {}, target};
}

/** Starts Alertmanager once; it passes on what it notifies to `hook`. */
bool AlertPeersTest::startManager(const QUrl &hook)
{
    if (m_port != 0)
        return true;
    m_port = freePort();
    QFile settings(m_folder.filePath(QStringLiteral("am.yml")));
    if (!settings.open(QIODevice::WriteOnly))
        return false;
    settings.write("route: {receiver: hook, group_by: [alert_id], group_wait: 0s, group_interval: 1s}\n"
                   "receivers: [{name: hook, webhook_configs: [{url: \"" +
                   hook.toEncoded() + "\"}]}]\n");
    settings.close();
    m_manager.start(QStringLiteral("prometheus-alertmanager"),
                    {QStringLiteral("--config.file=") + settings.fileName(),
                     QStringLiteral("--storage.path=") + m_folder.filePath(QStringLiteral("am")),
                     QStringLiteral("--web.listen-address=127.0.0.1:%1").arg(m_port),
                     QStringLiteral("--cluster.listen-address="), QStringLiteral("--log.level=error")});
    return QTest::qWaitFor([this] { return listens(m_port); }, 20'000);
}

void AlertPeersTest::alertmanagerShowsAndNotifies()
{
    if (QStandardPaths::findExecutable(QStringLiteral("prometheus-alertmanager")).isEmpty())
        QSKIP("Alertmanager isn't installed (package prometheus-alertmanager)");
    QVERIFY(startManager(m_hook->url()));
    const domain::Alert alert = firedNow("a1");
    const domain::Alert late =
        overAlert(firedAlert("late", nowUs() - 60 * base::kSecondUs), 30 * base::kSecondUs);
    const auto outcome = send(manager(), {notice(alert), notice(late)});
    QVERIFY2(outcome.result == SendResult::Delivered, qPrintable(outcome.error.line()));
    QTRY_COMPARE(alertsOf(m_port).size(), 2);
    QTRY_COMPARE(m_hook->requests().size(), 2); // of the one that was over, too
    QVERIFY(m_hook->bodies().join().contains("Already over (fired "));
    domain::Alert over = alert;
    over.resolvedUs = nowUs();
    QCOMPARE(send(manager(), {notice(over, true)}).result, SendResult::Delivered);
    QTRY_VERIFY(m_hook->bodies().join().contains("\"status\":\"resolved\""));
}

void AlertPeersTest::alertmanagerTakesHostileNames()
{
    if (QStandardPaths::findExecutable(QStringLiteral("prometheus-alertmanager")).isEmpty())
        QSKIP("Alertmanager isn't installed (package prometheus-alertmanager)");
    QVERIFY(startManager(m_hook->url()));
    QList<DueNotice> notices;
    for (const QByteArray &name :
         {QByteArray("\xff\xfe"), QByteArray("a\0b", 3), QByteArray("{{ .Labels }}"),
          QByteArray("\r\n\x1b[1m"), QByteArray("\",\"labels\":{}"), QByteArray(100'000, 'x')}) {
        domain::Alert alert = firedNow("hostile-" + QByteArray::number(notices.size()));
        alert.lock.name = name;
        notices.append(notice(alert));
    }
    const auto outcome = send(manager(), notices);
    QVERIFY2(outcome.result == SendResult::Delivered, qPrintable(outcome.error.line()));
    const auto shown = [this] {
        int count = 0;
        for (const QJsonValue &alert : alertsOf(m_port))
            count += int(alert[QLatin1String("labels")][QLatin1String("alert_id")].toString().startsWith(
                QLatin1String("hostile-")));
        return count;
    };
    QTRY_COMPARE(shown(), int(notices.size()));
}

void AlertPeersTest::mailServerWithLogin()
{
    QProcess probe;
    probe.start(QStringLiteral("/usr/bin/python3"),
                {QStringLiteral("-c"), QStringLiteral("import aiosmtpd")});
    if (!probe.waitForFinished() || probe.exitCode() != 0)
        QSKIP("the mail server isn't installed (package python3-aiosmtpd)");
    Certificates certificates;
    QVERIFY(certificates.makeAuthority(QStringLiteral("ca")));
    QVERIFY(certificates.make(QStringLiteral("mail"), QStringLiteral("ca"), QStringLiteral("IP:127.0.0.1")));
    const quint16 port = freePort();
    const QString box = m_folder.filePath(QStringLiteral("mail"));
    PeerProcess server;
    server.start(
        QStringLiteral("/usr/bin/python3"),
        {qEnvironmentVariable("LOCKKEEPER_SOURCE") + QLatin1String("/tests/integration/mail_server.py"),
         QString::number(port), certificates.certificate(QStringLiteral("mail")),
         certificates.key(QStringLiteral("mail")), box});
    QCOMPARE(server.line(), QByteArray("ready\n"));
    config::EmailReceiver target;
    target.access.url = QUrl(QStringLiteral("smtp://127.0.0.1:%1").arg(port));
    target.access.ca = certificates.certificate(QStringLiteral("ca"));
    target.access.user = QStringLiteral("lk");
    target.access.password = "wrong";
    target.from = QStringLiteral("locks@example.com");
    target.to = QStringList{QStringLiteral("ann@example.com"), QStringLiteral("bob@example.com")};
    const auto receiver = [&target] {
        return config::ReceiverSettings{QStringLiteral("mail"), {}, {}, target};
    };
    const auto refused = send(receiver(), {notice(firedNow("a1"))});
    QCOMPARE(refused.result, SendResult::Retry);
    QCOMPARE(refused.error.code, base::ErrorCode::Authentication);
    target.access.password = "s3cret";
    domain::Alert alert = firedNow("a1");
    alert.lock.name = "锁\r\n.\r\nQUIT";
    const auto sent = send(receiver(), {notice(alert), notice(overAlert(alert), true)});
    QVERIFY2(sent.result == SendResult::Delivered, qPrintable(sent.error.line()));
    const QDir folder(box + QLatin1String("/new"));
    const QStringList files = folder.entryList(QDir::Files);
    QCOMPARE(files.size(), 2);
    QByteArray mails;
    for (const QString &name : files) {
        QFile mail(folder.filePath(name));
        QVERIFY(mail.open(QIODevice::ReadOnly));
        mails += mail.readAll();
    }
    QCOMPARE(mails.count("\nTo: ann@example.com,"), 2);
    QCOMPARE(mails.count("References: <a1."), 1);
}

LOCKKEEPER_TEST(AlertPeersTest)

} // namespace tst_alert_peers

#include "tst_alert_peers.moc"
