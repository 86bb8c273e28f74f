// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/overview/line_list.h"
#include "app/views/overview/past_reader.h"
#include "app/views/widgets/console_context.h"

class QPushButton;

namespace lockkeeper::app::views {

class PlainLabel;

/** The locks that cost the most waiting in the last hour, and the force-releases of the last day. */
class CostsPanel : public QWidget
{
    Q_OBJECT

public:
    CostsPanel(const ConsoleContext &context, const PastReader &past, QWidget *parent = nullptr);

    void refresh(bool slow, bool old);
    const LineList *top() const { return m_top; }
    const LineList *breaks() const { return m_breaks; }

Q_SIGNALS:
    /** An empty filter asks for all locks. */
    void rankingAsked(const QString &filter, lockkeeper::events::Interval range);
    void auditAsked(const QString &filter);

private:
    void showTop(bool slow, bool old);
    void showBreaks(bool slow, bool old);
    /** Why nothing is known. */
    QString absence(bool slow) const;
    LineList::ListLine lineOf(const domain::Contention &lock, events::Interval range);
    LineList::ListLine lineOf(const domain::AuditEntry &entry);

    ConsoleContext m_context;
    const PastReader &m_past;
    PlainLabel *m_topHead;
    PlainLabel *m_breaksHead;
    QPushButton *m_ranking;
    QPushButton *m_audit;
    LineList *m_top;
    LineList *m_breaks;
};

} // namespace lockkeeper::app::views
