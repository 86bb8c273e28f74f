// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/sources/source_panel.h"

#include "app/presentation/icons.h"
#include "app/presentation/theme.h"
#include "app/views/sources/findings_list.h"
#include "app/views/table/data_table.h"
#include "app/views/widgets/plain_label.h"
#include "app/views/widgets/requests.h"
#include "app/views/widgets/wrapped_label.h"
#include "app/words/durations.h"
#include "app/words/words.h"
#include "shared/base/text.h"

#include <QClipboard>
#include <QGridLayout>
#include <QGuiApplication>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cstdlib>

namespace lockkeeper::app::views {

using presentation::SourceFormatter;
using words::Durations;

SourcePanel::SourcePanel(const ConsoleContext &context, QWidget *parent)
    : QWidget(parent),
      m_context(context),
      m_title(new PlainLabel),
      m_grid(new QGridLayout),
      m_rightsTitle(new PlainLabel),
      m_verdict(new WrappedLabel),
      m_copy(new QPushButton),
      m_findings(new FindingsList(context))
{
    m_access.setFormatter(&m_formatter);
    m_rights = new DataTable(context, &m_access, QStringLiteral("access"), models::AccessRemedyColumn);
    m_rights->setDefaultWidths({{models::AccessNeedColumn, 240},
                                {models::AccessForBreakingColumn, 116},
                                {models::AccessGrantedColumn, 96},
                                {models::AccessRemedyColumn, 300}});
    m_rights->setSelectionMode(QAbstractItemView::SingleSelection);
    m_rights->setMinimumHeight(5 * DataTable::rowHeight(context)); // its header and three rights
    m_rights->setSizeAdjustPolicy(QAbstractScrollArea::AdjustToContents);
    m_title->setFont(presentation::titleFont(font()));
    m_rightsTitle->setFont(presentation::titleFont(font()));
    m_copy->setIcon(presentation::icon(QLatin1String("edit-copy")));
    m_grid->setHorizontalSpacing(16);
    m_grid->setVerticalSpacing(4);
    m_grid->setColumnStretch(1, 1);
    auto *left = new QVBoxLayout;
    left->setSpacing(8);
    left->addWidget(m_title);
    left->addLayout(m_grid);
    left->addStretch(1);
    auto *top = new QHBoxLayout;
    top->setSpacing(24);
    top->addLayout(left, 1);
    top->addWidget(m_findings, 1);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(4, 8, 4, 0);
    column->setSpacing(8);
    column->addLayout(top, 5);
    column->addSpacing(4);
    column->addWidget(m_rightsTitle);
    column->addWidget(m_verdict);
    column->addWidget(m_rights, 4);
    column->addWidget(m_copy, 0, Qt::AlignLeft);
    connect(m_copy, &QPushButton::clicked, this, &SourcePanel::copyStatement);
    connect(m_rights->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        const QList<int> rows = m_rights->selectedRowNumbers();
        const domain::Access *access = rows.isEmpty() ? nullptr : m_access.at(rows.first());
        m_copy->setEnabled(access && !access->remedy.isEmpty());
    });
    m_copy->setEnabled(false);
    retranslate();
}

SourcePanel::~SourcePanel()
{
    m_rights->selectionModel()->disconnect(this);
    m_access.setFormatter(nullptr);
}

QList<SourcePanel::SourceFact> SourcePanel::facts(const domain::SourceState &source, bool stale) const
{
    const auto exact = [this](qint64 us) {
        return m_context.times->dateTime(us) + QLatin1Char(' ') + m_context.times->zoneText(us);
    };
    const QString since = tr("%1 since %2", "state, time")
                              .arg(SourceFormatter::state(source, stale), exact(source.sinceWallUs));
    const bool isUp = source.link == domain::Link::Up;
    const QString fault = SourceFormatter::fault(source);
    return {
        {tr("State"),
         source.gapSinceUs ? tr("%1; not observed since %2").arg(since, exact(*source.gapSinceUs)) : since},
        {tr("Last seen"), source.lastSeenUs ? exact(*source.lastSeenUs) : QString()},
        {tr("Locks"), counts(source)},
        {tr("Store's clock"), clock(source)},
        {tr("Observation"), pass(source)},
        {tr("Server"), base::displayText(source.server)},
        {tr("Address"), base::displayText(source.address)},
        {tr("Schemes"), base::displayText(source.schemes.join(", "))},
        {tr("Warning"), isUp ? fault : QString(), !isUp || fault.isEmpty()},
        {tr("Error"), isUp ? QString() : fault, isUp || fault.isEmpty()},
    };
}

