// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/overview/costs_panel.h"

#include "app/filter/query.h"
#include "app/views/widgets/link_button.h"
#include "app/views/widgets/plain_label.h"
#include "app/words/durations.h"
#include "app/words/error_words.h"
#include "app/words/lock_text.h"
#include "app/words/time_format.h"
#include "app/words/words.h"
#include "shared/base/text.h"

#include <QHBoxLayout>
#include <QLocale>
#include <QVBoxLayout>

namespace lockkeeper::app::views {

using words::Durations;
using words::LockText;
using words::Words;

namespace {

/** "lock:a (orders · db0)", in a sentence. */
QString nameAndPlace(const domain::LockKey &key)
{
    return QStringLiteral("%1 (%2)").arg(LockText::name(key), LockText::sourceAndPlace(key));
}

/** A list below its heading, and a button that opens the complete list. */
QVBoxLayout *part(PlainLabel *title, QPushButton *all, LineList *lines)
{
    title->setBold();
    auto *head = new QHBoxLayout;
    head->addWidget(title, 1);
    head->addWidget(all);
    auto *column = new QVBoxLayout;
    column->setSpacing(4);
    column->addLayout(head);
    column->addWidget(lines);
    return column;
}

} // namespace

CostsPanel::CostsPanel(const ConsoleContext &context, const PastReader &past, QWidget *parent)
    : QWidget(parent),
      m_context(context),
      m_past(past),
      m_topHead(new PlainLabel),
      m_breaksHead(new PlainLabel),
      m_ranking(new LinkButton),
      m_audit(new LinkButton),
      m_top(
          new LineList({{0, Qt::AlignLeft}, {144, Qt::AlignLeft}, {96, Qt::AlignRight}, {96, Qt::AlignRight}},
                       overview::kTop)),
      m_breaks(new LineList({{160, Qt::AlignLeft},
                             {0, Qt::AlignLeft},
                             {132, Qt::AlignLeft},
                             {88, Qt::AlignLeft},
                             {176, Qt::AlignLeft}},
                            overview::kMostBreaks))
{
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins({});
    row->setSpacing(16);
    row->addLayout(part(m_topHead, m_ranking, m_top), 1);
    row->addLayout(part(m_breaksHead, m_audit, m_breaks), 1);
    connect(m_ranking, &QPushButton::clicked, this, [this] {
        if (const auto &costs = m_past.costs(0))
            Q_EMIT rankingAsked({}, {costs->fromUs, costs->toUs});
    });
    connect(m_audit, &QPushButton::clicked, this, [this] { Q_EMIT auditAsked(QStringLiteral("from:-24h")); });
}

QString CostsPanel::absence(bool slow) const
{
    if (m_past.askedAtUs() == 0)
        return {};
    const base::Error &error = m_past.error();
    if (!error.cause.isEmpty())
        return words::ErrorWords::title(error.code);
    return slow ? tr("Reading…") : QString();
}

LineList::ListLine CostsPanel::lineOf(const domain::Contention &lock, events::Interval range)
{
    const QString waited = Durations::text(lock.waits.totalUs);
    const QString waits = tr("%Ln wait(s)", nullptr, int(lock.waits.count));
    LineList::ListLine line;
    line.cells = {LockText::name(lock.key), LockText::sourceAndPlace(lock.key), waits, waited};
    line.sentence = tr("%1, waited for %2 in all, %3", "lock, duration, number of waits")
                        .arg(nameAndPlace(lock.key), waited, waits);
    line.open = [this, filter = filter::filterFor(lock.key), range] { Q_EMIT rankingAsked(filter, range); };
    return line;
}

LineList::ListLine CostsPanel::lineOf(const domain::AuditEntry &entry)
{
    const QString who = entry.role == QLatin1String("policy") ? tr("Reaper") : base::displayText(entry.who);
    LineList::ListLine line;
    line.cells = {m_context.times->nearTime(entry.timeUs, m_context.nowUs()), LockText::name(entry.key),
                  LockText::sourceAndPlace(entry.key), who, Words::outcome(entry.outcome)};
    line.sentence = tr("%1 at %2, by %3: %4", "lock, time, who, outcome")
                        .arg(nameAndPlace(entry.key), m_context.times->exact(entry.timeUs), who,
                             Words::outcomeSentence(entry.outcome));
    line.open = [this, filter = filter::filterFor(entry.key) + QStringLiteral(" from:-24h")] {
        Q_EMIT auditAsked(filter);
    };
    return line;
}

void CostsPanel::showTop(bool slow, bool old)
{
    const auto &costs = m_past.costs(0);
    m_topHead->setText(old && costs ? tr("Most waiting in the hour until %1")
                                          .arg(m_context.times->nearTime(costs->toUs, m_context.nowUs()))
                                    : tr("Most waiting in the last hour"));
    if (!costs) {
        m_top->showNothing(absence(slow));
        return;
    }
    QList<LineList::ListLine> lines;
    const QList<domain::Contention> top = overview::topOf(*costs);
    for (const domain::Contention &lock : top)
        lines.append(lineOf(lock, {costs->fromUs, costs->toUs}));
    if (lines.isEmpty())
        m_top->showNothing(tr("No waiting was seen."));
    else
        m_top->show(lines);
}

void CostsPanel::showBreaks(bool slow, bool old)
{
    const auto &breaks = m_past.breaks();
    if (!breaks) {
        m_breaksHead->setText(tr("Force-releases in the last 24 hours"));
        m_breaks->showNothing(absence(slow));
        return;
    }
    const QString count = (breaks->atLeast ? QStringLiteral("≥ ") : QString()) +
                          QLocale(QLocale::English).toString(breaks->count);
    m_breaksHead->setText(
        old ? tr("Force-releases in the 24 hours until %1: %2", "time, number")
                  .arg(m_context.times->nearTime(m_past.askedAtUs(), m_context.nowUs()), count)
            : tr("Force-releases in the last 24 hours: %1").arg(count));
    QList<LineList::ListLine> lines;
    for (const domain::AuditEntry &entry : breaks->last)
        lines.append(lineOf(entry));
    if (lines.isEmpty())
        m_breaks->showNothing(tr("None was asked for."));
    else
        m_breaks->show(lines);
}

void CostsPanel::refresh(bool slow, bool old)
{
    m_ranking->setText(tr("Open ranking"));
    m_ranking->setEnabled(m_past.costs(0).has_value());
    m_audit->setText(tr("Open audit"));
    showTop(slow, old);
    showBreaks(slow, old);
}

} // namespace lockkeeper::app::views
