// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/sql/compare_and_increment.h"

#include "shared/locks/lock_client.h"

namespace lockkeeper::locks::sql {

using base::ErrorCode;
using base::failure;

void compareAndIncrement(LockClient &client, const QByteArray &name, int retries, VersionWork work,
                         VersionDone done)
{
    const Lease wanted{name, {}, 1'000'000, {}, {}}; // it has no lease that could end
    client.tryAcquire(wanted, [&client, name, retries, work = std::move(work),
                               done = std::move(done)](const AttemptResult &read) {
        if (read.error) {
            done(tl::unexpected(*read.error));
            return;
        }
        if (work && !work(read.lease.proof)) {
            done(failure(ErrorCode::Cancelled, QStringLiteral("the version was left as it is")));
            return;
        }
        client.release(read.lease, [&client, name, retries, work, done](const AttemptResult &written) {
            if (written.error)
                done(tl::unexpected(*written.error));
            else if (written.attempt == Attempt::Done)
                done(written.lease.fencing);
            else if (retries > 0)
                compareAndIncrement(client, name, retries - 1, work, done);
            else
                done(failure(ErrorCode::Busy, QStringLiteral("others were faster each time")));
        });
    });
}

} // namespace lockkeeper::locks::sql
