// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/grants.h"
#include "shared/protocol/messages.h"

#include <optional>

namespace lockkeeper::agent::commands {

using domain::Permission;
using domain::Role;

/** What a request needs; empty for a message that isn't a client's request at all. */
std::optional<Permission> requiredPermission(const protocol::Message &message);

/** Empty: `grants` give what the request needs, on its source and lock; else why they don't. */
std::optional<base::Error> refusalOf(const protocol::Message &message, const domain::Grants &grants);

/** The id of a request, to answer it; 0 where the message has none. */
quint64 requestId(const protocol::Message &message);

} // namespace lockkeeper::agent::commands
