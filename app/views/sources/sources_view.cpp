// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/sources/sources_view.h"

#include "app/filter/query.h"
#include "app/models/seconds.h"
#include "app/presentation/theme.h"
#include "app/session/agent_group.h"
#include "app/views/sources/probe_dialog.h"
#include "app/views/sources/source_panel.h"
#include "app/views/table/data_table.h"
#include "app/views/widgets/banner_area.h"
#include "app/views/widgets/named.h"
#include "app/views/widgets/plain_label.h"
#include "app/views/widgets/requests.h"
#include "app/views/widgets/state_page.h"
#include "app/words/durations.h"
#include "app/words/error_words.h"
#include "app/words/words.h"
#include "shared/base/text.h"

#include <QHBoxLayout>
#include <QLocale>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace lockkeeper::app::views {

using words::Durations;

namespace {
const QHash<int, int> kSourceWidths{
    {models::SourceNameColumn, 150},
    {models::SourceLinkColumn, 108},
    {models::SourceLastSeenColumn, kTimeWidth},
    {models::SourceLocksColumn, 54},
    {models::SourceFindingsColumn, 124},
    {models::SourcePollColumn, 0},
    {models::SourcePassColumn, 66},
    {models::SourceModeColumn, 0},
    {models::SourceClockOffsetColumn, 126},
    {models::SourceStoreColumn, 0},
    {models::SourceServerColumn, 0},
    {models::SourceAddressColumn, 0},
    {models::SourceErrorColumn, 140},
};
const QByteArray kJournal = QByteArrayLiteral("journal");
} // namespace

SourcesView::SourcesView(const ConsoleContext &context, QWidget *parent)
    : RowsView(context, parent), m_model(*context.replica), m_formatter(context.times)
{
    m_model.setFormatter(&m_formatter);
    build();
    connect(&m_second, &QTimer::timeout, this, &SourcesView::look);
    connect(&m_model, &QAbstractItemModel::dataChanged, this, &SourcesView::showSelected);
    connect(context.replica, &replica::Replica::offlineChanged, this, &SourcesView::showSelected);
    const auto rows = [this] {
        if (isVisible())
            selectFirst();
        showSelected();
        Q_EMIT rowsChanged();
    };
    connect(&m_model, &QAbstractItemModel::rowsInserted, this, rows);
    connect(&m_model, &QAbstractItemModel::rowsRemoved, this, rows);
    connect(&m_model, &QAbstractItemModel::modelReset, this, rows);
    connect(context.session, &session::AgentGroup::agentChanged, this, [this] {
        m_agent->setText({});
        m_banner->removeBanner(kJournal);
    });
    connect(context.times, &words::TimeFormat::changed, this, [this] { m_model.reword(); });
    connect(context.theme, &presentation::Theme::changed, this, [this] { m_model.reword(); });
    models::startSeconds(m_second);
    retranslate();
}

SourcesView::~SourcesView()
{
    letGoOfRows();
}

QString SourcesView::title() const
{
    return tr("Sources");
}

void SourcesView::build()
{
    m_banner = new BannerArea(context().theme);
    m_agent = new PlainLabel;
    m_agent->setSelectable(true);
    m_table = new DataTable(context(), &m_model, QStringLiteral("sources"), models::SourceErrorColumn);
    m_table->setDefaultWidths(kSourceWidths);
    setRows(m_table, &m_model, QStringLiteral("lockkeeper-sources"));
    m_table->setSpareColumns({models::SourcePassColumn, models::SourceClockOffsetColumn});
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_panel = new SourcePanel(context());
    m_page = new StatePage;
    auto *split = new QSplitter(Qt::Vertical);
    split->addWidget(m_table);
    auto *area = new QScrollArea; // a low window squeezes nothing
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setWidget(m_panel);
    split->addWidget(area);
    split->setStretchFactor(0, 2);
    split->setStretchFactor(1, 3);
    split->setChildrenCollapsible(false);
    keepSplitter(split, context().settings, id());
    m_stack = new QStackedWidget;
    m_stack->addWidget(split);
    m_stack->addWidget(m_page);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(8, 8, 8, 8);
    column->setSpacing(8);
    m_probe = named("probe", new QPushButton);
    keepSpace(m_probe); // otherwise the table jumps when another source is selected
    connect(m_probe, &QPushButton::clicked, this, &SourcesView::probe);
    auto *bar = new QHBoxLayout;
    bar->addWidget(m_agent, 1);
    bar->addWidget(m_probe);
    column->addLayout(bar);
    column->addWidget(m_stack, 1);
    column->addWidget(m_banner); // below the rows, so that a banner doesn't move them
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex &now) {
                if (const domain::SourceState *source = m_model.at(now.row()))
                    m_selected = source->name;
                showSelected();
                if (context().session->several())
                    look(); // asks the source's agent
                Q_EMIT rowsChanged();
            });
    connect(m_table, &DataTable::activatedRow, this, [this](int row) {
        if (const domain::SourceState *source = m_model.at(row))
            Q_EMIT context().requests->viewAsked("locks", QStringLiteral("source:=") +
                                                              filter::quoteWord(source->name));
    });
}

