// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/base/password_prompt.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

namespace tst_password_prompt {

using namespace lockkeeper;

namespace {

constexpr int kPatience = 30'000;
constexpr int kSilent = 98;
constexpr int kWrong = 99;

bool echoes(int terminal)
{
    termios settings{};
    return ::tcgetattr(terminal, &settings) == 0 && (settings.c_lflag & tcflag_t(ECHO)) != 0;
}

/** Leads the terminal's session like a shell that leaves the terminal as a command left it. Exits with the
 * status of a command that asks for a password, or with the number of the signal that ended the command. */
[[noreturn]] void leadSession(int terminal)
{
    ::setsid();
    ::ioctl(terminal, TIOCSCTTY, 0);
    ::dup2(terminal, STDIN_FILENO);
    ::dup2(terminal, STDERR_FILENO);
    ::signal(SIGINT, SIG_IGN);
    const pid_t command = ::fork();
    if (command == 0) {
        ::signal(SIGINT, SIG_DFL); // Qt's tests have a handler
        const auto password = base::readPassword(QStringLiteral("Password: "));
        ::_exit(password && *password == "secret" ? 0 : kWrong);
    }
    int status = 0;
    ::waitpid(command, &status, 0);
    if (!echoes(terminal))
        ::_exit(kSilent);
    ::_exit(WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
}

} // namespace

/** The prompt at a terminal. */
class PasswordPromptTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void leavesTheTerminalAsItWas_data();
    void leavesTheTerminalAsItWas();
};

void PasswordPromptTest::leavesTheTerminalAsItWas_data()
{
    QTest::addColumn<QByteArray>("typed");
    QTest::addColumn<int>("end");
    QTest::newRow("a password") << QByteArray("secret\n") << 0;
    QTest::newRow("Ctrl-C") << QByteArray("\x03") << SIGINT;
}

void PasswordPromptTest::leavesTheTerminalAsItWas()
{
    QFETCH(QByteArray, typed);
    QFETCH(int, end);
    const int master = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    QVERIFY(master >= 0 && ::grantpt(master) == 0 && ::unlockpt(master) == 0);
    const int terminal = ::open(::ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
    QVERIFY(terminal >= 0);
    const pid_t leader = ::fork();
    if (leader == 0)
        leadSession(terminal);
    QTRY_VERIFY_WITH_TIMEOUT(!echoes(master), kPatience); // it asks now
    QVERIFY(::write(master, typed.constData(), size_t(typed.size())) == typed.size());
    int status = 0;
    QVERIFY(QTest::qWaitFor([&] { return ::waitpid(leader, &status, WNOHANG) == leader; }, kPatience));
    QVERIFY(WIFEXITED(status));
    QCOMPARE(WEXITSTATUS(status), end);
    ::close(terminal);
    ::close(master);
}

LOCKKEEPER_TEST(PasswordPromptTest)

} // namespace tst_password_prompt

#include "tst_password_prompt.moc"
