// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/discover/roles_of_table.h"

#include <algorithm>

namespace lockkeeper::stores::discover {

namespace {

constexpr qsizetype kWidestName = 3; ///< columns of a lock's name at most

/** Casts while it remembers which columns are taken. */
class Casting
{
public:
    explicit Casting(const TableFacts &table)
        : m_table(table), m_words(columnWords(table)), m_lockTable(lockNaming(table.name) != Naming::Other)
    {
    }

    Cast run()
    {
        castName();
        // The plainest fits first: "locked_until" is an expiry before "created_at" is an acquisition.
        for (int least = 3; least >= 1; --least) {
            for (const ColumnRole role :
                 {ColumnRole::ExpiresAt, ColumnRole::RenewedAt, ColumnRole::AcquiredAt, ColumnRole::Holder,
                  ColumnRole::Timeout, ColumnRole::Count, ColumnRole::Version, ColumnRole::Status,
                  ColumnRole::Id})
                castRole(role, least);
        }
        for (qsizetype i = 0; i < m_table.columns.size(); ++i) {
            const ColumnFacts &column = m_table.columns.at(i);
            if (m_taken.contains(column.name) || fit(ColumnRole::Remark, column, m_words.at(i)) > 0)
                continue;
            (isForeign(column, m_words.at(i)) ? m_cast.foreign : m_cast.unexplained).append(column.name);
        }
        return m_cast;
    }

private:
    int fitOf(ColumnRole role, const QString &name) const
    {
        for (qsizetype i = 0; i < m_table.columns.size(); ++i) {
            if (m_table.columns.at(i).name == name)
                return fit(role, m_table.columns.at(i), m_words.at(i));
        }
        return 0;
    }

    /** The weakest fit of a key's columns; 0 where one of them can't be part of a name. */
    int nameFitOf(const QStringList &key) const
    {
        if (key.isEmpty() || key.size() > kWidestName)
            return 0;
        int strongest = 0;
        for (const QString &name : key) {
            const ColumnFacts *column = m_table.column(name);
            if (!column || (column->kind != ValueKind::Text && column->kind != ValueKind::Bytes))
                return 0;
            strongest = std::max(strongest, fitOf(ColumnRole::Name, name));
        }
        // Whatever is unique in a table of locks names them: "environment", "tenant".
        const bool plain = strongest == 0 && m_lockTable && key.size() == 1 &&
                           fitOf(ColumnRole::Holder, key.first()) == 0 &&
                           fitOf(ColumnRole::Id, key.first()) == 0;
        return plain ? 1 : strongest;
    }

    void castName()
    {
        for (const QStringList &key : m_table.keys) {
            const int found = nameFitOf(key);
            // A name of one column before one of several, then the plainer.
            if (found > 0 && (m_cast.name.isEmpty() || key.size() < m_cast.name.size() ||
                              (key.size() == m_cast.name.size() && found > m_cast.nameFit))) {
                m_cast.name = key;
                m_cast.nameFit = found;
                m_cast.nameUnique = true;
            }
        }
        if (m_cast.name.isEmpty())
            castLooseName();
        for (const QString &column : std::as_const(m_cast.name))
            m_taken.append(column);
    }

    /** Casts a column that is called like a name but doesn't have its own key. */
    void castLooseName()
    {
        for (const ColumnFacts &column : m_table.columns) {
            const int found = fitOf(ColumnRole::Name, column.name);
            if (found >= 2 && found > m_cast.nameFit) {
                m_cast.name = QStringList{column.name};
                m_cast.nameFit = found;
            }
        }
    }

    void castRole(ColumnRole role, int least)
    {
        Cast::CastColumn &part = m_cast.parts.at(size_t(role));
        if (part.fit > 0)
            return;
        for (qsizetype i = 0; i < m_table.columns.size(); ++i) {
            const ColumnFacts &column = m_table.columns.at(i);
            if (m_taken.contains(column.name) || fit(role, column, m_words.at(i)) < least)
                continue;
            part = {column.name, least};
            m_taken.append(column.name);
            return;
        }
    }

    const TableFacts &m_table;
    QList<QStringList> m_words;
    bool m_lockTable;
    Cast m_cast;
    QStringList m_taken;
};

} // namespace

Cast castOf(const TableFacts &table)
{
    return Casting(table).run();
}

} // namespace lockkeeper::stores::discover
