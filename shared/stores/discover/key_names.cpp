// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/discover/key_names.h"

#include "shared/base/java_text.h"
#include "shared/stores/discover/value_shape.h"
#include "shared/stores/discover/words.h"

#include <QStringDecoder>

#include <algorithm>
#include <array>

namespace lockkeeper::stores::discover {

namespace {

constexpr const char *kLockWords = "lock locks mutex mutexes semaphore semaphores lease leases redlock rlock "
                                   "dlock distlock lck mtx";
constexpr const char *kHintWords =
    "locked locking leader leaders election singleton exclusive owner holder sem guard";
/** Behind a word for locks: what is kept about them. */
constexpr const char *kRecordWords =
    "history log logs audit stat stats statistics metric metrics count counts counter counters config "
    "settings "
    "request requests attempt attempts event events queue code codes screen reason info list index";
constexpr const char *kForeignWords =
    "session sessions sess cache cached caches token tokens csrf xsrf otp code codes sms captcha user users "
    "profile profiles customer customers cart carts basket page pages html view views fragment rate limit "
    "limits limiter ratelimit throttle quota counter counters count counts hits stat stats metric metrics "
    "queue queues celery bull resque sidekiq kombu feed timeline geo config setting settings feature "
    "features "
    "flag flags dedup dedupe idempotency idempotent seen history log logs lockout verify verification reset "
    "invite confirm nonce email mail message messages notification notifications product products article "
    "search result results query oauth jwt auth refresh device devices online presence leaderboard score "
    "scores rank ranking";
constexpr QByteArrayView kSeparators(":/.-_|#@,= {}");

bool isSeparator(char c)
{
    return kSeparators.contains(c);
}

bool isUtf8(QByteArrayView text)
{
    QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
    const QString decoded = decoder.decode(text);
    return !decoder.hasError() && !decoded.contains(QChar::ReplacementCharacter);
}

QStringList wordsIn(const QByteArray &part)
{
    return wordsOf(isUtf8(part) ? QString::fromUtf8(part) : QString::fromLatin1(part));
}

/** The next part is joined to this one as words of one term are: "lock_history", "lock-history". */
bool isJoined(const NamePart &part)
{
    return part.separator == "_" || part.separator == "-" || part.separator == ".";
}

/** `name` without a beginning and an end that it has both of. */
std::optional<QByteArray> between(const QByteArray &name, QByteArrayView begin, QByteArrayView end)
{
    if (!name.startsWith(begin) || !name.endsWith(end) || name.size() <= begin.size() + end.size())
        return std::nullopt;
    return name.sliced(begin.size(), name.size() - begin.size() - end.size());
}

/** Redisson puts a name into braces, so that its keys share a slot, unless the name already has braces. */
QByteArray unbraced(const QByteArray &name)
{
    const auto inner = between(name, "{", "}");
    return inner && !inner->contains('{') ? *inner : name;
}

/** The name of the lock in "{orders}:uuid:17:rwlock_timeout:1". */
std::optional<QByteArray> readersLock(const QByteArray &name)
{
    const qsizetype mark = name.indexOf(":rwlock_timeout:");
    if (mark <= 0)
        return std::nullopt;
    const qsizetype thread = name.lastIndexOf(':', mark - 1);
    const qsizetype id = thread > 0 ? name.lastIndexOf(':', thread - 1) : -1;
    if (id <= 0 || !isUuid(QByteArrayView(name).sliced(id + 1, thread - id - 1)))
        return std::nullopt;
    return unbraced(name.first(id));
}

} // namespace

QByteArray plainName(const QByteArray &name)
{
    return base::withoutJavaHeader(name).toByteArray();
}

QList<NamePart> partsOf(const QByteArray &name)
{
    QList<NamePart> parts;
    QByteArray text;
    for (const char c : name) {
        if (!isSeparator(c)) {
            text += c;
            continue;
        }
        parts.append({text, QByteArray(1, c)});
        text.clear();
    }
    parts.append({text, {}});
    return parts;
}

bool isWord(QByteArrayView part)
{
    constexpr qsizetype kLongest = 24;
    constexpr qsizetype kMostDigits = 1; // "v2", "s3"
    constexpr qsizetype kMostStrange = 3;
    constexpr qsizetype kMostJoined = 8;
    if (part.isEmpty())
        return true;
    if (part.size() > kLongest) { // "laravel_database_laravel_cache_"
        const QList<QByteArray> words = part.toByteArray().split('_');
        return words.size() > 1 && words.size() <= kMostJoined &&
               std::all_of(words.begin(), words.end(), [](const QByteArray &word) { return isWord(word); });
    }
    qsizetype digits = 0;
    qsizetype strange = 0;
    for (const char c : part) {
        strange += uchar(c) < 0x20 || uchar(c) >= 0x7f;
        digits += c >= '0' && c <= '9';
    }
    // Words of any language; but ids of random bytes aren't.
    return digits <= kMostDigits && digits < part.size() && (strange <= kMostStrange || isUtf8(part));
}

bool mayNameLock(QByteArrayView name)
{
    const QByteArray lower = name.toByteArray().toLower();
    for (const char *stem : {"lock", "mutex", "semaphore", "lease", "lck", "mtx", "锁", "鎖", "互斥"}) {
        if (lower.contains(stem))
            return true;
    }
    return false;
}

NameReading readName(const QList<NamePart> &parts)
{
    NameReading hint;
    bool foreign = false;
    for (qsizetype i = 0; i < parts.size(); ++i) {
        const QStringList words = wordsIn(parts.at(i).text);
        if (words.isEmpty() || parts.at(i).text.size() > 40)
            continue;
        const QStringList head = words.last(1);
        const bool joined = isJoined(parts.at(i)) && i + 1 < parts.size();
        const QStringList next = joined ? wordsIn(parts.at(i + 1).text) : QStringList();
        const bool isRecord = hasWord(next.mid(0, 1), kRecordWords);
        const QByteArray word = head.first().toLatin1();
        if (hasWord(head, kLockWords) && !isRecord)
            return {KeyNaming::Lock, i, word};
        if (hasWord(head, kLockWords))
            return {KeyNaming::Foreign, -1, word};
        if (hint.naming == KeyNaming::Other && hasWord(head, kHintWords) && !isRecord)
            hint = {KeyNaming::Hint, i, word};
        foreign = foreign || hasWord(words, kForeignWords);
    }
    if (foreign)
        return {KeyNaming::Foreign, -1, {}};
    return hint;
}

std::optional<Helper> helperOf(const QByteArray &name)
{
    using K = Helper::HelperRole;
    static constexpr std::array<std::pair<const char *, K>, 5> kBraced{{{"lockkeeper:fencing:", K::Signal},
                                                                        {"lockkeeper:waiters:", K::Queue},
                                                                        {"redisson_lock_queue:", K::Queue},
                                                                        {"redisson_lock_timeout:", K::Queue},
                                                                        {"redisson_lock_token:", K::Signal}}};
    for (const auto &[begin, kind] : kBraced) {
        if (const auto rest = between(name, begin, ""))
            return Helper{kind, unbraced(*rest)};
    }
    if (const auto rest = between(name, "redisson_unlock_latch:", "")) {
        const qsizetype end = rest->indexOf("}:");
        return Helper{K::Signal, unbraced(end > 0 ? rest->first(end + 1) : *rest)};
    }
    if (const auto lock = readersLock(name))
        return Helper{K::Readers, *lock};
    if (const auto rest = between(name, "{", "}:timeout"))
        return Helper{K::Permits, *rest};
    if (const auto rest = between(name, "", ":timeout"); rest && rest->contains('{'))
        return Helper{K::Permits, *rest};
    if (const auto rest = between(name, "{", "}:redisson_options"))
        return Helper{K::Signal, *rest};
    if (const auto rest = between(name, "lock-signal:", ""))
        return Helper{K::Wakeup, "lock:" + *rest}; // python-redis-lock
    for (const char *counter : {":next-id", ":last-out-id"}) {
        if (const auto rest = between(name, "@simple-redis-mutex:lock-", counter))
            return Helper{K::Signal, "@simple-redis-mutex:lock-" + *rest};
    }
    return std::nullopt;
}

QByteArray escapedGlob(const QByteArray &literal)
{
    const bool valid = isUtf8(literal);
    QByteArray glob;
    for (const char c : literal) {
        if (c == '*' || c == '?' || c == '[' || c == ']' || c == '\\')
            glob += '\\';
        glob += (!valid && (c & 0x80) != 0) ? '?' : c;
    }
    return glob;
}

} // namespace lockkeeper::stores::discover
