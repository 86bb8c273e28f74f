// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/detail/last_hour.h"
#include "app/views/detail/lease_panel.h"
#include "app/views/detail/lock_advice.h"
#include "app/views/detail/lock_detail.h"
#include "app/views/detail/recent_holds.h"
#include "app/views/widgets/badge.h"
#include "app/views/widgets/fact_grid.h"
#include "app/views/widgets/plain_label.h"

class QPushButton;
class QStackedWidget;

namespace lockkeeper::app::views {

class LinkButton;

/** The dock's widgets; all owned by the dock. */
struct LockDetail::DetailParts
{
    QStackedWidget *pages = nullptr;
    PlainLabel *none = nullptr;
    ElidedLabel *name = nullptr;
    BadgeWidget *badge = nullptr;
    PlainLabel *place = nullptr;
    PlainLabel *note = nullptr; ///< why it is stuck, removed, or not in the list
    FactGrid *verdicts = nullptr;
    FactGrid *alerts = nullptr; ///< that aren't over
    FactGrid *holder = nullptr;
    LinkButton *everything = nullptr; ///< of the lock's holder
    FactGrid *session = nullptr;
    FactGrid *evidence = nullptr;
    LockAdvice *advice = nullptr; ///< of the last day; not of a past moment
    FactGrid *waiters = nullptr;
    FactGrid *nodes = nullptr; ///< of a lock kept on several servers
    QWidget *story = nullptr;  ///< the last hour, the lease and the holds up to now; not of a past moment
    LastHour *lastHour = nullptr;
    LeasePanel *lease = nullptr;
    RecentHolds *holds = nullptr;
    QPushButton *timeline = nullptr;
    QPushButton *history = nullptr;
    QPushButton *copy = nullptr;
    PlainLabel *reason = nullptr;
};

} // namespace lockkeeper::app::views
