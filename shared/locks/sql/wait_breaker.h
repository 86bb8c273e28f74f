// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/locks/sql/session_worker.h"

#include <QObject>
#include <QThread>

#include <functional>

namespace lockkeeper::locks::sql {

using namespace stores;
using namespace stores::sql;

/** The blocking half of a WaitBreaker, in a thread of its own. */
class WaitBreakerWorker final : public QObject
{
    Q_OBJECT

public:
    explicit WaitBreakerWorker(SourceSpec spec) : m_spec(std::move(spec)) {}

    void end(const ServerWait &wait, int tries, const std::function<void()> &done);

Q_SIGNALS:
    /** To be called in the thread of who asked. */
    void ended(const std::function<void()> &done);

private:
    SourceSpec m_spec;
    Connection m_connection{Purpose::TakeLocks};
};

/** Ends the statements of other sessions of the same account, over a connection and in a thread of its own.
 */
class WaitBreaker final : public QObject
{
    Q_OBJECT

public:
    explicit WaitBreaker(SourceSpec spec);
    ~WaitBreaker() override;

    /**
     * Ends what the session of that wait runs in the server. `done` is called here when that was tried,
     * unless it is destroyed first. Of several tries it makes another one while the wait goes on, also when
     * it is destroyed: the session may just be between two statements.
     */
    void end(std::shared_ptr<const ServerWait> wait, int tries, std::function<void()> done);

private:
    SourceSpec m_spec;
    QThread *m_thread = nullptr; ///< from the first use on; deletes itself and the worker when it has ended
    WaitBreakerWorker *m_worker = nullptr;
};

} // namespace lockkeeper::locks::sql
