// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/release/release_facts.h"

#include "app/views/release/release_text.h"
#include "app/views/widgets/code_box.h"
#include "app/views/widgets/plain_label.h"
#include "app/words/durations.h"
#include "app/words/holder_words.h"
#include "app/words/lock_text.h"
#include "app/words/node_formatter.h"
#include "app/words/scheme_words.h"
#include "shared/base/text.h"

#include <QGridLayout>
#include <QVBoxLayout>

namespace lockkeeper::app::views {

using words::Durations;
using words::LockText;

namespace {

constexpr int kCommandLines = 4;

} // namespace

ReleaseFacts::ReleaseFacts(QWidget *parent)
    : QWidget(parent), m_grid(new QGridLayout(this)), m_willRun(new CodeBox(kCommandLines, this))
{
    m_grid->setContentsMargins({});
    m_grid->setHorizontalSpacing(12);
    m_grid->setVerticalSpacing(4);
    m_grid->setColumnStretch(1, 1);
    for (int row = 0; row < RowCount; ++row) {
        auto *label = new PlainLabel({}, this);
        label->setMuted(true);
        m_grid->addWidget(label, row, 0, Qt::AlignTop);
        m_labels.insert(row, label);
        if (row == WillRun)
            continue;
        auto *value = new ElidedLabel({}, this);
        m_grid->addWidget(value, row, 1);
        m_values.insert(row, value);
    }
    setAgents({});
    setCompanions({});
    m_willRun->setObjectName(QStringLiteral("willRun"));
    m_grid->addWidget(m_willRun, WillRun, 1);
    auto *nodes = new QWidget(this);
    m_nodeColumn = new QVBoxLayout(nodes);
    m_nodeColumn->setContentsMargins({});
    m_nodeColumn->setSpacing(0);
    m_nodeColumn->addWidget(m_values.value(Nodes));
    m_grid->addWidget(nodes, Nodes, 1);
}

QString ReleaseFacts::label(FactRow row) const
{
    switch (row) {
    case Lock:
        return tr("Lock:");
    case Source:
        return tr("Source:");
    case Agent:
        return tr("Agent:");
    case Holder:
        return tr("Holder:");
    case HeldFor:
        return tr("Held for:");
    case Remaining:
        return tr("Remaining:");
    case Alive:
        return tr("Alive:");
    case Waiters:
        return tr("Waiters:");
    case Lease:
        return tr("Its lease:");
    case Nodes:
        return tr("Nodes:");
    case WillRun:
        return tr("Will run:");
    case Guard:
        return tr("Guard:");
    case RowCount:
        break;
    }
    return {};
}

void ReleaseFacts::set(FactRow row, const QString &value)
{
    m_labels.value(row)->setText(label(row));
    m_values.value(row)->setText(value.isEmpty() ? Durations::notApplicable() : value);
}

void ReleaseFacts::setAgents(const QStringList &names)
{
    const QString others = base::displayText(names.mid(1).join(QLatin1String(", ")));
    const QString first = base::displayText(names.value(0));
    set(Agent, others.isEmpty() ? first : tr("%1 releases it; also seen by %2").arg(first, others));
    m_labels.value(Agent)->setVisible(!names.isEmpty());
    m_values.value(Agent)->setVisible(!names.isEmpty());
}

void ReleaseFacts::setProbe(const std::optional<domain::HolderCheck> &check, qint64 ageUs)
{
    m_probe =
        check && words::HolderWords::hasAnswer(*check) ? words::HolderWords::line(*check, ageUs) : QString();
}

void ReleaseFacts::setCompanions(const domain::Companions &companions)
{
    set(Lease, words::SchemeWords::companions(companions));
}

void ReleaseFacts::show(ReleaseCase releaseCase, const domain::LockState &state, const QString &willRun,
                        qint64 nowUs, bool ifNotRenewed)
{
    set(Lock, LockText::name(state.key));
    set(Source, LockText::whereabouts(state.key));
    const QString holder = LockText::holder(state);
    const QString token = base::displayText(state.token.isEmpty() ? state.owner : state.token);
    // A holder that is only the token's beginning adds nothing to the token.
    set(Holder, state.session              ? LockText::session(*state.session)
                : token.startsWith(holder) ? token
                : token.isEmpty()          ? holder
                                           : holder + QStringLiteral("  ") + token);
    set(HeldFor, Durations::heldFor(state, nowUs));
    // A connection's lock lasts as long as the connection.
    set(Remaining, state.session ? Durations::notApplicable() : Durations::remaining(state, nowUs));
    const QString alive = LockText::alive(state, nowUs);
    set(Alive, m_probe.isEmpty() ? alive : tr("%1; probed: %2", "sign of life, verdict").arg(alive, m_probe));
    if (!state.waitersVisible)
        set(Waiters, LockText::unnamedWaiters(state, nowUs));
    else if (state.waiters.isEmpty())
        set(Waiters, tr("none"));
    else
        set(Waiters, tr("%n, longest %1", nullptr, int(state.waiters.size()))
                         .arg(Durations::longestWait(state, nowUs)));
    // The Lease row has its place even before it was read.
    for (QWidget *widget : QWidgetList{m_labels.value(Lease), m_values.value(Lease)})
        widget->setVisible(words::SchemeWords::sharesLease(state.key.scheme));
    for (QWidget *widget : QWidgetList{m_labels.value(Nodes), m_values.value(Nodes)}) {
        if (!state.nodes.isEmpty())
            keepSpace(widget);
        widget->setVisible(!state.nodes.isEmpty());
    }
    set(Nodes, words::NodeFormatter::count(state));
    showNodes(state, nowUs);
    m_labels.value(WillRun)->setText(label(WillRun));
    m_willRun->setAccessibleName(label(WillRun));
    const bool runs = isActionable(releaseCase) || releaseCase == ReleaseCase::Reading;
    m_willRun->setCode(willRun.isEmpty() || !runs ? Durations::notApplicable() : willRun);
    set(Guard, ReleaseText::guard(releaseCase, state, ifNotRenewed));
}

/** One line a node. A hidden line keeps its space, so that nothing below it moves. */
void ReleaseFacts::showNodes(const domain::LockState &state, qint64 nowUs)
{
    while (m_nodes.size() < state.nodes.size()) {
        m_nodes.append(new ElidedLabel({}, this));
        keepSpace(m_nodes.last());
        m_nodeColumn->addWidget(m_nodes.last());
    }
    for (qsizetype i = 0; i < m_nodes.size(); ++i) {
        m_nodes.at(i)->setVisible(i < state.nodes.size());
        if (i < state.nodes.size())
            m_nodes.at(i)->setText(tr("%1: %2", "node, what it has")
                                       .arg(base::displayText(state.nodes.at(i).node),
                                            words::NodeFormatter::holds(state.nodes.at(i), nowUs)));
    }
}

QString ReleaseFacts::text() const
{
    QString all;
    for (int row = 0; row < RowCount; ++row) {
        const ElidedLabel *value = m_values.value(row);
        if (!value || !value->isHidden())
            all += m_labels.value(row)->text() + QLatin1Char(' ') +
                   (value ? value->text() : m_willRun->toPlainText()) + QLatin1Char('\n') +
                   (row == Nodes ? nodeLines() : QString());
    }
    return all;
}

QString ReleaseFacts::nodeLines() const
{
    QString lines;
    for (const ElidedLabel *node : m_nodes)
        if (!node->isHidden())
            lines += QStringLiteral("  ") + node->text() + QLatin1Char('\n');
    return lines;
}

} // namespace lockkeeper::app::views
