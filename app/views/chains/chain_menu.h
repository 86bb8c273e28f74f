// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/chain_forest.h"
#include "app/views/widgets/console_context.h"

#include <QCoreApplication>

#include <functional>

class QMenu;

namespace lockkeeper::app::views {

/** Fills the context menu of a row of the chains. */
class ChainMenu
{
    Q_DECLARE_TR_FUNCTIONS(ChainMenu)

public:
    static constexpr int kLocks = 8; ///< named one by one at most

    /**
     * The lock by which the row's connection can be killed: others wait for it, and the agent shows that this
     * connection holds it. Empty for a connection that only waits: releasing the lock that it waits for would
     * kill another connection.
     */
    static std::optional<domain::LockKey> ownLock(const models::ChainRow &row, const ConsoleContext &context);

    /** Fills `menu`; `go` brings the row of a key into sight. */
    static void fill(QMenu *menu, const models::ChainRow &row, const ConsoleContext &context,
                     const std::function<void(const QByteArray &)> &go);
};

} // namespace lockkeeper::app::views
