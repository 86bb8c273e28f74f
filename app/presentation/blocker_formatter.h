// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/blockers_model.h"

#include <QCoreApplication>

namespace lockkeeper::app::presentation {

/** The texts for the cells of the ranking of holders and statements. */
class BlockerFormatter : public models::Formatter
{
    Q_DECLARE_TR_FUNCTIONS(BlockerFormatter)

public:
    explicit BlockerFormatter(const models::BlockersModel *model) : m_model(model) {}

    QVariant cell(const QModelIndex &index, int role) const override;
    QVariant header(int column, int role) const override;

private:
    QString text(int row, int column) const;
    static QString headerTip(int column);

    const models::BlockersModel *m_model; ///< not owned
};

} // namespace lockkeeper::app::presentation
