// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "harness.h"
#include "tests/support/freeze.h"
#include "tests/support/mariadb_server.h"
#include "tests/support/redis_server.h"
#include "tests/support/tcp_proxy.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace tst_run {

using namespace lockkeeper;
using namespace lockkeeper::tests;

namespace {

constexpr int kPatience = 30'000;

/** Returns true if the process has ended; a zombie counts as ended. */
bool isGone(qint64 pid)
{
    QFile stat(QStringLiteral("/proc/%1/stat").arg(pid));
    if (!stat.open(QIODevice::ReadOnly))
        return ::kill(pid_t(pid), 0) != 0 && errno == ESRCH;
    const QByteArray line = stat.readAll();
    return line.mid(line.lastIndexOf(')') + 2, 1) == "Z";
}

/** An interactive shell at its own terminal. */
class ShellAtTerminal
{
public:
    ShellAtTerminal() : m_master(::posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC))
    {
        ::grantpt(m_master);
        ::unlockpt(m_master);
        const QByteArray name = ::ptsname(m_master);
        m_shell.setChildProcessModifier([name] {
            ::setsid();
            const int terminal = ::open(name.constData(), O_RDWR);
            ::ioctl(terminal, TIOCSCTTY, 0);
            for (int fd = 0; fd < 3; ++fd)
                ::dup2(terminal, fd);
        });
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("PS1"), QStringLiteral("$ "));
        environment.insert(QStringLiteral("CTL"),
                           qEnvironmentVariable("LOCKKEEPER_BIN") + QStringLiteral("/lockkeeperctl"));
        m_shell.setProcessEnvironment(environment);
        m_shell.start(QStringLiteral("bash"),
                      {QStringLiteral("--norc"), QStringLiteral("--noprofile"), QStringLiteral("-i")});
        m_shell.waitForStarted();
    }
    ~ShellAtTerminal()
    {
        m_shell.kill();
        m_shell.waitForFinished();
        ::close(m_master);
    }
    Q_DISABLE_COPY_MOVE(ShellAtTerminal)

    bool type(const QByteArray &keys)
    {
        return ::write(m_master, keys.constData(), size_t(keys.size())) == keys.size();
    }
    /** Returns true if `text` appeared since the last match, and drops the output up to it. */
    bool shows(const QByteArray &text)
    {
        QByteArray some(4'096, Qt::Uninitialized);
        ssize_t size = 0;
        while ((size = ::read(m_master, some.data(), size_t(some.size()))) > 0)
            m_screen += some.first(size);
        const qsizetype at = m_screen.indexOf(text);
        if (at >= 0)
            m_screen.remove(0, at + text.size());
        return at >= 0;
    }
    const QByteArray &screen() const { return m_screen; }

private:
    int m_master;
    QProcess m_shell;
    QByteArray m_screen;
};

#define TRY_SHOWS(shell, text)                                                                               \
    QVERIFY2(QTest::qWaitFor([&] { return (shell).shows(text); }, kPatience), (shell).screen().constData())

} // namespace

/** `lockkeeperctl run` as a shell starts it, with a real Redis. */
class TestRun : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void status_data();
    void status();
    void refused_data();
    void refused();
    void holdsAndRenewsWhileTheCommandRuns();
    void namesWhoHoldsIt_data();
    void namesWhoHoldsIt();
    void signalsGoToTheCommand_data();
    void signalsGoToTheCommand();
    void ignoredSignalsStayIgnored();
    void lostLock_data();
    void lostLock();
    void stoppedPastTheTtl();
    void excludesAnother();
    void aSignalEndsTheWaiting();
    void whatComesAfterTheLimitIsGivenBack();
    void killedItTakesTheCommandAlong_data();
    void killedItTakesTheCommandAlong();
    void inheritsWhatWasOpenAndNothingElse();
    void names_data();
    void names();
    void terminal();
    void stoppedAtTheTerminalPastTheTtl();
    void besideAPager();
    void sqlTable();
    void mappedTable();
    void saysWhatStays();
    void saysThatItWaits();
    void whatItsSessionGotBeforeItsEnd();

private:
    QStringList line(const QStringList &options, const QStringList &command) const;
    void start(QProcess &process, const QStringList &options, const QStringList &command) const;
    bool isHeld(const QByteArray &name = "job") { return m_redis.command({"EXISTS", name}).integer == 1; }

    RedisServer m_redis;
};

#define COMPARE_EXIT(process, status)                                                                        \
    QTRY_COMPARE_WITH_TIMEOUT((process).state(), QProcess::NotRunning, kPatience);                           \
    QCOMPARE((process).exitStatus(), QProcess::NormalExit);                                                  \
    if ((process).exitCode() != (status))                                                                    \
        qWarning().noquote() << (process).readAllStandardError();                                            \
    QCOMPARE((process).exitCode(), status)

