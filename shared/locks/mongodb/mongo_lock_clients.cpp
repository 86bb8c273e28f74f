// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/client_makers.h"
#include "shared/locks/mongodb/mongo_lock_worker.h"

namespace lockkeeper::locks::mongodb {

using namespace stores::mongodb;
using namespace stores;

namespace {

base::Result<void> checkTaken(const Layout &layout)
{
    const auto no = [](const QString &why, const QString &remedy) {
        return base::failure(base::ErrorCode::Unsupported, why, remedy);
    };
    if (layout.job)
        return no(QStringLiteral("a job isn't a lock for callers: the process that locks it runs it"),
                  QStringLiteral("Define the job in a process of agenda, or take a lock of mongodb.ttl."));
    if (layout.holder.isEmpty() && !layout.isHeldById())
        return no(QStringLiteral(
                      "the lock set has no holder column: a client couldn't prove that it holds the lock"),
                  QStringLiteral("Write the holder's field: holder = \"…\"."));
    if (layout.expires.name.isEmpty() && layout.renewed.name.isEmpty())
        return no(QStringLiteral("the lock set has no deadline to extend"),
                  QStringLiteral("Write renewed_at or expires_at."));
    for (const TimeField &time : {layout.acquired, layout.renewed, layout.expires}) {
        if (time.number && time.unitUs != 1'000)
            return no(QStringLiteral("locks whose times are numbers can be acquired only in milliseconds"),
                      {});
    }
    return {};
}

} // namespace

base::Result<std::unique_ptr<LockClient>> makeLockClient(const SourceSpec &spec, const LockSet &set,
                                                         const QByteArray &owner)
{
    if (const auto uri = uriOf(spec); !uri)
        return tl::unexpected(uri.error());
    auto layout = layoutOf(set);
    if (!layout)
        return tl::unexpected(layout.error());
    if (const auto taken = checkTaken(*layout); !taken)
        return tl::unexpected(taken.error());
    Traits traits;
    traits.binaryNames = false;
    return std::make_unique<ThreadedLockClient>(
        std::make_unique<MongoLockWorker>(spec, *std::move(layout), owner), traits);
}

} // namespace lockkeeper::locks::mongodb
