// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/presentation/hold_formatter.h"
#include "app/views/widgets/console_context.h"
#include "app/views/widgets/translated.h"

#include <QWidget>

class QTreeView;

namespace lockkeeper::app::views {

class PlainLabel;

/** Words the holds briefly, and makes tool tips safe for a view that takes markup for rich text. */
class PlainHolds : public presentation::HoldFormatter
{
public:
    using HoldFormatter::HoldFormatter;
    QVariant cell(const QModelIndex &index, int role) const override;
};

/** The last ten holds of a lock and how each ended, asked from the agent. */
class RecentHolds : public Translated<QWidget>
{
    Q_OBJECT

public:
    explicit RecentHolds(const ConsoleContext &context, QWidget *parent = nullptr);
    ~RecentHolds() override;

    void setLock(const std::optional<domain::LockKey> &key);
    void refresh();
    /** The shown holds, one per line, with the full holder however narrow the dock is. */
    QString text() const;

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void retranslate() final;
    void showRows();
    void fit();
    int widthOf(int column) const;

    const session::AgentGroup *m_session;
    PlainHolds m_formatter;
    models::HoldsModel *m_model;
    PlainLabel *m_heading;
    PlainLabel *m_note;
    QTreeView *m_table;
};

} // namespace lockkeeper::app::views