#define TRY_OUTPUT(process, text)                                                                            \
    QTRY_VERIFY_WITH_TIMEOUT(([&] {                                                                          \
                                 output += (process).readAllStandardOutput();                                \
                                 return output.contains(text);                                               \
                             }()),                                                                           \
                             kPatience)

void TestRun::initTestCase()
{
    QVERIFY(m_redis.start());
}

void TestRun::init()
{
    m_redis.command({"FLUSHALL"});
}

QStringList TestRun::line(const QStringList &options, const QStringList &command) const
{
    QStringList line{QStringLiteral("run")};
    const auto otherwise = [&](const char *option, const QString &value) {
        if (options
                .filter(QRegularExpression(QLatin1Char('^') + QLatin1String(option) + QLatin1String("(=|$)")))
                .isEmpty())
            line << QLatin1String(option) << value;
    };
    if (!options.contains(QLatin1String("--config"))) {
        otherwise("--store", m_redis.url().toString());
        otherwise("--scheme", QStringLiteral("redis.token"));
    }
    otherwise("--lock", QStringLiteral("job"));
    otherwise("--ttl", QStringLiteral("20s"));
    return line + options + QStringList{QStringLiteral("--")} + command;
}

void TestRun::start(QProcess &process, const QStringList &options, const QStringList &command) const
{
    process.start(qEnvironmentVariable("LOCKKEEPER_BIN") + QStringLiteral("/lockkeeperctl"),
                  line(options, command));
    QVERIFY(process.waitForStarted());
}

static QStringList shell(const char *script)
{
    return {QStringLiteral("sh"), QStringLiteral("-c"), QString::fromLatin1(script)};
}

void TestRun::status_data()
{
    QTest::addColumn<QStringList>("command");
    QTest::addColumn<int>("status");
    QTest::newRow("done") << QStringList{QStringLiteral("true")} << 0;
    QTest::newRow("its own") << shell("exit 7") << 7;
    QTest::newRow("one that looks like ours") << shell("exit 75") << 75;
    QTest::newRow("killed") << shell("kill -9 $$") << 137;
    QTest::newRow("terminated") << shell("kill -TERM $$") << 143;
    QTest::newRow("no such command") << QStringList{QStringLiteral("/nonexistent/backup")} << 127;
    QTest::newRow("not in PATH") << QStringList{QStringLiteral("lockkeeper-no-such-command")} << 127;
    QTest::newRow("not executable") << QStringList{QStringLiteral("/etc/passwd")} << 126;
}

void TestRun::status()
{
    QFETCH(QStringList, command);
    QFETCH(int, status);
    QProcess process;
    start(process, {}, command);
    COMPARE_EXIT(process, status);
    QVERIFY(!isHeld());
    QCOMPARE(process.readAllStandardOutput(), QByteArray());
    QCOMPARE(process.readAllStandardError().count('\n'), status == 126 || status == 127 ? 1 : 0);
}

void TestRun::refused_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("says");
    const auto options = [this](std::initializer_list<const char *> words) {
        QStringList list;
        for (const char *word : words)
            list.append(QString::fromUtf8(word));
        return line(list, {QStringLiteral("true")});
    };
    QTest::newRow("no command") << line({}, {}) << 2 << QByteArray("no command");
    QTest::newRow("no store") << QStringList{QStringLiteral("run"), QStringLiteral("--lock"),
                                             QStringLiteral("a"),   QStringLiteral("--ttl"),
                                             QStringLiteral("1s"),  QStringLiteral("--"),
                                             QStringLiteral("true")}
                              << 2 << QByteArray("--store");
    QTest::newRow("a TTL of nothing") << options({"--ttl", "0s"}) << 2 << QByteArray("TTL");
    QTest::newRow("a negative TTL") << options({"--ttl=-5s"}) << 2 << QByteArray("duration");
    QTest::newRow("a TTL without a unit") << options({"--ttl", "30"}) << 2 << QByteArray("duration");
    QTest::newRow("no name") << options({"--lock", ""}) << 2 << QByteArray("name");
    QTest::newRow("no such scheme") << options({"--scheme", "redis.tokem"}) << 2 << QByteArray("redis.token");
    QTest::newRow("another store's scheme")
        << options({"--scheme", "sql.shedlock"}) << 2 << QByteArray("sql.shedlock");
    QTest::newRow("a password in clear")
        << options({"--store", "redis://:s3cret@127.0.0.1/0"}) << 2 << QByteArray("--password");
    QTest::newRow("an agent") << (QStringList{QStringLiteral("--agent"), QStringLiteral("local:/a")} +
                                  options({}))
                              << 2 << QByteArray("--agent");
    QTest::newRow("nobody there") << options({"--store", "redis://127.0.0.1:1/0"}) << 3 << QByteArray();
    QTest::newRow("nobody there in time")
        << options({"--store", "redis://127.0.0.1:1/0", "--wait", "300ms"}) << 3 << QByteArray();
    QTest::newRow("no such user") << options({"--store",
                                              qPrintable(m_redis.url(0, QStringLiteral("nobody")).toString()),
                                              "--password", "env:LOCKKEEPER_BIN"})
                                  << 4 << QByteArray();
}

