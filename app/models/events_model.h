// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/event_columns.h"

#include <deque>

namespace lockkeeper::app::models {

/** The newest events, newest first, for the bottom dock: at most 1,000. */
class EventsModel : public RawModel
{
    Q_OBJECT

public:
    static constexpr int kLimit = 1000;

    explicit EventsModel(QObject *parent = nullptr) : RawModel(kEventColumns, parent) {}

    const events::LockEvent *at(int row) const;

    /** Takes a batch in, oldest first; connect Replica::events() to it. */
    void add(const QList<events::LockEvent> &events);
    void clear();

private:
    int rows() const override { return int(m_events.size()); }
    std::deque<events::LockEvent> m_events;
};

} // namespace lockkeeper::app::models
