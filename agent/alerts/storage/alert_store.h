// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/alerts/storage/outbox.h"

namespace lockkeeper::agent::alerts {

/** The state of an earlier run. */
struct StoredAlerts
{
    QList<domain::Alert> alerts; ///< not over, or over for less than a day; by their firing
    /** The journal's sequence number up to which events were considered. Empty: a new file. */
    std::optional<quint64> cursor;
};

/**
 * The agent's alerts and the outbox of its receivers, in one SQLite file. A commit is durable when it
 * returns, so that an alert that fired is delivered even after `kill -9` or a power failure. Belongs to the
 * thread that opened it; every call may block on the disk. Errors: Storage, Corrupt, Unsupported (a file of a
 * newer version).
 */
class AlertStore
{
public:
    /** `clock` must outlive the store. */
    explicit AlertStore(const base::Clock &clock) : m_clock(clock) {}
    Q_DISABLE_COPY_MOVE(AlertStore)

    /** Opens the file, or creates it. A damaged file is renamed, logged, and replaced by a new one. */
    base::Result<void> open(const QString &path);
    /** The damaged file's new name, if open() has set one aside; otherwise empty. */
    const QString &setAside() const { return m_setAside; }
    base::Result<StoredAlerts> load();
    /** Saves alerts, notices and cursor in one transaction: all of them, or nothing. */
    base::Result<void> commit(const QList<domain::Alert> &changed, const QList<Notice> &notices,
                              quint64 cursor);

    Outbox &outbox() { return m_outbox; }

private:
    base::Result<void> openSound(const QString &path);
    bool save(const domain::Alert &alert);
    bool forgetOld();

    const base::Clock &m_clock;
    journal::SqliteConnection m_connection{QStringLiteral("the store of alerts")};
    Outbox m_outbox{m_connection, m_clock};
    QString m_setAside;
    qint64 m_forgotUs = 0; ///< when old alerts were removed last
};

} // namespace lockkeeper::agent::alerts
