// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/protocol/messages.h"

#include <QObject>

#include <functional>
#include <optional>

namespace lockkeeper::app::views {

/**
 * Keeps logins in the desktop's keychain, by an agent's address. Keeps nothing if this build or this desktop
 * has no keychain.
 */
class Keychain
{
public:
    static bool isAvailable();
    /**
     * Reads the login that is kept for an agent, or nothing. Calls `done` later, unless `context` is gone.
     */
    static void read(const QString &address, QObject *context,
                     const std::function<void(const std::optional<protocol::Login> &)> &done);
    static void write(const QString &address, const protocol::Login &login);
};

} // namespace lockkeeper::app::views
