// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/liveness/holder_probe.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QFile>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTemporaryDir>
#include <QTest>

namespace tst_holder_probes {

using namespace lockkeeper;
using namespace lockkeeper::agent::liveness;
using domain::HolderEvidence;
using domain::HolderVerdict;
using domain::LivenessMethod;

namespace {

/** A server that sends one text to each client that has sent a request. */
class AnsweringServer : public QObject
{
public:
    explicit AnsweringServer(const QByteArray &answer = {})
    {
        connect(&m_server, &QTcpServer::newConnection, this, [this, answer] {
            QTcpSocket *socket = m_server.nextPendingConnection();
            connect(socket, &QTcpSocket::disconnected, socket, &QObject::deleteLater);
            connect(socket, &QTcpSocket::readyRead, this, [this, socket, answer] {
                requests += socket->readAll();
                if (!answer.isEmpty())
                    socket->write(answer);
            });
        });
        m_server.listen(QHostAddress::LocalHost);
    }
    quint16 port() const { return m_server.serverPort(); }
    void close() { m_server.close(); }

    QByteArray requests;

private:
    QTcpServer m_server;
};

ProbeTarget targetAt(LivenessMethod method, quint16 port)
{
    ProbeTarget target;
    target.method = method;
    target.host = QStringLiteral("127.0.0.1");
    target.port = port;
    target.url = QUrl(QStringLiteral("http://127.0.0.1:%1/healthz?a=b").arg(port));
    target.isHolderAddress = true;
    target.timeoutUs = 10'000'000;
    target.allow = {{QHostAddress(QStringLiteral("127.0.0.0")), 8},
                    {QHostAddress(QStringLiteral("::1")), 128}};
    return target;
}

ProbeOutcome outcomeOf(const ProbeTarget &target)
{
    std::optional<ProbeOutcome> outcome;
    int calls = 0;
    const auto probe = makeProbe(target, std::nullopt, [&](const ProbeOutcome &found) {
        outcome = found;
        ++calls;
    });
    probe->start();
    if (outcome || !QTest::qWaitFor([&] { return outcome.has_value(); }, 20'000))
        return {HolderVerdict::Unknown, HolderEvidence::Other};
    QCoreApplication::processEvents();
    return calls == 1 ? *outcome : ProbeOutcome{HolderVerdict::Unknown, HolderEvidence::Other};
}

} // namespace

/** Probes of real ports and programs. */
class TestHolderProbes : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void ports();
    void forbiddenNames();
    void http_data();
    void http();
    void silence();
    void commands_data();
    void commands();
    void commandsAreKilled();
    void cancelled();

private:
    QTemporaryDir m_folder;
};

void TestHolderProbes::ports()
{
    AnsweringServer server;
    ProbeTarget target = targetAt(LivenessMethod::Tcp, server.port());
    ProbeOutcome outcome = outcomeOf(target);
    QCOMPARE(outcome.verdict, HolderVerdict::Alive);
    QCOMPARE(outcome.evidence, HolderEvidence::Connected);
    target.host = QStringLiteral("localhost");
    QCOMPARE(outcomeOf(target).verdict, HolderVerdict::Alive);
    server.close();
    target.isHolderAddress = false; // behind a name may be another host
    outcome = outcomeOf(target);
    QCOMPARE(outcome.verdict, HolderVerdict::Unknown);
    QCOMPARE(outcome.evidence, HolderEvidence::Refused);
    target = targetAt(LivenessMethod::Tcp, target.port);
    outcome = outcomeOf(target);
    QCOMPARE(outcome.verdict, HolderVerdict::Dead);
    QCOMPARE(outcome.evidence, HolderEvidence::Refused);
    target.method = LivenessMethod::Http;
    QCOMPARE(outcomeOf(target).verdict, HolderVerdict::Unknown);
}

/** A name that resolves to a forbidden address isn't asked. */
void TestHolderProbes::forbiddenNames()
{
    AnsweringServer server("HTTP/1.1 200 OK\r\n\r\n");
    for (const LivenessMethod method : {LivenessMethod::Tcp, LivenessMethod::Http}) {
        ProbeTarget target = targetAt(method, server.port());
        target.host = QStringLiteral("localhost");
        target.allow.clear();
        const ProbeOutcome outcome = outcomeOf(target);
        QCOMPARE(outcome.evidence, HolderEvidence::TargetRefused);
        QCOMPARE(outcome.verdict, HolderVerdict::Unknown);
    }
    QVERIFY(server.requests.isEmpty());
}

void TestHolderProbes::http_data()
{
    QTest::addColumn<QByteArray>("answer");
    QTest::addColumn<HolderVerdict>("verdict");
    QTest::addColumn<HolderEvidence>("evidence");
    QTest::addColumn<int>("number");
    const auto row = [](const char *name, const QByteArray &answer, HolderVerdict verdict,
                        HolderEvidence evidence,
                        int number) { QTest::newRow(name) << answer << verdict << evidence << number; };
    row("200", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", HolderVerdict::Alive,
        HolderEvidence::HttpStatus, 200);
    row("204", "HTTP/1.0 204\r\n\r\n", HolderVerdict::Alive, HolderEvidence::HttpStatus, 204);
    row("a redirect isn't followed", "HTTP/1.1 302 Found\r\nLocation: http://169.254.169.254/\r\n\r\n",
        HolderVerdict::Unknown, HolderEvidence::HttpStatus, 302);
    row("404", "HTTP/1.1 404 Not Found\r\n\r\n", HolderVerdict::Unknown, HolderEvidence::HttpStatus, 404);
    row("503", "HTTP/1.1 503 Busy\r\n\r\n", HolderVerdict::Unknown, HolderEvidence::HttpStatus, 503);
    row("another protocol", "-ERR unknown command\r\n", HolderVerdict::Unknown, HolderEvidence::Failed, 0);
    row("a line without end", QByteArray(100'000, 'x'), HolderVerdict::Unknown, HolderEvidence::Failed, 0);
    row("a huge body", "HTTP/1.1 200 OK\r\n\r\n" + QByteArray(50'000'000, 'x'), HolderVerdict::Alive,
        HolderEvidence::HttpStatus, 200);
}

void TestHolderProbes::http()
{
    QFETCH(QByteArray, answer);
    QFETCH(HolderVerdict, verdict);
    QFETCH(HolderEvidence, evidence);
    QFETCH(int, number);
    AnsweringServer server(answer);
    const ProbeOutcome outcome = outcomeOf(targetAt(LivenessMethod::Http, server.port()));
    QCOMPARE(outcome.verdict, verdict);
    QCOMPARE(outcome.evidence, evidence);
    QCOMPARE(outcome.number.value_or(0), number);
    QVERIFY2(server.requests.startsWith("GET /healthz?a=b HTTP/1.1\r\nHost: 127.0.0.1:"),
             server.requests.constData());
}

void TestHolderProbes::silence()
{
    AnsweringServer server; // accepts, and never answers
    ProbeTarget target = targetAt(LivenessMethod::Http, server.port());
    target.timeoutUs = 200'000;
    const ProbeOutcome outcome = outcomeOf(target);
    QCOMPARE(outcome.evidence, HolderEvidence::TimedOut);
    QCOMPARE(outcome.verdict, HolderVerdict::Unknown);
}

void TestHolderProbes::commands_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<HolderVerdict>("verdict");
    QTest::addColumn<HolderEvidence>("evidence");
    QTest::addColumn<int>("number");
    const auto row = [](const char *name, const char *script, HolderVerdict verdict, HolderEvidence evidence,
                        int number) {
        QTest::newRow(name) << QString::fromLatin1(script) << verdict << evidence << number;
    };
    row("alive", "exit 0", HolderVerdict::Alive, HolderEvidence::ExitCode, 0);
    row("dead", "exit 1", HolderVerdict::Dead, HolderEvidence::ExitCode, 1);
    row("unknown", "exit 2", HolderVerdict::Unknown, HolderEvidence::ExitCode, 2);
    row("a signal", "kill -9 $$", HolderVerdict::Unknown, HolderEvidence::Failed, 0);
    row("its argument", "test \"$1\" = pod-1", HolderVerdict::Alive, HolderEvidence::ExitCode, 0);
    row("no environment", "test -z \"$HOME$LOCKKEEPER_SECRET\" && test -n \"$PATH\"", HolderVerdict::Alive,
        HolderEvidence::ExitCode, 0);
    row("no input", "test -z \"$(cat)\"", HolderVerdict::Alive, HolderEvidence::ExitCode, 0);
    row("much output", "head -c 5000000 /dev/zero; head -c 5000000 /dev/zero >&2; exit 0",
        HolderVerdict::Alive, HolderEvidence::ExitCode, 0);
}

void TestHolderProbes::commands()
{
    QFETCH(QString, script);
    QFETCH(HolderVerdict, verdict);
    QFETCH(HolderEvidence, evidence);
    QFETCH(int, number);
    qputenv("LOCKKEEPER_SECRET", "x");
    ProbeTarget target = targetAt(LivenessMethod::Command, 0);
    target.command = {QStringLiteral("/bin/sh"), QStringLiteral("-c"), script, QStringLiteral("probe"),
                      QStringLiteral("pod-1")};
    ProbeOutcome outcome = outcomeOf(target);
    QCOMPARE(outcome.verdict, verdict);
    QCOMPARE(outcome.evidence, evidence);
    QCOMPARE(outcome.number.value_or(0), number);
    target.command = {QStringLiteral("/nonexistent/probe")};
    outcome = outcomeOf(target);
    QCOMPARE(outcome.evidence, HolderEvidence::Failed);
    QCOMPARE(outcome.error.code, base::ErrorCode::NotFound);
}

/** At its time limit it is killed with its children. */
void TestHolderProbes::commandsAreKilled()
{
    const QString pidFile = m_folder.filePath(QStringLiteral("pid"));
    ProbeTarget target = targetAt(LivenessMethod::Command, 0);
    target.timeoutUs = 500'000;
    target.command = {QStringLiteral("/bin/sh"), QStringLiteral("-c"),
                      QStringLiteral("trap '' TERM; sleep 600 & echo $! > '%1'; wait").arg(pidFile)};
    QElapsedTimer timer;
    timer.start();
    QCOMPARE(outcomeOf(target).evidence, HolderEvidence::TimedOut);
    QVERIFY(timer.elapsed() < 10'000);
    QFile file(pidFile);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString child = QStringLiteral("/proc/%1/stat").arg(file.readAll().trimmed().toLongLong());
    const auto isGone = [&child] {
        QFile stat(child);
        return !stat.open(QIODevice::ReadOnly) || stat.readAll().contains(") Z ");
    };
    QTRY_VERIFY(isGone());
}

/** A probe that is destroyed doesn't call back. */
void TestHolderProbes::cancelled()
{
    AnsweringServer server;
    for (const LivenessMethod method : {LivenessMethod::Tcp, LivenessMethod::Http, LivenessMethod::Command}) {
        int calls = 0;
        ProbeTarget target = targetAt(method, server.port());
        target.command = {QStringLiteral("/bin/sleep"), QStringLiteral("600")};
        auto probe = makeProbe(target, std::nullopt, [&calls](const ProbeOutcome &) { ++calls; });
        probe->start();
        QCOMPARE(calls, 0); // never from start()
        QCoreApplication::processEvents();
        const int before = calls;
        probe.reset();
        QCoreApplication::processEvents();
        QCOMPARE(calls, before);
    }
}

LOCKKEEPER_TEST(TestHolderProbes)

} // namespace tst_holder_probes

#include "tst_holder_probes.moc"
