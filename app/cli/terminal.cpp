// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/terminal.h"

#include "app/cli/command.h"
#include "app/cli/output.h"

#include <QCoreApplication>
#include <QPointer>
#include <QSocketNotifier>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>

#ifdef Q_OS_UNIX
#include <array>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <utility>
#include <vector>
#endif

namespace lockkeeper::app::cli {

namespace {

constexpr int kNarrowest = 20;
constexpr int kUnlimited = 100'000;

bool put(std::FILE *stream, const QByteArray &bytes)
{
    return std::fwrite(bytes.constData(), 1, size_t(bytes.size()), stream) == size_t(bytes.size()) &&
           std::fflush(stream) == 0;
}

#ifdef Q_OS_UNIX
/** The write end of the pipe for the signal handler: a handler can't safely use anything else. */
volatile std::sig_atomic_t signalPipe = -1;
std::vector<std::pair<int, struct sigaction>> taken; ///< signals and their former actions

extern "C" void onSystemSignal(int number)
{
    const int before = errno;
    const char byte = char(number);
    if (signalPipe >= 0 && ::write(signalPipe, &byte, 1) < 0) {
        errno = before;
        return;
    }
    errno = before;
}
#endif

} // namespace

void StandardOutput::write(const QByteArray &bytes)
{
    if (put(stdout, bytes))
        return;
    const int why = errno;
#ifdef Q_OS_UNIX
    if (why == EPIPE && !m_done) { // the network code ignores the signal
        std::signal(SIGPIPE, SIG_DFL);
        std::raise(SIGPIPE);
    }
#endif
    note(base::Error{base::ErrorCode::Storage,
                     tr("can't write to standard output: %1").arg(QString::fromLocal8Bit(std::strerror(why))),
                     tr("The output is incomplete")}
             .line());
    std::_Exit(m_done.value_or(int(Exit::Failed)));
}

void StandardOutput::note(const QString &line)
{
    put(stderr, "lockkeeperctl: " + line.toUtf8() + '\n');
}

Terminal probeTerminal()
{
    Terminal terminal;
    int width = qEnvironmentVariableIntValue("COLUMNS");
    if (width == 0)
        width = kUnlimited; // a pipe or a file accepts lines of any length
#ifdef Q_OS_UNIX
    terminal.interactive = ::isatty(STDIN_FILENO) == 1;
    if (::isatty(STDOUT_FILENO) == 1) {
        terminal.colours = qEnvironmentVariableIsEmpty("NO_COLOR");
        winsize size = {};
        if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
            width = size.ws_col;
    }
#endif
    if (width > 0)
        terminal.width = std::max(width, kNarrowest);
    return terminal;
}

QByteArrayList commandLine(int argc, char **argv)
{
    QByteArrayList words;
#ifdef Q_OS_UNIX
    for (int i = 0; i < argc; ++i)
        words.append(argv[i]);
#else
    Q_UNUSED(argc)
    Q_UNUSED(argv)
    for (const QString &word : QCoreApplication::arguments())
        words.append(word.toUtf8());
#endif
    return words;
}

QByteArray readInput(qint64 most)
{
#ifdef Q_OS_UNIX
    QByteArray bytes(qsizetype(most), Qt::Uninitialized);
    const ssize_t size = ::read(STDIN_FILENO, bytes.data(), size_t(bytes.size()));
    bytes.truncate(qMax<qsizetype>(size, 0));
    return bytes;
#else
    char byte = 0;
    return most > 0 && std::cin.get(byte) ? QByteArray(1, byte) : QByteArray();
#endif
}

LineReader::LineReader() = default;
LineReader::~LineReader() = default;

void LineReader::read(std::function<void(const QString &)> done)
{
    const auto take = [done = std::move(done)] {
        std::string line;
        std::getline(std::cin, line);
        done(QString::fromLocal8Bit(line.data(), qsizetype(line.size())));
    };
#ifdef Q_OS_UNIX
    m_notifier = std::make_unique<QSocketNotifier>(STDIN_FILENO, QSocketNotifier::Read);
    connect(m_notifier.get(), &QSocketNotifier::activated, this, [this, take] {
        m_notifier->setEnabled(false);
        take();
    });
#else
    take();
#endif
}

#ifdef Q_OS_UNIX
SystemSignals::SystemSignals()
{
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0)
        return;
    for (const int end : ends) {
        ::fcntl(end, F_SETFD, FD_CLOEXEC);
        ::fcntl(end, F_SETFL, O_NONBLOCK);
    }
    signalPipe = ends[1];
    m_notifier = std::make_unique<QSocketNotifier>(ends[0], QSocketNotifier::Read);
    connect(m_notifier.get(), &QSocketNotifier::activated, this, &SystemSignals::onReadable);
}

SystemSignals::~SystemSignals()
{
    if (!m_notifier)
        return;
    for (auto former = taken.rbegin(); former != taken.rend(); ++former)
        ::sigaction(former->first, &former->second, nullptr);
    taken.clear();
    const int writing = signalPipe;
    const int reading = int(m_notifier->socket());
    signalPipe = -1;
    m_notifier.reset();
    ::close(writing);
    ::close(reading);
}

void SystemSignals::take(int number, bool once)
{
    if (!m_notifier)
        return;
    struct sigaction action = {};
    struct sigaction former = {};
    action.sa_handler = onSystemSignal;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART | (once ? int(SA_RESETHAND) : 0);
    if (::sigaction(number, &action, &former) == 0)
        taken.emplace_back(number, former);
}

void SystemSignals::onReadable()
{
    std::array<char, 64> numbers{};
    const ssize_t size = ::read(int(m_notifier->socket()), numbers.data(), numbers.size());
    const QPointer<SystemSignals> that(this); // a receiver may delete this object
    for (ssize_t i = 0; i < size && that; ++i)
        Q_EMIT arrived(numbers.at(size_t(i)));
}
#else
SystemSignals::SystemSignals() = default;
SystemSignals::~SystemSignals() = default;
void SystemSignals::take(int, bool) {}
void SystemSignals::onReadable() {}
#endif

QuitSignals::QuitSignals()
{
    connect(this, &SystemSignals::arrived, this, &QuitSignals::quit, Qt::SingleShotConnection);
    take(SIGINT, true);
    take(SIGTERM, true);
}

} // namespace lockkeeper::app::cli
