// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/holder/holder_view.h"

#include "app/models/seconds.h"
#include "app/presentation/icons.h"
#include "app/presentation/theme.h"
#include "app/replica/selection.h"
#include "app/session/agent_group.h"
#include "app/views/table/data_table.h"
#include "app/views/table/list_page.h"
#include "app/views/widgets/danger_button.h"
#include "app/views/widgets/filter_edit.h"
#include "app/views/widgets/filter_line.h"
#include "app/views/widgets/named.h"
#include "app/views/widgets/plain_label.h"
#include "app/views/widgets/release_verdict.h"
#include "app/views/widgets/requests.h"
#include "app/words/lock_text.h"
#include "shared/base/text.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace lockkeeper::app::views {

using models::HolderRow;

namespace {
const QHash<int, int> kHolderWidths{
    {models::HolderLockColumn, 200},   {models::HolderRelationColumn, 64},
    {models::HolderNameColumn, 136},   {models::HolderSinceColumn, kTimeWidth - 56},
    {models::HolderForColumn, 88},     {models::HolderRemainingColumn, 80},
    {models::HolderWaitersColumn, 64}, {models::HolderCausedColumn, 112},
    {models::HolderAliveColumn, 108},  {models::HolderReleaseColumn, 76},
    {models::HolderSourceColumn, 104},
};
/** In a narrow window the title has the name already, unless the rows have several holders. */
const QList<int> kSpareExact{models::HolderNameColumn, models::HolderSinceColumn, models::HolderSourceColumn};
const QList<int> kSpareHost{models::HolderSinceColumn, models::HolderSourceColumn, models::HolderAliveColumn,
                            models::HolderNameColumn};
} // namespace

HolderView::HolderView(const ConsoleContext &context, QWidget *parent)
    : ListView(context, parent), m_model(*context.replica), m_formatter(context.times)
{
    m_model.setFormatter(&m_formatter);
    build();
    connectModel();
    retranslate();
}

void HolderView::connectModel()
{
    connect(&m_model, &QAbstractItemModel::modelReset, this, [this] {
        toTable();
        showState();
    });
    connect(&m_model, &QAbstractItemModel::dataChanged, this, &HolderView::showBreak);
    connect(context().replica, &replica::Replica::sourcesChanged, this, &HolderView::showState);
    connect(context().replica, &replica::Replica::offlineChanged, this, &HolderView::showState);
    connect(context().session, &session::AgentGroup::linkChanged, this, &HolderView::showState);
    connect(context().session, &session::AgentGroup::grantsChanged, this, &HolderView::showBreak);
    connect(context().selection, &replica::Selection::changed, this, &HolderView::toTable);
    connect(&m_second, &QTimer::timeout, this, [this] {
        if (!isVisible())
            return;
        m_model.tick();
        showState(); // a source that falls silent emits nothing
    });
    models::startSeconds(m_second);
}

HolderView::~HolderView()
{
    destroy({m_list});
}

QString HolderView::title() const
{
    return tr("Holder");
}

void HolderView::build()
{
    m_name = new ElidedLabel;
    m_name->setFont(presentation::titleFont(font()));
    m_sameHost = named("sameHost", new QToolButton);
    m_sameHost->setCheckable(true);
    m_break = named("breakAll", new DangerButton(context().theme));
    m_break->setMinimumHeight(24);
    m_break->setAutoDefault(false);
    auto *table = new DataTable(context(), &m_model, QStringLiteral("holder"), models::HolderLockColumn);
    table->setDefaultWidths(kHolderWidths);
    table->setSpareColumns(kSpareExact);
    table->setSortable();
    m_list = new ListPage(context(), table);
    m_list->setExport(QStringLiteral("lockkeeper-holder"));
    m_list->setSubject([this](int row) { return RowSubject{{m_model.at(row)->state.key}}; });
    m_list->setMenu([this](QMenu *menu, int row) { fillMenu(menu, row); });
    m_list->addToFoot(m_break);
    setList(m_list);
    auto *head = new QHBoxLayout;
    head->addWidget(m_name, 1);
    head->addWidget(m_sameHost);
    QVBoxLayout *column = addColumn();
    column->addLayout(head);
    const FilterLine *filter = addFilter(column, filter::QueryScope::Locks);
    column->addWidget(m_list, 1);
    connect(m_sameHost, &QToolButton::toggled, this, [this, table](bool isWide) {
        m_model.setReach(isWide ? replica::HolderReach::Host : replica::HolderReach::Exact);
        table->setSpareColumns(isWide ? kSpareHost : kSpareExact);
    });
    connect(filter, &FilterLine::applied, &m_model, &models::HolderModel::setQuery);
    connect(table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &HolderView::fromTable);
    connect(table, &DataTable::activatedRow, this, [this](int row) {
        if (const HolderRow *one = m_model.at(row))
            Q_EMIT context().requests->lockAsked(domain::LockKey(one->state.key));
    });
    connect(m_break, &QPushButton::clicked, this,
            [this] { Q_EMIT context().requests->releaseAsked(m_model.breakable()); });
}

