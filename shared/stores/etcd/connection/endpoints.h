// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"
#include "shared/stores/source_spec.h"
#include "shared/stores/tls.h"

namespace lockkeeper::stores::etcd {

/** Where an etcd:// or etcds:// URL leads: any of its members may be asked. */
struct Endpoints
{
    QList<QUrl> members; ///< "http://host:2379", in the configured order
    QByteArray user;     ///< empty: none
    std::optional<Tls> tls = {};

    bool operator==(const Endpoints &) const = default;
};

/** Reads `etcd://[user@]h1[:2379],h2[:2379]` and `etcds://…`, with TLS as the source says; a usage Error for
 * anything else. */
base::Result<Endpoints> endpointsOf(const SourceSpec &spec);

} // namespace lockkeeper::stores::etcd
