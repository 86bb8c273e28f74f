// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/overview/attention_model.h"
#include "app/words/time_format.h"

#include <QCoreApplication>

namespace lockkeeper::app::views {

/** Words the cells of the locks that need attention; the delegate paints the badges. */
class AttentionFormatter : public models::Formatter
{
    Q_DECLARE_TR_FUNCTIONS(AttentionFormatter)

public:
    /** `times` isn't owned. */
    explicit AttentionFormatter(const words::TimeFormat *times) : m_times(times) {}

    QVariant cell(const QModelIndex &index, int role) const override;
    QVariant header(int column, int role) const override;

private:
    QString text(const overview::Attention &one, bool settled, int column) const;
    QString sinceText(const overview::Attention &one) const;
    QString toolTip(const overview::Attention &one, int column) const;

    const words::TimeFormat *m_times;
};

} // namespace lockkeeper::app::views
