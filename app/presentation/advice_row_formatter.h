// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/advice_model.h"

#include <QCoreApplication>

namespace lockkeeper::app::presentation {

/** The texts for the cells of the view Advice. words::AdviceFormatter has the sentences. */
class AdviceRowFormatter : public models::Formatter
{
    Q_DECLARE_TR_FUNCTIONS(AdviceRowFormatter)

public:
    QVariant cell(const QModelIndex &index, int role) const override;
    QVariant header(int column, int role) const override;
    /** "lock:a", "lock:a and lock:b"; the source's name for advice about a source. */
    static QString subject(const domain::Advice &advice);
};

} // namespace lockkeeper::app::presentation
