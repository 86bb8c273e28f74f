// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/locks/lock_client.h"

#include <QObject>
#include <QRandomGenerator>
#include <QTimer>

namespace lockkeeper::demo {

/** How one worker of the demo uses its lock. Times in milliseconds. */
struct Habit
{
    QByteArray lock;
    int ttlMs = 10'000;
    int renewEveryMs = 0; ///< 0: never
    int holdMinMs = 2'000;
    int holdMaxMs = 8'000; ///< 0: holds (and renews) without end
    int idleMinMs = 500;
    int idleMaxMs = 5'000;
    int retryMs = 150; ///< while somebody else holds it
    bool dies = false; ///< never releases: the lease runs out
};

/**
 * Takes, renews and gives back one lock for ever through a LockClient, which several workers may share. Lives
 * in the client's thread, and longer than it.
 */
class Worker : public QObject
{
    Q_OBJECT

public:
    Worker(Habit habit, locks::LockClient *client, quint32 number, QObject *parent = nullptr);
    void start();

private:
    void acquire();
    /** What the client calls when it has answered. */
    locks::LockClient::Done onward();
    void onAnswer(const locks::AttemptResult &result);
    void onAcquired();
    void finish();
    int between(int low, int high);

    enum class Doing { Waiting, Acquiring, Holding, Renewing, Releasing };

    Habit m_habit;
    locks::LockClient *m_client;
    Doing m_doing = Doing::Waiting;
    locks::Lease m_lease;
    QTimer m_next;
    QTimer m_renew;
    QTimer m_end;
    QRandomGenerator m_random;
};

} // namespace lockkeeper::demo
