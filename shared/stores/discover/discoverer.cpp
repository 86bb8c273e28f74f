// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/discover/discoverer.h"

#include "shared/stores/discover/sql_discoverer.h"
#include "shared/stores/sql/connection.h"

namespace lockkeeper::stores::discover {

base::Result<std::unique_ptr<Discoverer>> makeDiscoverer(const SourceSpec &spec)
{
    const auto kind = storeKind(spec.url);
    if (!kind)
        return tl::unexpected(kind.error());
    if (*kind == "redis")
        return base::failure(base::ErrorCode::Unsupported,
                             QStringLiteral("looking through Redis keys isn't available in this version"),
                             QStringLiteral("Write the [[source]] section by hand: scheme and match."));
    if (const auto endpoint = sql::endpointOf(spec.url); !endpoint)
        return tl::unexpected(endpoint.error());
    return std::make_unique<SqlDiscoverer>(spec, *kind);
}

} // namespace lockkeeper::stores::discover