void HolderView::activate()
{
    toTable();
    showState();
}

void HolderView::showHolderOf(const domain::LockKey &key)
{
    if (const auto state = context().replica->find(key))
        show(replica::holderOf(*state));
}

/** The name of a connection counts only in its source: a lock of it shows its host, too. */
void HolderView::showNamed(const QString &source, const QByteArray &name)
{
    for (const replica::PackedLock &lock : context().replica->locks()) {
        if (lock.source() != source)
            continue;
        const replica::HolderId holder = replica::holderOf(lock.peek());
        if (holder.owner == name) // the texts lie in the block: keep none of it
            return show(replica::holderOf(lock.state()));
    }
    show(replica::holderNamed(name, source));
}

void HolderView::show(const replica::HolderId &holder)
{
    if (holder.isEmpty())
        return;
    const QSignalBlocker quiet(m_sameHost);
    m_sameHost->setChecked(false);
    m_model.setReach(replica::HolderReach::Exact);
    m_list->table()->setSpareColumns(kSpareExact);
    setFilter({});
    m_model.setHolder(holder);
    retranslate();
    Q_EMIT availableChanged();
}

void HolderView::fromTable()
{
    if (m_syncing)
        return;
    m_syncing = true;
    QList<domain::LockKey> keys;
    for (const int row : m_list->table()->selectedRowNumbers()) {
        if (const HolderRow *one = m_model.at(row); one && !keys.contains(one->state.key))
            keys.append(one->state.key);
    }
    const HolderRow *current = m_model.at(m_list->table()->currentIndex().row());
    context().selection->select(keys, current && keys.contains(current->state.key)
                                          ? std::optional(current->state.key)
                                          : std::nullopt);
    m_syncing = false;
}

/** After a reset, the rows of the selected locks are selected again. */
void HolderView::toTable()
{
    if (m_syncing)
        return;
    m_syncing = true;
    QItemSelection wanted;
    QModelIndex current;
    for (const domain::LockKey &key : context().selection->keys()) {
        const int row = m_model.rowOfLock(key);
        if (row < 0)
            continue;
        const QModelIndex index = m_model.index(row, 0);
        wanted.select(index, m_model.index(row, models::HolderColumnCount - 1));
        if (context().selection->current() == key)
            current = index;
    }
    m_list->table()->selectionModel()->select(wanted, QItemSelectionModel::ClearAndSelect |
                                                          QItemSelectionModel::Rows);
    if (current.isValid())
        m_list->table()->selectionModel()->setCurrentIndex(current, QItemSelectionModel::NoUpdate);
    m_syncing = false;
}

