// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/discover/key_clients.h"

#include "shared/base/text.h"
#include "shared/stores/discover/value_shape.h"
#include "shared/stores/redis/schemes/key_preset.h"

#include <QSet>

#include <algorithm>
#include <cctype>
#include <cmath>

namespace lockkeeper::stores::discover {

namespace {

constexpr qsizetype kOwnWords = 3;             ///< a prefix of this length is specific to a client
constexpr qint64 kSkewS = 5;                   ///< a client's clock may be ahead
constexpr double kYear1971Ms = 31'536'000'000; ///< a time before it counts something else (isSaneTime())

/** The prefix of every matching name; empty where the glob asks for more than this prefix. */
QByteArray ownPrefix(const QByteArray &match)
{
    const auto wild =
        std::find_if(match.begin(), match.end(), [](char c) { return QByteArrayView("*?[").contains(c); });
    const QByteArray prefix = match.first(wild - match.begin());
    return prefix.size() >= kOwnWords && (match.endsWith('*') || match.endsWith('?')) ? prefix : QByteArray();
}

/** "*_#RL#": an end that people give no key by themselves. */
bool isOwnEnd(const QByteArray &match)
{
    return match.size() > kOwnWords && match.startsWith("*_#") && !match.mid(1).contains('*');
}

/** "attempts", "failed_logins": what a count is of, and nobody. */
bool isPlainWord(const QByteArray &text)
{
    return std::all_of(text.begin(), text.end(), [](char c) { return isalpha(uchar(c)) || c == '_'; });
}

} // namespace

bool KnownClient::fits(const KeyFacts &key) const
{
    if (key.type != type || !base::globMatches(match, key.name))
        return false;
    if (type == KeyType::String)
        return key.length == key.value.size() && value.match(QString::fromLatin1(key.value)).hasMatch();
    return std::any_of(key.members.begin(), key.members.end(), [this](const KeyMember &one) {
        return value.match(QString::fromLatin1(one.name + ' ' + one.value)).hasMatch();
    });
}

const QList<KnownClient> &knownClients()
{
    static const QList<KnownClient> clients = [] {
        QList<KnownClient> found;
        for (const QString &id : redis::keyPresetIds()) {
            const auto layout = redis::keyPresetNamed(id);
            if (layout && !layout->value.isEmpty())
                found.append({id, layout->scheme, layout->match, ownPrefix(layout->match), KeyType::String,
                              QRegularExpression(layout->value), layout->neverBroken,
                              isOwnEnd(layout->match)});
            if (layout && !layout->member.isEmpty())
                found.append({id, layout->scheme, layout->match, ownPrefix(layout->match), KeyType::Hash,
                              QRegularExpression(layout->member), layout->neverBroken, false});
        }
        return found;
    }();
    return clients;
}

bool isCount(const KeyFacts &key)
{
    return !key.value.isEmpty() && key.value.size() <= 9 &&
           std::all_of(key.value.begin(), key.value.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool isRedissonLock(const KeyFacts &key, bool threads)
{
    if (key.members.isEmpty() || key.members.size() != key.length)
        return false;
    return std::all_of(key.members.begin(), key.members.end(), [threads](const KeyMember &one) {
        if (one.name == "mode")
            return one.value == "read" || one.value == "write";
        bool count = false;
        bool number = false;
        const qint64 times = one.value.toLongLong(&count);
        const QByteArray thread = one.name.mid(37).split(':').first();
        thread.toLongLong(&number);
        const bool isThread = one.name.size() > 37 && (number || isUuid(thread)) && one.name.at(36) == ':' &&
                              isUuid(QByteArrayView(one.name).first(36));
        return count && times > 0 && (isThread || (!threads && !isPlainWord(one.name)));
    });
}

bool hasMode(const KeyFacts &key)
{
    return std::any_of(key.members.begin(), key.members.end(),
                       [](const KeyMember &one) { return one.name == "mode"; });
}

bool isSymfonyLock(const KeyFacts &key, qint64 nowS)
{
    constexpr double kSameMs = 60'000; // the two requests follow each other, and a scan takes time
    double last = 0;
    for (const KeyMember &one : key.members) {
        const qsizetype bytes = QByteArray::fromBase64(one.name).size();
        if (one.name != "__write__" && (bytes != 32 || one.name.size() != 44))
            return false;
        last = std::max(last, one.value.toDouble());
    }
    return key.ttlMs > 0 && std::abs(last - double(nowS * 1'000 + key.ttlMs)) < kSameMs;
}

bool isSpringRegistry(const KeyGroup &group)
{
    QSet<QByteArray> seen;
    for (const KeyFacts &key : group.keys) {
        if (!key.sampled)
            continue;
        if (!isUuid(key.value) || !key.name.contains(':'))
            return false;
        if (seen.contains(key.value))
            return true;
        seen.insert(key.value);
    }
    return !seen.isEmpty() && group.prefix.contains("spring");
}

namespace {
/** Holders, with times near now as scores: milliseconds, or seconds. */
bool hasTimes(const KeyFacts &key, qint64 nowS, bool inSeconds)
{
    return !key.members.isEmpty() &&
           std::all_of(key.members.begin(), key.members.end(), [&](const KeyMember &one) {
               const Shape holder = shapeOf(one.name, nowS);
               const bool known = holder == Shape::Uuid || holder == Shape::Hex || holder == Shape::Token;
               const double time = one.value.toDouble();
               const bool seconds = time < kYear1971Ms;
               // Ahead of now it is a deadline, which only Redisson's semaphore may have.
               const bool past = time < double(nowS + kSkewS) * 1'000;
               return known && past && seconds == inSeconds &&
                      shapeOf(QByteArray::number(time, 'f', 0), nowS) == Shape::Time;
           });
}
} // namespace

bool isSemaphore(const KeyFacts &key, qint64 nowS)
{
    return hasTimes(key, nowS, false);
}

bool isSemaphoreInSeconds(const KeyFacts &key, qint64 nowS)
{
    return hasTimes(key, nowS, true);
}

bool hasDeadlineInSeconds(const KeyFacts &permits)
{
    return std::any_of(permits.members.begin(), permits.members.end(), [](const KeyMember &one) {
        const double time = one.value.toDouble();
        return time > 0 && time < kYear1971Ms;
    });
}

QString unwatchedClient(const KeyGroup &group)
{
    const auto allNamed = [&group](QByteArrayView begin) {
        return std::all_of(group.keys.begin(), group.keys.end(),
                           [begin](const KeyFacts &key) { return key.name.startsWith(begin); });
    };
    if (group.type == KeyType::Hash && (allNamed("SEATA_ROW_LOCK_") || allNamed("SEATA_GLOBAL_LOCK")))
        return QStringLiteral("Seata keeps its row locks as hashes, and they may never be broken: another "
                              "transaction would overwrite the rows");
    const auto isLock = [](const KeyFacts &key) { return key.value == "LOCK"; };
    const auto isOther = [&isLock](const KeyFacts &key) {
        return key.sampled && !isLock(key) && !key.value.startsWith('\x80'); // Python's pickles begin so
    };
    if (group.type == KeyType::String && std::any_of(group.keys.begin(), group.keys.end(), isLock) &&
        std::none_of(group.keys.begin(), group.keys.end(), isOther) &&
        std::any_of(group.keys.begin(), group.keys.end(),
                    [](const KeyFacts &key) { return key.value.startsWith('\x80'); }))
        return QStringLiteral("django-cacheops writes LOCK into a key until the cached value replaces it: "
                              "names don't distinguish its locks from its values");
    return {};
}

} // namespace lockkeeper::stores::discover
