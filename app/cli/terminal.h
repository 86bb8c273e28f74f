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

/** What the program's standard streams are. The only file that asks the operating system about them. */
struct Terminal
{
    int width = 80;           ///< columns for tables
    bool colours = false;     ///< standard output is a terminal and NO_COLOR isn't set
    bool interactive = false; ///< standard input is a terminal: somebody can be asked
};

Terminal probeTerminal();

/** The program's name and its arguments, where the system has them so byte by byte; else as UTF-8. */
QByteArrayList commandLine(int argc, char **argv);

/** What standard input has, `most` bytes at most; blocks until it has a byte. Empty at its end. (QFile would
 * wait until it has them all.) */
QByteArray readInput(qint64 most);

/** One line from standard input without blocking the event loop; the link stays alive meanwhile. */
class LineReader : public QObject
{
    Q_OBJECT

public:
    LineReader();
    ~LineReader() override;
    /** Calls back once, with what was typed; an empty line also at the end of input. */
    void read(std::function<void(const QString &)> done);

private:
    std::unique_ptr<QSocketNotifier> m_notifier;
};

/** Signals of the system as one of the event loop, while this lives; then they are what they were. One at a
 * time in a process. */
class SystemSignals : public QObject
{
    Q_OBJECT

public:
    SystemSignals();
    ~SystemSignals() override;
    /** `once`: the next one of it does again what it did before, also where the event loop stands still. */
    void take(int number, bool once = false);

Q_SIGNALS:
    void arrived(int number);

private:
    void onReadable();

    std::unique_ptr<QSocketNotifier> m_notifier;
};

/** The first SIGINT or SIGTERM. The second one ends a program that can't end by itself. */
class QuitSignals final : public SystemSignals
{
    Q_OBJECT

public:
    QuitSignals();

Q_SIGNALS:
    void quit();
};

} // namespace lockkeeper::app::cli
