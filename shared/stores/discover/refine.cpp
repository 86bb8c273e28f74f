// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the judgement that rests on values: units, zones, and whether rows outlive their locks.
#include "shared/base/text.h"
#include "shared/stores/discover/roles.h"
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

struct TimestampUnit
{
    const char *name;
    qint64 us;
};
constexpr TimestampUnit kUnits[] = {{"epoch_s", kSecondUs}, {"epoch_ms", 1'000}, {"epoch_us", 1}};

/** The unit in which every value lies within twenty years of now; none where the values disagree. */
std::optional<TimestampUnit> unitOf(const QList<qint64> &values, qint64 nowUs)
{
    for (const TimestampUnit &unit : kUnits) {
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
    Refiner(Candidate &candidate, const TableFacts &table, const TableSample &sample)
        : m_candidate(candidate), m_table(table), m_sample(sample)
    {
    }

    void run()
    {
        rowsInstead();
        givenBack();
        for (const MappedColumn &mapped : mappedColumns(m_candidate.mapping))
            column(mapped);
        zone();
        staying();
        presence();
    }

private:
    void note(ReasonCode code, const QString &column, const QString &value = {})
    {
        m_candidate.reasons.append({code, 0, column, value});
    }

    /** A client that locks the same row with FOR UPDATE never writes a holder into it. */
    void rowsInstead()
    {
        const auto also = std::find_if(m_candidate.reasons.begin(), m_candidate.reasons.end(), isAlsoPreset);
        if (m_candidate.scheme != "sql.lease" || also == m_candidate.reasons.end() || m_sample.rows == 0 ||
            m_sample.withoutHolder < m_sample.rows)
            return;
        const QString other = also->value.section(QLatin1String(", "), 0, 0);
        const auto preset = sql::presetNamed(other);
        if (!preset || preset->scheme != "sql.row")
            return;
        becomeOther(also, other);
        m_candidate.neverBroken = preset->neverBroken;
        m_candidate.reasons.removeIf(
            [](const Reason &reason) { return reason.code == ReasonCode::NeverBroken; });
        becomeRows();
    }

    static bool isAlsoPreset(const Reason &reason) { return reason.code == ReasonCode::AlsoPreset; }

    /** The other layout that the same columns have. */
    void becomeOther(QList<Reason>::iterator also, const QString &preset)
    {
        m_candidate.preset = preset;
        for (Reason &reason : m_candidate.reasons) {
            if (reason.code == ReasonCode::PresetTable || reason.code == ReasonCode::PresetColumns)
                reason.value = preset;
        }
        m_candidate.reasons.erase(also);
    }

    void becomeRows(const QString &why = {})
    {
        m_candidate.scheme = "sql.row";
        for (TableMapping *mapping : {&m_candidate.mapping, &m_candidate.config}) {
            const QString table = mapping->table;
            *mapping = {};
            mapping->table = table;
        }
        note(ReasonCode::RowLocks, {}, why);
    }

    /** A released lease is set to the epoch, and an inserted row never is. */
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
                std::find_if(m_candidate.reasons.begin(), m_candidate.reasons.end(), isAlsoPreset);
            if (also != m_candidate.reasons.end())
                becomeOther(also, QString(also->value).section(QLatin1String(", "), 0, 0));
            else if (!m_candidate.preset.isEmpty())
                return; // its own application knows better
            rowsStay(ReasonCode::GivenBack, mapped.column);
            return;
        }
    }

    void rowsStay(ReasonCode code, const QString &column, const QString &value = {})
    {
        m_candidate.reasons.removeIf([](const Reason &reason) { return reason.code == ReasonCode::RowsGo; });
        note(code, column, value);
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
        if (facts->kind == ValueKind::Calendar)
            m_calendars.append(mapped.column);
        const bool number = facts->kind == ValueKind::Integer || facts->kind == ValueKind::Decimal;
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

    /** Rows that name nobody, or whose lease ended an hour ago and more: nobody deletes them. */
    void staying()
    {
        if (m_candidate.scheme != "sql.insert" || !m_candidate.preset.isEmpty() || m_sample.rows == 0)
            return;
        const TableMapping &mapping = m_candidate.mapping;
        if (m_sample.idle > 0) {
            rowsStay(ReasonCode::RowsStay, mapping.holder.isEmpty() ? timeColumn() : mapping.holder,
                     kEmptyWhenFree);
            return;
        }
        if (mapping.expiresAt.isEmpty() || mapping.holder.isEmpty())
            return;
        const QList<qint64> ends = timesOf(mapping.expiresAt);
        const auto old = std::count_if(ends.cbegin(), ends.cend(),
                                       [this](qint64 end) { return end < m_sample.nowUs - kHourUs; });
        if (old * 2 > m_sample.rows || m_sample.withoutHolder * 2 > m_sample.rows)
            rowsStay(ReasonCode::RowsStay, mapping.expiresAt);
    }

    QString timeColumn() const
    {
        for (const MappedColumn &mapped : mappedColumns(m_candidate.mapping)) {
            if (sql::isTimeKey(mapped.key))
                return mapped.column;
        }
        return {};
    }

    /**
     * A row without holder, lease or time of acquisition looks the same whether it was inserted by a holder
     * or is an anchor for FOR UPDATE, always there. Without evidence that rows come and go it is taken for an
     * anchor: the row of an anchor may never be deleted.
     */
    void presence()
    {
        const TableMapping &mapping = m_candidate.mapping;
        const bool tells = !mapping.holder.isEmpty() || !mapping.expiresAt.isEmpty() ||
                           !mapping.timeout.isEmpty() || !mapping.renewedAt.isEmpty() ||
                           !mapping.status.isEmpty() || saysAcquired(mapping.acquiredAt);
        if (m_candidate.scheme != "sql.insert" || !m_candidate.preset.isEmpty() || tells ||
            m_sample.comeAndGo || isRecent(mapping.acquiredAt))
            return;
        m_candidate.reasons.removeIf([](const Reason &reason) { return reason.code == ReasonCode::RowsGo; });
        becomeRows(kAnchor);
    }

    /** Any row has a time at which it was created. */
    bool saysAcquired(const QString &column) const
    {
        const QList<QStringList> words = columnWords(m_table);
        for (qsizetype i = 0; i < words.size(); ++i) {
            if (m_table.columns.at(i).name == column)
                return fit(ColumnRole::AcquiredAt, m_table.columns.at(i), words.at(i)) >= 2;
        }
        return false;
    }

    bool isRecent(const QString &column) const
    {
        const QList<qint64> times = timesOf(column);
        return !times.isEmpty() && std::all_of(times.cbegin(), times.cend(), [this](qint64 time) {
            return time > m_sample.nowUs - kHourUs;
        });
    }

    Candidate &m_candidate;
    const TableFacts &m_table;
    const TableSample &m_sample;
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
            (facts->kind == ValueKind::Integer || facts->kind == ValueKind::Calendar ||
             facts->kind == ValueKind::Instant))
            columns.append(mapped.column);
    }
    return columns;
}

void refine(Candidate &candidate, const TableFacts &table, const TableSample &sample)
{
    Refiner(candidate, table, sample).run();
}

} // namespace lockkeeper::stores::discover