void TestRun::refused()
{
    QFETCH(QStringList, arguments);
    QFETCH(int, status);
    QFETCH(QByteArray, says);
    QProcess process;
    process.start(qEnvironmentVariable("LOCKKEEPER_BIN") + QStringLiteral("/lockkeeperctl"), arguments);
    QTRY_COMPARE_WITH_TIMEOUT(process.state(), QProcess::NotRunning, kPatience);
    const QByteArray err = process.readAllStandardError();
    QVERIFY2(process.exitCode() == status, (QByteArray::number(process.exitCode()) + ": " + err).constData());
    QCOMPARE(err.count('\n'), 1);
    QVERIFY2(err.contains(says), err.constData());
    QVERIFY(!err.contains("s3cret"));
}

void TestRun::holdsAndRenewsWhileTheCommandRuns()
{
    QProcess process;
    start(process, {QStringLiteral("--ttl"), QStringLiteral("1500ms")},
          shell("echo \"<$LOCKKEEPER_LOCK>\"; exec cat"));
    QByteArray output;
    TRY_OUTPUT(process, "<job>\n");
    QVERIFY(isHeld());
    const QByteArray token = m_redis.command({"GET", "job"}).bytes;
    QElapsedTimer past;
    past.start();
    QTRY_VERIFY_WITH_TIMEOUT(past.elapsed() > 4'500, kPatience); // three leases
    QCOMPARE(m_redis.command({"GET", "job"}).bytes, token);
    process.write("bytes\n");
    process.closeWriteChannel();
    TRY_OUTPUT(process, "bytes\n");
    COMPARE_EXIT(process, 0);
    QVERIFY(!isHeld());
    QCOMPARE(process.readAllStandardError(), QByteArray());
}

void TestRun::namesWhoHoldsIt_data()
{
    QTest::addColumn<QString>("scheme");
    for (const char *scheme : {"redis.token", "redis.json"})
        QTest::newRow(scheme) << QString::fromLatin1(scheme);
}

/** The lock's value names its holder if the scheme has room for it; Redisson's has none. */
void TestRun::namesWhoHoldsIt()
{
    QFETCH(QString, scheme);
    QProcess process;
    start(process, {QStringLiteral("--scheme"), scheme}, {QStringLiteral("cat")});
    QTRY_VERIFY_WITH_TIMEOUT(isHeld(), kPatience);
    const QByteArray value = m_redis.command({"GET", "job"}).bytes;
    QVERIFY2(value.contains("pid " + QByteArray::number(process.processId())), value.constData());
    QVERIFY2(value.contains(" cat#"), value.constData());
    process.closeWriteChannel();
    COMPARE_EXIT(process, 0);
}

void TestRun::signalsGoToTheCommand_data()
{
    QTest::addColumn<int>("number");
    QTest::addColumn<QString>("name");
    QTest::newRow("INT") << SIGINT << QStringLiteral("INT");
    QTest::newRow("TERM") << SIGTERM << QStringLiteral("TERM");
    QTest::newRow("HUP") << SIGHUP << QStringLiteral("HUP");
    QTest::newRow("QUIT") << SIGQUIT << QStringLiteral("QUIT");
    QTest::newRow("USR1") << SIGUSR1 << QStringLiteral("USR1");
    QTest::newRow("USR2") << SIGUSR2 << QStringLiteral("USR2");
    QTest::newRow("WINCH") << SIGWINCH << QStringLiteral("WINCH");
}

void TestRun::signalsGoToTheCommand()
{
    QFETCH(int, number);
    QFETCH(QString, name);
    QProcess process;
    start(process, {},
          {QStringLiteral("sh"), QStringLiteral("-c"),
           QStringLiteral("trap 'echo got; exit 9' %1; echo ready; while :; do sleep 0.05; done").arg(name)});
    QByteArray output;
    TRY_OUTPUT(process, "ready\n");
    ::kill(pid_t(process.processId()), number);
    TRY_OUTPUT(process, "got\n");
    COMPARE_EXIT(process, 9);
    QVERIFY(!isHeld());
}

/** SIGHUP is ignored, as under nohup. */
void TestRun::ignoredSignalsStayIgnored()
{
    QProcess process;
    process.setChildProcessModifier([] { ::signal(SIGHUP, SIG_IGN); });
    start(process, {}, {QStringLiteral("cat")});
    QTRY_VERIFY_WITH_TIMEOUT(isHeld(), kPatience);
    ::kill(pid_t(process.processId()), SIGHUP);
    process.write("still here\n");
    process.closeWriteChannel();
    QByteArray output;
    TRY_OUTPUT(process, "still here\n");
    COMPARE_EXIT(process, 0);
}

void TestRun::lostLock_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QByteArray>("trap"); ///< in the command and in its children
    QTest::addColumn<int>("status");
    QTest::newRow("term") << QStringList{} << QByteArray() << 76;
    QTest::newRow("term, with a command that ends well")
        << QStringList{} << QByteArray("trap 'exit 0' TERM") << 76;
    QTest::newRow("term that nobody obeys")
        << QStringList{QStringLiteral("--kill-after"), QStringLiteral("200ms")} << QByteArray("trap '' TERM")
        << 76;
    QTest::newRow("kill") << QStringList{QStringLiteral("--on-lost"), QStringLiteral("kill")}
                          << QByteArray("trap '' TERM") << 76;
    QTest::newRow("ignore") << QStringList{QStringLiteral("--on-lost"), QStringLiteral("ignore")}
                            << QByteArray() << 3;
}

