// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/discover/scoring.h"

#include "shared/base/text.h"
#include "shared/stores/discover/roles_of_table.h"
#include "shared/stores/discover/words.h"

#include <algorithm>
#include <utility>

namespace lockkeeper::stores::discover {

namespace {

constexpr int kNamedLayout = 98;
constexpr int kRenamedLayout = 78;
/** Adds points with the reason for them. */
class Scorer
{
public:
    Scorer(const TableFacts &table, Candidate &candidate)
        : m_table(table), m_candidate(candidate), m_cast(castOf(table))
    {
    }

    void judgeLayout(const LayoutMatch &match)
    {
        const Layout &layout = *match.layout;
        m_candidate.preset = QString::fromLatin1(layout.id);
        m_candidate.scheme = layout.scheme;
        m_candidate.mapping.table = m_table.name;
        m_candidate.config.table = m_table.name;
        for (const sql::ColumnPreset &column : columnsOf(layout))
            mapLayoutColumn(column);
        if (!m_candidate.config.name.isEmpty()) // one column in another spelling: the name is all of them
            m_candidate.config.name = m_candidate.mapping.name;
        if (match.named)
            add(ReasonCode::PresetTable, kNamedLayout, {}, m_candidate.preset);
        else
            add(ReasonCode::PresetColumns, kRenamedLayout, {}, m_candidate.preset);
        if (!match.also.isEmpty())
            add(ReasonCode::AlsoPreset, -4, {}, match.also.join(QLatin1String(", ")));
        if (!match.named)
            judgeTableName();
        if (layout.scheme == "sql.row")
            add(ReasonCode::RowLocks, 0);
        if (!layout.missing.isEmpty())
            add(ReasonCode::NotTold, 0, {}, layout.missing.join(QLatin1String(", ")));
        if (layout.missing.contains(QLatin1String("identity")))
            add(ReasonCode::NoIdentity, 0);
        if (layout.leaseUs) {
            m_candidate.config.leaseUs = m_candidate.mapping.leaseUs = layout.leaseUs;
            add(ReasonCode::Timeout, 0, {}, base::formatDuration(*layout.leaseUs));
        }
        m_candidate.neverBroken = layout.neverBroken;
        if (layout.neverBroken)
            add(ReasonCode::NeverBroken, 0);
    }

    void judgeColumns()
    {
        m_candidate.mapping.table = m_table.name;
        judgeTableName();
        judgeName();
        judgePart(ColumnRole::Holder, ReasonCode::Holder, {6, 12, 20});
        judgePart(ColumnRole::ExpiresAt, ReasonCode::ExpiresAt, {8, 16, 20});
        judgePart(ColumnRole::AcquiredAt, ReasonCode::AcquiredAt, {6, 12, 15});
        judgePart(ColumnRole::RenewedAt, ReasonCode::RenewedAt, {0, 6, 10});
        judgePart(ColumnRole::Timeout, ReasonCode::Timeout, {0, 8, 8});
        judgePart(ColumnRole::Count, ReasonCode::Count, {0, 4, 6});
        judgePart(ColumnRole::Version, ReasonCode::Version, {0, 8, 8});
        judgePart(ColumnRole::Status, ReasonCode::Status, {0, 6, 16});
        judgeTextFlag();
        judgePart(ColumnRole::Id, ReasonCode::Id, {0, 2, 2});
        judgeStrangers(int(m_cast.unexplained.size() + m_cast.foreign.size()));
        judgeEvidence();
        m_candidate.scheme = scheme();
        map();
    }

private:
    void add(ReasonCode code, int points, const QString &column = {}, const QString &value = {})
    {
        m_candidate.score += points;
        m_candidate.reasons.append({code, points, column, value});
    }

    /** A column of the layout, as the table spells it. */
    void mapLayoutColumn(const sql::ColumnPreset &wanted)
    {
        for (const ColumnFacts &column : m_table.columns) {
            if (wanted.key.isEmpty() || column.name.compare(wanted.column, Qt::CaseInsensitive) != 0)
                continue;
            setColumn(m_candidate.mapping, wanted.key, column.name);
            if (column.name != wanted.column)
                setColumn(m_candidate.config, wanted.key, column.name);
        }
    }

    QString typeOf(const QString &column) const
    {
        const ColumnFacts *facts = m_table.column(column);
        return facts ? facts->typeText : QString();
    }

