// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/options.h"
#include "shared/base/result.h"
#include "shared/stores/source_spec.h"

namespace lockkeeper::app::cli {

/** The URL of a store, or why it isn't one. What was typed isn't repeated: a password may be in it. */
base::Result<QUrl> storeUrl(const QString &text);

/**
 * Where the lock called `name` is kept, and how: a source with one lock set. Of a configuration's source the
 * set that the scheme and the table leave, and that takes the name.
 */
base::Result<stores::SourceSpec> chooseStore(const StoreOptions &options, const QByteArray &name);

} // namespace lockkeeper::app::cli
