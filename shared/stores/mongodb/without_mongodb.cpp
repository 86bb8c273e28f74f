// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
// In place of the rest where LOCKKEEPER_WITH_MONGODB is off.
#include "shared/stores/mongodb/mongodb_stores.h"
#include "shared/stores/mongodb/reading/collections.h"

namespace lockkeeper::stores::mongodb {

namespace {
tl::unexpected<base::Error> without()
{
    return base::failure(base::ErrorCode::Unsupported, QStringLiteral("this build can't talk to MongoDB"),
                         QStringLiteral("Install libmongoc-dev and build it again."));
}
} // namespace

base::Result<std::unique_ptr<Store>> makeStore(const SourceSpec &)
{
    return without();
}

base::Result<DatabaseFacts> readCollections(const SourceSpec &, const std::function<bool(qint64, qint64)> &)
{
    return without();
}

} // namespace lockkeeper::stores::mongodb
