// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/locks_proxy.h"
#include "app/presentation/theme.h"
#include "app/words/time_format.h"

#include <QCoreApplication>

#include <functional>
#include <optional>

namespace lockkeeper::app::presentation {

/** The texts for the cells of the locks table. Needs only the row; the delegate paints badges and bars. */
class LockFormatter : public models::Formatter
{
    Q_DECLARE_TR_FUNCTIONS(LockFormatter)

public:
    /** Neither is owned. */
    LockFormatter(const Theme *theme, const words::TimeFormat *times) : m_theme(theme), m_times(times) {}

    void setSeveralAgents(bool several) { m_severalAgents = several; }
    /**
     * The time in µs for which the user's own request to release a lock still awaits approval; empty: no
     * request.
     */
    using Awaited = std::function<std::optional<qint64>(const domain::LockKey &)>;
    void setAwaited(Awaited awaited) { m_awaited = std::move(awaited); }
    std::optional<qint64> awaitedUs(const models::LockRow &row) const;
    static QString awaitingApproval(qint64 leftUs);
    /** The same, short enough for a badge. */
    static QString awaitingBriefly(qint64 leftUs);

    QVariant cell(const QModelIndex &index, int role) const override;
    QVariant header(int column, int role) const override;

    /** The icon of a cell of the columns Alive and Release; empty: none. */
    static QString iconName(const models::LockRow &row, int column, qint64 nowUs);
    /** "12 locks: 1 stuck, 3 held" of a group's row. */
    static QString groupText(const models::LockGroup &group);
    /** For a past moment: the meaning of the mark beside a holder. */
    static QString mayHaveChanged();

private:
    QString text(const models::LockRow &row, int column, qint64 nowUs) const;
    QString sentence(const models::LockRow &row, qint64 nowUs) const;
    QString toolTip(const models::LockRow &row, int column, qint64 nowUs) const;

    const Theme *m_theme;
    const words::TimeFormat *m_times;
    bool m_severalAgents = false;
    Awaited m_awaited;
};

} // namespace lockkeeper::app::presentation
