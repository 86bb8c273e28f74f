// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"
#include "shared/stores/source_spec.h"

namespace lockkeeper::app::cli {

/** The store that a command accesses directly: by a URL, or as a source of an agent's configuration. */
struct StoreOptions
{
    QString url;      ///< as typed: it may hold a password, so it is never repeated
    QString password; ///< reference: env:NAME or file:PATH; empty: none
    QString config;   ///< file; empty: by the URL
    QString source;   ///< in the file
    QString scheme;
    QString table; ///< SQL; empty: the scheme's default
    QString acl;   ///< ZooKeeper: additional grants on the znodes; empty: none
};

/**
 * The URL of a store, or an Error. The typed text isn't repeated in it, because it may contain a password.
 */
base::Result<QUrl> storeUrl(const QString &text);

/**
 * Finds where and how the lock `name` is kept: a source with one lock set. From a configured source it
 * chooses the set that matches the scheme and the table and accepts the name.
 */
base::Result<stores::SourceSpec> chooseStore(const StoreOptions &options, const QByteArray &name);

} // namespace lockkeeper::app::cli
