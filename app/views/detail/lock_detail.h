// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/state/badge.h"
#include "app/views/widgets/console_context.h"
#include "app/views/widgets/translated.h"
#include "shared/domain/lock_state.h"
#include "shared/events/lock_event.h"

#include <QTimer>
#include <QWidget>

#include <functional>

class QPushButton;
class QScrollArea;

namespace lockkeeper::app::views {

class BadgeWidget;
class ElidedLabel;
class FactGrid;
class LeasePanel;
class PlainLabel;
class RecentHolds;

/**
 * All that is known of the current lock, in the order of the questions: what is it, is its holder alive, may
 * it be broken, who holds it, what does that rest on, who waits, how went the lease, what happened before.
 * The buttons stay in sight; a disabled one says why beside it.
 */
class LockDetail : public Translated<QWidget>
{
    Q_OBJECT

public:
    explicit LockDetail(const ConsoleContext &context, QWidget *parent = nullptr);

    /** Whether the list shows the lock; one that has left the filter stays here, labelled. */
    void setShownInList(std::function<bool(const domain::LockKey &)> shown) { m_shown = std::move(shown); }
    /** What is known of the lock now, as text. */
    QString text() const;
    QPushButton *releaseButton() const { return m_release; }
    QSize sizeHint() const override { return {276, 500}; }

private:
    void build();
    QWidget *buildSections();
    QWidget *buildButtons();
    void retranslate() final;
    void recolour();
    void setLock();
    void refresh();
    void refreshButtons();
    void takeEvents(const QList<events::LockEvent> &events);
    QString story() const;
    QString endOf(const domain::LockState &state) const;
    void fill(const domain::LockState &state, const state::LockContext &lock);
    void fillUnseen(const domain::LockKey &key);
    void fillVerdicts(const domain::LockState &state, const state::LockContext &lock);
    void fillHolder(const domain::LockState &state);
    void fillSession(const domain::LockState &state, const state::LockContext &lock);
    void fillEvidence(const domain::LockState &state, const state::LockContext &lock);
    void fillNodes(const domain::LockState &state, const state::LockContext &lock);
    void fillWaiters(const domain::LockState &state, const state::LockContext &lock);
    QString agentsText(const domain::LockKey &key) const;
    state::LockContext contextOf(const domain::LockKey &key) const;
    QString place(const domain::LockState &state, const state::LockContext &lock) const;

    ConsoleContext m_context;
    std::function<bool(const domain::LockKey &)> m_shown;
    std::optional<domain::LockState> m_last; ///< as last known, also once the lock is gone
    bool m_gone = false;                     ///< not in the table when last looked at
    domain::TimeUs m_endUs;                 ///< of a lock that is gone: when it was missed, or its end's time
    std::optional<events::LockEvent> m_end; ///< the event that told of it
    struct Parts;
    std::shared_ptr<Parts> m_parts;
    QPushButton *m_release = nullptr;
    QTimer m_second;
};

} // namespace lockkeeper::app::views
