// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QByteArrayList>
#include <QObject>

#include <functional>
#include <memory>

class QSocketNotifier;

namespace lockkeeper::app::cli {

/**
 * The properties of the program's standard streams. Only this file queries the operating system about them.
 */
struct Terminal
{
    int width = 80;           ///< columns for tables
    bool colours = false;     ///< standard output is a terminal and NO_COLOR isn't set
    bool interactive = false; ///< standard input is a terminal
};

Terminal probeTerminal();

/** The program's name and its arguments, byte by byte where the system supports that, otherwise as UTF-8. */
QByteArrayList commandLine(int argc, char **argv);

/**
 * Reads what is available on standard input, at most `most` bytes; blocks until there is a byte. Empty at the
 * end of input. (QFile would wait for all `most` bytes.)
 */
QByteArray readInput(qint64 most);

/** One line from standard input without blocking the event loop; the link stays alive meanwhile. */
class LineReader : public QObject
{
    Q_OBJECT

public:
    LineReader();
    ~LineReader() override;
    /** Calls back once, with the typed line; the line is also empty at the end of input. */
    void read(std::function<void(const QString &)> done);

private:
    std::unique_ptr<QSocketNotifier> m_notifier;
};

/**
 * Turns system signals into a Qt signal while this object lives; afterwards the former actions are restored.
 * Only one may exist in a process.
 */
class SystemSignals : public QObject
{
    Q_OBJECT

public:
    SystemSignals();
    ~SystemSignals() override;
    /** `once`: the next such signal has its former effect again, even if the event loop is blocked. */
    void take(int number, bool once = false);

Q_SIGNALS:
    void arrived(int number);

private:
    void onReadable();

    std::unique_ptr<QSocketNotifier> m_notifier;
};

/** Reports the first SIGINT or SIGTERM. The second one ends a program that is stuck. */
class QuitSignals final : public SystemSignals
{
    Q_OBJECT

public:
    QuitSignals();

Q_SIGNALS:
    void quit();
};

} // namespace lockkeeper::app::cli
