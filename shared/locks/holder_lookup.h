// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/locks/lock_manager.h"
#include "shared/stores/store.h"

#include <QQueue>

namespace lockkeeper::locks {

/**
 * Reads the holders of locks, over a separate connection of the agent's kind. Connects on first use and again
 * after a failure. Lives in the thread that made it.
 */
class HolderLookup final : public QObject
{
    Q_OBJECT

public:
    explicit HolderLookup(stores::SourceSpec spec);

    void read(const QByteArray &name, LockManager::HolderRead done);

private:
    struct HolderQuery
    {
        QByteArray name;
        LockManager::HolderRead done;
    };

    void ask(const HolderQuery &question);
    void fail(const base::Error &error);

    stores::SourceSpec m_spec;
    std::unique_ptr<stores::Store> m_store;
    QQueue<HolderQuery> m_waiting; ///< waiting for the connection
    bool m_open = false;
};

} // namespace lockkeeper::locks
