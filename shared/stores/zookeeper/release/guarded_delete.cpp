// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/zookeeper/release/guarded_delete.h"

#include "shared/stores/zookeeper/reading/recipes.h"

#include <algorithm>

namespace lockkeeper::stores::zookeeper {

using domain::Outcome;

std::optional<GuardedDelete> GuardedDelete::of(const domain::Guard &guard, ZnodeTerm leftOut)
{
    // "czxid/0xsession/path"
    const QByteArray &identity = guard.identity;
    const qsizetype first = identity.indexOf('/');
    const qsizetype second = identity.indexOf('/', first + 1);
    if (first < 1 || second < 0 || !identity.sliced(first + 1).startsWith("0x"))
        return std::nullopt;
    GuardedDelete order;
    bool created = false;
    bool session = false;
    bool version = false;
    order.m_seen.czxid = identity.first(first).toLongLong(&created);
    order.m_seen.owner = qint64(identity.sliced(first + 3, second - first - 3).toULongLong(&session, 16));
    order.m_seen.version = guard.freshness.toInt(&version);
    order.m_path = identity.sliced(second);
    order.m_lock = guard.key.name;
    order.m_leftOut = leftOut;
    const qsizetype slash = order.m_path.lastIndexOf('/');
    const auto place = placeOf(QByteArrayView(order.m_path).sliced(slash + 1));
    const QByteArray parent = slash == 0 ? QByteArray("/") : order.m_path.first(slash);
    const bool numbers = created && session && version;
    if (!numbers || order.m_seen.czxid <= 0 || order.m_seen.version < 0 || parent != order.m_lock || !place ||
        !place->numbered)
        return std::nullopt;
    return order;
}

bool GuardedDelete::fits(const Stat &stat) const
{
    return (m_leftOut == ZnodeTerm::Created || stat.czxid == m_seen.czxid) &&
           (m_leftOut == ZnodeTerm::Session || stat.owner == m_seen.owner) &&
           (m_leftOut == ZnodeTerm::Version || stat.version == m_seen.version);
}

void GuardedDelete::run(ZookeeperLink &link, bool dryRun, Done done) const
{
    link.sync([](const Reply &) {}); // the next request is answered after it, and fails with it
    link.get(m_path, [order = *this, &link, dryRun, done = std::move(done)](const Reply &found) {
        if (found.missing) {
            order.tellWhoHolds(link, done);
            return;
        }
        if (found.error) { // nothing was written yet
            done(found.untouched ? Outcome::Refused : Outcome::Unreachable, found.error);
            return;
        }
        if (!order.fits(found.stat)) {
            done(Outcome::HolderChanged, {});
            return;
        }
        const qint32 version =
            order.m_leftOut == ZnodeTerm::Version ? found.stat.version : order.m_seen.version;
        link.remove(order.m_path, version, dryRun, [order, &link, done](const Reply &reply) {
            if (reply.missing)
                order.tellWhoHolds(link, done);
            else if (reply.badVersion)
                done(Outcome::HolderChanged, {});
            else if (reply.error)
                done(reply.untouched ? Outcome::Refused : Outcome::Unknown, reply.error);
            else
                done(Outcome::Released, {});
        });
    });
}

void GuardedDelete::tellWhoHolds(ZookeeperLink &link, const Done &done) const
{
    link.children(m_lock, false, [done](const Reply &reply) {
        const bool held = std::any_of(reply.children.cbegin(), reply.children.cend(),
                                      [](const QByteArray &child) { return placeOf(child).has_value(); });
        // The seen acquisition no longer exists, even if others can be read.
        done(held || (reply.error && !reply.missing) ? Outcome::HolderChanged : Outcome::AlreadyFree, {});
    });
}

} // namespace lockkeeper::stores::zookeeper