/** The facts that the rows leave open. */
QStringList HolderView::notes() const
{
    const replica::HolderId &holder = m_model.holder();
    QStringList lines;
    if (m_model.reach() == replica::HolderReach::Host)
        lines.append(tr("The same host isn't the same process: several programs may run there."));
    else if (replica::isRandomToken(base::displayText(holder.owner)))
        lines.append(tr("This lock's holder is a random token; other locks of the same client can't be "
                        "recognised."));
    else if (words::LockText::holder(holder.owner, true) != base::displayText(holder.owner))
        lines.append(tr("This holder's text ends in a random part, so its other locks have other texts. "
                        "“Same host” shows them."));
    else if (!holder.source.isEmpty())
        lines.append(
            tr("A connection is known only within its source, %1.").arg(base::displayText(holder.source)));
    lines.append(tr("Waiting is seen only at locks whose scheme names the waiters."));
    for (const session::AgentSession *agent : context().session->sessions()) {
        if (agent->link() != session::LinkState::Live && agent->welcome().agent.isEmpty())
            lines.append(tr("The agent at %1 isn't connected: its locks are missing.")
                             .arg(base::displayText(agent->address().text())));
    }
    for (const domain::SourceState &source : context().replica->sources()) {
        if (!context().replica->isStale(source.name) || context().replica->isSeenByAnother(source.name))
            continue;
        const qint64 seenUs = context().replica->lastSeenUs(source.name);
        const QString name = base::displayText(source.name);
        lines.append(seenUs > 0 ? tr("%1 isn't observed since %2: its locks may be missing.")
                                      .arg(name, context().times->exact(seenUs))
                                : tr("%1 hasn't been observed yet: its locks are missing.").arg(name));
    }
    if (m_model.rowCount() > 0 && m_model.hiddenRows() > 0)
        lines.append(tr("The filter hides %n row(s).", nullptr, m_model.hiddenRows()));
    return lines;
}

void HolderView::showState()
{
    m_list->setNote(m_model.holder().isEmpty() ? QStringList() : notes());
    m_list->showState({}, emptyText());
    showBreak();
}

EmptyList HolderView::emptyText()
{
    if (m_model.holder().isEmpty())
        return {tr("No holder chosen"), tr("Select a lock, then choose “Show everything of this holder”.")};
    if (context().replica->isOffline() && context().replica->locks().isEmpty())
        return {tr("No agent is connected"), tr("Nothing is known about this holder now.")};
    if (m_model.hiddenRows() > 0)
        return {tr("No lock matches the filter"),
                tr("The filter hides %n row(s).", nullptr, m_model.hiddenRows()),
                {{tr("Clear filter"), [this] { setFilter({}); }}}};
    return {tr("Nothing is seen of this holder now"),
            tr("It holds no lock and waits for none, as far as the sources are observed.")};
}

void HolderView::showBreak()
{
    const QList<domain::LockKey> keys = m_model.breakable();
    const ReleaseVerdict verdict = ReleaseVerdict::of(keys, context());
    m_break->setEnabled(!keys.isEmpty() && verdict.possible);
    m_break->setIcon(presentation::icon(QStringLiteral("force-release"),
                                        m_break->isEnabled() ? context().theme->danger().ink : QColor()));
    m_break->setToolTip(plainToolTip(
        keys.isEmpty() ? tr("None of the shown locks can be released.")
        : verdict.possible
            ? tr("Previews the %n shown lock(s) that can be released.", nullptr, int(keys.size()))
            : verdict.reason));
}

void HolderView::fillMenu(QMenu *menu, int row)
{
    const domain::LockState &state = m_model.at(row)->state;
    QAction *other = menu->addAction(tr("Everything of its h&older"), this,
                                     [this, key = state.key] { showHolderOf(key); });
    other->setEnabled(m_model.at(row)->waits() && !replica::holderOf(state).isEmpty());
}

void HolderView::retranslate()
{
    const replica::HolderId &holder = m_model.holder();
    const QString host = base::displayText(holder.host);
    m_name->setText(base::displayText(holder.owner));
    m_sameHost->setText(host.isEmpty() ? tr("Same host") : tr("Same host: %1").arg(host));
    m_sameHost->setEnabled(!host.isEmpty());
    m_sameHost->setToolTip(plainToolTip(host.isEmpty()
                                            ? tr("The name of this holder shows no host.")
                                            : tr("Also show the locks of other holders on %1").arg(host)));
    filterEdit()->setPlaceholderText(tr("Filter: name, or source:x state:stuck"));
    filterEdit()->setAccessibleName(tr("Filter of this holder's locks"));
    m_list->table()->setAccessibleName(tr("Locks that this holder has and waits for"));
    m_break->setText(tr("Break all…"));
    showState();
}

} // namespace lockkeeper::app::views