QString SourcePanel::counts(const domain::SourceState &source)
{
    if (!source.counts.areTold())
        return tr("not counted: your role covers only some of its locks");
    return tr("%1 held, %2 free, %3 expired, %4 stuck, %5 contended")
        .arg(source.counts.held)
        .arg(source.counts.free)
        .arg(source.counts.expired)
        .arg(source.counts.stuck)
        .arg(source.counts.contended);
}

QString SourcePanel::pass(const domain::SourceState &source)
{
    const QString takes = source.passUs > 0 ? Durations::shortText(source.passUs) : Durations::unknown();
    if (source.mode == domain::ObservationMode::Push)
        return tr("Push: the store reports each change; a full scan to verify takes %1").arg(takes);
    return tr("Polling every %1, a scan takes %2", "interval, duration")
        .arg(Durations::shortText(source.pollMs * 1'000), takes);
}

QString SourcePanel::clock(const domain::SourceState &source)
{
    if (!source.lastSeenUs)
        return Durations::notApplicable();
    const QString offset = SourceFormatter::clockOffset(source);
    return std::abs(source.clockOffsetUs) > models::SourcesModel::kClockWarningUs
               ? tr("%1 against the agent's: more than 2 s off, set one of the clocks right").arg(offset)
               : tr("%1 against the agent's").arg(offset);
}

/** The labels of a line, made with the first facts and kept. */
std::pair<PlainLabel *, PlainLabel *> SourcePanel::lineAt(int row)
{
    if (row == m_lines.size()) {
        auto *label = new PlainLabel;
        label->setMuted(true);
        auto *value = new WrappedLabel;
        value->setSelectable(true);
        value->setAlignment(Qt::AlignLeft | Qt::AlignTop);
        m_grid->addWidget(label, row, 0, Qt::AlignTop);
        m_grid->addWidget(value, row, 1);
        m_lines.emplaceBack(label, value);
    }
    return m_lines.at(row);
}

void SourcePanel::show(const domain::SourceState *source, bool stale)
{
    setEnabled(source != nullptr);
    m_findings->show(source);
    m_title->setText(source ? base::displayText(source->name) : QString());
    alignBases(m_title, m_findings->title());
    const QList<SourceFact> facts = this->facts(source ? *source : domain::SourceState(), stale);
    for (int row = 0; row < facts.size(); ++row) {
        const SourceFact &fact = facts.at(row);
        const auto &[label, value] = lineAt(row);
        label->setText(fact.label);
        if (!source)
            value->setText({});
        else
            value->setText(fact.value.isEmpty() ? Durations::notApplicable() : fact.value);
        alignBases(label, value);
        label->setHidden(fact.isLeftOut);
        value->setHidden(fact.isLeftOut);
    }
    const QList<domain::Access> access = source ? source->access : QList<domain::Access>();
    m_access.setAccess(access);
    // Missing rights come first: select the first row, so that its statement is one click away.
    if (!access.isEmpty() && m_rights->selectedRowNumbers().isEmpty())
        m_rights->selectRow(0);
    if (access.isEmpty())
        m_copy->setEnabled(false); // a reset model emits no change of selection
    const auto missing = [&access](bool forBreaking) {
        return std::any_of(access.cbegin(), access.cend(), [forBreaking](const domain::Access &right) {
            const bool hinders = right.need != "wake"; // without it, waiters only sleep a little longer
            return hinders && !right.granted && right.forBreaking == forBreaking;
        });
    };
    if (access.isEmpty())
        m_verdict->setText(tr("Not known before the source was reached."));
    else if (missing(false))
        m_verdict->setText(tr("A right to observe is missing: some locks can't be seen."));
    else if (missing(true))
        m_verdict->setText(tr("Can observe. Can't force-release: a right is missing."));
    else
        m_verdict->setText(tr("Can observe and force-release."));
}

void SourcePanel::copyStatement()
{
    const QList<int> rows = m_rights->selectedRowNumbers();
    if (const domain::Access *access = rows.isEmpty() ? nullptr : m_access.at(rows.first())) {
        QGuiApplication::clipboard()->setText(access->remedy);
        Q_EMIT m_context.requests->messageCame(tr("The statement is on the clipboard"));
    }
}

void SourcePanel::retranslate()
{
    m_rightsTitle->setText(tr("The agent's rights"));
    m_rights->setAccessibleName(m_rightsTitle->text());
    m_copy->setText(tr("&Copy statement"));
    m_findings->retranslate();
    m_access.reword();
}

} // namespace lockkeeper::app::views
