// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/replica/badge.h"
#include "app/views/release/bulk_plan.h"
#include "app/views/release/release_controller.h"
#include "app/views/widgets/console_context.h"
#include "app/views/widgets/translated.h"

#include <QDialog>
#include <QTimer>

class QPushButton;
class QTableWidget;

namespace lockkeeper::app::views {

class PlainLabel;
class ReasonEdit;

/**
 * Force-release of several expired and stuck locks. A preview shows a verdict for each lock; then the dialog
 * releases them one after the other, each under its own guard. It reads each lock again at its turn and
 * leaves out a lock that has changed. [Stop] leaves out the rest. Window-modal, GUI thread.
 */
class BulkDialog : public Translated<QDialog>
{
    Q_OBJECT

public:
    BulkDialog(const ConsoleContext &context, const QList<domain::LockKey> &keys,
               ReleaseController *controller, QWidget *parent = nullptr);

    const QList<BulkItem> &items() const { return m_items; }

private:
    enum BulkColumn { State, Lock, Holder, Verdict, ColumnCount };
    enum class BulkPhase { Preview, Running, Finished };

    void build();
    void retranslate() final;
    void fillRow(int row);
    void makeRoom(BulkColumn column, const QString &text);
    replica::Badge badgeNow(const BulkItem &item) const;
    QString missing() const;
    QString verdict(const BulkItem &item) const;
    void refresh();
    void start();
    void next();
    void onRead(int row, const base::Result<protocol::Inspected> &reading);
    void onAnswer(int row, const protocol::ReleaseResult &result);
    void leaveOut(int row, Skip why);
    void stop();
    void finish();

    ConsoleContext m_context;
    ReleaseController *m_controller;
    QList<BulkItem> m_items;
    BulkPhase m_phase = BulkPhase::Preview;
    int m_turn = -1;
    qint64 m_shownUs = 0;
    QString m_why;
    QTimer m_refresh;

    PlainLabel *m_title = nullptr;
    PlainLabel *m_residue = nullptr;
    QTableWidget *m_table = nullptr;
    PlainLabel *m_reasonLabel = nullptr;
    ReasonEdit *m_reason = nullptr;
    PlainLabel *m_numberLabel = nullptr;
    ReasonEdit *m_number = nullptr;
    PlainLabel *m_summary = nullptr;
    QPushButton *m_stop = nullptr;
    QPushButton *m_cancel = nullptr;
    QPushButton *m_action = nullptr;
};

} // namespace lockkeeper::app::views
