// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/chains/chains_view.h"

#include "app/models/seconds.h"
#include "app/presentation/theme.h"
#include "app/records/records.h"
#include "app/replica/past_chains.h"
#include "app/replica/replica.h"
#include "app/replica/selection.h"
#include "app/session/agent_group.h"
#include "app/settings/settings.h"
#include "app/views/chains/chain_menu.h"
#include "app/views/chains/chains_tree.h"
#include "app/views/table/ask_export.h"
#include "app/views/table/data_table.h"
#include "app/views/widgets/banner_area.h"
#include "app/views/widgets/code_box.h"
#include "app/views/widgets/live_freeze.h"
#include "app/views/widgets/named.h"
#include "app/views/widgets/plain_label.h"
#include "app/views/widgets/requests.h"
#include "app/views/widgets/state_page.h"
#include "app/views/widgets/table_text.h"
#include "app/words/durations.h"
#include "app/words/error_words.h"
#include "app/words/lock_text.h"
#include "app/words/time_format.h"
#include "shared/base/clock.h"
#include "shared/base/text.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QMenu>
#include <QStackedWidget>

#include <algorithm>
#include <utility>

namespace lockkeeper::app::views {

using models::ChainRow;
using presentation::ChainFormatter;
using words::Durations;

namespace {
constexpr int kStatementLines = 3;
const QByteArray kTruncated = QByteArrayLiteral("truncated");
const QByteArray kFailed = QByteArrayLiteral("failed");
} // namespace

ChainsView::ChainsView(const ConsoleContext &context, QWidget *parent)
    : View(context, parent), m_formatter(context.times)
{
    m_model.setFormatter(&m_formatter);
    build();
    connect(&m_second, &QTimer::timeout, this, &ChainsView::look);
    connect(&m_model, &models::ChainsModel::rearranged, this, [this] {
        if (std::exchange(m_follows, false))
            follow();
        updatePage();
        Q_EMIT rowsChanged();
    });
    connect(context.times, &words::TimeFormat::changed, this, [this] { m_model.reword(); });
    connect(context.session, &session::AgentGroup::agentChanged, this, [this] {
        m_read = false;
        m_error.reset();
        m_graphs.clear();
        m_model.setForest({});
        showBanners(); // the deadlocks were the previous agent's
    });
    connect(context.session, &session::AgentGroup::linkChanged, this, [this] {
        markStale();
        updatePage();
        look();
    });
    if (context.past)
        connect(context.replica, &replica::Replica::reset, this, &ChainsView::look);
    connect(context.settings, &settings::Settings::changed, this, [this] {
        m_tree->setRowHeight(DataTable::rowHeight(this->context()));
        m_model.setTickMs(this->context().settings->tickMs());
    });
    m_tree->setRowHeight(DataTable::rowHeight(context));
    m_model.setTickMs(context.settings->tickMs());
    models::startSeconds(m_second);
    retranslate();
}

ChainsView::~ChainsView()
{
    // The widgets outlive the model and this class.
    m_tree->disconnect(this);
    m_model.disconnect(this);
    m_tree->setModel(nullptr);
    m_model.setFormatter(nullptr);
}

QString ChainsView::title() const
{
    return tr("Chains");
}

void ChainsView::build()
{
    m_summary = new PlainLabel;
    m_summary->setSelectable(true);
    m_evidence = new ElidedLabel;
    m_evidence->setForegroundRole(QPalette::PlaceholderText);
    m_banners = new BannerArea(context().theme);
    m_tree = new ChainsTree(&m_model, context().theme);
    m_tree->setPast(context().past);
    m_tree->setObjectName(QStringLiteral("chains"));
    m_holds = named("held", new ElidedLabel);
    m_page = new StatePage;
    m_stack = new QStackedWidget;
    m_stack->addWidget(m_tree);
    m_stack->addWidget(m_page);
    m_statement = named("statement", new CodeBox(kStatementLines));
    m_freeze = new LiveFreeze(this);
    auto *head = new QHBoxLayout;
    head->setSpacing(16);
    head->addWidget(m_summary);
    head->addStretch(1);
    head->addWidget(m_evidence);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(8, 8, 8, 8);
    column->setSpacing(8);
    column->addLayout(head);
    column->addWidget(m_stack, 1);
    column->addWidget(m_statement);
    column->addWidget(m_holds);
    column->addWidget(m_banners); // below the tree, so that a banner doesn't move it
    setFocusProxy(m_tree);
    if (const auto kept = context().settings->columns(QString::fromLatin1(id())))
        m_tree->restore(*kept);
    if (!context().past)
        connect(m_tree, &ChainsTree::columnsEdited, this,
                [this] { context().settings->setColumns(QString::fromLatin1(id()), m_tree->columns()); });
    connect(context().settings, &settings::Settings::layoutReset, m_tree, &ChainsTree::resetColumns);
    connect(m_freeze, &LiveFreeze::frozenChanged, &m_model, &models::ChainsModel::setFrozen);
    connect(m_tree, &ChainsTree::chosenChanged, this, &ChainsView::select);
    connect(m_tree, &ChainsTree::statementRoomChanged, this, &ChainsView::showAbout);
    connect(m_tree, &QTreeView::activated, this, &ChainsView::open);
    connect(m_tree, &ChainsTree::menuAsked, this, &ChainsView::showMenu);
}

void ChainsView::activate()
{
    m_tree->fit(window()->width());
    look();
    m_follows = m_model.rowCount() == 0;
    follow();
}

bool ChainsView::showsLock(const domain::LockKey &key) const
{
    const QModelIndex index = m_model.indexOfLock(key);
    for (QModelIndex above = index.parent(); above.isValid(); above = above.parent()) {
        if (!m_tree->isExpanded(above))
            return false;
    }
    return index.isValid();
}

/** Chooses the connection of the lock that was selected in another view. */
void ChainsView::follow()
{
    const auto &key = context().selection->current();
    if (const ChainRow *row = key ? m_model.at(m_model.indexOfLock(*key)) : nullptr)
        m_tree->choose(row->key);
}

void ChainsView::showEvent(QShowEvent *event)
{
    View::showEvent(event);
    look();
}

void ChainsView::look()
{
    if (context().past) {
        take(protocol::ChainsPage{
            0, replica::pastGraphs(context().replica->locks().values(), context().clock->wallUs())});
        return;
    }
    showHead();
    markStale();
    if (!isVisible() || m_asking || context().replica->isPaused() ||
        context().session->link() != session::LinkState::Live)
        return;
    m_asking = true;
    context().session->ask(protocol::ChainsQuery(), this,
                           [this](const base::Result<protocol::ChainsPage> &page) { take(page); });
}

void ChainsView::take(const base::Result<protocol::ChainsPage> &page)
{
    m_asking = false;
    const std::optional<base::Error> before = std::exchange(m_error, std::nullopt);
    if (page) {
        m_read = true;
        m_graphs = page->graphs;
        m_model.setForest(models::forestOf(m_graphs));
    } else {
        m_error = page.error();
    }
    markStale();
    showHead();
    showAbout();
    showBanners();
    updatePage(m_error != before);
}

/** Marks the values of a silent source, or of an agent that doesn't answer, as stale. */
void ChainsView::markStale()
{
    const bool all = !context().past && (m_error || context().session->link() != session::LinkState::Live);
    QSet<QString> stale;
    for (const domain::WaitGraph &graph : std::as_const(m_graphs)) {
        if (all || context().replica->isStale(graph.source))
            stale.insert(graph.source);
    }
    m_model.setStale(stale);
}

bool ChainsView::isAnyOfSql() const
{
    const QList<ChainRow> &rows = m_model.forest().rows;
    return std::any_of(rows.cbegin(), rows.cend(), &ChainFormatter::runsStatements);
}

QString ChainsView::evidenceText() const
{
    const QList<QByteArray> &codes = m_model.forest().evidence;
    if (codes.isEmpty())
        return {};
    if (context().past)
        return isAnyOfSql() ? tr("Evidence: the journal's holders and waiters; the journal doesn't keep "
                                 "statements, nor row locks without waiters")
                            : tr("Evidence: the journal's holders and waiters");
    qint64 age = 0;
    for (const domain::WaitGraph &graph : m_graphs)
        age = std::max(age, context().replica->storeNowUs(graph.source) - graph.endedUs);
    return tr("Evidence: %1, read %2 ago", "what was read, duration")
        .arg(ChainFormatter::evidence(codes), Durations::inSentence(age));
}

void ChainsView::showHead()
{
    const bool rows = !m_model.forest().rows.isEmpty();
    m_summary->setText(rows ? ChainFormatter::summary(m_model.forest()) : QString());
    m_evidence->setText(rows ? evidenceText() : QString());
}

/** All watched locks of the row's connection, those that others wait for first. */
QList<domain::LockKey> ChainsView::heldBy(const ChainRow &row) const
{
    QList<domain::LockKey> keys = row.holds;
    const auto &locks = context().replica->locks();
    QList<domain::LockKey> others;
    for (const replica::PackedLock &lock : locks) {
        const domain::LockState held = lock.peek();
        if (held.session && held.isHeld() && held.key.source == row.source &&
            held.session->id == row.node.session.id && !keys.contains(held.key))
            others.append(lock.key());
    }
    std::sort(others.begin(), others.end());
    return keys + others;
}

/**
 * Shows the chosen connection's full statement, which its column may have no room for, and all that the
 * connection holds.
 */
void ChainsView::showAbout()
{
    const bool inFront = m_stack->currentWidget() == m_tree;
    m_statement->setVisible(inFront);
    m_holds->setVisible(inFront);
    m_statement->setPlaceholderText(tr("Select a connection to see what it does."));
    const ChainRow *row = m_tree->chosen();
    const bool any = row && row->kind == ChainRow::ChainRowKind::Connection;
    const qint64 nowUs = any ? context().replica->storeNowUs(row->source) : 0;
    m_statement->setCode(any ? ChainFormatter::statementFact(*row, nowUs) : QString());
    const QString rollback = any ? ChainFormatter::rollbackFact(row->node.session) : QString();
    const QString holds = any ? ChainFormatter::holdsFact(heldBy(*row)) : QString();
    m_holds->setText(rollback.isEmpty() ? holds : tr("%1 %2", "two sentences").arg(holds, rollback));
}

void ChainsView::showBanners()
{
    QList<QByteArray> shown;
    for (const models::Deadlock &deadlock : m_model.forest().deadlocks) {
        const QString text = ChainFormatter::deadlock(deadlock);
        const QByteArray id = "deadlock " + text.toUtf8();
        shown.append(id);
        if (!m_banners->hasBanner(id) && !m_deadlocks.contains(id))
            m_banners->showBanner({id, presentation::BannerKind::Error, text, {}, {}, true});
    }
    for (const QByteArray &id : std::as_const(m_deadlocks)) {
        if (!shown.contains(id))
            m_banners->removeBanner(id);
    }
    m_deadlocks = shown;
    if (m_model.forest().truncated)
        m_banners->showBanner(
            {kTruncated,
             presentation::BannerKind::Warning,
             tr("There are more waits than the agent reads: not all connections are shown."),
             {},
             {},
             false});
    else
        m_banners->removeBanner(kTruncated);
    if (m_error && m_model.rowCount() > 0)
        m_banners->showBanner({kFailed, presentation::BannerKind::Error,
                               tr("Not read: %1").arg(words::ErrorWords::line(*m_error)), tr("Try again"),
                               [this] { look(); }, false});
    else
        m_banners->removeBanner(kFailed);
}

ChainsView::ShownPage ChainsView::phase() const
{
    if (m_model.rowCount() > 0)
        return ShownPage::Rows;
    if (!context().past && context().session->link() != session::LinkState::Live)
        return ShownPage::Offline;
    if (m_error)
        return ShownPage::Failed;
    return m_read ? ShownPage::Empty : ShownPage::Loading;
}

void ChainsView::updatePage(bool anew)
{
    const ShownPage now = phase();
    m_stack->setCurrentWidget(now == ShownPage::Rows ? static_cast<QWidget *>(m_tree) : m_page);
    showAbout();
    const bool same = now == m_phase && !anew;
    m_phase = now;
    switch (now) {
    case ShownPage::Rows:
        break;
    case ShownPage::Loading:
        if (!same)
            m_page->showLoading(tr("Reading…"));
        break;
    case ShownPage::Offline:
        if (!same)
            m_page->showEmpty(tr("No agent is connected"),
                              tr("The blocking connections are known once it answers."));
        break;
    case ShownPage::Failed:
        if (!same)
            m_page->showError(*m_error, [this] { look(); });
        break;
    case ShownPage::Empty:
        if (context().past) {
            m_page->showEmpty(tr("No connection is known to have waited for a lock"), {});
            break;
        }
        if (const QStringList blind = unseen(); !blind.isEmpty()) {
            m_page->showEmpty(tr("No connection is known to wait for a lock"),
                              tr("Not observed now: %1", "sources").arg(blind.join(QLatin1String(", "))));
            break;
        }
        m_page->showEmpty(tr("No connection waits for a lock"),
                          m_graphs.isEmpty() ? tr("No source of this agent shows wait chains.")
                                             : evidenceText());
        break;
    }
}

/** The sources whose connections are unknown: no graph contains the waits there. */
QStringList ChainsView::unseen() const
{
    const replica::Replica &replica = *context().replica;
    QStringList names;
    for (const domain::SourceState &source : replica.sources()) {
        if ((source.schemes.contains("sql.row") || source.schemes.contains("sql.advisory")) &&
            replica.isStale(source.name) && !replica.isSeenByAnother(source.name))
            names.append(base::displayText(source.name));
    }
    return names;
}

QString ChainsView::text() const
{
    QStringList all{m_summary->text(), m_evidence->text()};
    all += m_banners->texts();
    if (m_stack->currentWidget() == m_page)
        all.append(m_page->text());
    return all.join(QLatin1Char('\n'));
}

/**
 * The chosen connection's lock becomes the console's selection: the dock shows it, the menu acts on it. If
 * the connection has no such lock, a lock that was selected elsewhere stays selected while the row holds it.
 * The lock may be changing hands; the dock names its holder.
 */
void ChainsView::select()
{
    const ChainRow *row = m_tree->chosen();
    const auto &current = context().selection->current();
    const auto key = row ? ChainMenu::ownLock(*row, context()) : std::nullopt;
    if (key)
        context().selection->selectOne(*key);
    else if (!row || !current || !row->holds.contains(*current))
        context().selection->clear();
    showAbout();
    Q_EMIT rowsChanged();
}

void ChainsView::open(const QModelIndex &index)
{
    const ChainRow *row = m_model.at(index);
    if (row && row->kind == ChainRow::ChainRowKind::Link)
        m_tree->choose(row->otherKey);
    else if (row && row->kind == ChainRow::ChainRowKind::Connection)
        Q_EMIT detailAsked();
}

void ChainsView::showMenu(const QPoint &at)
{
    const ChainRow *row = m_tree->chosen();
    if (!row)
        return;
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setToolTipsVisible(true);
    ChainMenu::fill(menu, *row, context(), [this](const QByteArray &key) { m_tree->choose(key); });
    if (menu->isEmpty()) {
        delete menu;
        return;
    }
    menu->popup(at);
}

/** Skips silent sources: the number of their waiters is unknown by now. */
std::optional<qint64> ChainsView::shownRows() const
{
    return m_model.forest().rows.isEmpty() ? 0 : m_model.forest().waiting + m_model.forest().roots;
}

qint64 ChainsView::selectedRows() const
{
    return m_tree->chosen() ? 1 : 0;
}

/** All rows, or only the chosen row. Two blanks per level before the connection show the depth. */
QList<QStringList> ChainsView::chosenRow() const
{
    const ChainRow *chosen = m_tree->chosen();
    const QModelIndex index = chosen ? m_model.indexOf(chosen->key) : QModelIndex();
    QStringList titles;
    QStringList cells;
    for (int column = 0; column < models::ChainColumnCount; ++column) {
        titles.append(m_model.headerData(column, Qt::Horizontal).toString());
        cells.append(index.siblingAtColumn(column).data().toString());
    }
    return {titles, cells};
}

/** The window's width alone decides which columns are shown. */
TableColumns ChainsView::tableColumns()
{
    return {m_tree->header(), [](int) { return false; }, [](int, bool) {},
            [this] {
                m_tree->resetColumns();
                if (!context().past)
                    context().settings->setColumns(QString::fromLatin1(id()), {});
            }};
}

bool ChainsView::copyText()
{
    if (!m_tree->chosen())
        return false;
    QList<QStringList> table = chosenRow();
    prependAsOf(table, context());
    QGuiApplication::clipboard()->setText(toTsv(table));
    return true;
}

bool ChainsView::exportRows()
{
    views::exportRows(context(), this, QStringLiteral("lockkeeper-chains"),
                      [this](records::FileFormat::Syntax kind) { return exportSource(kind); });
    return true;
}

std::unique_ptr<ExportSource> ChainsView::exportSource(records::FileFormat::Syntax kind) const
{
    std::optional<qint64> asOfUs;
    if (context().past)
        asOfUs = context().clock->wallUs();
    QList<QJsonObject> chains;
    for (const domain::WaitGraph &graph : std::as_const(m_graphs)) {
        const QString agent = context().session->agentOf(graph.source);
        for (const QJsonObject &chain : records::chainObjects(graph, agent, asOfUs))
            chains.append(records::withAgent(chain, agent, context().session->labelOf(graph.source)));
    }
    return std::make_unique<ListSource>(chains,
                                        records::FileFormat{kind, records::chainColumns(asOfUs.has_value())});
}

void ChainsView::retranslate()
{
    m_tree->setAccessibleName(tr("Chains of waiting connections"));
    m_statement->setAccessibleName(tr("Activity of the selected connection"));
    m_model.reword();
    showAbout();
    for (const QByteArray &id : std::as_const(m_deadlocks))
        m_banners->removeBanner(id);
    m_deadlocks.clear();
    showHead();
    showBanners();
    updatePage(true);
}

} // namespace lockkeeper::app::views
