// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/release/release_case.h"
#include "app/views/release/release_controller.h"
#include "app/views/widgets/console_context.h"
#include "app/views/widgets/translated.h"

#include <QDialog>
#include <QTimer>

class QCheckBox;
class QLineEdit;
class QPushButton;
class QScrollArea;

namespace lockkeeper::app::views {

class PlainLabel;
class ReasonEdit;
class ReleaseFacts;

/**
 * Force-release of one lock: window-modal, with the same layout in every case. The facts scroll on a low
 * screen, so that the buttons are always in sight and never move. The dialog reads the lock again every two
 * seconds, so that its reading is never older than a guard may be. Another acquisition, or another case,
 * voids the dialog until the operator reviews again. Enter never releases. After one click nothing can be
 * sent a second time. GUI thread.
 */
class ReleaseDialog : public Translated<QDialog>
{
    Q_OBJECT

public:
    ReleaseDialog(const ConsoleContext &context, const domain::LockKey &key, ReleaseController *controller,
                  QWidget *parent = nullptr);

    ReleaseCase releaseCase() const { return m_case; }

protected:
    void showEvent(QShowEvent *event) override;

private:
    void build();
    QScrollArea *buildFacts();
    QWidget *buildWarning();
    QWidget *buildButtons();
    void read();
    void onRead(const base::Result<protocol::Inspected> &result);
    void showCase(ReleaseCase releaseCase);
    void review();
    void send();
    void onAnswer(const protocol::ReleaseResult &shown);
    void showOutcome(const QString &text, bool good);
    void retranslate() final;
    void refresh();
    void recolour();
    QString explanation() const;
    bool nameTyped() const;
    qint64 storeNowUs() const;

    ConsoleContext m_context;
    domain::LockKey m_key;
    ReleaseController *m_controller;
    domain::LockState m_state; ///< the last reading, or what the table showed
    QByteArray m_guard;        ///< the acquisition that the dialog is about
    QByteArray m_ticket;
    QString m_willRun;
    base::Error m_failure; ///< of the last reading
    ReleaseCase m_case = ReleaseCase::Reading;
    ReleaseCase m_offered = ReleaseCase::Reading; ///< the last case that had an action: the button's word
    qint64 m_shownUs = 0;
    qint64 m_readUs = 0;
    domain::TimeUs m_endedUs; ///< of the request, by the store's clock: the facts are of that time
    bool m_reading = false;
    bool m_sent = false;
    bool m_done = false;
    bool m_lost = false; ///< an answer was lost; its request may have been carried out
    bool m_good = false;
    bool m_renewed = false;       ///< the last reading shows the same hold with another deadline …
    bool m_reviewed = false;      ///< … and the operator reviews it again: the typed text stays
    bool m_needsApproval = false; ///< the last reading: a release becomes a request
    QTimer m_refresh;
    QTimer m_reread;

    PlainLabel *m_title = nullptr;
    PlainLabel *m_explanation = nullptr;
    ReleaseFacts *m_facts = nullptr;
    QWidget *m_warning = nullptr;
    PlainLabel *m_warningIcon = nullptr;
    PlainLabel *m_residue = nullptr;
    QCheckBox *m_ifNotRenewed = nullptr;
    PlainLabel *m_reasonLabel = nullptr;
    ReasonEdit *m_reason = nullptr;
    PlainLabel *m_nameLabel = nullptr;
    ReasonEdit *m_name = nullptr;
    PlainLabel *m_missing = nullptr;
    PlainLabel *m_checked = nullptr;
    QPushButton *m_again = nullptr;
    PlainLabel *m_outcome = nullptr;
    QPushButton *m_copy = nullptr;
    QPushButton *m_cancel = nullptr;
    QPushButton *m_action = nullptr;
};

} // namespace lockkeeper::app::views
