// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/mongodb/mongodb_stores.h"

#include "shared/stores/mongodb/store/mongo_store.h"

namespace lockkeeper::stores::mongodb {

base::Result<std::unique_ptr<Store>> makeStore(const SourceSpec &spec)
{
    if (const auto uri = uriOf(spec); !uri)
        return tl::unexpected(uri.error());
    QList<Layout> layouts;
    for (const LockSet &set : spec.locks) {
        auto layout = layoutOf(set);
        if (!layout)
            return tl::unexpected(layout.error());
        layouts.append(*std::move(layout));
    }
    return std::make_unique<MongoStore>(spec, layouts);
}

} // namespace lockkeeper::stores::mongodb
