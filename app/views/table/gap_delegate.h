// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/presentation/event_formatter.h"
#include "app/presentation/theme.h"

#include <QStyledItemDelegate>

#include <functional>

namespace lockkeeper::app::views {

/**
 * Paints the rows of an event table. A gap is one full-width row, hatched, with its sentence: every cell
 * paints its part of the same row, so that neither spans nor moved columns matter.
 */
class GapDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using EventOf = std::function<const events::LockEvent *(int row)>;

    /** Nothing is owned. */
    GapDelegate(const presentation::Theme *theme, const presentation::EventFormatter *formatter,
                EventOf eventOf, QObject *parent = nullptr);

    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override;

private:
    void paintGap(QPainter *painter, const QStyleOptionViewItem &option, const events::LockEvent &event,
                  int row) const;
    const events::LockEvent *beginning(const events::LockEvent &closed, int row) const;

    const presentation::Theme *m_theme;
    const presentation::EventFormatter *m_formatter;
    EventOf m_eventOf;
};

} // namespace lockkeeper::app::views
