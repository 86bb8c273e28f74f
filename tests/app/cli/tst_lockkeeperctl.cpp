// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "fake_agent.h"
#include "tests/support/test_program.h"

#include <QProcess>
#include <QScopeGuard>
#include <QTest>

#ifdef Q_OS_UNIX
#include <csignal>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace tst_lockkeeperctl {

using namespace lockkeeper;
using namespace lockkeeper::tests;

/** The program itself, as a shell starts it. */
class TestLockkeeperctl : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void helpAndVersion();
    void addressFromTheEnvironment();
    void refusedAddresses_data();
    void refusedAddresses();
    void watchFlushesEveryLineAndEndsOnASignal_data();
    void watchFlushesEveryLineAndEndsOnASignal();
    void watchEndsWithTheSecondSignalAtTheLatest();
    void watchEndsWithItsReader();
    void outputThatCannotBeWritten_data();
    void outputThatCannotBeWritten();
    void releaseWithStandardInputThatIsNoTerminal();
    void noColoursInAPipe();
};

static void start(QProcess &process, const QStringList &arguments, const QString &agent = {})
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("LOCKKEEPER_AGENT"), agent);
    process.setProcessEnvironment(environment);
    process.start(qEnvironmentVariable("LOCKKEEPER_BIN") + QStringLiteral("/lockkeeperctl"), arguments);
}

#define COMPARE_EXIT(process, status)                                                                        \
    QTRY_COMPARE_WITH_TIMEOUT((process).state(), QProcess::NotRunning, 20000);                               \
    QCOMPARE((process).exitStatus(), QProcess::NormalExit);                                                  \
    QCOMPARE((process).exitCode(), status)

void TestLockkeeperctl::helpAndVersion()
{
    QProcess help;
    start(help, {QStringLiteral("--help")});
    COMPARE_EXIT(help, 0);
    QVERIFY(help.readAllStandardOutput().contains("release"));
    QProcess version;
    start(version, {QStringLiteral("--version")});
    COMPARE_EXIT(version, 0);
    QVERIFY(version.readAllStandardOutput().startsWith("lockkeeperctl "));
}

void TestLockkeeperctl::addressFromTheEnvironment()
{
    FakeAgent agent;
    QProcess process;
    start(process, {QStringLiteral("status"), QStringLiteral("--json")},
          QStringLiteral("local:") + agent.address().path);
    COMPARE_EXIT(process, 0);
    QVERIFY(process.readAllStandardOutput().contains("\"agent\":\"dc1\""));
    QVERIFY(process.readAllStandardError().isEmpty());
}

void TestLockkeeperctl::refusedAddresses_data()
{
    QTest::addColumn<QString>("address");
    QTest::addColumn<int>("status");
    QTest::newRow("tcp") << QStringLiteral("tcp://127.0.0.1:7420") << 2;
    QTest::newRow("nobody over TLS") << QStringLiteral("tls://127.0.0.1:1") << 3;
    QTest::newRow("tls without a host") << QStringLiteral("tls://") << 2;
    QTest::newRow("too long") << QStringLiteral("local:/") + QString(200, QLatin1Char('a')) << 2;
    QTest::newRow("nobody") << QStringLiteral("local:/nonexistent/a.sock") << 3;
}

void TestLockkeeperctl::refusedAddresses()
{
    QFETCH(QString, address);
    QFETCH(int, status);
    QProcess process;
    start(process, {QStringLiteral("--agent"), address, QStringLiteral("status")});
    COMPARE_EXIT(process, status);
    const QByteArray err = process.readAllStandardError();
    QCOMPARE(err.count('\n'), 1);
    QVERIFY(err.startsWith("lockkeeperctl: "));
    QVERIFY(process.readAllStandardOutput().isEmpty());
}

void TestLockkeeperctl::watchFlushesEveryLineAndEndsOnASignal_data()
{
    QTest::addColumn<int>("number");
    QTest::newRow("SIGINT") << SIGINT;
    QTest::newRow("SIGTERM") << SIGTERM;
}

void TestLockkeeperctl::watchFlushesEveryLineAndEndsOnASignal()
{
    QFETCH(int, number);
    FakeAgent agent;
    agent.events = {acquired(1, "lock:a")};
    QProcess process;
    start(process,
          {QStringLiteral("watch"), QStringLiteral("--since"), QStringLiteral("0"), QStringLiteral("--json")},
          QStringLiteral("local:") + agent.address().path);
    QByteArray out;
    QTRY_VERIFY_WITH_TIMEOUT((out += process.readAllStandardOutput()).contains("\"seq\":1"), 20000);
    agent.sendToAll(protocol::EventBatch{{acquired(2, "lock:b")}});
    QTRY_VERIFY((out += process.readAllStandardOutput()).contains("\"seq\":2"));
    QCOMPARE(process.state(), QProcess::Running);
    ::kill(pid_t(process.processId()), number);
    COMPARE_EXIT(process, 0);
}

