// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/alerts/engine/alert_engine.h"
#include "shared/base/sha256.h"

#include <QJsonArray>

#include <algorithm>

namespace lockkeeper::agent::alerts {

using domain::AlertCondition;

namespace {

constexpr qint64 kLookAgainUs = 1'000'000;
constexpr qint64 kAwaitUs = 200'000; ///< between two looks whether a source was observed again
constexpr qint64 kNotDue = std::numeric_limits<qint64>::max();
constexpr qsizetype kIdBytes = 10;

/** The same after a restart, as long as the condition has been true since the same moment. */
QByteArray idOf(const AlertSubject &subject, const QByteArray &guard, qint64 sinceUs)
{
    const QByteArray parts = subject.rule.toUtf8() + '\0' + subject.lock.source.toUtf8() + '\0' +
                             subject.lock.scheme + '\0' + subject.lock.place + '\0' + subject.lock.name +
                             '\0' + subject.object + '\0' + guard + '\0' + QByteArray::number(sinceUs);
    return base::sha256(parts).left(kIdBytes).toHex();
}

bool firesBelow(AlertCondition when)
{
    return when == AlertCondition::LeaseMargin;
}

/** When the condition began: as the reading dates it, or as it was first seen true. */
qint64 beginningOf(const Occurrence &one, const AlertRule &rule)
{
    if (domain::isAlertLevel(rule.when))
        return std::min(one.reading.reachedUs(rule.threshold).value_or(one.sinceUs), one.sinceUs);
    return one.reading.sinceUs > 0 ? std::min(one.reading.sinceUs, one.sinceUs) : one.sinceUs;
}

QJsonObject worstEntry(const domain::Alert &alert)
{
    QJsonObject entry{{QStringLiteral("source"), alert.source},
                      {QStringLiteral("lock"), QString::fromUtf8(alert.lock.name)},
                      {QStringLiteral("since"), alert.sinceUs}};
    if (alert.value)
        entry.insert(QStringLiteral("value"), *alert.value);
    return entry;
}

} // namespace

bool AlertEngine::isBlind(const domain::LockKey &key) const
{
    const auto it = m_sources.constFind(key.source);
    return it == m_sources.constEnd() || it->blindSinceUs;
}

bool AlertEngine::isSeenSince(const WatchedSource &source, qint64 atUs)
{
    return source.pushes || source.seenUs >= atUs;
}

/** True if the lock wasn't observed since the gap that is open now began. */
bool AlertEngine::isHidden(const domain::LockState &lock) const
{
    const domain::TimeUs gapSinceUs = m_sources.value(lock.key.source).gapSinceUs;
    return gapSinceUs && lock.seenUs.value_or(0) <= *gapSinceUs;
}

void AlertEngine::expectEach(AlertCondition when, const Place &place, const AlertReading &reading,
                             qint64 nowUs)
{
    for (const AlertRule &rule : std::as_const(m_settings.rules)) {
        if (rule.when != when)
            continue;
        const bool fits = config::isOfLock(when)
                              ? isWatched(rule, place.lock)
                              : place.lock.source.isEmpty() || rule.fitsSource(place.lock.source);
        if (fits)
            expect(rule, place, reading, nowUs);
    }
}

void AlertEngine::expect(const AlertRule &rule, const Place &place, const AlertReading &reading, qint64 nowUs)
{
    const AlertSubject subject{rule.name, place.lock, place.object};
    auto it = m_occurrences.find(subject);
    if (it == m_occurrences.end()) {
        if (!reading.applies)
            return;
        it = m_occurrences.try_emplace(subject).first;
    }
    Occurrence &one = it->second;
    if (!reading.isKnown) {
        one.reading.isKnown = false;
        return;
    }
    one.reading = reading;
    if (reading.applies && !one.isActive()) {
        one.holder = place.holder;
        one.guard = place.guard;
        one.detail = place.detail;
    }
    if (!judge(it->first, one, rule, nowUs))
        drop(it);
}

void AlertEngine::drop(Occurrences::iterator it)
{
    m_occurrences.erase(it); // its entry in the schedule becomes stale
}

void AlertEngine::schedule(const AlertSubject &subject, Occurrence &one, qint64 atUs)
{
    if (one.dueUs == atUs)
        return;
    one.dueUs = atUs;
    m_schedule.emplace(atUs, subject);
}

/** Returns false if nothing remains to be watched. */
bool AlertEngine::judge(const AlertSubject &subject, Occurrence &one, const AlertRule &rule, qint64 nowUs)
{
    const bool isMoment = domain::isAlertMoment(rule.when) || rule.when == AlertCondition::AgentStalled;
    if (config::isOfLock(rule.when) && !isMoment && isBlind(subject.lock))
        return true;
    if (!one.reading.isKnown)
        return true;
    const qint64 limit = one.isActive() ? rule.clear : rule.threshold;
    const qint64 value = one.reading.valueAt(nowUs);
    const bool reached =
        !domain::isAlertLevel(rule.when) || (firesBelow(rule.when) ? value < limit : value >= limit);
    one.isRestored = false;
    const bool stays = one.reading.applies && reached ? judgeTrue(subject, one, rule, nowUs)
                                                      : judgeFalse(subject, one, rule, nowUs);
    if (stays && rule.when == AlertCondition::HolderChanges && one.dueUs == kNotDue) {
        if (const auto leavesUs = m_pasts.nextChangeLeavesUs(subject.lock, nowUs))
            schedule(subject, one, *leavesUs);
    }
    return stays;
}

bool AlertEngine::judgeTrue(const AlertSubject &subject, Occurrence &one, const AlertRule &rule, qint64 nowUs)
{
    if (!std::exchange(one.isTrue, true))
        one.sinceUs = nowUs;
    if (one.endedUs && one.alert) {
        ++one.alert->repeats;
        changed(*one.alert);
    }
    one.endedUs.reset();
    if (one.isActive())
        return true;
    const qint64 fireUs = std::max(one.sinceUs + rule.forUs, m_settledUs);
    if (nowUs >= fireUs)
        m_firing.append(subject);
    else
        schedule(subject, one, fireUs);
    return true;
}

bool AlertEngine::judgeFalse(const AlertSubject &subject, Occurrence &one, const AlertRule &rule,
                             qint64 nowUs)
{
    one.isTrue = false;
    if (one.isActive()) {
        if (!one.endedUs)
            one.endedUs = nowUs;
        const qint64 overUs = *one.endedUs + rule.clearForUs;
        if (nowUs < overUs) {
            schedule(subject, one, overUs);
            return true;
        }
        end(subject, one, nowUs);
    }
    const auto reachedUs = one.reading.reachedUs(rule.threshold);
    if (reachedUs) {
        schedule(subject, one, std::max(*reachedUs, nowUs + 1));
        return true;
    }
    if (rule.when == AlertCondition::HolderChanges && one.reading.applies && one.reading.constant > 0)
        return true; // until the oldest change leaves the hour
    return m_firing.contains(subject);
}

/** Reads the lock's condition again, before time alone decides. False: it can't be read now. */
bool AlertEngine::lookAgain(const AlertSubject &subject, Occurrence &one, const AlertRule &rule, qint64 nowUs)
{
    const auto lock = m_look(subject.lock);
    const bool isUnseen =
        lock ? isHidden(*lock) : m_sources.value(subject.lock.source).gapSinceUs.has_value();
    if (isUnseen) {
        if (one.isTrue && !one.isActive())
            one.sinceUs += kLookAgainUs;
        if (one.endedUs)
            *one.endedUs += kLookAgainUs;
        schedule(subject, one, nowUs + kLookAgainUs);
        return false;
    }
    if (lock)
        one.reading = lockReading(rule, *lock, nowUs);
    else
        one.reading = rule.when == AlertCondition::Absent ? m_pasts.absent(subject.lock) : AlertReading();
    return true;
}

void AlertEngine::step(qint64 nowUs)
{
    m_steppedUs = nowUs;
    while (!m_schedule.empty() && m_schedule.begin()->first <= nowUs) {
        const auto [atUs, subject] = *m_schedule.begin();
        m_schedule.erase(m_schedule.begin());
        const auto it = m_occurrences.find(subject);
        const AlertRule *its = rule(subject.rule);
        if (it == m_occurrences.end() || !its || it->second.dueUs != atUs)
            continue;
        Occurrence &one = it->second;
        one.dueUs = kNotDue;
        const bool isLevelOfLock = config::isOfLock(its->when) && !domain::isAlertMoment(its->when);
        if (isLevelOfLock && !isBlind(subject.lock)) {
            WatchedSource &source = m_sources[subject.lock.source];
            if (!isSeenSince(source, atUs)) {
                source.unseen.append({atUs, subject});
                continue;
            }
        }
        if (isLevelOfLock &&
            (isBlind(subject.lock) || (subject.object.isEmpty() && !lookAgain(subject, one, *its, nowUs))))
            continue;
        if (!judge(it->first, one, *its, nowUs))
            drop(it);
    }
    fire(nowUs);
    endStorms(nowUs);
}

std::optional<qint64> AlertEngine::dueUs() const
{
    if (!m_firing.isEmpty())
        return 0;
    std::optional<qint64> due;
    if (!m_schedule.empty())
        due = m_schedule.begin()->first;
    for (const WatchedSource &source : m_sources) {
        if (!source.unseen.isEmpty())
            due = std::min(due.value_or(m_steppedUs + kAwaitUs), m_steppedUs + kAwaitUs);
    }
    for (const Storm &storm : m_storms) {
        if (storm.members == 0)
            due = std::min(due.value_or(storm.keepUntilUs), storm.keepUntilUs);
    }
    return due;
}

void AlertEngine::fire(qint64 nowUs)
{
    QHash<QString, QList<AlertSubject>> byRule;
    QSet<AlertSubject> once;
    for (const AlertSubject &subject : std::exchange(m_firing, {})) {
        const auto it = m_occurrences.find(subject);
        const AlertRule *its = rule(subject.rule);
        if (it == m_occurrences.end() || !its || it->second.isActive() || once.contains(subject))
            continue;
        if (!it->second.isTrue && !it->second.endedUs)
            continue; // it ended before it fired
        once.insert(subject);
        byRule[subject.rule].append(subject);
    }
    for (auto it = byRule.cbegin(); it != byRule.cend(); ++it) {
        const AlertRule &its = *rule(it.key());
        QList<qint64> &fired = m_fired[it.key()];
        fired.removeIf([nowUs](qint64 atUs) { return atUs <= nowUs - kStormWithinUs; });
        if (config::isOfLock(its.when) &&
            (m_storms.contains(its.name) || fired.size() + it->size() > kStorm)) {
            joinStorm(its, *it, nowUs);
            continue;
        }
        for (const AlertSubject &subject : *it) {
            fired.append(nowUs);
            fireOne(subject, m_occurrences.at(subject), its, nowUs);
        }
    }
}

domain::Alert AlertEngine::alertOf(const AlertSubject &subject, const Occurrence &one, const AlertRule &rule,
                                   qint64 nowUs)
{
    domain::Alert alert;
    alert.rule = rule.name;
    alert.condition = rule.when;
    alert.severity = rule.severity;
    alert.source = subject.lock.source;
    alert.lock = subject.lock;
    alert.holder = one.holder;
    alert.sinceUs = beginningOf(one, rule);
    alert.firedUs = nowUs;
    alert.detail = one.detail;
    if (!subject.object.isEmpty())
        alert.detail.insert(QStringLiteral("object"), QString::fromUtf8(subject.object));
    if (domain::isAlertLevel(rule.when)) {
        alert.value = one.reading.valueAt(nowUs);
        alert.threshold = rule.threshold;
    }
    alert.id = idOf(subject, one.guard, alert.sinceUs);
    return alert;
}

void AlertEngine::fireOne(const AlertSubject &subject, Occurrence &one, const AlertRule &rule, qint64 nowUs)
{
    one.alert = std::make_unique<domain::Alert>(alertOf(subject, one, rule, nowUs));
    changed(*one.alert);
}

void AlertEngine::joinStorm(const AlertRule &rule, const QList<AlertSubject> &subjects, qint64 nowUs)
{
    QList<domain::Alert> worst;
    for (const AlertSubject &subject : subjects) {
        Occurrence &one = m_occurrences.at(subject);
        one.inStorm = true;
        worst.append(alertOf(subject, one, rule, nowUs));
    }
    std::sort(worst.begin(), worst.end(), [&rule](const domain::Alert &a, const domain::Alert &b) {
        if (a.value != b.value)
            return firesBelow(rule.when) ? a.value < b.value : a.value > b.value;
        return a.sinceUs < b.sinceUs;
    });
    const bool isNew = !m_storms.contains(rule.name);
    Storm &storm = m_storms[rule.name];
    storm.members += subjects.size();
    domain::Alert &alert = storm.alert;
    if (isNew) {
        alert = worst.constFirst();
        alert.lock = {};
        alert.holder.clear();
        alert.detail = {};
        alert.id = idOf({rule.name, {}, "storm"}, {}, nowUs);
    }
    QJsonArray entries = alert.detail.value(QLatin1String("worst")).toArray();
    for (const domain::Alert &one : std::as_const(worst)) {
        if (one.source != alert.source)
            alert.source.clear(); // of several sources
        if (entries.size() < kWorst)
            entries.append(worstEntry(one));
    }
    const qint64 count = alert.detail.value(QLatin1String("count")).toInteger() + subjects.size();
    alert.detail.insert(QStringLiteral("count"), count);
    alert.detail.insert(QStringLiteral("worst"), entries);
    changed(alert);
}

void AlertEngine::end(const AlertSubject &subject, Occurrence &one, qint64 nowUs)
{
    if (one.alert) {
        one.alert->resolvedUs = nowUs;
        changed(*one.alert);
        one.alert.reset();
    }
    if (std::exchange(one.inStorm, false)) {
        if (const auto storm = m_storms.find(subject.rule); storm != m_storms.end())
            --storm->members;
    }
    one.endedUs.reset();
}

void AlertEngine::endStorms(qint64 nowUs)
{
    for (auto it = m_storms.begin(); it != m_storms.end();) {
        if (it->members > 0 || nowUs < it->keepUntilUs) {
            ++it;
            continue;
        }
        it->alert.resolvedUs = nowUs;
        changed(it->alert);
        it = m_storms.erase(it);
    }
}

void AlertEngine::changed(const domain::Alert &alert)
{
    if (!m_changes.contains(alert.id))
        m_changeOrder.append(alert.id);
    m_changes.insert(alert.id, alert);
}

QList<domain::Alert> AlertEngine::takeChanges()
{
    QList<domain::Alert> changes;
    for (const QByteArray &id : std::exchange(m_changeOrder, {}))
        changes.append(m_changes.take(id));
    return changes;
}

qsizetype AlertEngine::activeCount() const
{
    return std::count_if(m_occurrences.begin(), m_occurrences.end(),
                         [](const auto &item) { return item.second.alert != nullptr; }) +
           m_storms.size();
}

} // namespace lockkeeper::agent::alerts