    void judgeTableName()
    {
        m_naming = lockNaming(m_table.name);
        m_named = m_naming != Naming::Other;
        if (m_named)
            add(ReasonCode::TableName, m_naming == Naming::Lock ? 30 : 10);
        m_foreignTable = isForeignName(m_table.name);
        if (m_foreignTable)
            add(ReasonCode::ForeignTable, -25);
    }

    void judgeName()
    {
        if (m_cast.name.isEmpty()) {
            const bool flag = m_cast[ColumnRole::Status].fit == 3 && m_table.columns.size() <= 6;
            const bool rows = onlyNames() && m_cast.unexplained.isEmpty() && m_cast.foreign.isEmpty();
            if (m_naming == Naming::Lock && (flag || rows))
                add(ReasonCode::NameTable, 30);
            else
                m_candidate.missing.append(Missing::UniqueName);
            return;
        }
        static constexpr int kPoints[] = {0, 8, 12, 18};
        for (qsizetype i = 0; i < m_cast.name.size(); ++i)
            add(ReasonCode::Name, i == 0 ? kPoints[m_cast.nameFit] : 0, m_cast.name.at(i),
                typeOf(m_cast.name.at(i)));
        if (m_cast.nameUnique)
            add(ReasonCode::NameUnique, 12, m_cast.name.join(QLatin1String(", ")));
        else
            m_candidate.missing.append(Missing::UniqueName);
    }

    void judgePart(ColumnRole role, ReasonCode code, std::array<int, 3> points)
    {
        const Cast::CastColumn &part = m_cast[role];
        const int given = part.fit > 0 ? points.at(size_t(part.fit - 1)) : 0;
        if (given > 0)
            add(code, given, part.column, typeOf(part.column));
    }

    bool isTextFlag() const
    {
        const ColumnFacts *status = m_table.column(m_cast[ColumnRole::Status].column);
        return m_cast.has(ColumnRole::Status) && status != nullptr && status->kind == ValueKind::Text;
    }

    /** A row alone doesn't show that it is held: readFlagWords() looks for the words. */
    void judgeTextFlag()
    {
        if (!isTextFlag())
            return;
        m_candidate.missing.append(Missing::Refused);
        m_candidate.refusal = {
            base::ErrorCode::SchemaMismatch,
            QStringLiteral("the text \"%1\" shows whether a row is held, but its values are unknown")
                .arg(base::displayText(m_cast[ColumnRole::Status].column)),
            QStringLiteral("Map it as \"status\", with its \"held_value\" and \"free_value\".")};
    }

    void judgeStrangers(int unexplained)
    {
        for (const QString &column : m_cast.foreign)
            add(ReasonCode::ForeignColumn, -12, column);
        const int others = unexplained - int(m_cast.foreign.size());
        if (others > 0)
            add(ReasonCode::OtherColumns, -5 * others, {}, QString::number(others));
    }

    void judgeEvidence()
    {
        bool spoken = m_named;
        for (const QString &column : m_cast.name)
            spoken = spoken || hasWord(wordsOf(column), "lock locks locked mutex lease");
        for (const ColumnRole role :
             {ColumnRole::Holder, ColumnRole::ExpiresAt, ColumnRole::AcquiredAt, ColumnRole::RenewedAt})
            spoken =
                spoken || (m_cast.has(role) && hasWord(wordsOf(m_cast[role].column),
                                                       "lock locked lease leased acquired acquirer holder"));
        if (!spoken)
            m_candidate.missing.append(Missing::Evidence);
        // Rows of another kind of thing may be locked, too: that makes them no table of locks.
        const bool held = m_named && m_cast.has(ColumnRole::Holder);
        if ((!m_cast.foreign.isEmpty() && (!held || m_cast.foreign.size() > 1)) || m_foreignTable)
            m_candidate.missing.append(Missing::Ordinary);
    }

    bool onlyNames() const
    {
        for (const ColumnRole role : {ColumnRole::Holder, ColumnRole::ExpiresAt, ColumnRole::AcquiredAt,
                                      ColumnRole::Timeout, ColumnRole::Status, ColumnRole::Count}) {
            if (m_cast.has(role))
                return false;
        }
        return true;
    }

