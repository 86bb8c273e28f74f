// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/locks/sql/session_worker.h"

#include <QObject>
#include <QThread>

#include <functional>

namespace lockkeeper::locks::sql {

/** The blocking half of a WaitBreaker, in a separate thread. */
class WaitBreakerWorker final : public QObject
{
    Q_OBJECT

public:
    explicit WaitBreakerWorker(stores::SourceSpec spec) : m_spec(std::move(spec)) {}

    void end(const ServerWait &wait, int tries, const std::function<void()> &done);

Q_SIGNALS:
    /** `done` is to be called in the thread of the caller. */
    void ended(const std::function<void()> &done);

private:
    stores::SourceSpec m_spec;
    stores::sql::SqlConnection m_connection{stores::sql::Purpose::TakeLocks};
};

/** Cancels statements of other sessions of the same account, in a thread and connection for that purpose. */
class WaitBreaker final : public QObject
{
    Q_OBJECT

public:
    explicit WaitBreaker(stores::SourceSpec spec);
    ~WaitBreaker() override;

    /**
     * Cancels the statement that the session of that wait runs in the server. `done` is called in this thread
     * after the attempt, unless this object is destroyed first. With several `tries` it tries again while the
     * wait continues, even after this object was destroyed, because the session may just be between two
     * statements.
     */
    void end(std::shared_ptr<const ServerWait> wait, int tries, std::function<void()> done);

private:
    stores::SourceSpec m_spec;
    QThread *m_thread = nullptr; ///< from the first use on; deletes itself and the worker when it has ended
    WaitBreakerWorker *m_worker = nullptr;
};

} // namespace lockkeeper::locks::sql
