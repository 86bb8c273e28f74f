// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/base/password_prompt.h"

#include <cstdio>

#ifdef Q_OS_UNIX
#include <array>
#include <csignal>
#include <termios.h>
#include <unistd.h>
#endif

namespace lockkeeper::base {

namespace {

constexpr qsizetype kLongest = 1'024;

#ifdef Q_OS_UNIX
constexpr std::array kEndings{SIGINT, SIGTERM, SIGHUP, SIGQUIT};
volatile std::sig_atomic_t endedBy = 0;

extern "C" void onEnding(int number)
{
    endedBy = number;
}

/** Turns off the terminal's echo during its lifetime. A signal that would end the program only interrupts the
 * read. The destructor restores the terminal, because not every shell does, and then raises the signal again.
 */
class Silence
{
public:
    Silence()
    {
        m_isTerminal = ::isatty(STDIN_FILENO) == 1 && ::tcgetattr(STDIN_FILENO, &m_before) == 0;
        if (!m_isTerminal)
            return;
        struct sigaction ending = {};
        ending.sa_handler = onEnding;
        sigemptyset(&ending.sa_mask);
        for (size_t i = 0; i < kEndings.size(); ++i) {
            ::sigaction(kEndings.at(i), nullptr, &m_former.at(i));
            if (m_former.at(i).sa_handler != SIG_IGN)
                ::sigaction(kEndings.at(i), &ending, nullptr);
        }
        termios silent = m_before;
        silent.c_lflag &= ~tcflag_t(ECHO);
        ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent);
    }
    ~Silence()
    {
        if (!m_isTerminal)
            return;
        ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &m_before);
        std::fputc('\n', stderr);
        for (size_t i = 0; i < kEndings.size(); ++i)
            ::sigaction(kEndings.at(i), &m_former.at(i), nullptr);
        const int number = endedBy;
        endedBy = 0;
        if (number != 0)
            ::raise(number);
    }
    Q_DISABLE_COPY_MOVE(Silence)
    bool isTerminal() const { return m_isTerminal; }

private:
    termios m_before{};
    std::array<struct sigaction, kEndings.size()> m_former{};
    bool m_isTerminal = false;
};

qsizetype readByte(char &byte)
{
    return ::read(STDIN_FILENO, &byte, 1);
}
#else
class Silence
{
public:
    bool isTerminal() const { return true; }
};

qsizetype readByte(char &byte)
{
    const int got = std::fgetc(stdin);
    byte = char(got);
    return got == EOF ? 0 : 1;
}
#endif

} // namespace

Result<QByteArray> readPassword(const QString &prompt)
{
    const Silence silence;
    if (silence.isTerminal()) {
        std::fputs(prompt.toLocal8Bit().constData(), stderr);
        std::fflush(stderr);
    }
    QByteArray password;
    char byte = 0;
    while (readByte(byte) == 1 && byte != '\n') {
        password += byte;
        if (password.size() > kLongest)
            return failure(ErrorCode::TooLarge, QStringLiteral("the password is longer than 1 KiB"));
    }
    if (password.endsWith('\r'))
        password.chop(1);
    if (password.isEmpty())
        return failure(ErrorCode::Usage, QStringLiteral("the password is empty"));
    return password;
}

} // namespace lockkeeper::base
