// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/discover/key_sampler.h"

#include "shared/base/clock.h"
#include "shared/stores/discover/key_groups.h"
#include "shared/stores/discover/key_names.h"
#include "shared/stores/discover/key_scoring.h"
#include "shared/stores/redis/connection/redis_connection.h"
#include "shared/stores/redis/schemes/token_scheme.h"

#include <QPointer>

#include <algorithm>
#include <hiredis/hiredis.h>

namespace lockkeeper::stores::discover {

using redis::bytesOf;
using redis::CommandBatch;
using redis::isError;

namespace {

constexpr qsizetype kBatch = 500;  ///< keys whose content is asked for together
constexpr qint64 kSmallHash = 8;   ///< fields; a lock has few
constexpr int kMaybe = 25;         ///< from this score on a second look may settle it
constexpr qint64 kRenewedMs = 300; ///< more than the store's own rounding
constexpr QByteArrayView kLastByte("4095");

/** Calls for each answer of a batch, and once after the last; nothing more when the link is lost. */
class SampleAnswers final : public redis::ReplySink
{
public:
    /** `goesOn`: false once nobody wants the answers any more. */
    SampleAnswers(qsizetype count, std::function<bool()> goesOn,
                  std::function<void(qsizetype, const redisReply *)> each, std::function<void()> then)
        : m_count(count), m_goesOn(std::move(goesOn)), m_each(std::move(each)), m_then(std::move(then))
    {
    }

