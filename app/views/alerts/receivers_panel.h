// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/alerts_model.h"
#include "app/presentation/alert_formatter.h"
#include "app/views/widgets/console_context.h"
#include "app/views/widgets/translated.h"

#include <QWidget>

class QPushButton;

namespace lockkeeper::app::views {

class DataTable;
class PlainLabel;

/** The receivers of the agents' alerts, and a test message for one of them. GUI thread. */
class ReceiversPanel : public Translated<QWidget>
{
    Q_OBJECT

public:
    explicit ReceiversPanel(const ConsoleContext &context, QWidget *parent = nullptr);
    ~ReceiversPanel() override;

    void refresh();

private:
    void retranslate() final;
    void showState();
    void test();
    const models::ReceiverRow *selected() const;

    ConsoleContext m_context;
    models::ReceiversModel m_model;
    presentation::ReceiverFormatter m_formatter;
    PlainLabel *m_title;
    PlainLabel *m_none;
    PlainLabel *m_reason;
    DataTable *m_table;
    QPushButton *m_test;
    bool m_isTesting = false;
};

} // namespace lockkeeper::app::views
