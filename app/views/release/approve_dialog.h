// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/session/agent_group.h"
#include "app/views/widgets/console_context.h"
#include "app/views/widgets/translated.h"

#include <QDialog>
#include <QTimer>

class QLineEdit;
class QPushButton;

namespace lockkeeper::app::views {

class PlainLabel;
class ReasonEdit;
class ReleaseFacts;

/**
 * One person's decision on another person's request: window-modal, and like the dialog that asked. It reads
 * the lock every two seconds and shows it as it is now. The user can approve only the requested acquisition,
 * and never their own request, which they can withdraw. GUI thread.
 */
class ApproveDialog : public Translated<QDialog>
{
    Q_OBJECT

public:
    ApproveDialog(const ConsoleContext &context, const domain::ApprovalRequest &request,
                  QWidget *parent = nullptr);

private:
    void build();
    void read();
    void onRead(const base::Result<protocol::Inspected> &result);
    void decide(bool approve);
    void onAnswer(const protocol::ReleaseResult &shown);
    void retranslate() final;
    void refresh();
    /** Grows with what it says; never shrinks under the pointer. */
    void grow();
    void recolour();
    bool isOwn() const;
    /** Why the request can't be approved now; empty: it can. */
    QString obstacle() const;

    ConsoleContext m_context;
    domain::ApprovalRequest m_request;
    domain::LockState m_state; ///< the last reading, or what the table showed
    QString m_willRun;
    base::Error m_error; ///< of the last reading
    bool m_same = false; ///< the last reading shows the acquisition that was asked for
    bool m_reading = false;
    bool m_sent = false;
    bool m_done = false;
    bool m_good = false;
    qint64 m_shownUs = 0;
    qint64 m_readUs = 0;
    domain::TimeUs m_endedUs; ///< of the decision, by the store's clock: the facts are of that time
    QTimer m_refresh;
    QTimer m_reread;

    PlainLabel *m_title = nullptr;
    PlainLabel *m_explanation = nullptr;
    PlainLabel *m_reason = nullptr;
    ReleaseFacts *m_facts = nullptr;
    PlainLabel *m_residue = nullptr;
    PlainLabel *m_wordLabel = nullptr;
    ReasonEdit *m_word = nullptr;
    PlainLabel *m_missing = nullptr;
    PlainLabel *m_outcome = nullptr;
    QPushButton *m_reject = nullptr;
    QPushButton *m_cancel = nullptr;
    QPushButton *m_action = nullptr;
};

} // namespace lockkeeper::app::views
