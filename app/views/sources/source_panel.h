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

    /** Null: nothing is selected. */
    void show(const domain::SourceState *source, bool stale);
    void retranslate();

private:
    struct SourceFact
    {
        QString label;
        QString value; ///< empty: not applicable
        bool isLeftOut = false;
    };

    QList<SourceFact> facts(const domain::SourceState &source, bool stale) const;
    static QString counts(const domain::SourceState &source);
    static QString clock(const domain::SourceState &source);
    static QString pass(const domain::SourceState &source);
    std::pair<PlainLabel *, PlainLabel *> lineAt(int row);
    void copyStatement();

    ConsoleContext m_context;
    models::AccessModel m_access;
    presentation::AccessFormatter m_formatter;
    PlainLabel *m_title;
    QGridLayout *m_grid;
    QList<std::pair<PlainLabel *, PlainLabel *>> m_lines; ///< of facts()
    PlainLabel *m_rightsTitle;
    PlainLabel *m_verdict;
    DataTable *m_rights;
    QPushButton *m_copy;
    FindingsList *m_findings;
};

} // namespace lockkeeper::app::views
