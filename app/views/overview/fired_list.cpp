// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/overview/fired_list.h"

#include "app/presentation/alert_formatter.h"
#include "app/replica/alert_board.h"
#include "app/views/overview/line_list.h"
#include "app/views/widgets/link_button.h"
#include "app/views/widgets/plain_label.h"
#include "app/views/widgets/requests.h"
#include "app/words/alert_description.h"
#include "app/words/durations.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include <algorithm>

namespace lockkeeper::app::views {

using domain::Alert;
using presentation::AlertFormatter;

FiredList::FiredList(const ConsoleContext &context, QWidget *parent)
    : QWidget(parent),
      m_context(context),
      m_title(new PlainLabel),
      m_more(new LinkButton),
      m_lines(new LineList({{140, Qt::AlignLeft}, {0, Qt::AlignLeft}, {110, Qt::AlignRight}}, kLines))
{
    m_title->setBold();
    auto *head = new QHBoxLayout;
    head->addWidget(m_title, 1);
    head->addWidget(m_more);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins({});
    column->setSpacing(4);
    column->addLayout(head);
    column->addWidget(m_lines);
    connect(m_more, &QPushButton::clicked, this,
            [this] { Q_EMIT m_context.requests->viewAsked(QByteArrayLiteral("alerts"), {}); });
    hide();
}

void FiredList::refresh(bool low)
{
    const replica::AlertBoard &board = *m_context.alerts;
    QList<Alert> active = board.alerts();
    active.removeIf([&board](const Alert &alert) {
        return board.phase(alert) != domain::AlertPhase::Active || board.awaySinceUs(alert);
    });
    std::stable_sort(active.begin(), active.end(),
                     [](const Alert &a, const Alert &b) { return a.severity > b.severity; });
    const int count = int(active.size());
    m_title->setText(tr("%n active alert(s)", nullptr, count));
    m_more->setText(tr("Open Alerts"));
    m_title->setVisible(!low);
    m_more->setVisible(!low);
    QList<LineList::ListLine> lines;
    for (const Alert &alert : active.first(std::min(count, low ? 1 : kLines))) {
        const QString severity = words::AlertDescription::severity(alert.severity);
        const QString sentence = words::AlertDescription::sentence(alert, board.agentOf(alert.source));
        const QString since = words::Durations::text(board.nowUs(alert.source) - alert.sinceUs);
        lines.append({{low ? m_title->text() : severity, sentence, since},
                      tr("%1: %2", "severity, sentence").arg(severity, sentence),
                      [requests = m_context.requests, id = QString::fromUtf8(alert.id)] {
                          Q_EMIT requests->viewAsked(QByteArrayLiteral("alerts"), id);
                      }});
    }
    m_lines->shrinkTo(int(lines.size()));
    m_lines->show(lines);
    setVisible(!active.isEmpty());
}

} // namespace lockkeeper::app::views
