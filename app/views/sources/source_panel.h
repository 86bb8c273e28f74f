// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/sources_model.h"
#include "app/presentation/source_formatter.h"
#include "app/views/widgets/console_context.h"

#include <QWidget>

class QGridLayout;
class QPushButton;
class QStackedWidget;

namespace lockkeeper::app::views {

class DataTable;
class FindingsList;
class PlainLabel;

/** One source in full: health, clock, server, and each right with the statement that would grant it. GUI
 * thread. */
class SourcePanel : public QWidget
{
    Q_OBJECT

public:
    explicit SourcePanel(const ConsoleContext &context, QWidget *parent = nullptr);
    ~SourcePanel() override;

    /** Null: nothing is selected. `tells`: its agent is one that looks for dangers. */
    void show(const domain::SourceState *source, bool stale, bool tells);
    void retranslate();

private:
    enum Row { State, LastSeen, Counts, Clock, Pass, Server, Address, Schemes, Warning, Error, RowCount };

    QString label(Row row) const;
    static QString clock(const domain::SourceState &source);
    static QString pass(const domain::SourceState &source);
    QString value(Row row, const domain::SourceState &source, bool stale) const;
    void copyStatement();

    ConsoleContext m_context;
    models::AccessModel m_access;
    presentation::AccessFormatter m_formatter;
    PlainLabel *m_title;
    QGridLayout *m_grid;
    QHash<int, PlainLabel *> m_labels;
    QHash<int, PlainLabel *> m_values;
    PlainLabel *m_rightsTitle;
    PlainLabel *m_verdict;
    DataTable *m_rights;
    QPushButton *m_copy;
    FindingsList *m_findings;
};

} // namespace lockkeeper::app::views
