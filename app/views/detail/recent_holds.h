// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/holds_model.h"
#include "app/presentation/time_format.h"
#include "app/views/widgets/console_context.h"

#include <QCoreApplication>
#include <QWidget>

class QTreeView;

namespace lockkeeper::app::views {

class PlainLabel;

/** Holds in words. */
class HoldFormatter : public models::Formatter
{
    Q_DECLARE_TR_FUNCTIONS(HoldFormatter)

public:
    /** `times` isn't owned. */
    explicit HoldFormatter(const presentation::TimeFormat *times) : m_times(times) {}
    QVariant cell(const QModelIndex &index, int role) const override;
    QVariant header(int column, int role) const override;

private:
    QString text(const protocol::Hold &hold, int column) const;

    const presentation::TimeFormat *m_times;
};

/** The last ten holds of a lock and how each ended, asked from the agent. */
class RecentHolds : public QWidget
{
    Q_OBJECT

public:
    explicit RecentHolds(const ConsoleContext &context, QWidget *parent = nullptr);
    ~RecentHolds() override;

    void setLock(const std::optional<domain::LockKey> &key);
    void refresh();

protected:
    void changeEvent(QEvent *event) override;

private:
    void showRows();

    const session::AgentSession *m_session;
    HoldFormatter m_formatter;
    models::HoldsModel *m_model;
    PlainLabel *m_heading;
    PlainLabel *m_note;
    QTreeView *m_table;
};

} // namespace lockkeeper::app::views
