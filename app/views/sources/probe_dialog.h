// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/widgets/console_context.h"
#include "app/views/widgets/translated.h"
#include "shared/base/result.h"
#include "shared/protocol/messages.h"

#include <QDialog>

class QLineEdit;
class QPushButton;
class QSpinBox;
class QTableWidget;

namespace lockkeeper::app::views {

class PlainLabel;

/**
 * Makes the agent listen for a moment to the attempts of a store's clients. Shows the cost for the store
 * beforehand; Cancel is the default. Shows the counts until the dialog is closed; closing it earlier doesn't
 * end the probe. Window-modal, GUI thread.
 */
class ProbeDialog : public Translated<QDialog>
{
    Q_OBJECT

public:
    ProbeDialog(const ConsoleContext &context, const QString &source, QWidget *parent = nullptr);

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    void build();
    void retranslate() final;
    void start();
    void showResult(const base::Result<protocol::ProbeResult> &result);
    void fill(const protocol::ProbeResult &result);
    QString summaryOf(const protocol::ProbeResult &result) const;

    ConsoleContext m_context;
    QString m_source;
    PlainLabel *m_cost = nullptr;
    PlainLabel *m_forLabel = nullptr;
    PlainLabel *m_commandsLabel = nullptr;
    PlainLabel *m_reasonLabel = nullptr;
    QSpinBox *m_seconds = nullptr;
    QSpinBox *m_commands = nullptr;
    QLineEdit *m_reason = nullptr;
    PlainLabel *m_status = nullptr;
    QTableWidget *m_table = nullptr;
    QPushButton *m_cancel = nullptr;
    QPushButton *m_action = nullptr;
    bool m_running = false;
    bool m_ended = false;
};

} // namespace lockkeeper::app::views
