// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/locks/locks_view.h"

#include "app/replica/selection.h"
#include "app/session/agent_group.h"
#include "app/settings/settings.h"
#include "app/views/locks/column_layout.h"
#include "app/views/locks/filter_bar.h"
#include "app/views/locks/lock_delegate.h"
#include "app/views/locks/locks_table.h"
#include "app/views/table/columns_menu.h"
#include "app/views/table/data_table.h"
#include "app/views/widgets/filter_edit.h"
#include "app/views/widgets/live_freeze.h"
#include "app/views/widgets/state_page.h"

#include <QHeaderView>
#include <QItemSelectionModel>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace lockkeeper::app::views {

namespace {
QString settingsName()
{
    return QStringLiteral("locks");
}

QStringList usuallyHidden()
{
    return {QStringLiteral("free"), QStringLiteral("optimistic")};
}
} // namespace

LocksView::LocksView(const ConsoleContext &context, QWidget *parent)
    : View(context, parent),
      m_formatter(context.theme, context.times),
      m_model(new models::LockModel(*context.replica, *context.clock, this)),
      m_proxy(new models::LocksProxy(*m_model, this)),
      m_savedCounts(new models::FilterCounts(*m_model, this))
{
    m_model->setFormatter(&m_formatter);
    m_proxy->setFormatter(&m_formatter);
    build();
    connectModel();
    restoreSettings();
    countSaved();
    updatePage();
}

LocksView::~LocksView()
{
    // The models are destroyed after this destructor, when the formatter no longer exists.
    m_proxy->setFormatter(nullptr);
    m_model->setFormatter(nullptr);
}

void LocksView::build()
{
    m_bar = new FilterBar(context(), m_proxy, this);
    m_table = new LocksTable(m_proxy, context().theme, &m_formatter, this);
    m_page = new StatePage(this);
    m_stack = new QStackedWidget(this);
    m_stack->addWidget(m_table);
    m_stack->addWidget(m_page);
    m_columns = new ColumnLayout(m_table->header(), m_proxy, this);
    m_freeze = new LiveFreeze(this);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->setSpacing(8);
    layout->addWidget(m_bar);
    layout->addWidget(m_stack, 1);
    setFocusProxy(m_table);
    m_table->setAccessibleName(tr("Locks"));
    connect(m_bar, &FilterBar::left, m_table, qOverload<>(&QWidget::setFocus));
    connect(m_bar, &FilterBar::edited, this, &LocksView::keepState);
    connect(m_bar, &FilterBar::edited, this, &LocksView::updatePage);
    connect(m_bar, &FilterBar::edited, this, &View::subEntriesChanged);
    connect(context().settings, &settings::Settings::savedFiltersChanged, this, [this] {
        countSaved();
        Q_EMIT subEntriesChanged();
    });
    connect(m_columns, &ColumnLayout::edited, this, &LocksView::keepColumns);
    connect(context().session, &session::AgentGroup::agentChanged, m_columns, [this] { showAgents(); });
    showAgents();
    connect(m_table->header(), &QHeaderView::sortIndicatorChanged, this, &LocksView::keepColumns);
    connect(m_table->header(), &QWidget::customContextMenuRequested, this,
            [this](const QPoint &at) { ColumnsMenu::popup(tableColumns(), at); });
    connect(m_table, &LocksTable::resized, this,
            [this] { m_columns->fit(m_table->viewport()->width(), window()->width()); });
    connect(m_table, &LocksTable::activatedLock, this, &LocksView::detailAsked);
    connect(m_table, &LocksTable::menuAsked, this, &LocksView::showMenu);
    connect(m_freeze, &LiveFreeze::frozenChanged, m_proxy, &models::LocksProxy::setFrozen);
}

