// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/discover/key_scoring.h"

#include "shared/base/java_text.h"
#include "shared/base/text.h"
#include "shared/stores/discover/json_layout.h"
#include "shared/stores/discover/key_clients.h"
#include "shared/stores/discover/key_names.h"
#include "shared/stores/discover/value_shape.h"
#include "shared/stores/lease_range.h"

#include <algorithm>
#include <array>

namespace lockkeeper::stores::discover {

namespace {

constexpr qint64 kSecondMs = 1'000;
constexpr qint64 kMinuteMs = 60 * kSecondMs;
constexpr qint64 kHourMs = 60 * kMinuteMs;
constexpr qint64 kDayMs = 24 * kHourMs;
constexpr double kMost = 0.7; ///< of the sampled keys have to be alike
constexpr qsizetype kManyKeys = 1'000;

/** Gathers points and reasons for one group. */
class Judgement
{
public:
    Judgement(const KeyGroup &group, qint64 nowS) : m_group(group), m_nowS(nowS), m_prefix(group.prefix)
    {
        m_candidate.match = group.match;
        m_candidate.keys = group.keys.size();
        for (const KeyFacts &key : group.keys)
            m_sampled += key.sampled;
    }

    Candidate judge()
    {
        if (knownClient() || isUnwatched())
            return std::move(m_candidate);
        name();
        switch (m_group.type) {
        case KeyType::String:
            m_group.permits.isEmpty() ? string() : permits();
            break;
        case KeyType::Hash:
            hash();
            break;
        case KeyType::SortedSet:
            sortedSet();
            break;
        default:
            break;
        }
        if (m_candidate.scheme.isEmpty())
            m_candidate.missing.append(Missing::KeyShape);
        conclude();
        return std::move(m_candidate);
    }

private:
    void add(ReasonCode code, int points, const QString &value = {})
    {
        m_candidate.reasons.append({code, points, {}, value});
        m_candidate.score += points;
    }

    /** Every key that was read has to fit: a pattern takes the others in as well. */
    bool knownClient()
    {
        for (const KnownClient &client : knownClients()) {
            // One hash is enough: a free lock has no field.
            const double fitting = share([&client](const KeyFacts &key) { return client.fits(key); });
            if (fitting == 0 || (fitting < 1 && client.type == KeyType::String))
                continue;
            m_candidate.scheme = client.scheme;
            m_candidate.preset = client.preset;
            // A prefix or an end that only this client uses covers all of its locks, not only these.
            if (!client.prefix.isEmpty() || client.ownEnd) {
                m_candidate.match = client.match;
                m_prefix = client.prefix;
            }
            add(ReasonCode::KeyPreset, 90, client.preset);
            m_candidate.neverBroken = client.neverBroken;
            if (client.neverBroken)
                add(ReasonCode::NeverBroken, 0);
            ttl();
            conclude();
            return true;
        }
        return false;
    }

    /** Its users look for these locks, so the output says why they aren't proposed. */
    bool isUnwatched()
    {
        const QString why = unwatchedClient(m_group);
        if (why.isEmpty())
            return false;
        m_candidate.score = kNear;
        m_candidate.missing.append(Missing::Unseen);
        m_candidate.refusal = {base::ErrorCode::Unsupported, why, {}};
        return true;
    }

    void name()
    {
        m_reading = readName(partsOf(plainName(m_group.keys.first().name)));
        if (m_reading.part < 0) // only what all of them have in common counts
            m_reading = readName(partsOf(m_group.prefix));
        const QString word = QString::fromLatin1(m_reading.word);
        if (m_reading.naming == KeyNaming::Lock)
            add(ReasonCode::KeyName, 45, word);
        else if (m_reading.naming == KeyNaming::Hint)
            add(ReasonCode::KeyHint, word == QLatin1String("locked") ? 15 : 20, word);
        else if (m_reading.naming == KeyNaming::Foreign)
            add(ReasonCode::KeyForeign, -40);
    }

