// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QSocketNotifier;

namespace lockkeeper::agent::application {

/**
 * SIGTERM, SIGINT and SIGHUP as Qt signals, by a signalfd: nothing runs in a signal handler. Make it before
 * any thread starts: threads that start later inherit the blocked signals. SIGPIPE and SIGXFSZ are ignored.
 */
class UnixSignals : public QObject
{
    Q_OBJECT

public:
    explicit UnixSignals(QObject *parent = nullptr);
    ~UnixSignals() override;

Q_SIGNALS:
    void terminate();
    void hangUp();

private:
    void readSignal();

    int m_fd = -1;
};

} // namespace lockkeeper::agent::application