    QByteArray scheme() const
    {
        const bool holder = m_cast.has(ColumnRole::Holder);
        const bool expiry = m_cast.has(ColumnRole::ExpiresAt);
        if (m_cast.has(ColumnRole::Version) && !holder && !expiry && !m_cast.has(ColumnRole::Status))
            return "sql.version";
        if (onlyNames()) // the name alone as the key: inserted and deleted; with an id beside it: locked by
                         // FOR UPDATE
            return m_cast.has(ColumnRole::Id) || m_cast.has(ColumnRole::RenewedAt) ? "sql.row" : "sql.insert";
        if (m_cast[ColumnRole::Count].fit >= 2 && holder && (expiry || m_cast.has(ColumnRole::Status)))
            return "sql.reentrant";
        if (m_cast[ColumnRole::Status].fit == 3 || isTextFlag())
            return "sql.lease";
        const bool moved = m_cast[ColumnRole::RenewedAt].fit == 3 &&
                           hasWord(wordsOf(m_cast[ColumnRole::RenewedAt].column), "lock locked");
        if (moved && holder && !expiry)
            return "sql.lease";
        const bool shedlock = holder && m_cast[ColumnRole::ExpiresAt].fit == 3 &&
                              m_cast[ColumnRole::AcquiredAt].fit >= 2 &&
                              hasWord(wordsOf(m_cast[ColumnRole::ExpiresAt].column), "until");
        return shedlock ? "sql.shedlock" : "sql.insert";
    }

    void map()
    {
        TableMapping &mapping = m_candidate.mapping;
        mapping.name = m_cast.name;
        if (m_candidate.scheme == "sql.row") {
            mapping.name.clear(); // the locked row's key is the name
            add(ReasonCode::RowLocks, m_naming == Naming::Lock ? 5 : 0);
            return;
        }
        if (m_candidate.scheme == "sql.version") {
            mapping.version = m_cast[ColumnRole::Version].column;
            return;
        }
        mapping.holder = m_cast[ColumnRole::Holder].column;
        mapping.acquiredAt = m_cast[ColumnRole::AcquiredAt].column;
        mapping.expiresAt = m_cast[ColumnRole::ExpiresAt].column;
        if (m_candidate.scheme == "sql.shedlock")
            return;
        if (m_cast[ColumnRole::RenewedAt].fit >= 2)
            mapping.renewedAt = m_cast[ColumnRole::RenewedAt].column;
        if (m_cast[ColumnRole::Status].fit == 3 || isTextFlag() || m_candidate.scheme == "sql.reentrant") {
            mapping.status = m_cast[ColumnRole::Status].column;
            if (!mapping.status.isEmpty() && !isTextFlag())
                mapping.heldValue = QStringLiteral("1");
        }
        if (m_candidate.scheme == "sql.reentrant") {
            mapping.request = std::exchange(mapping.holder, {});
            mapping.count = m_cast[ColumnRole::Count].column;
            return;
        }
        // Each renewal lets it grow: a sign of life.
        if (m_cast[ColumnRole::Version].fit >= 2)
            mapping.version = m_cast[ColumnRole::Version].column;
        if (m_candidate.scheme == "sql.lease")
            return;
        mapping.timeout = m_cast[ColumnRole::Timeout].column;
        // Only an id that counts, or is made for each row, distinguishes an acquisition from the next.
        if (const ColumnFacts *id = m_table.column(m_cast[ColumnRole::Id].column); id && id->counted)
            mapping.id = id->name;
        add(ReasonCode::RowsGo, 0);
    }

    const TableFacts &m_table;
    Candidate &m_candidate;
    Cast m_cast;
    Naming m_naming = Naming::Other;
    bool m_named = false;
    bool m_foreignTable = false;
};

} // namespace

Candidate judge(const TableFacts &table, const QList<Layout> &layouts)
{
    Candidate candidate;
    candidate.table = table.name;
    Scorer scorer(table, candidate);
    if (const auto match = bestLayout(table, layouts))
        scorer.judgeLayout(*match);
    else
        scorer.judgeColumns();
    if (candidate.preset.isEmpty())
        candidate.config = candidate.mapping;
    // Nothing but a known layout under its own name is beyond doubt.
    candidate.score = std::clamp(candidate.score, 0, candidate.preset.isEmpty() ? 95 : 100);
    return candidate;
}

void sortInto(Discovery &discovery, QList<Candidate> candidates)
{
    std::sort(candidates.begin(), candidates.end(), [](const Candidate &a, const Candidate &b) {
        return a.score != b.score   ? a.score > b.score
               : a.table != b.table ? a.table < b.table
                                    : a.match < b.match;
    });
    for (Candidate &candidate : candidates) {
        const bool near = candidate.score >= kNear && !candidate.missing.contains(Missing::Evidence);
        if (candidate.isProposed())
            discovery.found.append(std::move(candidate));
        else if (near)
            discovery.near.append(std::move(candidate));
        else
            discovery.rest.append(std::move(candidate));
    }
}

} // namespace lockkeeper::stores::discover
