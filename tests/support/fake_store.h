// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/clock.h"
#include "shared/stores/store.h"

#include <QHash>

#include <functional>

namespace lockkeeper::tests {

/**
 * A store in memory that a test scripts: locks appear and go, the link breaks, answers are held back or lost.
 * Answers come through the event loop, in order, as a real store's do. Its clock is the given one's wall
 * clock.
 */
class FakeStore final : public stores::Store
{
    Q_OBJECT

public:
    FakeStore(stores::SourceSpec spec, const base::Clock &clock, QObject *parent = nullptr);

    // The applications' side.
    void hold(const QByteArray &name, const QByteArray &owner, qint64 ttlUs = 0);
    void renew(const QByteArray &name, qint64 ttlUs);
    void drop(const QByteArray &name);
    /** From now on they wait for it, in this order. */
    void queueUp(const QByteArray &name, const QList<domain::Waiter> &waiters) { m_waiters[name] = waiters; }
    /** Locks past their deadline stay until they are dropped, as rows of a table do. */
    void keepExpired() { m_keepExpired = true; }
    QByteArray ownerOf(const QByteArray &name) const;
    qsizetype count() const { return m_locks.size(); }

    // The faults.
    void breakLink(const base::Error &error);
    void refuseOpen(const base::Error &error) { m_openError = error; }
    void acceptOpen() { m_openError.reset(); }
    /** Releases are carried out but never answered. */
    void loseReplies(bool lose) { m_loseReplies = lose; }
    /** Questions are kept, and carried out by letGo(). */
    void holdBack() { m_holdBack = true; }
    void letGo();
    /** The link is up, but nothing can be read from it. */
    void failScans(bool fail) { m_failScans = fail; }

    /** Reports which session waits for which, as a scan of a store with sessions does. */
    void showGraph(const domain::WaitGraph &graph)
    {
        post([this, graph] { Q_EMIT waitGraphRead(graph); });
    }

    int writes() const { return m_writes; }
    /** Questions that reached the store. */
    int scans() const { return m_scans; }
    int inspections() const { return m_inspections; }
    const QList<stores::ReleaseOrder> &orders() const { return m_orders; }

    void open() override;
    void close() override;
    void scan(PageTaken page, ScanEnded done) override;
    void readPoints(const QList<stores::Subject> &subjects, PageTaken page, PointsRead done) override;
    void inspect(const stores::Subject &subject, Inspected done) override;
    void release(const stores::ReleaseOrder &order, Released done) override;

private:
    struct Lock
    {
        QByteArray owner;
        quint64 generation = 0;
        qint64 expiresUs = 0; ///< 0: never
    };

    void post(std::function<void()> answer);
    void expireDue();
    stores::Observation observationOf(const QByteArray &name) const;
    domain::Guard guardOf(const QByteArray &name) const;
    stores::ReleaseReport carryOut(const stores::ReleaseOrder &order);

    stores::SourceSpec m_spec;
    const base::Clock &m_clock;
    QHash<QByteArray, Lock> m_locks;
    QHash<QByteArray, QList<domain::Waiter>> m_waiters;
    QList<stores::ReleaseOrder> m_orders;
    QList<std::function<void()>> m_kept;
    std::optional<base::Error> m_openError;
    quint64 m_generation = 0;
    int m_run = 0;
    int m_writes = 0;
    int m_scans = 0;
    int m_inspections = 0;
    bool m_open = false;
    bool m_keepExpired = false;
    bool m_holdBack = false;
    bool m_loseReplies = false;
    bool m_failScans = false;
};

} // namespace lockkeeper::tests