    void take(const redisReply *reply) override
    {
        m_lost = m_lost || reply == nullptr;
        if (!m_lost && m_goesOn())
            m_each(m_at, reply);
        if (++m_at == m_count && !m_lost && m_goesOn())
            m_then();
    }

private:
    qsizetype m_count;
    std::function<bool()> m_goesOn;
    std::function<void(qsizetype, const redisReply *)> m_each;
    std::function<void()> m_then;
    qsizetype m_at = 0;
    bool m_lost = false;
};

KeyType typeOf(const redisReply *reply)
{
    const QByteArrayView type = bytesOf(reply);
    if (type == "string")
        return KeyType::String;
    if (type == "hash")
        return KeyType::Hash;
    if (type == "zset")
        return KeyType::SortedSet;
    if (type == "list")
        return KeyType::List;
    if (type == "set")
        return KeyType::Set;
    return type == "stream" ? KeyType::Stream : KeyType::Other;
}

QByteArrayView lengthCommand(KeyType type)
{
    if (type == KeyType::Hash)
        return "HLEN";
    return type == KeyType::SortedSet ? "ZCARD" : "STRLEN";
}

/** The encodings of small hashes and sorted sets, in which no element is long. */
bool isSmallEncoding(QByteArrayView encoding)
{
    return encoding == "listpack" || encoding == "ziplist";
}

/** Pairs of a flat list: HSCAN's, ZRANGE's. */
QList<KeyMember> membersOf(const redisReply *list)
{
    QList<KeyMember> members;
    if (list->type != REDIS_REPLY_ARRAY)
        return members;
    for (size_t i = 0; i + 1 < list->elements; i += 2)
        members.append(
            {bytesOf(list->element[i]).toByteArray(), bytesOf(list->element[i + 1]).toByteArray()});
    return members;
}

void takeContent(KeyFacts &key, const redisReply *reply)
{
    if (key.type == KeyType::String && reply->type == REDIS_REPLY_STRING) {
        key.value = bytesOf(reply).toByteArray();
        key.sampled = true;
    } else if (key.type == KeyType::Hash && reply->type == REDIS_REPLY_ARRAY && reply->elements == 2) {
        key.members = membersOf(reply->element[1]);
        key.sampled = true;
    } else if (key.type == KeyType::SortedSet && reply->type == REDIS_REPLY_ARRAY) {
        key.members = membersOf(reply);
        key.sampled = true;
    }
}

} // namespace

KeySampler::KeySampler(redis::RedisConnection &connection, SampleLimits limits, QObject *parent)
    : QObject(parent),
      m_connection(connection),
      m_limits(limits),
      m_asker{connection.endpoint().user, "*", true}
{
    m_pause.setSingleShot(true);
    connect(&m_pause, &QTimer::timeout, this, [this] { askAgain(); });
}

KeyFacts &KeySampler::keyAt(const SamplePlace &place)
{
    KeyGroup &group = m_groups[place.group];
    const qsizetype own = group.keys.size();
    return place.key < own ? group.keys[place.key] : group.permits[place.key - own];
}

QList<KeyFacts> KeySampler::keys() const
{
    QList<KeyFacts> all = m_helpers;
    QSet<QByteArray> known; // a key that only looks like a helper has its own group
    for (const KeyGroup &group : m_groups) {
        for (const KeyFacts &key : group.keys)
            known.insert(key.name);
    }
    all.removeIf([&known](const KeyFacts &key) { return known.contains(key.name); });
    for (const KeyGroup &group : m_groups)
        all += group.keys;
    return all;
}

void KeySampler::send(const CommandBatch &batch, Take each, std::function<void()> then)
{
    const QPointer<KeySampler> self(this);
    const auto goesOn = [self] { return self && !self->m_failed; };
    m_connection.send(std::make_unique<SampleAnswers>(batch.size(), goesOn, std::move(each), std::move(then)),
                      batch);
}

void KeySampler::fail(const redisReply *reply)
{
    if (m_failed)
        return;
    m_failed = true;
    Q_EMIT failed(redis::errorOf(reply, m_asker));
}

void KeySampler::start()
{
    CommandBatch batch;
    batch.add({"TIME"});
    batch.add({"DBSIZE"});
    batch.add({"PUBSUB", "CHANNELS", "*-channel*"});
    send(
        batch,
        [this](qsizetype at, const redisReply *reply) {
            // Optional: without them it uses this machine's clock and the names as they are.
            if (at == 0)
                m_nowUs = redis::timeOf(reply).value_or(base::SystemClock().wallUs());
            else if (reply->type == REDIS_REPLY_INTEGER)
                m_total = reply->integer;
            for (size_t i = 0; reply->type == REDIS_REPLY_ARRAY && at == 2 && i < reply->elements; ++i)
                m_channels.insert(bytesOf(reply->element[i]).toByteArray());
        },
        [this] { scan("0"); });
}

void KeySampler::scan(const QByteArray &cursor)
{
    CommandBatch batch;
    batch.add({"SCAN", cursor, "COUNT", QByteArray::number(m_limits.page)});
    send(
        batch, [this](qsizetype, const redisReply *reply) { takeNames(reply); }, [] {});
}

/** Every key up to a number of them, and then only those whose names speak of locks. */
bool KeySampler::isWanted(const QByteArray &name) const
{
    if (name.size() > kLongestName)
        return false;
    if (m_keys.size() - m_named < m_limits.keys)
        return true;
    return m_named < m_limits.named && mayNameLock(name) &&
           (helperOf(name) || readName(partsOf(name)).naming == KeyNaming::Lock);
}

void KeySampler::takeNames(const redisReply *reply)
{
    if (reply->type != REDIS_REPLY_ARRAY || reply->elements != 2 ||
        reply->element[1]->type != REDIS_REPLY_ARRAY) {
        fail(reply);
        return;
    }
    const QByteArray cursor = bytesOf(reply->element[0]).toByteArray();
    QList<KeyFacts> page;
    for (size_t i = 0; i < reply->element[1]->elements; ++i) {
        const QByteArray name = bytesOf(reply->element[1]->element[i]).toByteArray();
        ++m_scanned;
        if (!isWanted(name) || m_seen.contains(name))
            continue;
        m_seen.insert(name);
        page.emplaceBack().name = name;
    }
    Q_EMIT progressed(m_scanned, std::max(m_total, m_scanned));
    askTypes(std::move(page), cursor);
}

void KeySampler::askTypes(QList<KeyFacts> page, const QByteArray &cursor)
{
    const auto goOn = [this, cursor] {
        const bool enough = m_scanned >= m_limits.names;
        m_allSeen = m_allSeen && !(enough && cursor != "0");
        if (cursor == "0" || enough)
            endScan();
        else
            scan(cursor);
    };
    if (page.isEmpty()) {
        goOn();
        return;
    }
    CommandBatch batch;
    for (const KeyFacts &key : std::as_const(page)) {
        batch.add({"TYPE", key.name});
        batch.add({"PTTL", key.name});
    }
    const auto keys = std::make_shared<QList<KeyFacts>>(std::move(page));
    send(
        batch,
        [this, keys](qsizetype at, const redisReply *reply) {
            KeyFacts &key = (*keys)[at / 2];
            if (at % 2 == 0) {
                key.type = typeOf(reply);
                m_typesDenied += isError(reply, "NOPERM");
                if (isError(reply) && !isError(reply, "NOPERM"))
                    fail(reply);
                else if (isError(reply) && m_typesDenied == 1)
                    m_denied = redis::errorOf(reply, m_asker);
            } else if (reply->type == REDIS_REPLY_INTEGER) {
                key.ttlMs = reply->integer;
            }
        },
        [this, keys, goOn] {
            for (KeyFacts &key : *keys) {
                if (key.ttlMs == -2 || key.type == KeyType::Other)
                    continue; // deleted in the meantime, or not readable by this user
                m_named += m_keys.size() - m_named >= m_limits.keys;
                m_keys.append(std::move(key));
            }
            goOn();
        });
}

void KeySampler::endScan()
{
    if (m_keys.isEmpty() && m_typesDenied > 0) {
        m_failed = true;
        Q_EMIT failed(m_denied);
        return;
    }
    m_seen.clear();
    for (const KeyFacts &key : std::as_const(m_keys)) {
        if (helperOf(key.name))
            m_helpers.append(key);
    }
    m_groups = groupsOf(std::exchange(m_keys, {}));
    for (KeyGroup &group : m_groups)
        group.listened = isListenedTo(group);
    choose();
    askLengths();
}

/** Somebody waits for one of them as Spring's registries do, or did. */
bool KeySampler::isListenedTo(const KeyGroup &group) const
{
    return !m_channels.isEmpty() &&
           std::any_of(group.keys.cbegin(), group.keys.cend(), [this](const KeyFacts &key) {
               const QList<QByteArray> channels = redis::sleepersOf("channel", key.name);
               return std::any_of(channels.cbegin(), channels.cend(),
                                  [this](const QByteArray &channel) { return m_channels.contains(channel); });
           });
}

/** Some keys of each group; groups that are named after locks come first. */
void KeySampler::choose()
{
    for (const bool named : {true, false}) {
        for (qsizetype g = 0; g < m_groups.size(); ++g) {
            const KeyGroup &group = m_groups.at(g);
            const auto reading = readName(partsOf(group.keys.first().name)).naming;
            const bool readable = group.type == KeyType::String || group.type == KeyType::Hash ||
                                  group.type == KeyType::SortedSet;
            if (!readable || (reading == KeyNaming::Lock) != named)
                continue;
            const auto take = [this, g](qsizetype from, qsizetype count) {
                for (qsizetype k = from; k < from + std::min<qsizetype>(m_limits.samples, count); ++k) {
                    if (m_places.size() < m_limits.contents)
                        m_places.append({g, k});
                }
            };
            take(0, group.keys.size());
            take(group.keys.size(), group.permits.size());
        }
    }
}

void KeySampler::askEach(qsizetype each, const AddQuestions &add, const TakeAnswer &take,
                         const std::function<void()> &then, qsizetype from)
{
    if (from >= m_places.size()) {
        then();
        return;
    }
    const qsizetype end = std::min(m_places.size(), from + kBatch);
    CommandBatch batch;
    batch.add({"TIME"});
    for (qsizetype i = from; i < end; ++i)
        add(batch, keyAt(m_places.at(i)));
    const auto nowUs = std::make_shared<qint64>(0);
    send(
        batch,
        [this, each, take, from, nowUs](qsizetype answer, const redisReply *reply) {
            if (answer == 0)
                *nowUs = redis::timeOf(reply).value_or(0);
            else
                take(keyAt(m_places.at(from + (answer - 1) / each)), (answer - 1) % each, reply, *nowUs);
        },
        [this, each, add, take, then, end] { askEach(each, add, take, then, end); });
}

void KeySampler::askLengths()
{
    const auto add = [](CommandBatch &batch, const KeyFacts &key) {
        batch.add({lengthCommand(key.type), key.name});
        batch.add({"MEMORY", "USAGE", key.name});
        batch.add({"OBJECT", "ENCODING", key.name});
    };
    const auto take = [small = std::make_shared<bool>(false)](KeyFacts &key, qsizetype question,
                                                              const redisReply *reply, qint64) {
        if (question == 0)
            key.length = reply->type == REDIS_REPLY_INTEGER ? reply->integer : -1;
        else if (question == 1)
            *small = reply->type == REDIS_REPLY_INTEGER && reply->integer <= kLongestValue;
        else if (key.type != KeyType::String && !*small && !isSmallEncoding(bytesOf(reply)))
            key.length = -1; // its elements may be long
    };
    askEach(3, add, take, [this] { askContents(); });
}

void KeySampler::askContents()
{
    m_places.removeIf([this](const SamplePlace &place) {
        KeyFacts &key = keyAt(place);
        const bool isShort = key.type == KeyType::String ? key.length <= kLongestValue
                             : key.type == KeyType::Hash ? key.length <= kSmallHash
                                                         : true;
        // A long string's length says enough.
        key.sampled = key.type == KeyType::String && key.length > kLongestValue;
        return key.length < 0 || !isShort;
    });
    const auto add = [](CommandBatch &batch, const KeyFacts &key) {
        if (key.type == KeyType::String)
            batch.add({"GETRANGE", key.name, "0", kLastByte});
        else if (key.type == KeyType::Hash)
            batch.add({"HSCAN", key.name, "0", "COUNT", QByteArray::number(kSmallHash)});
        else
            batch.add({"ZRANGE", key.name, "0", "3", "WITHSCORES"});
        batch.add({"PTTL", key.name});
    };
    const auto take = [this](KeyFacts &key, qsizetype question, const redisReply *reply, qint64 nowUs) {
        if (question == 0) {
            takeContent(key, reply);
        } else if (reply->type == REDIS_REPLY_INTEGER && reply->integer == -2) {
            key.sampled = false; // it was deleted before it was read
        } else if (reply->type == REDIS_REPLY_INTEGER) {
            key.ttlMs = reply->integer;
            m_readUs.insert(key.name, nowUs > 0 ? nowUs : m_nowUs);
        }
    };
    askEach(2, add, take, [this] { beginAgain(); });
}

/** Strings that may be locks, and that have a time to live, are worth another look. */
void KeySampler::beginAgain()
{
    QList<bool> maybe;
    for (const KeyGroup &group : std::as_const(m_groups))
        maybe.append(group.type == KeyType::String && judge(group, nowS()).score >= kMaybe);
    m_places.removeIf([&](const SamplePlace &place) {
        const KeyFacts &key = keyAt(place);
        return !maybe.at(place.group) || key.type != KeyType::String || !key.sampled || key.ttlMs < 0;
    });
    if (m_places.isEmpty())
        Q_EMIT done();
    else
        m_pause.start(m_limits.againMs);
}

void KeySampler::askAgain()
{
    const auto add = [](CommandBatch &batch, const KeyFacts &key) {
        batch.add({"GETRANGE", key.name, "0", kLastByte});
        batch.add({"PTTL", key.name});
    };
    const auto take = [this](KeyFacts &key, qsizetype question, const redisReply *reply, qint64 nowUs) {
        if (question == 0) {
            key.again = bytesOf(reply) == key.value ? Again::Same : Again::Changed;
        } else if (reply->type != REDIS_REPLY_INTEGER || reply->integer == -2) {
            key.again = Again::Gone;
        } else if (key.again == Again::Same && nowUs > 0) {
            const qint64 due = key.ttlMs - (nowUs - m_readUs.value(key.name)) / 1'000;
            if (reply->integer > due + kRenewedMs)
                key.again = Again::Renewed;
        }
    };
    askEach(2, add, take, [this] { Q_EMIT done(); });
}

} // namespace lockkeeper::stores::discover