/** Nobody reads the output, so the program is blocked and never notices the first signal. */
void TestLockkeeperctl::watchEndsWithTheSecondSignalAtTheLatest()
{
    const QTemporaryDir folder;
    const QString pipe = folder.filePath(QStringLiteral("out"));
    QCOMPARE(::mkfifo(pipe.toLocal8Bit().constData(), 0600), 0);
    const int reader = ::open(pipe.toLocal8Bit().constData(), O_RDWR | O_CLOEXEC);
    QVERIFY(reader >= 0);
    const auto closes = qScopeGuard([reader] { ::close(reader); });
    FakeAgent agent;
    for (quint64 seq = 1; seq <= 1'000; ++seq)
        agent.events.append(acquired(seq, "lock:a"));
    QProcess process;
    process.setStandardOutputFile(pipe);
    start(process,
          {QStringLiteral("watch"), QStringLiteral("--since"), QStringLiteral("0"), QStringLiteral("--json")},
          QStringLiteral("local:") + agent.address().path);
    const auto writes = [reader] { // all events at once, too many for a pipe
        int bytes = 0;
        return ::ioctl(reader, FIONREAD, &bytes) == 0 && bytes > 0;
    };
    QTRY_VERIFY_WITH_TIMEOUT(writes(), 20'000);
    const auto watching = pid_t(process.processId());
    const auto hasEnded = [&] {
        if (process.state() == QProcess::Running)
            ::kill(watching, SIGTERM);
        return process.state() == QProcess::NotRunning;
    };
    QVERIFY(QTest::qWaitFor(hasEnded, 20'000));
    QCOMPARE(process.exitStatus(), QProcess::CrashExit);
}

/** `watch | head -n 1` ends at the next event, as `tail -f | head -n 1` does. */
void TestLockkeeperctl::watchEndsWithItsReader()
{
    FakeAgent agent;
    agent.events = {acquired(1, "lock:a")};
    QProcess process;
    process.start(QStringLiteral("sh"),
                  {QStringLiteral("-c"),
                   QStringLiteral("{ \"$0\" \"$@\"; echo \"status $?\" >&2; } | head -n 1"),
                   qEnvironmentVariable("LOCKKEEPER_BIN") + QStringLiteral("/lockkeeperctl"),
                   QStringLiteral("--agent"), QStringLiteral("local:") + agent.address().path,
                   QStringLiteral("watch"), QStringLiteral("--since"), QStringLiteral("0")});
    quint64 seq = 1;
    const auto hasEnded = [&] {
        if (agent.askedFor<protocol::Subscribe>().size() == 1)
            agent.sendToAll(protocol::EventBatch{{acquired(++seq, "lock:b")}});
        return process.state() == QProcess::NotRunning;
    };
    QTRY_VERIFY_WITH_TIMEOUT(hasEnded(), 20000);
    QCOMPARE(process.readAllStandardError(), QByteArray("status 141\n")); // SIGPIPE
    QCOMPARE(process.readAllStandardOutput().count('\n'), 1);
}

void TestLockkeeperctl::outputThatCannotBeWritten_data()
{
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<int>("status");
    QTest::addColumn<int>("releases");
    const QString release = QStringLiteral("release orders lock:a --holder w1 --reason stale --yes");
    QTest::newRow("a listing") << QStringLiteral("locks --json") << 1 << 0;
    QTest::newRow("help") << QStringLiteral("--help") << 1 << 0;
    QTest::newRow("before anything is done") << release << 1 << 0;
    QTest::newRow("what was done counts") << release + QStringLiteral(" --json") << 0 << 1;
}

void TestLockkeeperctl::outputThatCannotBeWritten()
{
    QFETCH(QString, arguments);
    QFETCH(int, status);
    QFETCH(int, releases);
    FakeAgent agent;
    agent.locks = {shownLock("lock:a", "w1")};
    QProcess process;
    process.setStandardOutputFile(QStringLiteral("/dev/full"));
    start(process, arguments.split(QLatin1Char(' ')), QStringLiteral("local:") + agent.address().path);
    COMPARE_EXIT(process, status);
    const QByteArray err = process.readAllStandardError();
    QCOMPARE(err.count('\n'), 1);
    QVERIFY2(err.contains("can't write to standard output"), err.constData());
    QCOMPARE(agent.askedFor<protocol::ForceRelease>().size(), releases);
}

void TestLockkeeperctl::releaseWithStandardInputThatIsNoTerminal()
{
    FakeAgent agent;
    agent.locks = {shownLock("lock:a", "w1")};
    QProcess process;
    start(process,
          {QStringLiteral("release"), QStringLiteral("orders"), QStringLiteral("lock:a"),
           QStringLiteral("--holder"), QStringLiteral("w1"), QStringLiteral("--reason"),
           QStringLiteral("stale")},
          QStringLiteral("local:") + agent.address().path);
    COMPARE_EXIT(process, 2);
    QVERIFY(process.readAllStandardError().contains("--yes"));
    QVERIFY(agent.askedFor<protocol::ForceRelease>().isEmpty());
}

void TestLockkeeperctl::noColoursInAPipe()
{
    FakeAgent agent;
    agent.locks = {shownLock("lock:a", "w1")};
    agent.locks[0].stuck = domain::StuckReason::NoExpiry;
    QProcess process;
    start(process, {QStringLiteral("locks")}, QStringLiteral("local:") + agent.address().path);
    COMPARE_EXIT(process, 0);
    const QByteArray out = process.readAllStandardOutput();
    QVERIFY(out.contains("stuck"));
    QVERIFY(!out.contains('\x1b'));
    // For awk, each row has as many words as the header.
    const QList<QByteArray> lines = out.trimmed().split('\n');
    QCOMPARE(lines.size(), 2);
    QCOMPARE(lines.at(1).simplified().split(' ').size(), lines.at(0).simplified().split(' ').size());
}

#undef COMPARE_EXIT // several tests in one unit define it

LOCKKEEPER_TEST(TestLockkeeperctl)

} // namespace tst_lockkeeperctl

#include "tst_lockkeeperctl.moc"
