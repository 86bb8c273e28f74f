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

/** Takes a lock, holds it, gives it back or dies with it, and does so again; tells all that happened. */
class Worker final : public QObject
{
    Q_OBJECT

public:
    /** `ownLock`: the only one that it takes; empty: any of its group's. */
    Worker(Process &process, QByteArray name, QByteArray ownLock, quint32 seed);
    ~Worker() override;

    /** Begins with a pause. */
    void start();
    /** Gives back what it has, and takes nothing any more; done() follows. */
    void stop();
    /** Its process is going. The handle has to outlive the connection, or it would give back what it holds.
     */
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
    events::LockEvent event(events::Kind kind, qint64 atUs, qint64 windowUs,
                            const QJsonObject &detail = {}) const;
    void tell(events::LockEvent event) const;

    Process &m_process;
    QByteArray m_name;
    QByteArray m_ownLock;
    QRandomGenerator m_random;
    std::unique_ptr<Lock> m_lock; ///< asked for or held
    bool m_held = false;
    bool m_releasing = false; ///< asked to, and not answered
    QByteArray m_lockName;
    QByteArray m_token;
    std::optional<quint64> m_fencing;
    qint64 m_askedUs = 0;    ///< for the lock, or to give it back; steady, as all that follow
    qint64 m_heldUs = 0;     ///< when it last saw itself hold
    qint64 m_deadlineUs = 0; ///< the lease's end in the store, at the earliest …
    qint64 m_latestUs = 0;   ///< … and at the latest
    QTimer m_next;
    QTimer m_end;
    QTimer m_look;
    bool m_stopped = false;
};

} // namespace lockkeeper::locks::simulation
