// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/audit_model.h"
#include "app/words/time_format.h"

#include <QCoreApplication>

namespace lockkeeper::app::presentation {

/** The texts for the cells of the audit. */
class AuditFormatter : public models::Formatter
{
    Q_DECLARE_TR_FUNCTIONS(AuditFormatter)

public:
    /** `times` isn't owned. */
    explicit AuditFormatter(const words::TimeFormat *times) : m_times(times) {}

    QVariant cell(const QModelIndex &index, int role) const override;
    QVariant header(int column, int role) const override;

private:
    /** The subject of the entry. */
    static QString subject(const domain::AuditEntry &entry);
    QString text(const domain::AuditEntry &entry, int column) const;
    QString toolTip(const domain::AuditEntry &entry, int column) const;

    const words::TimeFormat *m_times;
};

} // namespace lockkeeper::app::presentation
