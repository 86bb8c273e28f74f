// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/replica/badge.h"
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
 * Shows all that is known about the current lock. The sections follow the operator's questions: identity,
 * sign of life, release, holder, evidence, waiters, lease, past. The buttons stay visible; a disabled button
 * has its reason beside it.
 */
class LockDetail : public Translated<QWidget>
{
    Q_OBJECT

public:
    explicit LockDetail(const ConsoleContext &context, QWidget *parent = nullptr);

    /**
     * `shown` returns true if the list beside the dock shows the lock. Any other lock stays here with a note,
     * and can't be released from here.
     */
    void setShownInList(std::function<bool(const domain::LockKey &)> shown) { m_shown = std::move(shown); }
    /** The list may have changed: updates the note and the button. */
    void followList();
    /** The details of the lock as text. */
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
    void fill(const domain::LockState &state, const replica::LockContext &lock);
    void fillUnseen(const domain::LockKey &key);
    void fillVerdicts(const domain::LockState &state, const replica::LockContext &lock);
    QString probedHolder(const domain::LockState &state) const;
    void fillHolder(const domain::LockState &state);
    void fillSession(const domain::LockState &state, const replica::LockContext &lock);
    void fillEvidence(const domain::LockState &state, const replica::LockContext &lock);
    void fillAlerts(const domain::LockKey &key);
    void fillNodes(const domain::LockState &state, const replica::LockContext &lock);
    void fillWaiters(const domain::LockState &state, const replica::LockContext &lock);
    QString agentsText(const domain::LockKey &key) const;
    replica::LockContext contextOf(const domain::LockKey &key) const;
    QString place(const domain::LockState &state, const replica::LockContext &lock) const;
    void showNote(const QString &note);
    bool isListed() const;

    ConsoleContext m_context;
    std::function<bool(const domain::LockKey &)> m_shown;
    bool m_listed = true;                    ///< as the note says
    std::optional<domain::LockState> m_last; ///< as last known, also once the lock is gone
    bool m_gone = false;                     ///< not in the table at the last refresh
    domain::TimeUs m_endUs;                  ///< when a removed lock was missed, or when it ended
    std::optional<events::LockEvent> m_end;  ///< the event that reported the end
    struct DetailParts;
    std::shared_ptr<DetailParts> m_parts;
    QPushButton *m_release = nullptr;
    QTimer m_second;
};

} // namespace lockkeeper::app::views