    bool isNamed() const { return m_reading.naming == KeyNaming::Lock; }

    template <typename Fits> double share(Fits fits) const
    {
        qsizetype count = 0;
        for (const KeyFacts &key : m_group.keys)
            count += key.sampled && fits(key);
        return m_sampled == 0 ? 0 : double(count) / double(m_sampled);
    }

    /** The shape of most values; Unknown where they differ. */
    Shape commonShape() const
    {
        std::array<qsizetype, size_t(Shape::Data) + 1> counts{};
        for (const KeyFacts &key : m_group.keys) {
            if (key.sampled)
                ++counts.at(size_t(key.length > key.value.size() ? Shape::Data : shapeOf(key.value, m_nowS)));
        }
        const auto most = std::max_element(counts.begin(), counts.end());
        return m_sampled > 0 && double(*most) >= kMost * double(m_sampled) ? Shape(most - counts.begin())
                                                                           : Shape::Unknown;
    }

    void string()
    {
        m_candidate.scheme = "redis.token";
        const Shape shape = commonShape();
        const QString word = QString::fromLatin1(shapeName(shape).toByteArray());
        switch (shape) {
        case Shape::Uuid:
        case Shape::Hex:
        case Shape::Process:
            add(ReasonCode::KeyHolder, 30, word);
            break;
        case Shape::Token:
            add(ReasonCode::KeyHolder, 25, word);
            break;
        case Shape::HolderJson:
            add(ReasonCode::KeyHolder, 20, word);
            break;
        case Shape::Name:
        case Shape::Time:
            add(ReasonCode::KeyHolder, isNamed() ? 15 : 5, word);
            break;
        case Shape::Flag:
        case Shape::Number:
            // A semaphore's count is no holder, and a break would hand out permits that don't exist.
            if (share(isCount) >= kMost && (shape == Shape::Number || m_reading.word.startsWith("sem"))) {
                add(ReasonCode::KeyCounter, isNamed() ? -5 : -10);
                m_candidate.scheme.clear();
                return;
            }
            // A whole name says enough: SET lock:cron 1 NX.
            add(ReasonCode::KeyFlag, isNamed() && m_reading.part == 0 && shape == Shape::Flag ? 15
                                     : isNamed()                                              ? 5
                                                                                              : -10);
            break;
        case Shape::LockJson:
            json();
            break;
        case Shape::Json:
        case Shape::Data:
            add(ReasonCode::KeyData, shape == Shape::Json ? -25 : -40, word);
            break;
        case Shape::Unknown:
            unlike();
        }
        ttl();
        changes();
        many();
        if (shape == Shape::Uuid || m_group.woken)
            wakes();
    }

    /** Clients whose waiters sleep until the unlock wakes them: a break has to do the same. */
    void wakes()
    {
        const auto become = [this](const QString &preset) {
            m_candidate.preset = preset;
            add(ReasonCode::KeyPreset, 10, preset);
        };
        const bool spaced = share([](const KeyFacts &key) { return key.name.contains(':'); }) == 1;
        if (m_group.woken && m_group.match.startsWith("lock:"))
            become(QStringLiteral("python-redis-lock"));
        else if (m_group.listened || isSpringRegistry(m_group))
            become(QStringLiteral("spring-redis"));
        else if (spaced && isNamed())
            m_candidate.reasons.append({ReasonCode::AlsoPreset, 0, kKeys, QStringLiteral("spring-redis")});
    }

    /** An idle lock and a held one name the same fields: any value will do. */
    void json()
    {
        for (const KeyFacts &key : m_group.keys) {
            const auto settings = key.sampled ? jsonSettings(key.value) : std::nullopt;
            if (!settings)
                continue;
            m_candidate.scheme = "redis.json";
            m_candidate.settings = *settings;
            add(ReasonCode::KeyJson, 45);
            return;
        }
        add(ReasonCode::KeyHolder, 20, QStringLiteral("holder_json"));
    }

