// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/redis/connection/script.h"
#include "shared/stores/store.h"

#include <memory>

namespace lockkeeper::stores::redis {

/** Redlock asks for an odd number of nodes; one is a token lock with a drift, more than nine is a mistake. */
inline constexpr qsizetype kMostNodes = 9;

/** The nodes of `redlock://[user@]h1:p1,h2:p2,…[/db]`, as one URL for each (rediss:// with `tls`). Returns a
 * usage Error for none, too many or a duplicate. */
base::Result<QList<QUrl>> nodeUrlsOf(const QUrl &url, bool tls);

/** Two nodes, by their addresses, turned out to be one server: it has one vote. */
base::Error sameServerError(const QString &one, const QString &other);

/** `release` stands in for the guarded script of each node: tests pass one with a term left out. */
base::Result<std::unique_ptr<Store>> makeRedlockStore(const SourceSpec &spec,
                                                      const std::optional<Script> &release = {});

/** The source of one node: a plain Redis with the tokens of the whole. */
SourceSpec nodeSpec(const SourceSpec &spec, const QUrl &url);

} // namespace lockkeeper::stores::redis
