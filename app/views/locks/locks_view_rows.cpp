// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The part of LocksView about its rows: selection, the page for an empty table, copies and exports.
#include "app/filter/query.h"
#include "app/replica/replica.h"
#include "app/replica/selection.h"
#include "app/session/agent_group.h"
#include "app/settings/settings.h"
#include "app/views/locks/filter_bar.h"
#include "app/views/locks/lock_export.h"
#include "app/views/locks/locks_table.h"
#include "app/views/locks/locks_view.h"
#include "app/views/table/ask_export.h"
#include "app/views/widgets/filter_edit.h"
#include "app/views/widgets/requests.h"
#include "app/views/widgets/state_page.h"
#include "app/views/widgets/table_text.h"
#include "app/words/error_words.h"
#include "shared/base/clock.h"
#include "shared/base/text.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QMenu>
#include <QScrollBar>
#include <QStackedWidget>
#include <QTimer>

#include <algorithm>

namespace lockkeeper::app::views {

QList<int> LocksView::selectedRowNumbers() const
{
    QList<int> rows;
    for (const QModelIndex &index : m_table->selectionModel()->selectedRows()) {
        if (m_proxy->lockAt(index.row()))
            rows.append(index.row());
    }
    std::sort(rows.begin(), rows.end());
    return rows;
}

QList<const models::LockRow *> LocksView::selectedLocks() const
{
    QList<const models::LockRow *> locks;
    for (const int row : selectedRowNumbers())
        locks.append(m_proxy->lockAt(row));
    return locks;
}

void LocksView::fromTable()
{
    // Rows that the model takes away aren't the operator's choice: the selection keeps its locks.
    if (m_syncing)
        return;
    m_syncing = true;
    QList<domain::LockKey> keys;
    for (const models::LockRow *row : selectedLocks())
        keys.append(row->lock.key());
    std::optional<domain::LockKey> current;
    if (const models::LockRow *row = m_proxy->lockAt(m_table->currentIndex().row()))
        current = row->lock.key();
    context().selection->select(keys, current);
    m_syncing = false;
    Q_EMIT rowsChanged();
}

void LocksView::toTable()
{
    if (m_syncing)
        return;
    QItemSelection wanted;
    QModelIndex current;
    for (const domain::LockKey &key : context().selection->keys()) {
        const int row = m_proxy->rowOf(key);
        if (row < 0)
            continue;
        const QModelIndex index = m_proxy->index(row, 0);
        wanted.select(index, m_proxy->index(row, m_proxy->columnCount() - 1));
        if (context().selection->current() == key)
            current = index;
    }
    m_syncing = true;
    QItemSelectionModel *selection = m_table->selectionModel();
    selection->select(wanted, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    // Don't scroll: a caller that wants the lock in sight calls reveal().
    if (current.isValid() && current != selection->currentIndex()) {
        const int place = m_table->verticalScrollBar()->value();
        selection->setCurrentIndex(current, QItemSelectionModel::NoUpdate);
        m_table->verticalScrollBar()->setValue(place);
    }
    m_syncing = false;
    Q_EMIT rowsChanged();
}

void LocksView::updatePage()
{
    if (m_proxy->rowCount() > 0) {
        m_stack->setCurrentWidget(m_table);
        return;
    }
    m_stack->setCurrentWidget(m_page);
    const session::AgentGroup *session = context().session;
    const bool nothingKnown = m_model->rowCount() == 0;
    const bool offline = context().replica->isOffline();
    if (nothingKnown && offline && session->link() == session::LinkState::Waiting) {
        const base::Error error = session->lastError();
        m_page->showError(
            error, [this] { context().session->retryNow(); },
            tr("The agent can't be reached: %1").arg(words::ErrorWords::cause(error)));
        return;
    }
    if (nothingKnown && offline) {
        m_page->showLoading(tr("Connecting to the agent…"));
        return;
    }
    if (nothingKnown && context().past) {
        m_page->showEmpty(tr("No lock was seen"), tr("The journal has none at that time."));
        return;
    }
    if (nothingKnown) {
        const auto show = [this](const char *view) {
            return [this, view] { Q_EMIT context().requests->viewAsked(QByteArray(view), {}); };
        };
        QList<StatePage::Action> actions{{tr("Show sources"), show("sources")}};
        const bool earlier = context().replica->seq() > 0;
        if (earlier)
            actions.append({tr("Show history"), show("history")});
        m_page->showEmpty(earlier ? tr("No lock is seen now") : tr("No locks seen yet"),
                          earlier ? tr("The history has the events of earlier locks.")
                                  : tr("Locks appear here as soon as a source has one."),
                          actions);
        return;
    }
    showHidden();
}

void LocksView::showHidden()
{
    const replica::BadgeCounts &counts = m_proxy->counts();
    qint64 hidden = 0;
    qint64 free = 0;
    for (int i = 0; i < replica::kBadgeCount; ++i) {
        if (m_proxy->isBadgeShown(replica::Badge(i))) {
            if (counts.at(std::size_t(i)) == 0)
                continue;
            // The first rows needn't wait for the tick: they can't push other rows away.
            m_page->showLoading(tr("Reading…"));
            QTimer::singleShot(0, m_proxy, &models::LocksProxy::tick);
            return;
        }
        hidden += counts.at(std::size_t(i));
        if (replica::Badge(i) == replica::Badge::Free)
            free = counts.at(std::size_t(i));
    }
    if (hidden == 0) {
        m_page->showEmpty(tr("No lock matches the filter"),
                          tr("The filter hides %Ln lock(s).", nullptr, m_model->rowCount()),
                          {{tr("Clear filter"), [this] { m_bar->setFilter({}); }}});
        return;
    }
    const QString detail = hidden == free
                               ? tr("%Ln free lock(s) are hidden.", nullptr, int(hidden))
                               : tr("%Ln lock(s) are in states that are hidden.", nullptr, int(hidden));
    m_page->showEmpty(tr("Nothing to show"), detail, {{tr("Show"), [this] { m_bar->setHiddenStates({}); }}});
}

/** The window's Lock menu, followed by actions for the current row. */
void LocksView::showMenu(const QPoint &at)
{
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    if (m_menu)
        menu->addActions(m_menu->actions());
    const QModelIndex cell = m_table->currentIndex();
    if (const models::LockRow *row = m_proxy->lockAt(cell.row())) {
        menu->addAction(tr("Copy c&ell"), this,
                        [text = cell.data().toString()] { QGuiApplication::clipboard()->setText(text); });
        menu->addSeparator();
        addRowActions(menu, row->lock.state());
    }
    menu->popup(at);
}

void LocksView::addRowActions(QMenu *menu, const domain::LockState &state)
{
    const auto filter = [this, menu](const QString &title, const char *field, const QString &value) {
        const QString text = QLatin1String(field) + QStringLiteral(":=") + filter::quoteWord(value);
        menu->addAction(title, this, [this, text] { setFilter(text); })->setEnabled(!value.isEmpty());
    };
    filter(tr("Filter by this h&older"), "holder", state.isHeld() ? base::textOf(state.owner) : QString());
    filter(tr("Filter by this &source"), "source", state.key.source);
    filter(tr("Filter by this sche&me"), "scheme", base::textOf(state.key.scheme));
    menu->addSeparator();
    Requests *requests = context().requests;
    QAction *chains = menu->addAction(tr("Show in Ch&ains"), this, [requests] {
        Q_EMIT requests->viewAsked(QByteArrayLiteral("chains"), {}); // which follows the selection
    });
    chains->setEnabled(!context().past && state.waiterCount().value_or(0) > 0);
    const qint64 us = asOf().value_or(context().replica->storeNowUs(state.key.source));
    menu->addAction(tr("Show in Timeline at this mome&nt"), this,
                    [requests, key = state.key, us] { Q_EMIT requests->timelineAtAsked({key}, us); });
}

domain::TimeUs LocksView::asOf() const
{
    return context().past ? domain::TimeUs(context().clock->wallUs()) : std::nullopt;
}

bool LocksView::copyText()
{
    const QList<int> rows = selectedRowNumbers();
    if (rows.isEmpty())
        return false;
    QList<int> columns;
    const QHeaderView *header = m_table->header();
    for (int position = 0; position < header->count(); ++position) {
        if (const int column = header->logicalIndex(position); !header->isSectionHidden(column))
            columns.append(column);
    }
    QList<QStringList> cells = lockCells(*m_proxy, rows, columns);
    prependAsOf(cells, context());
    QGuiApplication::clipboard()->setText(toTsv(cells));
    Q_EMIT context().requests->messageCame(tr("%Ln row(s) copied", nullptr, int(rows.size())));
    return true;
}

bool LocksView::copyJson()
{
    const QList<const models::LockRow *> locks = selectedLocks();
    if (locks.isEmpty())
        return false;
    QGuiApplication::clipboard()->setText(QString::fromUtf8(locksToJson(m_proxy->source(), locks, asOf())));
    Q_EMIT context().requests->messageCame(tr("%Ln row(s) copied as JSON", nullptr, int(locks.size())));
    return true;
}

bool LocksView::exportRows()
{
    views::exportRows(context(), this, QStringLiteral("lockkeeper-locks"),
                      [this](records::FileFormat::Syntax kind) { return exportSource(kind); });
    return true;
}

std::unique_ptr<ExportSource> LocksView::exportSource(records::FileFormat::Syntax kind) const
{
    return std::make_unique<LocksSource>(m_proxy, kind, asOf());
}

} // namespace lockkeeper::app::views