    /** Holders of several shapes are holders still. */
    void unlike()
    {
        if (m_sampled == 0)
            return;
        const double holders = share([this](const KeyFacts &key) {
            return key.length == key.value.size() && namesHolder(shapeOf(key.value, m_nowS));
        });
        if (holders >= kMost)
            add(ReasonCode::KeyHolder, 15, QStringLiteral("name"));
        else
            add(ReasonCode::KeyMixed, isNamed() ? 0 : -15);
    }

    void hash()
    {
        const auto ofRedisson = [this](bool threads) {
            return share([threads](const KeyFacts &key) { return isRedissonLock(key, threads); }) >= kMost;
        };
        // With a lock's name and an expiry, a hash with a single field may use any field name.
        const bool one = share([](const KeyFacts &key) { return key.length == 1 && key.ttlMs >= 0; }) == 1;
        const bool threads = ofRedisson(true);
        if (!threads && !(isNamed() && one && ofRedisson(false)))
            return;
        m_candidate.scheme = "redis.redisson";
        add(ReasonCode::KeyRedisson, threads ? 80 : 20);
        if (m_group.readWrite || share(hasMode) > 0)
            add(ReasonCode::KeyModes, 0);
        if (m_group.fair)
            add(ReasonCode::KeyFair, 5);
        ttl();
    }

    void sortedSet()
    {
        if (share([this](const KeyFacts &key) { return isSymfonyLock(key, m_nowS); }) == 1) {
            m_candidate.scheme = "redis.semaphore";
            m_candidate.preset = QStringLiteral("symfony-redis");
            add(ReasonCode::KeyPreset, 85, m_candidate.preset);
            return;
        }
        const auto most = [this](bool (*fits)(const KeyFacts &, qint64)) {
            return share([&](const KeyFacts &key) { return fits(key, m_nowS); }) >= kMost;
        };
        const bool inSeconds = most(&isSemaphoreInSeconds);
        if (!inSeconds && !most(&isSemaphore))
            return;
        m_candidate.scheme = "redis.semaphore";
        add(ReasonCode::KeyMembers, 35);
        if (inSeconds)
            refuseSeconds();
        else
            lease();
        ttl();
        many();
    }

    void refuseSeconds()
    {
        m_candidate.missing.append(Missing::Refused);
        m_candidate.refusal = {
            base::ErrorCode::SchemaMismatch,
            QStringLiteral("the scores are times in seconds, and the scheme counts milliseconds"),
            {}};
    }

    /** Redisson's expirable semaphore: how many are free, and the permits' deadlines beside. */
    void permits()
    {
        m_candidate.scheme = "redis.semaphore";
        m_candidate.settings = {{"scores", QStringLiteral("deadline")}};
        // The permits are locks, and they are in the set beside; Redisson braces names that have no braces.
        const bool braced = m_group.keys.first().name.contains('{');
        m_candidate.match = braced ? m_group.match + ":timeout" : '{' + m_group.match + "}:timeout";
        m_prefix = braced ? m_group.prefix : '{' + m_group.prefix;
        add(ReasonCode::KeyPermits, 85);
        if (std::any_of(m_group.permits.begin(), m_group.permits.end(), &hasDeadlineInSeconds))
            refuseSeconds();
    }