void TestRun::lostLock()
{
    QFETCH(QStringList, options);
    QFETCH(QByteArray, trap);
    QFETCH(int, status);
    QProcess process;
    const QByteArray script = trap + "\nsleep 1000 & echo \"$$ $!\"; read line; kill $!; exit 3";
    start(process, options + QStringList{QStringLiteral("--ttl"), QStringLiteral("2s")},
          shell(script.constData()));
    QByteArray output;
    TRY_OUTPUT(process, "\n");
    const qint64 child = output.split(' ').value(0).toLongLong();
    const qint64 grandchild = output.split(' ').value(1).trimmed().toLongLong();
    QVERIFY(child > 1 && grandchild > 1);
    m_redis.command({"DEL", "job"});
    QByteArray err;
    QTRY_VERIFY_WITH_TIMEOUT((err += process.readAllStandardError()).contains("was lost"), kPatience);
    if (status == 3)
        process.write("go on\n");
    QTRY_COMPARE_WITH_TIMEOUT(process.state(), QProcess::NotRunning, kPatience);
    QCOMPARE(process.exitCode(), status);
    QVERIFY(isGone(child));
    QTRY_VERIFY_WITH_TIMEOUT(isGone(grandchild), kPatience);
}

void TestRun::stoppedPastTheTtl()
{
    QProcess process;
    start(process, {QStringLiteral("--ttl"), QStringLiteral("2s")}, shell("echo $$; exec sleep 1000"));
    QByteArray output;
    TRY_OUTPUT(process, "\n");
    const qint64 child = output.trimmed().toLongLong();
    ::kill(pid_t(process.processId()), SIGSTOP);
    QTRY_VERIFY_WITH_TIMEOUT(!isHeld(), kPatience);
    m_redis.command({"SET", "job", "somebody else"});
    QVERIFY(!isGone(child)); // unavoidable
    ::kill(pid_t(process.processId()), SIGCONT);
    COMPARE_EXIT(process, 76);
    QVERIFY(isGone(child));
    QCOMPARE(m_redis.command({"GET", "job"}).bytes, QByteArray("somebody else"));
}

void TestRun::excludesAnother()
{
    QProcess first;
    start(first, {}, {QStringLiteral("cat")});
    QTRY_VERIFY_WITH_TIMEOUT(isHeld(), kPatience);
    QProcess second;
    start(second, {QStringLiteral("--wait"), QStringLiteral("0s")}, shell("echo ran"));
    COMPARE_EXIT(second, 75);
    QCOMPARE(second.readAllStandardOutput(), QByteArray());
    start(second, {QStringLiteral("--wait"), QStringLiteral("300ms")}, shell("echo ran"));
    COMPARE_EXIT(second, 75);
    QCOMPARE(second.readAllStandardOutput(), QByteArray());
    QProcess patient;
    start(patient, {QStringLiteral("--wait"), QStringLiteral("10m")}, shell("echo ran"));
    QProcess endless;
    start(endless, {}, shell("echo ran"));
    QVERIFY(isHeld());
    QCOMPARE(first.state(), QProcess::Running);
    first.closeWriteChannel();
    COMPARE_EXIT(first, 0);
    COMPARE_EXIT(patient, 0);
    COMPARE_EXIT(endless, 0);
    QCOMPARE(patient.readAllStandardOutput() + endless.readAllStandardOutput(), QByteArray("ran\nran\n"));
}

