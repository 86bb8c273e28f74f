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
 * Takes, renews and gives back one lock for ever through a LockClient. Several workers may share a client:
 * each tells its own answers by their request numbers. Lives in the client's thread; doesn't own the client.
 */
class Worker : public QObject
{
    Q_OBJECT

public:
    Worker(Habit habit, stores::LockClient *client, quint32 number, QObject *parent = nullptr);
    void start();

private:
    void acquire();
    void onAnswer(const stores::AttemptResult &result);
    void onAcquired();
    void finish();
    int between(int low, int high);

    enum class Doing { Waiting, Acquiring, Holding, Renewing, Releasing };

    Habit m_habit;
    stores::LockClient *m_client;
    quint64 m_firstRequest;
    quint64 m_request;
    Doing m_doing = Doing::Waiting;
    stores::Lease m_lease;
    QTimer m_next;
    QTimer m_renew;
    QTimer m_end;
    QRandomGenerator m_random;
};

} // namespace lockkeeper::demo
