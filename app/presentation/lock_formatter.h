// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/locks_proxy.h"
#include "app/presentation/theme.h"
#include "app/presentation/time_format.h"

#include <QCoreApplication>

namespace lockkeeper::app::presentation {

/** The cells of the locks table in words. Needs nothing but the row; the delegate paints badges and bars. */
class LockFormatter : public models::Formatter
{
    Q_DECLARE_TR_FUNCTIONS(LockFormatter)

public:
    /** Neither is owned. */
    LockFormatter(const Theme *theme, const TimeFormat *times) : m_theme(theme), m_times(times) {}

    void setSeveralAgents(bool several) { m_severalAgents = several; }
    QVariant cell(const QModelIndex &index, int role) const override;
    QVariant header(int column, int role) const override;

    static QString columnTitle(int column);
    static bool isRightAligned(int column);
    /** "12 locks: 1 stuck, 3 held" of a group's row. */
    static QString groupText(const models::LockGroup &group);
    /** Of a past moment: what the mark beside a holder says. */
    static QString mayHaveChanged();

private:
    QString text(const models::LockRow &row, int column, qint64 nowUs) const;
    QString sentence(const models::LockRow &row, qint64 nowUs) const;
    QString toolTip(const models::LockRow &row, int column, qint64 nowUs) const;

    const Theme *m_theme;
    const TimeFormat *m_times;
    bool m_severalAgents = false;
};

} // namespace lockkeeper::app::presentation