void TestRun::aSignalEndsTheWaiting()
{
    m_redis.command({"SET", "job", "somebody else"});
    QProcess process;
    start(process, {}, {QStringLiteral("true")});
    QTRY_VERIFY_WITH_TIMEOUT(m_redis.command({"INFO", "clients"}).bytes.contains("connected_clients:2"),
                             kPatience);
    ::kill(pid_t(process.processId()), SIGTERM);
    COMPARE_EXIT(process, 143);
    m_redis.command({"DEL", "job"});
    QVERIFY(!isHeld());
}

/** The attempt that is in progress at the limit takes the lock. */
void TestRun::whatComesAfterTheLimitIsGivenBack()
{
    Proxy proxy(m_redis.socketPath());
    QVERIFY(proxy.listen());
    proxy.setDelayMs(1'000);
    m_redis.command({"SET", "job", "somebody else"});
    m_redis.command({"SCRIPT", "FLUSH"});
    m_redis.command({"CONFIG", "RESETSTAT"});
    QProcess process;
    start(process,
          {QStringLiteral("--store"), QStringLiteral("redis+unix://") + proxy.path(),
           QStringLiteral("--wait"), QStringLiteral("500ms")},
          {QStringLiteral("true")});
    QTRY_VERIFY_WITH_TIMEOUT(m_redis.command({"INFO", "commandstats"}).bytes.contains("cmdstat_eval:"),
                             kPatience);
    m_redis.command({"DEL", "job"}); // before the first answer, hence before the second attempt
    QTRY_VERIFY_WITH_TIMEOUT(isHeld(), kPatience);
    COMPARE_EXIT(process, 75);
    QTRY_VERIFY_WITH_TIMEOUT(!isHeld(), 5'000); // long before the TTL
}

void TestRun::killedItTakesTheCommandAlong_data()
{
    QTest::addColumn<QString>("onLost");
    QTest::addColumn<bool>("ends");
    QTest::newRow("term") << QStringLiteral("term") << true;
    QTest::newRow("kill") << QStringLiteral("kill") << true;
    QTest::newRow("ignore") << QStringLiteral("ignore") << false;
}

/** Runs where the system supports it: Linux. */
void TestRun::killedItTakesTheCommandAlong()
{
    QFETCH(QString, onLost);
    QFETCH(bool, ends);
    QProcess process;
    start(process, {QStringLiteral("--on-lost"), onLost}, shell("echo $$; exec sleep 1000"));
    QByteArray output;
    TRY_OUTPUT(process, "\n");
    const qint64 child = output.trimmed().toLongLong();
    process.kill();
    QTRY_COMPARE_WITH_TIMEOUT(process.state(), QProcess::NotRunning, kPatience);
    if (ends) {
        QTRY_VERIFY_WITH_TIMEOUT(isGone(child), kPatience);
    } else {
        QVERIFY(!isGone(child));
        ::kill(pid_t(child), SIGKILL);
    }
}

void TestRun::inheritsWhatWasOpenAndNothingElse()
{
    const QStringList command = shell("echo given >&7; ls /proc/self/fd");
    const auto output = [](const QStringList &words) {
        QProcess process;
        process.start(
            QStringLiteral("sh"),
            QStringList{QStringLiteral("-c"), QStringLiteral("exec \"$@\" 7>&1"), QStringLiteral("sh")} +
                words);
        process.waitForFinished(kPatience);
        return process.readAllStandardOutput();
    };
    const QByteArray expected = output(command);
    QVERIFY(expected.startsWith("given\n") && expected.contains("\n7\n"));
    QCOMPARE(output(QStringList{qEnvironmentVariable("LOCKKEEPER_BIN") + QStringLiteral("/lockkeeperctl")} +
                    line({}, command)),
             expected);
}

void TestRun::names_data()
{
    QTest::addColumn<QString>("printf");
    QTest::addColumn<QByteArray>("key");
    QTest::newRow("text") << QStringLiteral("job") << QByteArray("job");
    QTest::newRow("Chinese") << QStringLiteral("\\346\\212\\245") << QByteArray("\346\212\245");
    QTest::newRow("bytes") << QStringLiteral("a\\377\\001b") << QByteArray("a\377\001b");
    QTest::newRow("a dash") << QStringLiteral("--json") << QByteArray("--json");
    QTest::newRow("blanks and quotes") << QStringLiteral(" \"x y ") << QByteArray(" \"x y ");
}

/** A lock's name becomes the Redis key byte by byte. */
void TestRun::names()
{
    QFETCH(QString, printf);
    QFETCH(QByteArray, key);
    QProcess process;
    const QString script = QStringLiteral("exec \"$1\" run --store \"$2\" --scheme redis.token --ttl 20s "
                                          "--lock=\"$(printf -- '%1')\" -- cat")
                               .arg(printf);
    process.start(QStringLiteral("sh"),
                  {QStringLiteral("-c"), script, QStringLiteral("sh"),
                   qEnvironmentVariable("LOCKKEEPER_BIN") + QStringLiteral("/lockkeeperctl"),
                   m_redis.url().toString()});
    QTRY_VERIFY_WITH_TIMEOUT(isHeld(key), kPatience);
    process.closeWriteChannel();
    COMPARE_EXIT(process, 0);
    QVERIFY(!isHeld(key));
}

/** Special keys of the terminal act on the command, as if the user had started it directly. */
void TestRun::terminal()
{
    ShellAtTerminal shell;
    const QByteArray run = "$CTL run --store '" + m_redis.url().toString().toUtf8() +
                           "' --scheme redis.token --lock job --ttl 30s -- ";
    QVERIFY(shell.type(run + "sed -u s/^/got-/\n"));
    QTRY_VERIFY_WITH_TIMEOUT(isHeld(), kPatience);
    QVERIFY(shell.type("one\n"));
    TRY_SHOWS(shell, "got-one");
    QVERIFY(shell.type("\x1a")); // Ctrl-Z
    TRY_SHOWS(shell, "Stopped");
    QVERIFY(isHeld());
    QVERIFY(shell.type("fg\n"));
    TRY_SHOWS(shell, "got-/");
    // The terminal may still be set up for the shell when the first line is typed.
    QVERIFY2(QTest::qWaitFor([&] { return shell.type("two\n") && shell.shows("got-two"); }, kPatience),
             shell.screen().constData());
    QVERIFY(shell.type("\x03")); // Ctrl-C
    QTRY_VERIFY_WITH_TIMEOUT(!isHeld(), kPatience);
    QVERIFY(shell.type("echo \"<$?>\"\n"));
    TRY_SHOWS(shell, "<130>");
    QVERIFY(shell.type(run + "sh -c 'exit 7'\n")); // the shell has the terminal again
    QVERIFY(shell.type("echo \"<$?>\"\n"));
    TRY_SHOWS(shell, "<7>");
}

void TestRun::stoppedAtTheTerminalPastTheTtl()
{
    ShellAtTerminal shell;
    QVERIFY(shell.type("$CTL run --store '" + m_redis.url().toString().toUtf8() +
                       "' --scheme redis.token --lock job --ttl 3s -- sed -u s/^/got-/\n"));
    QTRY_VERIFY_WITH_TIMEOUT(isHeld(), kPatience);
    QVERIFY(shell.type("here\n"));
    TRY_SHOWS(shell, "got-here");
    QVERIFY(shell.type("\x1a"));
    TRY_SHOWS(shell, "Stopped");
    QTRY_VERIFY_WITH_TIMEOUT(!isHeld(), kPatience);
    QVERIFY(shell.type("fg\n"));
    TRY_SHOWS(shell, "was lost");
    QVERIFY(shell.type("echo \"<$?>\"\n"));
    TRY_SHOWS(shell, "<76>");
}

/** The other programs in the pipeline keep the terminal. */
void TestRun::besideAPager()
{
    ShellAtTerminal shell;
    QVERIFY(shell.type(
        "$CTL run --store '" + m_redis.url().toString().toUtf8() +
        "' --scheme redis.token --lock job --ttl 30s -- sh -c 'echo page; exec sleep 1000' | (read a; read b "
        "</dev/tty; echo \"$a-$b\")\n"));
    QTRY_VERIFY_WITH_TIMEOUT(isHeld(), kPatience);
    QVERIFY(shell.type("key\n"));
    TRY_SHOWS(shell, "page-key");
    QVERIFY(shell.type("\x03"));
    QTRY_VERIFY_WITH_TIMEOUT(!isHeld(), kPatience);
}

void TestRun::sqlTable()
{
    QTemporaryDir folder;
    const QString url = QStringLiteral("sqlite:") + folder.filePath(QStringLiteral("locks.db"));
    QFile(folder.filePath(QStringLiteral("locks.db"))).open(QIODevice::WriteOnly);
    const QStringList options{QStringLiteral("--store"), url, QStringLiteral("--scheme"),
                              QStringLiteral("sql.shedlock")};
    QProcess process;
    start(process, options, {QStringLiteral("true")});
    QTRY_COMPARE_WITH_TIMEOUT(process.state(), QProcess::NotRunning, kPatience);
    const QByteArray err = process.readAllStandardError();
    QCOMPARE(process.exitCode(), 1);
    QVERIFY2(err.contains("CREATE TABLE"), err.constData());
    start(process, options + QStringList{QStringLiteral("--create-table")}, {QStringLiteral("true")});
    COMPARE_EXIT(process, 0);
    QProcess holder;
    start(holder, options, {QStringLiteral("cat")});
    const auto isFree = [&] {
        start(process, options + QStringList{QStringLiteral("--wait"), QStringLiteral("0s")},
              {QStringLiteral("true")});
        process.waitForFinished(kPatience);
        return process.exitCode() == 0;
    };
    QTRY_VERIFY_WITH_TIMEOUT(!isFree(), kPatience);
    QCOMPARE(process.exitCode(), 75);
    holder.closeWriteChannel();
    COMPARE_EXIT(holder, 0);
    QVERIFY(isFree());
}

void TestRun::mappedTable()
{
    QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("agent.toml"));
    QFile toml(file);
    QVERIFY(toml.open(QIODevice::WriteOnly));
    toml.write(
        "[[source]]\nname = \"other\"\nurl = \"redis://127.0.0.1/0\"\npassword = \"env:NOT_SET_ANYWHERE\"\n"
        "[[source.locks]]\nscheme = \"redis.token\"\n"
        "[[source]]\nname = \"mine\"\nurl = \"" +
        m_redis.url().toString().toUtf8() +
        "\"\n"
        "[[source.locks]]\nscheme = \"redis.token\"\nmatch = \"lock:*\"\n"
        "[[source.locks]]\nscheme = \"redis.json\"\nmatch = \"lock:json:*\"\n"
        "[[source]]\nname = \"versions\"\nurl = \"sqlite:" +
        folder.filePath(QStringLiteral("versions.db")).toUtf8() +
        "\"\n[[source.locks]]\npreset = \"optimistic-lock\"\n");
    toml.close();
    const QStringList from{QStringLiteral("--config"), file, QStringLiteral("--source"),
                           QStringLiteral("mine")};
    const auto run = [&](const QStringList &more) {
        QProcess process;
        start(process, from + more, {QStringLiteral("true")});
        process.waitForFinished(kPatience);
        return QByteArray::number(process.exitCode()) + ' ' + process.readAllStandardError();
    };
    QByteArray said = run({QStringLiteral("--lock"), QStringLiteral("lock:a")});
    QCOMPARE(said, QByteArray("0 "));
    said = run({QStringLiteral("--lock"), QStringLiteral("lock:json:a"), QStringLiteral("--scheme"),
                QStringLiteral("redis.token")}); // a lock of the other set
    QVERIFY2(said.startsWith("2 ") && said.contains("matches this lock"), said.constData());
    said = run({QStringLiteral("--lock"), QStringLiteral("a")});
    QVERIFY2(said.startsWith("2 ") && said.contains("matches this lock"), said.constData());
    said = run({QStringLiteral("--lock"), QStringLiteral("lock:a"), QStringLiteral("--scheme"),
                QStringLiteral("redis.token")});
    QCOMPARE(said, QByteArray("0 "));
    QProcess process;
    start(process, {QStringLiteral("--config"), file, QStringLiteral("--source"), QStringLiteral("mime")},
          {QStringLiteral("true")});
    process.waitForFinished(kPatience);
    QCOMPARE(process.exitCode(), 2);
    QVERIFY(process.readAllStandardError().contains("mine"));
    QProcess optimistic; // a scheme whose locks aren't held during a command
    start(optimistic,
          {QStringLiteral("--config"), file, QStringLiteral("--source"), QStringLiteral("versions")},
          {QStringLiteral("true")});
    optimistic.waitForFinished(kPatience);
    QCOMPARE(optimistic.exitCode(), 2);
    QVERIFY(optimistic.readAllStandardError().contains("has no holder"));
}

/** A row without an expiry can't be deleted once its database has moved. */
void TestRun::saysWhatStays()
{
    QTemporaryDir folder;
    const QString here = folder.filePath(QStringLiteral("here"));
    QVERIFY(QDir().mkdir(here));
    QFile toml(folder.filePath(QStringLiteral("agent.toml")));
    QVERIFY(toml.open(QIODevice::WriteOnly));
    toml.write("[[source]]\nname = \"mine\"\nurl = \"sqlite:" + here.toUtf8() +
               "/locks.db\"\n[[source.locks]]\npreset = \"lock-holder\"\n");
    toml.close();
    QVERIFY(QFile(here + QStringLiteral("/locks.db")).open(QIODevice::WriteOnly));
    QProcess process;
    start(process,
          {QStringLiteral("--config"), toml.fileName(), QStringLiteral("--source"), QStringLiteral("mine"),
           QStringLiteral("--create-table")},
          {QStringLiteral("mv"), here, folder.filePath(QStringLiteral("away"))});
    COMPARE_EXIT(process, 0);
    const QByteArray err = process.readAllStandardError();
    QVERIFY2(err.contains("couldn't be released, and stays"), err.constData());
}

/** The program registers its wait if the configuration's lock set says so; no option exists for it. */
void TestRun::saysThatItWaits()
{
    QTemporaryDir folder;
    QFile toml(folder.filePath(QStringLiteral("agent.toml")));
    QVERIFY(toml.open(QIODevice::WriteOnly));
    toml.write("[[source]]\nname = \"mine\"\nurl = \"" + m_redis.url().toString().toUtf8() +
               "\"\n[[source.locks]]\nscheme = \"redis.token\"\nwaiters = \"registered\"\n");
    toml.close();
    m_redis.command({"SET", "job", "somebody else"});
    QProcess silent;
    start(silent, {}, {QStringLiteral("true")});
    QProcess waiter;
    start(waiter,
          {QStringLiteral("--config"), toml.fileName(), QStringLiteral("--source"), QStringLiteral("mine")},
          {QStringLiteral("true")});
    const auto waiting = [this] {
        return m_redis.command({"ZRANGE", "lockkeeper:waiters:{job}", "0", "-1"}).list;
    };
    QTRY_COMPARE_WITH_TIMEOUT(waiting().size(), 1, kPatience);
    const QByteArray pid = QByteArray::number(waiter.processId());
    QVERIFY2(waiting().constFirst().bytes.contains(' ' + pid + ' '),
             waiting().constFirst().bytes.constData());
    m_redis.command({"DEL", "job"});
    COMPARE_EXIT(waiter, 0);
    COMPARE_EXIT(silent, 0);
    QVERIFY(waiting().isEmpty());
}

/** The program was stopped while it got the row and lost it again. Only an answer on its way is left. */
void TestRun::whatItsSessionGotBeforeItsEnd()
{
    MariaDbServer server;
    QVERIFY(server.start());
    server.exec(QStringLiteral("CREATE DATABASE app;"));
    const auto exec = [&server](const QString &sql) { return server.exec(sql, QStringLiteral("app")); };
    exec(QStringLiteral("CREATE TABLE locks (lock_key VARCHAR(64) PRIMARY KEY);\n"
                        "INSERT INTO locks VALUES ('job');\n"));
    const auto takeRow = [&exec] {
        exec(QStringLiteral("BEGIN;\nSELECT 1 FROM locks WHERE lock_key = 'job' FOR UPDATE;\n"));
    };
    QByteArray session;
    const auto waits = [&exec, &session] {
        const auto rows = exec(QStringLiteral("SELECT ID FROM information_schema.PROCESSLIST WHERE INFO LIKE "
                                              "'%FOR UPDATE' AND ID <> CONNECTION_ID()"));
        session = rows.value(0).value(0);
        return !session.isEmpty();
    };
    const auto isSession = [&exec, &session](const char *condition) {
        return !exec(QStringLiteral("SELECT 1 FROM information_schema.PROCESSLIST WHERE ID = %1 AND %2")
                         .arg(QString::fromLatin1(session), QLatin1String(condition)))
                    .isEmpty();
    };
    QTemporaryDir folder;
    QFile toml(folder.filePath(QStringLiteral("agent.toml")));
    QVERIFY(toml.open(QIODevice::WriteOnly));
    toml.write("[[source]]\nname = \"mine\"\nurl = \"" + server.url(QStringLiteral("app")).toEncoded() +
               "\"\n[[source.locks]]\nscheme = \"sql.row\"\ntable = \"locks\"\n");
    toml.close();
    const QString trace = folder.filePath(QStringLiteral("trace"));

    takeRow();
    QProcess waiter;
    start(waiter,
          {QStringLiteral("--config"), toml.fileName(), QStringLiteral("--source"), QStringLiteral("mine")},
          {QStringLiteral("touch"), trace});
    const bool queued = QTest::qWaitFor(waits, kPatience);
    QVERIFY2(queued, waiter.readAllStandardError().constData());
    freeze(waiter.processId());
    exec(QStringLiteral("COMMIT"));
    QVERIFY(QTest::qWaitFor([&] { return isSession("COMMAND = 'Sleep'"); }, kPatience)); // it was answered
    exec(QStringLiteral("KILL %1").arg(QString::fromLatin1(session)));
    QVERIFY(QTest::qWaitFor([&] { return !isSession("TRUE"); }, kPatience));
    takeRow();
    ::kill(pid_t(waiter.processId()), SIGCONT);
    const QByteArray old = session;
    const bool again = QTest::qWaitFor([&] { return waits() && session != old; }, kPatience);
    QVERIFY2(again, waiter.readAllStandardError().constData());
    QVERIFY(!QFile::exists(trace));
    exec(QStringLiteral("COMMIT"));
    COMPARE_EXIT(waiter, 0);
    QVERIFY(QFile::exists(trace));
}

LOCKKEEPER_TEST(TestRun)

} // namespace tst_run

#include "tst_run.moc"
