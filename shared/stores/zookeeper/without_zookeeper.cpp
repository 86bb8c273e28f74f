// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
// In place of the rest where LOCKKEEPER_WITH_ZOOKEEPER is off.
#include "shared/stores/zookeeper/reading/survey.h"
#include "shared/stores/zookeeper/zookeeper_stores.h"

namespace lockkeeper::stores::zookeeper {

namespace {
tl::unexpected<base::Error> without()
{
    return base::failure(base::ErrorCode::Unsupported, QStringLiteral("this build can't talk to ZooKeeper"),
                         QStringLiteral("Install libzookeeper-st-dev and build it again."));
}
} // namespace

base::Result<std::unique_ptr<Store>> makeStore(const SourceSpec &)
{
    return without();
}

base::Result<std::unique_ptr<Survey>> Survey::of(const SourceSpec &, const SurveyLimits &)
{
    return without();
}

} // namespace lockkeeper::stores::zookeeper
