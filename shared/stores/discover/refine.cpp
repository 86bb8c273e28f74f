// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the judgement that rests on values: units, zones, and whether rows outlive their locks.
#include "shared/base/text.h"
#include "shared/stores/discover/scoring.h"
#include "shared/stores/discover/words.h"
#include "shared/stores/sql/catalogue/preset.h"

#include <algorithm>
#include <optional>

namespace lockkeeper::stores::discover {

namespace {

constexpr qint64 kSecondUs = 1'000'000;
constexpr qint64 kHourUs = 3'600 * kSecondUs;
constexpr qint64 kDayUs = 24 * kHourUs;
constexpr qint64 kAheadUs = 2 * kSecondUs; ///< more than a statement takes
constexpr qint64 kYearUs = 366 * 24 * kHourUs;

struct Unit
{
    const char *name;
    qint64 us;
};
constexpr Unit kUnits[] = {{"epoch_s", kSecondUs}, {"epoch_ms", 1'000}, {"epoch_us", 1}};

/** The unit in which every value lies within twenty years of now; none where the values disagree. */
std::optional<Unit> unitOf(const QList<qint64> &values, qint64 nowUs)
{
    for (const Unit &unit : kUnits) {
        const auto near = [&](qint64 value) {
            const qint64 now = nowUs / unit.us;
            return value > now - 20 * kYearUs / unit.us && value < now + 20 * kYearUs / unit.us;
        };
        QList<qint64> set;
        std::copy_if(values.cbegin(), values.cend(), std::back_inserter(set),
                     [](qint64 value) { return value > 0; });
        if (!set.isEmpty() && std::all_of(set.cbegin(), set.cend(), near))
            return unit;
    }
    return std::nullopt;
}

const char *unitByName(const QString &column)
{
    const QStringList words = wordsOf(column);
    if (hasWord(words, "ms millis milliseconds msec"))
        return "epoch_ms";
    if (hasWord(words, "us micros microseconds usec"))
        return "epoch_us";
    return hasWord(words, "s sec secs seconds") ? "epoch_s" : nullptr;
}

QString offsetText(qint64 us)
{
    const qint64 minutes = us / (60 * kSecondUs);
    return QStringLiteral("+%1:%2")
        .arg(minutes / 60, 2, 10, QLatin1Char('0'))
        .arg(minutes % 60, 2, 10, QLatin1Char('0'));
}

class Refiner
{
public:
    Refiner(Candidate &candidate, const TableFacts &table, const Sample &sample)
        : m_candidate(candidate), m_table(table), m_sample(sample)
    {
    }

    void run()
    {
        givenBack();
        for (const MappedColumn &mapped : mappedColumns(m_candidate.mapping))
            column(mapped);
        zone();
        staying();
    }

private:
    void note(ReasonCode code, const QString &column, const QString &value = {})
    {
        m_candidate.reasons.append({code, 0, column, value});
    }

    /** A lease that is given back is put to the epoch, and an inserted row never is. */
    void givenBack()
    {
        if (m_candidate.scheme != "sql.insert")
            return;
        for (const MappedColumn &mapped : mappedColumns(m_candidate.mapping)) {
            const QList<qint64> times = m_sample.timesUs.value(mapped.column);
            const bool near = std::any_of(times.cbegin(), times.cend(),
                                          [](qint64 time) { return time >= 0 && time < kDayUs; });
            if (!sql::isTimeKey(mapped.key) || !near)
                continue;
            const auto also =
                std::find_if(m_candidate.reasons.begin(), m_candidate.reasons.end(),
                             [](const Reason &reason) { return reason.code == ReasonCode::AlsoPreset; });
            if (also != m_candidate.reasons.end()) {
                m_candidate.preset = also->value.section(QLatin1String(", "), 0, 0);
                for (Reason &reason : m_candidate.reasons) {
                    if (reason.code == ReasonCode::PresetTable || reason.code == ReasonCode::PresetColumns)
                        reason.value = m_candidate.preset;
                }
                m_candidate.reasons.erase(also);
            } else if (!m_candidate.preset.isEmpty()) {
                return; // its own application knows better
            }
            rowsStay(ReasonCode::GivenBack, mapped.column);
            return;
        }
    }

    void rowsStay(ReasonCode code, const QString &column)
    {
        m_candidate.reasons.removeIf([](const Reason &reason) { return reason.code == ReasonCode::RowsGo; });
        note(code, column);
        m_candidate.scheme = "sql.lease"; // a past time is a free lock, then
        for (TableMapping *mapping : {&m_candidate.mapping, &m_candidate.config})
            mapping->timeout.clear();
    }

    void setUnit(const QString &key, const QString &unit)
    {
        m_candidate.mapping.units.insert(key, unit);
        m_candidate.config.units.insert(key, unit);
    }

    void column(const MappedColumn &mapped)
    {
        const ColumnFacts *facts = m_table.column(mapped.column);
        const bool timeout = mapped.key == "timeout";
        if (!facts || !(sql::isTimeKey(mapped.key) || timeout))
            return;
        if (facts->kind == Kind::Calendar)
            m_calendars.append(mapped.column);
        const bool number = facts->kind == Kind::Integer || facts->kind == Kind::Decimal;
        if (!number || !m_candidate.preset.isEmpty()) // a preset knows its units
            return;
        const QString key = QString::fromLatin1(mapped.key);
        const char *named = unitByName(mapped.column);
        const auto seen =
            timeout ? std::nullopt : unitOf(m_sample.numbers.value(mapped.column), m_sample.nowUs);
        const QString unit = QString::fromLatin1(seen ? seen->name : named ? named : kUnits[0].name);
        // Seconds are what the configuration takes an integer for.
        if (unit != QLatin1String(kUnits[0].name))
            setUnit(key, unit);
        note(seen    ? ReasonCode::UnitSeen
             : named ? ReasonCode::UnitNamed
                     : ReasonCode::UnitAssumed,
             mapped.column, unit);
    }

    void zone()
    {
        // An acquisition can't lie in the future: a clock beside UTC, or beside the store's, can.
        qint64 ahead = 0;
        for (const qint64 value : m_sample.timesUs.value(m_candidate.mapping.acquiredAt))
            ahead = std::max(ahead, value - m_sample.nowUs);
        constexpr qint64 kQuarterUs = kHourUs / 4;
        const qint64 rounded = (ahead + kQuarterUs / 2) / kQuarterUs * kQuarterUs;
        if (m_calendars.contains(m_candidate.mapping.acquiredAt) && rounded >= kQuarterUs &&
            rounded <= 14 * kHourUs)
            note(ReasonCode::ZoneAhead, m_candidate.mapping.acquiredAt, offsetText(rounded));
        else if (!m_calendars.isEmpty())
            note(ReasonCode::ZoneAssumed, m_calendars.join(QLatin1String(", ")));
        if (ahead > kAheadUs && (rounded < kQuarterUs || m_calendars.isEmpty()))
            note(ReasonCode::ClientClock, m_candidate.mapping.acquiredAt,
                 base::formatDuration(ahead / kSecondUs * kSecondUs));
    }

    QList<qint64> timesOf(const QString &column) const
    {
        if (m_sample.timesUs.contains(column))
            return m_sample.timesUs.value(column);
        const auto unit = unitOf(m_sample.numbers.value(column), m_sample.nowUs);
        QList<qint64> times;
        for (const qint64 value : m_sample.numbers.value(column)) {
            if (unit && value > 0)
                times.append(value * unit->us);
        }
        return times;
    }

    /** Rows whose lease ended an hour ago and more, or that have no holder: nobody deletes them. */
    void staying()
    {
        if (m_candidate.scheme != "sql.insert" || !m_candidate.preset.isEmpty() ||
            m_candidate.mapping.expiresAt.isEmpty() || m_candidate.mapping.holder.isEmpty() ||
            m_sample.rows == 0)
            return;
        const QList<qint64> ends = timesOf(m_candidate.mapping.expiresAt);
        const auto old = std::count_if(ends.cbegin(), ends.cend(),
                                       [this](qint64 end) { return end < m_sample.nowUs - kHourUs; });
        if (old * 2 > m_sample.rows || m_sample.withoutHolder * 2 > m_sample.rows)
            rowsStay(ReasonCode::RowsStay, m_candidate.mapping.expiresAt);
    }

    Candidate &m_candidate;
    const TableFacts &m_table;
    const Sample &m_sample;
    QStringList m_calendars;
};

} // namespace

QStringList columnsToSample(const TableFacts &table, const Candidate &candidate)
{
    QStringList columns;
    for (const MappedColumn &mapped : mappedColumns(candidate.mapping)) {
        const ColumnFacts *facts = table.column(mapped.column);
        const bool time = mapped.key.endsWith("_at");
        if (facts && time &&
            (facts->kind == Kind::Integer || facts->kind == Kind::Calendar || facts->kind == Kind::Instant))
            columns.append(mapped.column);
    }
    return columns;
}

void refine(Candidate &candidate, const TableFacts &table, const Sample &sample)
{
    Refiner(candidate, table, sample).run();
}

} // namespace lockkeeper::stores::discover
