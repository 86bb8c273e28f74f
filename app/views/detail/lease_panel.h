// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/lease_trajectory.h"
#include "app/replica/packed_lock_table.h"
#include "app/views/widgets/console_context.h"
#include "app/views/widgets/translated.h"
#include "shared/domain/lock_state.h"

#include <QHash>
#include <QSet>
#include <QWidget>

namespace lockkeeper::app::charts {
class LeaseChart;
}

namespace lockkeeper::app::views {

class PlainLabel;

/**
 * The lease trajectory of the selected lock. Keeps recording the locks that were selected last, so that a
 * lock selected again has no hole in its line. GUI thread.
 */
class LeasePanel : public Translated<QWidget>
{
    Q_OBJECT

public:
    static constexpr int kRemembered = 16;

    explicit LeasePanel(const ConsoleContext &context, QWidget *parent = nullptr);

    void setLock(const std::optional<domain::LockKey> &key);
    /** Call it once a second. */
    void redraw();
    /** The chart in words. */
    QString text() const;

private:
    void follow(const replica::PackedLockTable &changed, const QSet<domain::LockKey> &removed);
    void followSources();
    void retranslate() final;

    ConsoleContext m_context;
    PlainLabel *m_heading;
    PlainLabel *m_none;
    charts::LeaseChart *m_chart;
    QHash<domain::LockKey, models::LeaseTrajectory> m_trajectories;
    QList<domain::LockKey> m_order; ///< least recently selected first
    QSet<QString> m_blind;          ///< sources with an open gap
    std::optional<domain::LockKey> m_key;
};

} // namespace lockkeeper::app::views
