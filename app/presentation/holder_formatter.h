// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/holder_model.h"
#include "app/words/time_format.h"

#include <QCoreApplication>

namespace lockkeeper::app::presentation {

/** The texts for the cells of the view Holder. */
class HolderFormatter : public models::Formatter
{
    Q_DECLARE_TR_FUNCTIONS(HolderFormatter)

public:
    explicit HolderFormatter(const words::TimeFormat *times) : m_times(times) {}

    QVariant cell(const QModelIndex &index, int role) const override;
    QVariant header(int column, int role) const override;

private:
    QString text(const models::HolderRow &row, int column, const replica::LockContext &context) const;
    QString toolTip(const models::HolderRow &row, int column, const replica::LockContext &context) const;

    const words::TimeFormat *m_times;
};

} // namespace lockkeeper::app::presentation
