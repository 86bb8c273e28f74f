// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/sources_model.h"
#include "app/words/time_format.h"

#include <QCoreApplication>

namespace lockkeeper::app::presentation {

/** The texts for the cells of the sources and of their rights. */
class SourceFormatter : public models::Formatter
{
    Q_DECLARE_TR_FUNCTIONS(SourceFormatter)

public:
    /** `times` isn't owned. */
    explicit SourceFormatter(const words::TimeFormat *times) : m_times(times) {}

    QVariant cell(const QModelIndex &index, int role) const override;
    QVariant header(int column, int role) const override;

    /** "+12 ms ± 1 ms": the store's clock against the agent's. */
    static QString clockOffset(const domain::SourceState &source);
    /** The source's error in the console's language; empty: none. */
    static QString fault(const domain::SourceState &source);
    static QString state(const domain::SourceState &source, bool stale);
    static QString severityIcon(domain::Severity severity);
    /** The most severe of a source's findings, and their number: "Warning, 3 in all". */
    static QString findings(const domain::SourceState &source);

private:
    QString text(const domain::SourceState &source, bool stale, int column) const;

    const words::TimeFormat *m_times;
};

/** The texts for the agent's rights at one source. */
class AccessFormatter : public models::Formatter
{
    Q_DECLARE_TR_FUNCTIONS(AccessFormatter)

public:
    QVariant cell(const QModelIndex &index, int role) const override;
    QVariant header(int column, int role) const override;
};

} // namespace lockkeeper::app::presentation
