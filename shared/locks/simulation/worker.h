// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/events/lock_event.h"
#include "shared/locks/lock.h"

#include <QObject>
#include <QRandomGenerator>
#include <QTimer>

#include <memory>

namespace lockkeeper::locks::simulation {

class Process;

/** Repeatedly acquires a lock, holds it, and releases it or dies with it. Reports every event. */
class Worker final : public QObject
{
    Q_OBJECT

public:
    /** `ownLock`: the only lock that it acquires; empty: any lock of its group. */
    Worker(Process &process, QByteArray name, QByteArray ownLock, quint32 seed);
    ~Worker() override;

    /** Begins with a pause. */
    void start();
    /** Releases its lock and acquires no more; done() follows. */
    void stop();
    /** To be called when its process dies. The returned handle must outlive the connection; otherwise it
     * would release the lock. */
    std::unique_ptr<Lock> die();

Q_SIGNALS:
    void done();

private:
    void acquire();
    void onAnswer(const base::Result<bool> &result);
    void look();
    void finish();
    void onLost(const base::Error &why);
    void onReleased(bool released);
    void rest(qint64 us);
    events::LockEvent event(events::EventKind kind, qint64 atUs, qint64 windowUs,
                            const QJsonObject &detail = {}) const;
    void tell(events::LockEvent event) const;

    Process &m_process;
    QByteArray m_name;
    QByteArray m_ownLock;
    QRandomGenerator m_random;
    std::unique_ptr<Lock> m_lock; ///< requested or held
    bool m_held = false;
    bool m_releasing = false; ///< release requested and not answered
    QByteArray m_lockName;
    QByteArray m_token;
    std::optional<quint64> m_fencing;
    qint64 m_askedUs = 0;    ///< when the lock or its release was requested; steady time, like the next three
    qint64 m_heldUs = 0;     ///< when the worker last saw that it held the lock
    qint64 m_deadlineUs = 0; ///< the lease's end in the store, at the earliest …
    qint64 m_latestUs = 0;   ///< … and at the latest
    QTimer m_next;
    QTimer m_end;
    QTimer m_look;
    bool m_stopped = false;
};

} // namespace lockkeeper::locks::simulation
