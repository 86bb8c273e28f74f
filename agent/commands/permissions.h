// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/grants.h"
#include "shared/protocol/messages.h"

#include <optional>

namespace lockkeeper::agent::commands {

using domain::Permission;
using domain::Role;

/** The permission that a request needs; empty if the message isn't a client's request. */
std::optional<Permission> requiredPermission(const protocol::Message &message);

/** Returns an error unless `grants` allow the request on its source and lock. */
std::optional<base::Error> refusalOf(const protocol::Message &message, const domain::Grants &grants);

/** The id of a request, to answer it; 0 if the message has none. */
quint64 requestId(const protocol::Message &message);

} // namespace lockkeeper::agent::commands