void LocksView::connectModel()
{
    connect(m_model, &models::LockModel::clockMoved, m_table->viewport(), qOverload<>(&QWidget::update));
    connect(m_savedCounts, &models::FilterCounts::changed, this, [this] {
        m_bar->setSavedCounts(m_savedCounts->counts());
        Q_EMIT countChanged();
    });
    connect(m_proxy, &models::LocksProxy::countsChanged, this, &LocksView::updatePage);
    connect(m_proxy, &models::LocksProxy::countsChanged, this, &View::rowsChanged);
    connect(m_table, &LocksTable::aboutToRearrange, this, [this] { m_syncing = true; });
    connect(m_table, &LocksTable::rearranged, this, [this] {
        m_syncing = false;
        toTable();
        if (m_awaited && showsLock(*m_awaited))
            reveal(domain::LockKey(*m_awaited));
        updatePage();
        Q_EMIT rowsChanged();
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &LocksView::fromTable);
    connect(context().selection, &replica::Selection::changed, this, &LocksView::toTable);
    connect(context().replica, &replica::Replica::offlineChanged, this, &LocksView::updatePage);
    connect(context().replica, &replica::Replica::offlineChanged, this, &View::countChanged);
    connect(context().replica, &replica::Replica::reset, this, &LocksView::updatePage);
    connect(context().replica, &replica::Replica::reset, this, &LocksView::readFilters);
    connect(context().replica, &replica::Replica::missed, this, &LocksView::readFilters);
    connect(context().session, &session::AgentGroup::linkChanged, this, &LocksView::updatePage);
    connect(context().settings, &settings::Settings::changed, this, &LocksView::applySettings);
    connect(context().settings, &settings::Settings::layoutReset, this, &LocksView::resetLayout);
    connect(context().times, &words::TimeFormat::changed, this, &LocksView::retranslate);
    connect(context().theme, &presentation::Theme::changed, this, [this] {
        applySettings();
        m_columns->rescale();
    });
}

void LocksView::restoreSettings()
{
    m_bar->setHiddenStates(usuallyHidden());
    if (const auto columns = context().settings->columns(settingsName())) {
        m_columns->restore(columns);
        const int sorted = m_proxy->columnFromName(columns->sortColumn);
        if (sorted >= 0)
            m_table->sortByColumn(sorted, columns->descending ? Qt::DescendingOrder : Qt::AscendingOrder);
    }
    if (const auto kept = context().settings->viewState(settingsName())) {
        m_bar->setHiddenStates(kept->hiddenStates);
        m_bar->setGrouping(models::groupingFromName(kept->group).value_or(models::Grouping::None));
        m_bar->setFilter(kept->filter);
    }
    applySettings();
    m_restoring = false;
}

void LocksView::keepColumns()
{
    if (!m_restoring && !context().past)
        context().settings->setColumns(settingsName(), m_columns->columns());
}

void LocksView::keepState()
{
    if (m_restoring || context().past)
        return;
    settings::ViewState state;
    state.filter = m_bar->edit()->text();
    state.group = models::groupingName(m_proxy->grouping()).toByteArray();
    state.hiddenStates = m_bar->hiddenStates();
    context().settings->setViewState(settingsName(), state);
}

void LocksView::applySettings()
{
    const settings::Settings *settings = context().settings;
    m_table->setRowHeight(DataTable::rowHeight(context()));
    m_table->setMarks(settings->rowMarks(), settings->tints());
    m_proxy->setTickMs(settings->tickMs());
}

void LocksView::resetLayout()
{
    m_restoring = true;
    m_columns->reset();
    m_table->sortByColumn(-1, Qt::AscendingOrder);
    m_columns->fit(m_table->viewport()->width(), window()->width());
    m_restoring = false;
}

void LocksView::retranslate()
{
    m_model->reword();
    m_proxy->reword();
    m_table->setAccessibleName(tr("Locks"));
    updatePage();
    Q_EMIT subEntriesChanged();
}

void LocksView::resizeEvent(QResizeEvent *event)
{
    View::resizeEvent(event);
    // The table gets no resize event while the empty page replaces it.
    if (!m_table->isVisible())
        m_columns->fit(m_stack->width(), window()->width());
}

QByteArray LocksView::id() const
{
    return QByteArrayLiteral("locks");
}

QString LocksView::title() const
{
    return tr("Locks");
}

QString LocksView::iconName() const
{
    return QStringLiteral("view-locks");
}

/** The number of the saved filter *Needs attention*. */
/** None while offline: "0 need attention" would be a claim about locks that nobody sees. */
QList<qint64> LocksView::subCounts() const
{
    return context().replica->isOffline() ? QList<qint64>() : m_savedCounts->counts();
}

std::optional<qint64> LocksView::count() const
{
    const QList<settings::SavedFilter> all = m_bar->savedFilters();
    const QList<qint64> counts = subCounts();
    for (qsizetype i = 0; i < std::min(all.size(), counts.size()); ++i) {
        if (all.at(i).id == "needs_attention")
            return counts.at(i) > 0 ? std::optional(counts.at(i)) : std::nullopt;
    }
    return std::nullopt;
}

std::optional<qint64> LocksView::shownRows() const
{
    return m_proxy->shownLocks();
}

qint64 LocksView::selectedRows() const
{
    return context().selection->keys().size();
}

std::optional<qint64> LocksView::allLocks() const
{
    return context().replica->locks().size();
}

QStringList LocksView::subEntries() const
{
    QStringList names;
    for (const settings::SavedFilter &filter : m_bar->savedFilters())
        names.append(FilterBar::savedName(filter));
    return names;
}

int LocksView::currentSubEntry() const
{
    return m_bar->savedInForce();
}

void LocksView::openSubEntry(int index)
{
    const QList<settings::SavedFilter> all = m_bar->savedFilters();
    m_bar->use(index >= 0 && index < all.size() ? all.at(index)
                                                : settings::SavedFilter{{}, {}, {}, usuallyHidden()});
}

void LocksView::focusFilter()
{
    m_bar->edit()->setFocus(Qt::ShortcutFocusReason);
    m_bar->edit()->selectAll();
}

void LocksView::setFilter(const QString &text)
{
    m_bar->setFilter(text);
}

void LocksView::activate()
{
    m_columns->fit(m_table->viewport()->width(), window()->width());
    updatePage();
}

bool LocksView::showsLock(const domain::LockKey &key) const
{
    return m_proxy->rowOf(key) >= 0;
}

void LocksView::reveal(const domain::LockKey &key)
{
    if (!showsLock(key) && context().replica->locks().contains(key))
        m_bar->use({});
    const int row = m_proxy->rowOf(key);
    m_awaited = row < 0 ? std::optional(key) : std::nullopt;
    if (row >= 0)
        m_table->scrollTo(m_proxy->index(row, 0), QAbstractItemView::EnsureVisible);
}

void LocksView::showAgents()
{
    const bool several = context().session->several();
    m_formatter.setSeveralAgents(several);
    m_columns->setSeveralAgents(several);
}

void LocksView::countSaved()
{
    QList<models::FilterCounts::CountedFilter> filters;
    for (const settings::SavedFilter &saved : m_bar->savedFilters()) {
        models::FilterCounts::CountedFilter filter;
        // A filter that a later version wrote and that can't be parsed filters nothing, as in the table.
        filter.query = filter::parseQuery(saved.query, filter::QueryScope::Locks, {},
                                          filter::beginsNameOf(m_model->replica().locks()))
                           .value_or(filter::Query{});
        for (const QString &name : saved.hiddenStates) {
            if (const auto badge = replica::badgeFromName(name.toLatin1()))
                filter.hidden.append(*badge);
        }
        filters.append(filter);
    }
    m_savedCounts->setFilters(filters);
}

/**
 * "job:7" is a name if some name begins so. Filters that were parsed before the table came are parsed again.
 */
void LocksView::readFilters()
{
    m_bar->edit()->retry();
    countSaved();
}

TableColumns LocksView::tableColumns()
{
    return {m_table->header(), &ColumnLayout::isOptional,
            [this](int column, bool shown) { m_columns->setColumnShown(column, shown); },
            [this] {
                resetLayout();
                context().settings->setColumns(settingsName(), {});
            }};
}

} // namespace lockkeeper::app::views
