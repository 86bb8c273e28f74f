// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/commands/release_rules.h"
#include "shared/base/text.h"

namespace lockkeeper::agent::commands {

namespace {

/** A text in quotes; a long one shortened, since the guard itself always compares all of it. */
QString quoted(const QByteArray &bytes)
{
    constexpr qsizetype kShown = 200;
    QString text = base::displayText(bytes.left(kShown));
    text.replace(QLatin1Char('\''), QLatin1String("\\'"));
    if (bytes.size() > kShown)
        text += QStringLiteral("…(%1 bytes)").arg(bytes.size());
    return QLatin1Char('\'') + text + QLatin1Char('\'');
}

QString epoch(const domain::TimeUs &us)
{
    return us ? QStringLiteral("%1 µs").arg(*us) : QStringLiteral("NULL");
}

QString deadlineTerm(const domain::LockState &state)
{
    return QStringLiteral(" and expiry = %1").arg(epoch(state.expiresUs));
}

QString redisText(const domain::LockState &state)
{
    QString conditions =
        QStringLiteral("TYPE %1 = string and GET %1 = %2").arg(quoted(state.key.name), quoted(state.owner));
    if (state.expiry == domain::ExpiryKind::At)
        conditions += deadlineTerm(state);
    return QStringLiteral("EVAL (one atomic script): if %1 then DEL %2")
        .arg(conditions, quoted(state.key.name));
}

/** On each node the script of a single key; the nodes themselves are counted by the agent. */
QString redlockText(const domain::LockState &state)
{
    const QString name = quoted(state.key.name);
    return QStringLiteral(
               "on each of %1 nodes, first as a check without a write: EVAL (one atomic script): if "
               "TYPE %2 = string and GET %2 = %3 and its expiry there is as read "
               "then DEL %2; released where it is then gone from at least %4")
        .arg(state.nodes.size())
        .arg(name, quoted(state.token))
        .arg(domain::quorumOf(state.nodes.size()));
}

QString jsonText(const domain::LockState &state)
{
    return QStringLiteral(
               "EVAL (one atomic script): if TYPE %1 = string and GET %1 = (the whole value as read; "
               "owner: %2)%3 then DEL %1")
        .arg(quoted(state.key.name), quoted(state.owner), deadlineTerm(state));
}

QString redissonText(const domain::LockState &state)
{
    const QString mode =
        state.mode.isEmpty() ? QString() : QStringLiteral(" and mode = %1").arg(quoted(state.mode));
    return QStringLiteral(
               "EVAL (one atomic script): if TYPE %1 = hash and its only holder is %2 with count %3%4%5 "
               "then PUBLISH the unlock message and DEL %1")
        .arg(quoted(state.key.name), quoted(state.owner), QString::number(state.depth), mode,
             deadlineTerm(state));
}

QString semaphoreText(const domain::LockState &state)
{
    // Of a field the place tells more than an owner does: huey's has none.
    const QByteArray member = state.key.place.sliced(state.key.place.lastIndexOf('/') + 1);
    return QStringLiteral("EVAL (one atomic script): if the permit %2 is in %1 with the deadline %3 [of a "
                          "hash: and the value] as read then ZREM, or HDEL, %1 %2 (Redisson: "
                          "and INCR its "
                          "counter and PUBLISH; sidekiq-unique-jobs: and LPUSH to its queue)")
        .arg(quoted(state.key.name), quoted(state.owner.isEmpty() ? member : state.owner),
             epoch(state.expiresUs));
}

QString shedlockText(const domain::LockState &state)
{
    return QStringLiteral("UPDATE %1 SET lock_until = CURRENT_TIMESTAMP WHERE name = %2 AND locked_by = %3 "
                          "AND locked_at = "
                          "(as read: %4) AND lock_until = (as read: %5), exactly one row")
        .arg(base::displayText(state.key.place), quoted(state.key.name),
             state.ownerKnown ? quoted(state.owner) : QStringLiteral("NULL"), epoch(state.acquiredUs),
             epoch(state.expiresUs));
}

/** What the table schemes compare: whatever columns the row has, as they were read. */
QString rowText(const domain::LockState &state)
{
    const QString place = base::displayText(state.key.place);
    const QString act = state.key.scheme == "sql.insert"
                            ? QStringLiteral("DELETE FROM %1").arg(place)
                            : QStringLiteral("UPDATE %1 SET (what a release of the scheme sets)").arg(place);
    const QString holder = !state.ownerKnown       ? QStringLiteral("NULL")
                           : state.owner.isEmpty() ? QStringLiteral("none")
                                                   : quoted(state.owner);
    return QStringLiteral("%1 WHERE name = %2 AND every column of the mapping = (as read; holder: %3), "
                          "exactly one row")
        .arg(act, quoted(state.key.name), holder);
}

QString killText(const domain::LockState &state, QByteArrayView store)
{
    const domain::Session session = state.session.value_or(domain::Session());
    const QString kill = store == "postgresql" ? QStringLiteral("pg_terminate_backend(%1)")
                                               : QStringLiteral("KILL CONNECTION %1");
    return QStringLiteral("%1, if it still is in transaction %2")
        .arg(kill.arg(quoted(session.id)), quoted(session.transaction));
}

QString sqlText(const domain::LockState &state, QByteArrayView store)
{
    if (state.key.scheme == "sql.shedlock")
        return shedlockText(state);
    if (state.key.scheme == "sql.row" || state.key.scheme == "sql.advisory")
        return killText(state, store);
    // Optimistic: nobody holds it.
    return state.key.scheme == "sql.version" ? QString() : rowText(state);
}

QString etcdText(const domain::LockState &state)
{
    return QStringLiteral(
               "TXN: if create_revision = %1 and mod_revision = (as read) and lease = %2 of the "
               "holder's key of %3 then delete that key; the lease stays, with what else hangs on it")
        .arg(QString::fromLatin1(state.fencing), quoted(state.token), quoted(state.key.name));
}

QString zookeeperText(const domain::LockState &state)
{
    return QStringLiteral("delete the holder's znode below %1 by its full name, if its data has the version "
                          "(as read), after czxid = %2 and session = %3 were compared")
        .arg(quoted(state.key.name), QString::fromLatin1(state.fencing), quoted(state.token));
}

QString mongodbText(const domain::LockState &state)
{
    return QStringLiteral("one write of %1 at the primary, w: majority: if _id, holder (%2), acquisition and "
                          "deadline of %3 have the types and values that were read then delete the document "
                          "(ShedLock's stays: set lockUntil to $$NOW)")
        .arg(base::displayText(state.key.place), quoted(state.owner), quoted(state.key.name));
}

} // namespace

QString willRun(const domain::LockState &state, QByteArrayView store)
{
    if (state.key.scheme == "etcd.lease")
        return etcdText(state);
    if (state.key.scheme == "mongodb.ttl")
        return mongodbText(state);
    if (state.key.scheme == "zookeeper.sequence")
        return zookeeperText(state);
    if (state.key.scheme == "redis.redlock")
        return redlockText(state);
    if (state.key.scheme == "redis.json")
        return jsonText(state);
    if (state.key.scheme == "redis.redisson")
        return redissonText(state);
    if (state.key.scheme == "redis.semaphore")
        return semaphoreText(state);
    return state.key.scheme.startsWith("sql.") ? sqlText(state, store) : redisText(state);
}

} // namespace lockkeeper::agent::commands
