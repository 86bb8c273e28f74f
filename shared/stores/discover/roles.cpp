// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/discover/roles.h"

#include "shared/stores/discover/words.h"

#include <algorithm>
#include <array>

namespace lockkeeper::stores::discover {

namespace {

bool isTime(const ColumnFacts &column)
{
    return column.kind == ValueKind::Instant || column.kind == ValueKind::Calendar ||
           column.kind == ValueKind::Integer;
}

bool isTextual(const ColumnFacts &column)
{
    return column.kind == ValueKind::Text || column.kind == ValueKind::Bytes;
}

bool saysLock(const QStringList &words)
{
    return hasWord(words, "lock locks locked locking mutex lease semaphore latch");
}

int fitName(const ColumnFacts &column, const QStringList &words)
{
    if (!isTextual(column) || hasWord(words, "owner holder by client user host type status state value"))
        return 0;
    if (hasWord(words, "is") || words == QStringList{QStringLiteral("locked")}) // a flag
        return 0;
    const bool noun = hasWord(words, "name key id ident identifier code");
    if (saysLock(words) || hasWord(words, "resource mutex"))
        return noun || words.size() == 1 ? 3 : 1;
    if (words.size() == 1 && hasWord(words, "name key resource"))
        return 2;
    if (hasWord(words, "job task method resource process scope subject region path topic partition shard"))
        return noun || words.size() == 1 ? 2 : 1;
    return noun ? 1 : 0;
}

int fitHolder(const ColumnFacts &column, const QStringList &words)
{
    const bool by = hasWord(words, "by") && hasWord(words, "locked lock held acquired taken leased claimed");
    const bool owns = hasWord(words, "owner holder acquirer leader lockowner");
    if (!isTextual(column))
        return column.kind == ValueKind::Integer && (by || (owns && saysLock(words))) ? 1 : 0;
    if (by || hasWord(words, "holder acquirer") || (owns && (words.size() == 1 || saysLock(words))))
        return 3;
    if (owns ||
        (hasWord(words, "client node worker instance host hostname pod process request machine server") &&
         !hasWord(words, "type count time")))
        return 2;
    return hasWord(words, "token uuid session pid identity thread agent") ? 1 : 0;
}

int fitExpiry(const ColumnFacts &column, const QStringList &words)
{
    if (!isTime(column))
        return 0;
    if (hasWord(words, "until deadline"))
        return saysLock(words) || words.size() == 1 ? 3 : 2;
    if (hasWord(words, "expires expire expiry expiration expired exp"))
        return saysLock(words) ? 3 : 2;
    return saysLock(words) && hasWord(words, "end ends") ? 2 : 0;
}

int fitAcquired(const ColumnFacts &column, const QStringList &words)
{
    if (!isTime(column) ||
        hasWord(words, "until expires expire expiry expiration last version count max min timeout duration"))
        return 0;
    if (hasWord(words, "acquired granted taken obtained held"))
        return column.kind == ValueKind::Integer && !hasWord(words, "at time date since ts") ? 1 : 3;
    if (hasWord(words, "locked lock leased") && hasWord(words, "at time date on since ts granted start"))
        return 3;
    if (hasWord(words, "since"))
        return 2;
    const bool created = hasWord(words, "created create creation inserted");
    return created && (column.kind != ValueKind::Integer || hasWord(words, "at time date on ts")) ? 1 : 0;
}

int fitRenewed(const ColumnFacts &column, const QStringList &words)
{
    if (!isTime(column))
        return 0;
    if (hasWord(words, "heartbeat renewed refreshed renew refresh"))
        return 3;
    if (hasWord(words, "last") && hasWord(words, "lock locked seen beat renewal ping alive active sync"))
        return saysLock(words) ? 3 : 2;
    return hasWord(words, "updated update modified modify touched") && !hasWord(words, "by") ? 1 : 0;
}

int fitTimeout(const ColumnFacts &column, const QStringList &words)
{
    const bool number = column.kind == ValueKind::Integer || column.kind == ValueKind::Decimal;
    const bool longest = hasWord(words, "max") && saysLock(words) && hasWord(words, "time");
    const bool length = longest || hasWord(words, "timeout ttl lease duration");
    return number && length && !hasWord(words, "at until id") ? 2 : 0;
}

int fitCount(const ColumnFacts &column, const QStringList &words)
{
    if (column.kind != ValueKind::Integer || hasWord(words, "retry try attempt attempts fail error"))
        return 0;
    if (hasWord(words, "reentry reentrant depth recursion"))
        return 3;
    return hasWord(words, "count counter holds") ? (saysLock(words) || words.size() == 1 ? 2 : 1) : 0;
}

int fitVersion(const ColumnFacts &column, const QStringList &words)
{
    const bool number = column.kind == ValueKind::Integer;
    return number && hasWord(words, "version revision fencing fence generation") ? 2 : 0;
}

int fitStatus(const ColumnFacts &column, const QStringList &words)
{
    const bool flag = column.kind == ValueKind::Boolean;
    if (!flag && column.kind != ValueKind::Integer && column.kind != ValueKind::Text)
        return 0;
    if (hasWord(words, "by at until time"))
        return 0;
    if (hasWord(words, "locked") || (hasWord(words, "is") && saysLock(words)))
        return 3;
    return hasWord(words, "status state held active") ? 1 : 0;
}

int fitId(const ColumnFacts &column, const QStringList &words)
{
    if (column.kind != ValueKind::Integer && column.kind != ValueKind::Text)
        return 0;
    if (column.counted)
        return 3;
    return words.size() == 1 && hasWord(words, "id index pk") ? 2 : 0;
}

int fitRemark(const ColumnFacts &column, const QStringList &words)
{
    if (hasWord(words, "desc description comment remark remarks note notes memo deleted"))
        return 3;
    return hasWord(words, "updated modified modify created update create") && isTime(column) ? 2 : 0;
}

} // namespace

int fit(ColumnRole role, const ColumnFacts &column, const QStringList &words)
{
    using Fit = int (*)(const ColumnFacts &, const QStringList &);
    static constexpr std::array<Fit, size_t(ColumnRole::RoleCount)> kFits{
        fitName,    fitId,    fitHolder,  fitAcquired, fitRenewed, fitExpiry,
        fitTimeout, fitCount, fitVersion, fitStatus,   fitRemark};
    return kFits.at(size_t(role))(column, words);
}

bool isForeign(const ColumnFacts &column, const QStringList &words)
{
    if (column.kind == ValueKind::Decimal && !hasWord(words, "timeout ttl lease until expires"))
        return true;
    return hasWord(
        words,
        "user email mail password price amount total currency address street city country phone payload "
        "body data content title subject product sku order quantity qty handler attempts priority rent "
        "tenant customer account ip url image file html message msg event action reason log error "
        "balance paid weight height color colour serial brand model vendor stock category language "
        "locale avatar birth gender role permission scope scopes connection queue run failed value "
        "property article post comment invoice floor door room device latitude longitude lat lng");
}

namespace {
/** The words of a table's name without those that only say that it is a table. */
QStringList tableWords(const QString &table)
{
    QStringList words = wordsOf(table);
    while (!words.isEmpty() && hasWord({words.last()}, "table tbl tab info t record records"))
        words.removeLast();
    return words;
}
} // namespace

Naming lockNaming(const QString &table)
{
    static constexpr const char *kNouns =
        "lock locks mutex mutexes lease leases semaphore semaphores shedlock";
    const QStringList words = tableWords(table);
    if (words.isEmpty())
        return Naming::Other;
    if (hasWord({words.last()}, kNouns) || (hasWord(words, "leader") && hasWord(words, "election elections")))
        return Naming::Lock;
    return hasWord(words, kNouns) ? Naming::Mentions : Naming::Other;
}

bool isForeignName(const QString &table)
{
    const QStringList words = tableWords(table);
    return !words.isEmpty() &&
           (hasWord({words.last()},
                    "history log logs audit event events type types archive backup product products "
                    "user users account accounts order orders session sessions token tokens setting "
                    "settings config item items door doors stat stats report payment payments "
                    "member members message messages document documents request requests") ||
            hasWord(words, "user users account accounts door doors history audit"));
}

QList<QStringList> columnWords(const TableFacts &table)
{
    const auto prefixed = [&table](const ColumnFacts &column) {
        return column.name.size() > 2 && column.name.at(0) == table.columns.first().name.at(0) &&
               column.name.at(0).isLetter() && column.name.at(1).isLower() && column.name.at(0).isUpper();
    };
    const bool prefix = table.columns.size() > 2 &&
                        std::all_of(table.columns.cbegin(), table.columns.cend(), prefixed) &&
                        table.columns.first().name.at(0) == QLatin1Char('F');
    QList<QStringList> words;
    for (const ColumnFacts &column : table.columns)
        words.append(wordsOf(prefix ? column.name.mid(1) : column.name));
    return words;
}

} // namespace lockkeeper::stores::discover
