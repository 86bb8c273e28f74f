// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/release/bulk_plan.h"

#include <algorithm>

namespace lockkeeper::app::views {

namespace {

Skip skipFor(ReleaseCase releaseCase)
{
    switch (releaseCase) {
    case ReleaseCase::Expired:
    case ReleaseCase::Stuck:
        return Skip::None;
    case ReleaseCase::NoIdentity:
        return Skip::NoIdentity;
    case ReleaseCase::Connection:
        return Skip::Connection;
    case ReleaseCase::Gone:
        return Skip::Gone;
    case ReleaseCase::Unreachable:
    case ReleaseCase::Reading:
        return Skip::Unreachable;
    case ReleaseCase::Changed:
        return Skip::Changed;
    case ReleaseCase::Off:
        return Skip::Off;
    case ReleaseCase::Leftover:   // reviewed one by one: a client may be about to take the lock
    case ReleaseCase::HolderGone: // likewise: a wrong liveness rule would name many live holders dead
    case ReleaseCase::Live:
        break;
    }
    return Skip::Live;
}

} // namespace

QList<BulkItem> planBulk(const QList<domain::LockState> &states)
{
    QList<BulkItem> items;
    int chosen = 0;
    for (const domain::LockState &state : states) {
        BulkItem item;
        item.state = state;
        protocol::Inspected shown;
        shown.present = true;
        shown.state = state;
        item.releaseCase = caseOf(shown, state.guard);
        item.skip = skipFor(item.releaseCase);
        if (item.skip == Skip::None && state.guard.isEmpty())
            item.skip = Skip::NoIdentity; // a later reading could show any holder
        if (item.skip == Skip::None && chosen == kBulkLimit)
            item.skip = Skip::TooMany;
        item.ticked = item.skip == Skip::None;
        chosen += item.ticked ? 1 : 0;
        items.append(item);
    }
    return items;
}

Skip skipOf(const protocol::Inspected &reading, const QByteArray &plannedGuard)
{
    return skipFor(caseOf(reading, plannedGuard));
}

int willRelease(const QList<BulkItem> &items)
{
    return int(std::count_if(items.cbegin(), items.cend(),
                             [](const BulkItem &item) { return item.ticked && item.skip == Skip::None; }));
}

} // namespace lockkeeper::app::views
