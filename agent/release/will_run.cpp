// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/release/will_run.h"

#include "shared/base/text.h"
#include "shared/stores/sql/catalogue/preset.h"
#include "shared/stores/sql/tables/row_identity.h"

#include <QTimeZone>

#include <algorithm>

namespace lockkeeper::agent::release {

using stores::LockSet;
using stores::Permits;
namespace sql = stores::sql;

namespace {

/** Quotes a text, and shortens a long one; the guard itself always compares the whole text. */
QString quoted(const QByteArray &bytes)
{
    constexpr qsizetype kShown = 100;
    QString text = base::displayText(bytes.left(kShown));
    text.replace(QLatin1Char('\''), QLatin1String("\\'"));
    if (bytes.size() > kShown)
        text += QStringLiteral("…(%1 B)").arg(bytes.size());
    return QLatin1Char('\'') + text + QLatin1Char('\'');
}

QString date(const domain::TimeUs &us)
{
    const QDateTime second = QDateTime::fromMSecsSinceEpoch(*us / 1'000, QTimeZone::utc());
    return second.toString(QStringLiteral("yyyy-MM-dd HH:mm:ss.zzz")) +
           (*us % 1'000 == 0 ? QString() : QStringLiteral("%1").arg(*us % 1'000, 3, 10, QLatin1Char('0'))) +
           QStringLiteral(" UTC");
}

/** "…" replaces a value that was read and is too long to show. The texts are in the notation of each store,
 * so that they read the same in each language. */
QString script(const domain::LockState &state, const QString &conditions, const QString &act)
{
    const QString deadline =
        QStringLiteral("PEXPIRETIME %1 = %2")
            .arg(quoted(state.key.name), state.expiresUs ? date(state.expiresUs) : QStringLiteral("-1"));
    const QString fresh = state.pinsDeadline ? QStringLiteral(" AND ") + deadline
                          : state.expiry == domain::ExpiryKind::At
                              ? QStringLiteral(" AND (because = operator OR %1)").arg(deadline)
                              : QString();
    return QStringLiteral("EVAL: IF %1%2 THEN %3").arg(conditions, fresh, act);
}

QString redisText(const domain::LockState &state)
{
    const QString name = quoted(state.key.name);
    return script(state, QStringLiteral("TYPE %1 = string AND GET %1 = %2").arg(name, quoted(state.owner)),
                  QStringLiteral("DEL %1").arg(name));
}

/** Each node runs the script of a single key, first as a dry run; the agent counts the nodes. */
QString redlockText(const domain::LockState &state)
{
    return QStringLiteral("%1 × EVAL (dry run), %1 × EVAL: IF TYPE %2 = string AND GET %2 = %3 AND "
                          "PEXPIRETIME %2 = … THEN DEL %2; DEL ≥ %4")
        .arg(state.nodes.size())
        .arg(quoted(state.key.name), quoted(state.token))
        .arg(domain::quorumOf(state.nodes.size()));
}

QString jsonText(const domain::LockState &state)
{
    const QString name = quoted(state.key.name);
    return script(state,
                  QStringLiteral("TYPE %1 = string AND GET %1 = {…%2…}").arg(name, quoted(state.owner)),
                  QStringLiteral("DEL %1").arg(name));
}

QString redissonText(const domain::LockState &state)
{
    const QString name = quoted(state.key.name);
    const QString mode =
        state.mode.isEmpty() ? QString() : QStringLiteral(", mode: %1").arg(quoted(state.mode));
    return script(state,
                  QStringLiteral("TYPE %1 = hash AND HGETALL %1 = {%2: %3%4}")
                      .arg(name, quoted(state.owner), QString::number(state.depth), mode),
                  QStringLiteral("DEL %1; PUBLISH").arg(name));
}

QString semaphoreText(const domain::LockState &state, Permits permits)
{
    // The last part of the place identifies a permit without an owner: huey's fields have none.
    const QByteArray place = state.key.place.sliced(state.key.place.lastIndexOf('/') + 1);
    const QString name = quoted(state.key.name);
    const QString permit = quoted(state.owner.isEmpty() ? place : state.owner);
    if (stores::areFields(permits))
        return script(state, QStringLiteral("HGET %1 %2 = …").arg(name, permit),
                      QStringLiteral("HDEL %1 %2").arg(name, permit) +
                          (permits == Permits::Sidekiq ? QStringLiteral("; LPUSH") : QString()));
    return script(state, QStringLiteral("ZSCORE %1 %2").arg(name, permit),
                  QStringLiteral("ZREM %1 %2").arg(name, permit) +
                      (permits == Permits::Redisson ? QStringLiteral("; INCR; PUBLISH") : QString()));
}

/** The holder's key is the lock's own, or one below it. The lease and its other keys stay. */
QString etcdText(const domain::LockState &state)
{
    return QStringLiteral("TXN: IF CREATE(%1…) = %2 AND MOD(%1…) = … AND LEASE(%1…) = %3 THEN DELETE %1…")
        .arg(quoted(state.key.name), QString::fromLatin1(state.fencing), quoted(state.token));
}

QString zookeeperText(const domain::LockState &state)
{
    return QStringLiteral("IF czxid = %2 AND ephemeralOwner = %3 THEN delete(%1/…, version = …)")
        .arg(quoted(state.key.name), QString::fromLatin1(state.fencing), quoted(state.token));
}

QString mongodbText(const domain::LockState &state, const LockSet &set)
{
    const bool updates =
        set.preset == QLatin1String("mongodb-shedlock") || set.preset == QLatin1String("agenda");
    const QString change = !updates ? QString()
                           : set.preset == QLatin1String("agenda")
                               ? QStringLiteral(", {$set: {lockedAt: null}}")
                               : QStringLiteral(", [{$set: {lockUntil: \"$$NOW\"}}]");
    return QStringLiteral("%1.%2({name: %3, holder: %4%5, …}%6, {w: \"majority\"})")
        .arg(base::displayText(state.key.place),
             updates ? QStringLiteral("updateOne") : QStringLiteral("deleteOne"), quoted(state.key.name),
             state.ownerKnown ? quoted(state.owner) : QStringLiteral("null"),
             state.expiresUs ? QStringLiteral(", expires: %1").arg(date(state.expiresUs)) : QString(),
             change);
}

QString killText(const domain::LockState &state, QByteArrayView store)
{
    const domain::Session session = state.session.value_or(domain::Session());
    const QString kill = store == "postgresql" ? QStringLiteral("pg_terminate_backend(%1)")
                                               : QStringLiteral("KILL CONNECTION %1");
    return QStringLiteral("%1 IF transaction = %2")
        .arg(kill.arg(quoted(session.id)), quoted(session.transaction));
}

QString comparison(const QString &column, const QByteArray &value)
{
    return value.isNull() ? QStringLiteral("%1 IS NULL").arg(column)
                          : QStringLiteral("%1 = %2").arg(column, quoted(value));
}

/** The value that a break writes; empty: the break leaves the column alone. `seen`: the column's value now;
 * `free`: its value in the table's free rows. */
QString written(const sql::ColumnWrite &write, const QByteArray &seen, const QByteArray &free)
{
    const bool isNumber = !seen.isEmpty() && std::all_of(seen.cbegin(), seen.cend(),
                                                         [](char c) { return c >= '0' && c <= '9'; });
    switch (write.kind) {
    case sql::ColumnWrite::Nothing:
        break;
    case sql::ColumnWrite::Null:
        return QStringLiteral("NULL");
    case sql::ColumnWrite::AsFree:
        return free.isNull() ? QStringLiteral("NULL") : quoted(free);
    case sql::ColumnWrite::Value:
        return quoted(write.value.toUtf8());
    case sql::ColumnWrite::Now:
        return isNumber ? QStringLiteral("(now)") : QStringLiteral("CURRENT_TIMESTAMP");
    case sql::ColumnWrite::Epoch:
        return isNumber ? QStringLiteral("0") : QStringLiteral("'1970-01-01 00:00:01'");
    }
    return {};
}

/** Names only the guard's columns, which were read from the table, and the status flag. */
QString rowText(const LockReading &reading, const LockSet &set)
{
    const auto layout = sql::layoutOf(set);
    if (!layout)
        return {};
    QList<sql::SeenValue> seen = sql::decodedValues(reading.guard.identity).value_or(QList<sql::SeenValue>());
    for (const sql::SeenValue &value :
         sql::decodedValues(reading.guard.freshness).value_or(QList<sql::SeenValue>())) {
        const auto isKnown = [&value](const sql::SeenValue &known) { return known.key == value.key; };
        if (std::none_of(seen.cbegin(), seen.cend(), isKnown))
            seen.append(value);
    }
    if (layout->column("status"))
        seen.append({"status", layout->freeValue.isEmpty() ? layout->heldValue.toUtf8() : QByteArray()});
    QStringList terms;
    QStringList writes;
    const auto parts = sql::splitName(reading.state.key.name, layout->names.size());
    for (qsizetype i = 0; parts && i < layout->names.size(); ++i)
        terms.append(comparison(layout->names.at(i), parts->at(i)));
    for (const sql::SeenValue &value : std::as_const(seen)) {
        const sql::ColumnPreset *column = layout->column(value.key);
        if (!column)
            continue;
        const bool asRead = value.key == "status" && value.value.isNull();
        terms.append(asRead ? QStringLiteral("%1 = …").arg(column->column)
                            : comparison(column->column, value.value));
        if (const QString text = written(column->write, value.value, reading.freeTexts.value(value.key));
            !text.isEmpty())
            writes.append(QStringLiteral("%1 = %2").arg(column->column, text));
    }
    const QString place = base::displayText(reading.state.key.place);
    const QString act =
        layout->deletes ? QStringLiteral("DELETE FROM %1").arg(place)
                        : QStringLiteral("UPDATE %1 SET %2").arg(place, writes.join(QStringLiteral(", ")));
    return terms.isEmpty() ? act
                           : QStringLiteral("%1 WHERE %2").arg(act, terms.join(QStringLiteral(" AND ")));
}

QString sqlText(const LockReading &reading, const LockSet &set, QByteArrayView store)
{
    const QByteArray &scheme = reading.state.key.scheme;
    if (domain::isConnectionScheme(scheme))
        return killText(reading.state, store);
    // Optimistic: nobody holds it.
    return scheme == "sql.version" ? QString() : base::singleLine(rowText(reading, set));
}

} // namespace

QString willRun(const LockReading &reading, const LockSet &set, QByteArrayView store)
{
    const domain::LockState &state = reading.state;
    const QByteArray &scheme = state.key.scheme;
    if (scheme == "etcd.lease")
        return etcdText(state);
    if (scheme == "mongodb.ttl")
        return mongodbText(state, set);
    if (scheme == "zookeeper.sequence")
        return zookeeperText(state);
    if (scheme == "redis.redlock")
        return redlockText(state);
    if (scheme == "redis.json")
        return jsonText(state);
    if (scheme == "redis.redisson")
        return redissonText(state);
    if (scheme == "redis.semaphore")
        return semaphoreText(state, set.keys.permits);
    return scheme.startsWith("sql.") ? sqlText(reading, set, store) : redisText(state);
}

} // namespace lockkeeper::agent::release