void SourcesView::activate()
{
    look();
    selectFirst();
}

void SourcesView::selectFirst()
{
    if (m_model.rowOf(m_selected) < 0 && m_model.rowCount() > 0)
        m_table->selectRow(0);
}

void SourcesView::look()
{
    m_model.refresh();
    if (!isVisible() || m_asking)
        return;
    m_asking = true;
    context().session->askAgentOf(
        m_selected, protocol::StatusQuery(), this,
        [this, agent = context().session->labelOf(m_selected)](const base::Result<protocol::Status> &status) {
            m_asking = false;
            if (context().session->labelOf(m_selected) == agent)
                showAgent(status);
            else
                look(); // another agent's source is selected by now
        });
}

void SourcesView::showSelected()
{
    const int row = m_model.rowOf(m_selected);
    const domain::SourceState *source = m_model.at(row);
    const bool stale = m_model.isStale(row);
    m_panel->show(source, stale);
    showProbe(source);
    if (m_model.rowCount() > 0) {
        m_stack->setCurrentIndex(0);
        return;
    }
    if (context().replica->isOffline())
        m_page->showEmpty(tr("No agent is connected"), tr("Its sources are known once it answers."));
    else
        m_page->showEmpty(tr("No sources"), tr("The agent's configuration names no store to watch."));
    m_stack->setCurrentWidget(m_page);
}

void SourcesView::showProbe(const domain::SourceState *source)
{
    const auto *agents = context().session;
    m_probe->setVisible(source && source->store == "redis");
    const bool may = source && agents->mayOnAll(domain::Permission::Probe, source->name);
    const bool live = source && agents->isLive(source->name);
    m_probe->setEnabled(may && live && source->link == domain::Link::Up);
    m_probe->setToolTip(!live  ? tr("Its agent isn't connected")
                        : !may ? tr("Your role doesn't allow this")
                               : tr("Count what this store's clients attempt, for a moment"));
}

void SourcesView::probe()
{
    if (m_selected.isEmpty())
        return;
    auto *dialog = new ProbeDialog(context(), m_selected, window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void SourcesView::showAgent(const base::Result<protocol::Status> &status)
{
    if (!status) {
        m_agent->setText(
            tr("The agent's state is not known: %1").arg(words::ErrorWords::line(status.error())));
        m_banner->removeBanner(kJournal);
        return;
    }
    m_agent->setText(agentText(*status) + QLatin1Char('\n') +
                     words::Words::grants(context().session->welcome(m_selected).grants));
    if (status->journalError.cause.isEmpty())
        m_banner->removeBanner(kJournal);
    else
        m_banner->showBanner(
            {kJournal, presentation::BannerKind::Error, journalText(status->journalError), {}, {}, false});
}

QString SourcesView::journalText(const base::Error &error)
{
    return (error.code == base::ErrorCode::Corrupt
                ? tr("The journal or its audit isn't whole: %1")
                : tr("The journal can't be written, so nothing can be force-released: %1"))
        .arg(words::ErrorWords::line(error));
}

QString SourcesView::agentText(const protocol::Status &status) const
{
    const QLocale locale;
    return tr("Agent %1 %2 · running for %3 · journal %4, %5 events · disk %6 free · %n console(s)", nullptr,
              int(status.sessions))
        .arg(base::displayText(status.agent), base::displayText(status.version),
             Durations::text(std::max<qint64>(0, status.wallUs - status.startedWallUs)),
             locale.formattedDataSize(status.journalBytes, 1), locale.toString(status.lastSeq),
             locale.formattedDataSize(status.diskFreeBytes, 1));
}

void SourcesView::setFilter(const QString &text)
{
    const int row = m_model.rowOf(text);
    if (row >= 0)
        m_table->selectRow(row);
}

void SourcesView::retranslate()
{
    m_table->setAccessibleName(tr("Sources"));
    m_probe->setText(tr("&Probe…"));
    m_model.reword();
    m_panel->retranslate();
    showSelected();
}

} // namespace lockkeeper::app::views
