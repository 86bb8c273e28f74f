// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/holds_model.h"
#include "app/words/time_format.h"

#include <QCoreApplication>

namespace lockkeeper::app::presentation {

/** The texts for holds. Plain text, including tool tips. */
class HoldFormatter : public models::Formatter
{
    Q_DECLARE_TR_FUNCTIONS(HoldFormatter)

public:
    /** `times` isn't owned. */
    explicit HoldFormatter(const words::TimeFormat *times) : m_times(times) {}
    QVariant cell(const QModelIndex &index, int role) const override;
    QVariant header(int column, int role) const override;
    /** How the hold ended, as far as that is proven. */
    static QString end(const protocol::Hold &hold);
    /** The facts about a forced or uncertain end, in sentences; empty if there are none. */
    static QString cause(const protocol::Hold &hold);

protected:
    const words::TimeFormat *times() const { return m_times; }

private:
    QString text(const protocol::Hold &hold, int column) const;
    static QString by(const protocol::Hold &hold);

    const words::TimeFormat *m_times;
};

} // namespace lockkeeper::app::presentation