    /** Narrows a redis-semaphore's lease by all sets together. For sets without a member, only the remaining
     * time counts. */
    void lease()
    {
        constexpr qint64 kUsualMs = 10 * kSecondMs;
        const qint64 nowMs = (m_nowS + 1) * kSecondMs;
        LeaseRange all{0, kDayMs + 1};
        for (const KeyFacts &key : m_group.keys) {
            if (key.ttlMs < 0)
                continue;
            double newest = 0;
            for (const KeyMember &permit : key.members)
                newest = std::max(newest, permit.value.toDouble());
            const LeaseRange one = leaseRangeOf(nowMs, nowMs + key.ttlMs, qint64(newest));
            all = narrowed(all, newest > 0 ? one : LeaseRange{one.leastMs, all.mostMs});
        }
        if (all.mostMs > kDayMs)
            all.mostMs = all.leastMs;
        const qint64 lease = longestLeaseMs(all);
        if (lease <= kUsualMs || lease > kDayMs)
            return;
        const QString text = base::formatDuration(lease * 1'000);
        m_candidate.settings.append({"lease", text});
        add(ReasonCode::KeyLease, 0, text);
    }

    void ttl()
    {
        qint64 longest = -1;
        qsizetype with = 0;
        for (const KeyFacts &key : m_group.keys) {
            longest = std::max(longest, key.ttlMs);
            with += key.ttlMs >= 0;
        }
        const QString text = base::formatDuration((longest + kSecondMs - 1) / kSecondMs * kSecondMs * 1'000);
        const bool redisson = m_candidate.scheme == "redis.redisson";
        if (with == 0)
            add(ReasonCode::KeyNoTtl, isNamed() || redisson ? 0 : -20);
        else if (longest > kDayMs)
            add(ReasonCode::KeyLongTtl, -25, text);
        else if (with < m_group.keys.size())
            add(ReasonCode::KeySomeTtl, isNamed() || redisson ? 8 : 0);
        else
            add(ReasonCode::KeyTtl,
                longest <= 2 * kMinuteMs    ? 20
                : longest <= 10 * kMinuteMs ? 15
                : longest <= kHourMs        ? 8
                                            : 0,
                text);
    }

    void changes()
    {
        const auto saw = [this](Again what) {
            return std::any_of(m_group.keys.begin(), m_group.keys.end(),
                               [what](const KeyFacts &key) { return key.again == what; });
        };
        const bool holders =
            std::any_of(m_candidate.reasons.begin(), m_candidate.reasons.end(), [](const Reason &one) {
                return one.code == ReasonCode::KeyHolder || one.code == ReasonCode::KeyJson;
            });
        if (holders && saw(Again::Renewed))
            add(ReasonCode::KeyRenewed, 20);
        if (holders && saw(Again::Changed))
            add(ReasonCode::KeyHandOver, 10);
    }

    void many()
    {
        if (m_reading.naming != KeyNaming::Lock && m_group.keys.size() > kManyKeys)
            add(ReasonCode::KeyMany, -15, QString::number(m_group.keys.size()));
    }

    /** Names within Java's serialisation: a lock set says so, and matches the text in them. */
    void withoutHeader()
    {
        const QByteArray header(base::kJavaHeader, '?');
        const QByteArray &name = m_group.keys.first().name;
        if (m_candidate.scheme != "redis.token" || !m_candidate.match.startsWith(header) ||
            plainName(name) == name)
            return;
        m_candidate.match.remove(0, header.size());
        m_candidate.settings.append({"serializer", QStringLiteral("jdk")});
    }

    void conclude()
    {
        withoutHeader();
        if (m_candidate.score < kProposed)
            m_candidate.missing.prepend(Missing::KeyEvidence);
        if (!m_candidate.scheme.isEmpty()) {
            const bool prefixed = !m_prefix.isEmpty();
            add(prefixed ? ReasonCode::KeyPrefix : ReasonCode::KeyNoPrefix, 0,
                prefixed ? base::textOf(m_prefix) : QString());
        }
        m_candidate.score = std::clamp(m_candidate.score, 0, 100);
    }

    const KeyGroup &m_group;
    qint64 m_nowS;
    QByteArray m_prefix;
    qsizetype m_sampled = 0;
    NameReading m_reading;
    Candidate m_candidate;
};

} // namespace

Candidate judge(const KeyGroup &group, qint64 nowS)
{
    return Judgement(group, nowS).judge();
}

} // namespace lockkeeper::stores::discover
