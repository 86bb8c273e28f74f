// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/widgets/console_context.h"
#include "shared/domain/source_state.h"

#include <QWidget>

class QGridLayout;
class QScrollArea;

namespace lockkeeper::app::views {

class PlainLabel;

/** The dangers to the locks of one source: icon, severity, a sentence, and the remedy. GUI thread. */
class FindingsList : public QWidget
{
    Q_OBJECT

public:
    explicit FindingsList(const ConsoleContext &context, QWidget *parent = nullptr);

    /** Null: nothing is selected. `told`: the agent reports findings. */
    void show(const domain::SourceState *source);
    void retranslate();
    PlainLabel *title() const { return m_title; }

private:
    void rebuild();
    void addRow(const domain::Finding &finding);
    QString summary() const;
    QString moment(const domain::Finding &finding) const;

    ConsoleContext m_context;
    PlainLabel *m_title;
    PlainLabel *m_summary;
    QScrollArea *m_scroll;
    QWidget *m_body = nullptr;
    QGridLayout *m_grid = nullptr;
    QList<domain::Finding> m_findings;
    bool m_any = false; ///< a source is selected
    bool m_up = false;
    bool m_seen = false; ///< it was observed at least once
};

} // namespace lockkeeper::app::views
