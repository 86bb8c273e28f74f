// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/contention_model.h"

#include <QCoreApplication>

namespace lockkeeper::app::presentation {

/**
 * The texts for the cells of the ranking: "?" if the scheme doesn't show the value, "a – b" if windows leave
 * it open.
 */
class ContentionFormatter : public models::Formatter
{
    Q_DECLARE_TR_FUNCTIONS(ContentionFormatter)

public:
    QVariant cell(const QModelIndex &index, int role) const override;
    QVariant header(int column, int role) const override;
    /** "96.4 %". */
    static QString percent(double share);
    /** "420 ms", "24.8 s", "00:14:32". */
    static QString length(qint64 us);
    /** "+12 %", "new", "?". */
    static QString change(const models::ContentionChange &change);

private:
    static QString group(const domain::LockKey &key, int locks);
    static QString text(const models::ContentionModel &model, int row, int column);
    static QString toolTip(const models::ContentionModel &model, int row, int column);
    static QString beforeTip(const models::ContentionModel &model, int row);
    static QString headerTip(int column);
};

} // namespace lockkeeper::app::presentation
