// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/lock_key.h"

#include <QList>
#include <QObject>

namespace lockkeeper::app::views {

/** A report on one moment covers this time before and after it. */
inline constexpr qint64 kReportMarginUs = 600'000'000;

/**
 * The requests of one part of the window to another. Views and dialogs emit them; the composition root
 * connects them to the parts that answer, so that no view knows another. GUI thread.
 */
class Requests : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

Q_SIGNALS:
    /** The force-release dialog for one lock, or the bulk preview for several. */
    void releaseAsked(const QList<lockkeeper::domain::LockKey> &keys);
    /** The History view, filtered to this lock. */
    void historyAsked(const lockkeeper::domain::LockKey &key);
    /** The Timeline with the lanes of these locks. */
    void timelineAsked(const QList<lockkeeper::domain::LockKey> &keys);
    /** The same, around the time `us` of the stores' clocks; without keys the lanes stay. */
    void timelineAtAsked(const QList<lockkeeper::domain::LockKey> &keys, qint64 us);
    /** Another view by its id ("locks", "history", …) with a filter text; an empty filter changes nothing. */
    void viewAsked(const QByteArray &id, const QString &filter);
    /** The same, over the range [fromUs, toUs) of the agent's clock; an empty filter shows all of it. */
    void rangeAsked(const QByteArray &id, const QString &filter, qint64 fromUs, qint64 toUs);
    /** The Locks view with this lock selected. */
    void lockAsked(const lockkeeper::domain::LockKey &key);
    /** The table of locks as it was at `us`, a time of the stores' clocks; again for each step of a slider.
     */
    void stateAtAsked(qint64 us);
    /** An incident report about this lock; the user may change the range. */
    void reportAsked(const lockkeeper::domain::LockKey &key, qint64 fromUs, qint64 toUs);
    /** The Timeline's mark moved to `us`: an open past table shows that moment when it is seen again. */
    void markMoved(qint64 us);
    /** The Holder view of the holder of this lock. */
    void holderOfAsked(const lockkeeper::domain::LockKey &key);
    /** The Holder view of the holder or waiter with this name, seen in `source`. */
    void holderAsked(const QString &source, const QByteArray &name);
    /** One line for the status bar, shown for a few seconds. */
    void messageCame(const QString &text);
};

} // namespace lockkeeper::app::views
