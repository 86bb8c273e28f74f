// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/commands_model.h"
#include "app/words/time_format.h"

#include <QCoreApplication>

namespace lockkeeper::app::presentation {

/** The texts for the cells of this console's commands. */
class CommandFormatter : public models::Formatter
{
    Q_DECLARE_TR_FUNCTIONS(CommandFormatter)

public:
    /** `times` isn't owned. */
    explicit CommandFormatter(const words::TimeFormat *times) : m_times(times) {}

    QVariant cell(const QModelIndex &index, int role) const override;
    QVariant header(int column, int role) const override;

private:
    QString text(const models::ConsoleRelease &command, int column) const;

    const words::TimeFormat *m_times;
};

} // namespace lockkeeper::app::presentation
