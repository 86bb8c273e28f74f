// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/words/scheme_words.h"

#include "shared/base/text.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <iterator>

namespace lockkeeper::app::words {

namespace {

/** Texts are sources of translations in the context "SchemeWords"; null: the general texts. */
struct SchemeTexts
{
    QLatin1StringView scheme;
    const char *layout = nullptr;
    const char *guard = nullptr;
    const char *noticed = nullptr;
    const char *hiddenWaiters = nullptr;
    bool showsLife = true;
    bool rowLock = false;
    bool sharesLease = false;
};

constexpr auto kColumns = QT_TRANSLATE_NOOP("SchemeWords", "guarded: every column as read");
constexpr auto kKill = QT_TRANSLATE_NOOP("SchemeWords", "guarded kill: connection, thread and transaction");
constexpr auto kNamesItself = QT_TRANSLATE_NOOP(
    "SchemeWords",
    "It notices at its next renewal or release, if its client names itself there and counts the rows.");

const SchemeTexts kSchemes[] = {
    {.scheme = QLatin1StringView("redis.token"),
     .layout = QT_TRANSLATE_NOOP("SchemeWords", "a key's value is the holder, its time to live the lease"),
     .guard = QT_TRANSLATE_NOOP("SchemeWords", "guarded: token and expiry"),
     .noticed = QT_TRANSLATE_NOOP(
         "SchemeWords",
         "It notices at its next renewal or unlock, if its client compares the token there. A client that "
         "doesn't (ShedLock on Redis) extends any existing lock, the next holder's too.")},
    {.scheme = QLatin1StringView("redis.redlock"),
     .layout = QT_TRANSLATE_NOOP("SchemeWords", "the same key and value on most of the nodes")},
    {.scheme = QLatin1StringView("redis.json"),
     .layout = QT_TRANSLATE_NOOP("SchemeWords", "a key's value is an object of owner and state"),
     .guard = QT_TRANSLATE_NOOP("SchemeWords", "guarded: the whole value, and expiry"),
     .noticed = QT_TRANSLATE_NOOP(
         "SchemeWords",
         "A client that writes the key again without reading it notices nothing, and takes the "
         "lock back.")},
    {.scheme = QLatin1StringView("redis.redisson"),
     .layout = QT_TRANSLATE_NOOP("SchemeWords", "Redisson: a hash of the holder and its count"),
     .guard = QT_TRANSLATE_NOOP("SchemeWords", "guarded: holder, depth and expiry"),
     .noticed =
         QT_TRANSLATE_NOOP("SchemeWords", "Its watchdog, if it has one, finds no lock at its next renewal "
                                          "and ends silently. The program notices when it unlocks."),
     .hiddenWaiters = QT_TRANSLATE_NOOP(
         "SchemeWords", "Waiters not visible now: one shows while it is queued or subscribed; who polls, "
                        "as for a spin lock, never")},
    {.scheme = QLatin1StringView("redis.semaphore"),
     .layout = QT_TRANSLATE_NOOP("SchemeWords", "a semaphore: several may hold it at once"),
     .guard = QT_TRANSLATE_NOOP("SchemeWords", "guarded: permit and its time"),
     .noticed = QT_TRANSLATE_NOOP(
         "SchemeWords",
         "It notices when it next refreshes or releases its permit, if its client checks the answer.")},
    {.scheme = QLatin1StringView("sql.shedlock"),
     .layout = QT_TRANSLATE_NOOP("SchemeWords", "ShedLock: a row stays, its time says until when it is held"),
     .guard = QT_TRANSLATE_NOOP("SchemeWords", "guarded: holder and both times"),
     .noticed = QT_TRANSLATE_NOOP(
         "SchemeWords",
         "It notices only if it extends the lock: most tasks never do, and end without a word.")},
    {.scheme = QLatin1StringView("sql.insert"),
     .layout = QT_TRANSLATE_NOOP("SchemeWords", "a row that exists is held, deleting it releases"),
     .guard = kColumns,
     .noticed = QT_TRANSLATE_NOOP(
         "SchemeWords",
         "It notices nothing before it deletes its row, and then only if its client counts the "
         "rows."),
     .showsLife = false},
    {.scheme = QLatin1StringView("sql.lease"),
     .layout = QT_TRANSLATE_NOOP("SchemeWords", "a row stays, its columns say whether it is held"),
     .guard = kColumns,
     .noticed = kNamesItself},
    {.scheme = QLatin1StringView("sql.reentrant"),
     .layout = QT_TRANSLATE_NOOP("SchemeWords", "re-entrant: the holder may enter several times"),
     .guard = kColumns,
     .noticed = kNamesItself},
    {.scheme = QLatin1StringView("sql.row"),
     .layout = QT_TRANSLATE_NOOP("SchemeWords", "row locks of open transactions"),
     .guard = kKill,
     .rowLock = true},
    {.scheme = QLatin1StringView("sql.advisory"),
     .layout = QT_TRANSLATE_NOOP("SchemeWords", "advisory locks of sessions (GET_LOCK, pg_advisory_lock)"),
     .guard = kKill},
    {.scheme = QLatin1StringView("mongodb.ttl"),
     .layout = QT_TRANSLATE_NOOP(
         "SchemeWords",
         "MongoDB: one document for each lock, held until its deadline or until it is released"),
     .guard = QT_TRANSLATE_NOOP("SchemeWords", "guarded: type and value of each field that was seen"),
     .noticed =
         QT_TRANSLATE_NOOP("SchemeWords", "Its holder isn't notified: it notices when it renews or releases "
                                          "the document, if it checks whether one was found.")},
    {.scheme = QLatin1StringView("etcd.lease"),
     .layout = QT_TRANSLATE_NOOP("SchemeWords", "etcd: keys under leases, the first one holds"),
     .guard = QT_TRANSLATE_NOOP("SchemeWords", "guarded: revisions and lease"),
     .noticed = QT_TRANSLATE_NOOP(
         "SchemeWords", "Its holder isn't notified: its session continues, and it notices only if its client "
                        "watches or checks its key. The lease stays, with its other keys."),
     .hiddenWaiters =
         QT_TRANSLATE_NOOP("SchemeWords", "Waiters not visible for a plain key: they try again or watch it"),
     .sharesLease = true},
    {.scheme = QLatin1StringView("zookeeper.sequence"),
     .layout =
         QT_TRANSLATE_NOOP("SchemeWords", "ZooKeeper: numbered znodes of sessions, the lowest number holds"),
     .guard =
         QT_TRANSLATE_NOOP("SchemeWords", "guarded: full name and version, after transaction and session"),
     .noticed = QT_TRANSLATE_NOOP("SchemeWords",
                                  "Its holder isn't notified: kazoo and Curator continue as if they held the "
                                  "lock. Its session stays, with the other locks that it holds."),
     .hiddenWaiters = QT_TRANSLATE_NOOP("SchemeWords", "Count only: too many waiters to list")},
    {.scheme = QLatin1StringView("sql.version"),
     .layout = QT_TRANSLATE_NOOP("SchemeWords", "optimistic: never held, a version grows")},
};

const SchemeTexts &entryOf(QByteArrayView scheme)
{
    static constexpr SchemeTexts general;
    const auto *const found =
        std::ranges::find(kSchemes, QLatin1StringView(scheme.data(), scheme.size()), &SchemeTexts::scheme);
    return found == std::end(kSchemes) ? general : *found;
}

QString translated(const char *text)
{
    return QCoreApplication::translate("SchemeWords", text);
}

} // namespace

QString SchemeWords::layout(QByteArrayView scheme)
{
    const char *const text = entryOf(scheme).layout;
    return text ? translated(text) : QString::fromLatin1(scheme);
}

QString SchemeWords::guard(QByteArrayView scheme)
{
    const char *const text = entryOf(scheme).guard;
    return translated(text ? text : QT_TRANSLATE_NOOP("SchemeWords", "guarded"));
}

QString SchemeWords::noticed(QByteArrayView scheme)
{
    const char *const text = entryOf(scheme).noticed;
    return text ? translated(text) : QString();
}

QString SchemeWords::companions(const domain::Companions &companions)
{
    if (companions.count == 0)
        return {};
    const QString count = QString::number(companions.count);
    QStringList names;
    for (const QByteArray &name : companions.names)
        names.append(base::displayText(name));
    if (names.isEmpty())
        return translated(QT_TRANSLATE_NOOP("SchemeWords", "stays; other keys on it: %1")).arg(count);
    if (names.size() < companions.count)
        names.append(QStringLiteral("…"));
    return translated(QT_TRANSLATE_NOOP("SchemeWords", "stays; other keys on it: %1 (%2)"))
        .arg(count, names.join(QStringLiteral(", ")));
}

QString SchemeWords::hiddenWaiters(QByteArrayView scheme)
{
    const char *const text = entryOf(scheme).hiddenWaiters;
    return translated(text ? text : QT_TRANSLATE_NOOP("SchemeWords", "Waiters not visible in this scheme"));
}

bool SchemeWords::showsLife(QByteArrayView scheme)
{
    return entryOf(scheme).showsLife;
}

bool SchemeWords::sharesLease(QByteArrayView scheme)
{
    return entryOf(scheme).sharesLease;
}

bool SchemeWords::isRowLock(QByteArrayView scheme)
{
    return entryOf(scheme).rowLock;
}

} // namespace lockkeeper::app::words
