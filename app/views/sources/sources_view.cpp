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
#include "app/views/table/list_page.h"
#include "app/views/widgets/banner_area.h"
#include "app/views/widgets/named.h"
#include "app/views/widgets/plain_label.h"
#include "app/views/widgets/requests.h"
#include "app/words/durations.h"
#include "app/words/error_words.h"
#include "app/words/words.h"
#include "shared/base/text.h"

#include <QHBoxLayout>
#include <QLocale>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
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
    : ListView(context, parent), m_model(*context.replica), m_formatter(context.times)
{
    m_model.setFormatter(&m_formatter);
    build();
    connectModel();
    models::startSeconds(m_second);
    retranslate();
}

void SourcesView::connectModel()
{
    connect(&m_second, &QTimer::timeout, this, &SourcesView::look);
    connect(&m_model, &QAbstractItemModel::dataChanged, this, &SourcesView::showSelected);
    connect(context().replica, &replica::Replica::offlineChanged, this, &SourcesView::showSelected);
    const auto rows = [this] {
        if (isVisible())
            selectFirst();
        showSelected();
    };
    connect(&m_model, &QAbstractItemModel::rowsInserted, this, rows);
    connect(&m_model, &QAbstractItemModel::rowsRemoved, this, rows);
    connect(&m_model, &QAbstractItemModel::modelReset, this, rows);
    connect(context().session, &session::AgentGroup::agentChanged, this, [this] {
        m_agent->setText({});
        m_list->banners()->removeBanner(kJournal);
    });
}

SourcesView::~SourcesView()
{
    destroy({m_list});
}

QString SourcesView::title() const
{
    return tr("Sources");
}

void SourcesView::build()
{
    m_agent = new PlainLabel;
    m_agent->setSelectable(true);
    auto *table = new DataTable(context(), &m_model, QStringLiteral("sources"), models::SourceErrorColumn);
    table->setDefaultWidths(kSourceWidths);
    table->setSpareColumns({models::SourcePassColumn, models::SourceClockOffsetColumn});
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_panel = new SourcePanel(context());
    auto *area = new QScrollArea; // a low window squeezes nothing
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setWidget(m_panel);
    m_list = new ListPage(context(), table);
    m_list->setDetail(area, id(), {2, 3});
    m_list->setExport(QStringLiteral("lockkeeper-sources"));
    m_list->setMenu([this](QMenu *menu, int row) {
        menu->addAction(tr("Show its &locks"), this, [this, row] { showLocks(row); });
    });
    setList(m_list);
    m_probe = named("probe", new QPushButton);
    keepSpace(m_probe); // otherwise the table jumps when another source is selected
    connect(m_probe, &QPushButton::clicked, this, &SourcesView::probe);
    auto *bar = new QHBoxLayout;
    bar->addWidget(m_agent, 1);
    bar->addWidget(m_probe);
    QVBoxLayout *column = addColumn();
    column->addLayout(bar);
    column->addWidget(m_list, 1);
    connect(table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex &now) {
                if (const domain::SourceState *source = m_model.at(now.row()))
                    m_selected = source->name;
                showSelected();
                if (context().session->several())
                    look(); // asks the source's agent
            });
    connect(table, &DataTable::activatedRow, this, &SourcesView::showLocks);
}

void SourcesView::showLocks(int row)
{
    if (const domain::SourceState *source = m_model.at(row))
        Q_EMIT context().requests->viewAsked("locks",
                                             QStringLiteral("source:=") + filter::quoteWord(source->name));
}

void SourcesView::activate()
{
    look();
    selectFirst();
}

void SourcesView::selectFirst()
{
    if (m_model.rowOf(m_selected) < 0 && m_model.rowCount() > 0)
        m_list->table()->selectRow(0);
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
    const bool isOffline = context().replica->isOffline();
    m_list->showState({}, {isOffline ? tr("No agent is connected") : tr("No sources"),
                           isOffline ? tr("Its sources are known once it answers.")
                                     : tr("The agent's configuration names no store to watch.")});
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
        m_list->banners()->removeBanner(kJournal);
        return;
    }
    m_agent->setText(agentText(*status) + QLatin1Char('\n') +
                     words::Words::grants(context().session->welcome(m_selected).grants));
    if (status->journalError.cause.isEmpty())
        m_list->banners()->removeBanner(kJournal);
    else
        m_list->banners()->showBanner(
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
        m_list->table()->selectRow(row);
}

void SourcesView::retranslate()
{
    m_list->table()->setAccessibleName(tr("Sources"));
    m_probe->setText(tr("&Probe…"));
    m_panel->retranslate();
    showSelected();
}

} // namespace lockkeeper::app::views
