// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/probe_counter.h"

#include "shared/base/text.h"

#include <QSet>

#include <algorithm>

namespace lockkeeper::stores::redis {

namespace {

using Taken = KeyHold::Taken;

/** Commands that name a key and leave it as it is, or whose effect is told by lines of their own. */
const QSet<QByteArray> &harmless()
{
    static const QSet<QByteArray> names{
        "get",        "mget",          "strlen",   "getrange",  "exists",     "ttl",         "pttl",
        "expiretime", "pexpiretime",   "type",     "object",    "watch",      "publish",     "hget",
        "hexists",    "hgetall",       "hlen",     "hmget",     "hscan",      "scan",        "zcard",
        "zrange",     "zscore",        "zcount",   "touch",     "eval",       "evalsha",     "fcall",
        "evalsha_ro", "eval_ro",       "fcall_ro", "subscribe", "psubscribe", "unsubscribe", "memory",
        "dump",       "zrangebyscore", "lrange",   "llen",      "lindex",     "smembers",    "sismember",
        "scard"};
    return names;
}

const QSet<QByteArray> &scripts()
{
    static const QSet<QByteArray> names{"eval", "evalsha", "fcall", "eval_ro", "evalsha_ro", "fcall_ro"};
    return names;
}

/** A whole number as Redis reads one; false: the server answers with an error and does nothing. */
bool readNumber(const QList<QByteArray> &words, qsizetype at, qint64 &value)
{
    bool ok = false;
    value = at < words.size() ? words.at(at).toLongLong(&ok) : 0;
    return ok && words.at(at) == QByteArray::number(value);
}

qint64 scaled(qint64 value, qint64 unitUs)
{
    return value > KeyHold::kForever / unitUs ? KeyHold::kForever
                                              : std::max(value, KeyHold::kNever / unitUs) * unitUs;
}

/** What SET was told beside key and value. */
struct SetOptions
{
    bool valid = true;
    bool ifAbsent = false;
    bool ifPresent = false;
    bool keepTtl = false;
    qint64 ttlUs = KeyHold::kForever;
};

SetOptions setOptions(const QList<QByteArray> &words, qint64 nowUs)
{
    SetOptions options;
    for (qsizetype i = 3; i < words.size(); ++i) {
        const QByteArray word = words.at(i).toLower();
        if (word == "nx" || word == "xx" || word == "get" || word == "keepttl") {
            options.ifAbsent = options.ifAbsent || word == "nx";
            options.ifPresent = options.ifPresent || word == "xx";
            options.keepTtl = options.keepTtl || word == "keepttl";
            continue;
        }
        const bool seconds = word == "ex" || word == "exat";
        const bool absolute = word == "exat" || word == "pxat";
        qint64 value = 0;
        if ((!seconds && word != "px" && word != "pxat") || !readNumber(words, ++i, value) || value <= 0) {
            options.valid = false;
            return options;
        }
        const qint64 us = scaled(value, seconds ? 1'000'000 : 1'000);
        options.ttlUs = absolute && us != KeyHold::kForever ? us - nowUs : us;
    }
    options.valid = !(options.ifAbsent && options.ifPresent);
    return options;
}

} // namespace

ProbeCounter::ProbeCounter(ProbeScope scope, const QList<HeldLock> &held) : m_scope(std::move(scope))
{
    for (const HeldLock &lock : held)
        m_keys.insert(lock.name, KeyHold::seen(lock.expiresUs.value_or(KeyHold::kForever)));
}

bool ProbeCounter::isLock(const QByteArray &key) const
{
    return std::any_of(m_scope.patterns.cbegin(), m_scope.patterns.cend(),
                       [&key](const QByteArray &pattern) { return base::globMatches(pattern, key); });
}

KeyHold &ProbeCounter::hold(const QByteArray &key)
{
    const auto it = m_keys.find(key);
    return it != m_keys.end() ? *it : *m_keys.insert(key, m_others);
}

void ProbeCounter::take(QByteArrayView line)
{
    ++m_lines;
    const auto read = readMonitorLine(line);
    if (!read) {
        ++m_unreadable;
        return;
    }
    m_nowUs = read->timeUs;
    if (!read->isOfScript())
        endScript();
    follow(*read);
}

void ProbeCounter::follow(const MonitorLine &line)
{
    const QByteArray name = line.words.constFirst().toLower();
    if (name == "flushall" || (name == "flushdb" && line.database == m_scope.database)) {
        m_keys.clear();
        m_others = KeyHold::absent();
        return;
    }
    if (name == "swapdb") {
        m_keys.clear();
        m_others = KeyHold();
        return;
    }
    if (line.database != m_scope.database)
        return;
    m_client = line.isOfScript() && m_script.running ? m_script.client : line.client;
    if (scripts().contains(name))
        startScript(line.client);
    else if (line.words.size() > 1)
        followKey(name, line.words);
}

void ProbeCounter::followKey(const QByteArray &name, const Words &words)
{
    if (m_script.running)
        noteInScript(name, words);
    const QByteArray &key = words.at(1);
    if (name == "del" || name == "unlink") {
        for (qsizetype i = 1; i < words.size(); ++i) {
            if (isLock(words.at(i)))
                hold(words.at(i)).remove();
        }
    } else if (harmless().contains(name)) {
        return;
    } else if (name == "mset") {
        for (qsizetype i = 1; i + 1 < words.size(); i += 2) {
            if (isLock(words.at(i)))
                hold(words.at(i)).put(m_nowUs, KeyHold::kForever);
        }
    } else if (!isLock(key)) {
        blurAll(words);
    } else if (name == "set") {
        set(words);
    } else if (name == "setnx" && words.size() == 3) {
        attempt(key, KeyHold::kForever);
    } else if (name == "getdel" && words.size() == 2) {
        hold(key).remove();
    } else if (name == "getset" && words.size() == 3) {
        hold(key).put(m_nowUs, KeyHold::kForever);
    } else {
        expire(name, words);
    }
}

void ProbeCounter::set(const Words &words)
{
    const QByteArray &key = words.at(1);
    const SetOptions options = words.size() < 3 ? SetOptions{false} : setOptions(words, m_nowUs);
    if (!options.valid)
        return; // the server has refused it
    if (options.ifAbsent)
        attempt(key, options.ttlUs);
    else if (options.keepTtl)
        hold(key).blur();
    else if (options.ifPresent)
        hold(key).putIfThere(m_nowUs, options.ttlUs);
    else
        hold(key).put(m_nowUs, options.ttlUs);
}

void ProbeCounter::expire(const QByteArray &name, const Words &words)
{
    const QByteArray &key = words.at(1);
    const bool seconds = name == "expire" || name == "expireat" || name == "setex";
    const bool sets = name == "setex" || name == "psetex";
    const bool at = name == "expireat" || name == "pexpireat";
    qint64 value = 0;
    const bool valid = readNumber(words, 2, value);
    if (name == "persist" && words.size() == 2) {
        hold(key).expireIn(m_nowUs, KeyHold::kForever);
    } else if (!(sets || at || name == "expire" || name == "pexpire")) {
        blurAll(words);
    } else if (!valid || (sets && value <= 0)) {
        return; // refused
    } else if (!sets && words.size() != 3) {
        hold(key).blur(); // NX, XX, GT, LT: whether it was done isn't told
    } else {
        const qint64 us = scaled(value, seconds ? 1'000'000 : 1'000);
        const qint64 ttlUs = at && us != KeyHold::kForever ? us - m_nowUs : us;
        if (sets)
            hold(key).put(m_nowUs, ttlUs);
        else
            hold(key).expireIn(m_nowUs, ttlUs);
    }
}

/** A command whose effect isn't followed: the locks that it names are no longer sure. */
void ProbeCounter::blurAll(const Words &words)
{
    for (qsizetype i = 1; i < words.size(); ++i) {
        if (const auto it = m_keys.find(words.at(i)); it != m_keys.end())
            it->blur();
        else if (isLock(words.at(i)))
            hold(words.at(i)).blur();
    }
}

void ProbeCounter::attempt(const QByteArray &key, qint64 ttlUs)
{
    const Taken taken = hold(key).tryTake(m_nowUs, ttlUs);
    const bool failed = taken == Taken::No || taken == Taken::ProbablyNo;
    count(key, m_client, failed, taken == Taken::No || taken == Taken::Yes);
}

void ProbeCounter::count(const QByteArray &key, const QByteArray &client, bool failed, bool sure)
{
    ProbeCount &count = m_counts[{key, client}];
    count.lock = key;
    count.client = client;
    ++count.attempts;
    count.failed += failed ? 1 : 0;
    count.uncertain += sure ? 0 : 1;
}

void ProbeCounter::startScript(const QByteArray &client)
{
    m_script.running = true;
    m_script.client = client;
}

void ProbeCounter::noteInScript(const QByteArray &name, const Words &words)
{
    if (name == "exists") {
        for (qsizetype i = 1; i < words.size(); ++i) {
            if (isLock(words.at(i)))
                m_script.asked[words.at(i)];
        }
        return;
    }
    const auto asked = m_script.asked.find(words.at(1));
    if (asked == m_script.asked.end())
        return;
    qint64 by = 0;
    const bool grows = name == "hincrby" && readNumber(words, 3, by) && by > 0;
    asked->set = asked->set || grows || name == "set" || name == "hset";
    asked->toldRest = asked->toldRest || name == "pttl";
    if (name == "set" && words.size() > 3 && setOptions(words, m_nowUs).ifAbsent)
        m_script.asked.erase(asked); // counted as SET … NX
}

void ProbeCounter::endScript()
{
    if (!m_script.running)
        return;
    for (auto it = m_script.asked.cbegin(); it != m_script.asked.cend(); ++it)
        count(it.key(), m_script.client, !it->set, it->set || it->toldRest);
    m_script = {};
}

QList<ProbeCount> ProbeCounter::counts() const
{
    QList<ProbeCount> counts = m_counts.values();
    std::sort(counts.begin(), counts.end(), [](const ProbeCount &a, const ProbeCount &b) {
        return std::tie(b.failed, b.attempts, a.lock, a.client) <
               std::tie(a.failed, a.attempts, b.lock, b.client);
    });
    return counts;
}

} // namespace lockkeeper::stores::redis
