// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/chains_model.h"

#include <algorithm>
#include <array>

namespace lockkeeper::app::models {

namespace {

constexpr std::array<const char *, ChainColumnCount> kChainColumns{
    "connection",      "lock",   "waits_for", "waited",  "blocks", "caused",
    "transaction_age", "client", "statement", "evidence"};

QVariant numberOrNothing(const std::optional<qint64> &number)
{
    return number ? QVariant(*number) : QVariant();
}

QVariant valueOf(const ChainRow &row, int column)
{
    if (row.kind != ChainRow::ChainRowKind::Connection)
        return {};
    const domain::Session &session = row.node.session;
    switch (column) {
    case ChainConnectionColumn:
        return session.id;
    case ChainLockColumn:
        return row.holds.isEmpty() ? QVariant() : QVariant(row.holds.first().name);
    case ChainWaitsForColumn:
        return row.node.waitsFor ? QVariant(row.node.waitsFor->name) : QVariant();
    case ChainWaitedColumn:
        return numberOrNothing(waitedUs(row));
    case ChainBlocksColumn:
        return row.node.blocksAll;
    case ChainCausedColumn:
        return row.node.waitingCausedUs;
    case ChainAgeColumn:
        return numberOrNothing(transactionAgeUs(row));
    case ChainClientColumn:
        return session.client;
    case ChainStatementColumn:
        return session.statement;
    case ChainEvidenceColumn:
        return row.evidence;
    default:
        return {};
    }
}

/**
 * Compares numbers, and ids such as "9" and "10", as numbers. In ascending order, missing values come last.
 */
bool lessThan(const QVariant &a, const QVariant &b)
{
    if (a.isValid() != b.isValid())
        return a.isValid();
    bool numberA = false;
    bool numberB = false;
    const qint64 first = a.toLongLong(&numberA);
    const qint64 second = b.toLongLong(&numberB);
    if (numberA && numberB)
        return first < second;
    return a.toByteArray() < b.toByteArray();
}

} // namespace

struct ChainsModel::ChainItem
{
    ChainRow row;
    ChainItem *parent = nullptr;
    QList<ChainItem *> children;
    int place = 0; ///< among its siblings
    int order = 0; ///< in the forest
    bool gone = false;
};

QByteArray chainColumnName(int column)
{
    return column >= 0 && column < ChainColumnCount ? QByteArray(kChainColumns[size_t(column)])
                                                    : QByteArray();
}

ChainsModel::ChainsModel(QObject *parent) : QAbstractItemModel(parent), m_root(std::make_unique<ChainItem>())
{
    connect(&m_tick, &QTimer::timeout, this, &ChainsModel::tick);
    m_tick.start(kTickMs);
}

ChainsModel::~ChainsModel() = default;

void ChainsModel::setFormatter(const Formatter *formatter)
{
    m_formatter = formatter;
    reword();
}

void ChainsModel::reword()
{
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, ChainColumnCount - 1);
    for (const auto &item : m_store)
        Q_EMIT dataChanged(indexOfItem(item.get()), indexOfItem(item.get(), ChainColumnCount - 1));
}

ChainsModel::ChainItem *ChainsModel::itemOf(const QModelIndex &index) const
{
    return index.isValid() ? static_cast<ChainItem *>(index.internalPointer()) : m_root.get();
}

QModelIndex ChainsModel::indexOfItem(const ChainItem *item, int column) const
{
    return item && item != m_root.get() ? createIndex(item->place, column, item) : QModelIndex();
}

QModelIndex ChainsModel::index(int row, int column, const QModelIndex &parent) const
{
    if (column < 0 || column >= ChainColumnCount || parent.column() > 0)
        return {};
    const ChainItem *above = itemOf(parent);
    if (row < 0 || row >= above->children.size())
        return {};
    return createIndex(row, column, above->children.at(row));
}

QModelIndex ChainsModel::parent(const QModelIndex &index) const
{
    return index.isValid() ? indexOfItem(itemOf(index)->parent) : QModelIndex();
}

int ChainsModel::rowCount(const QModelIndex &parent) const
{
    return parent.column() > 0 ? 0 : int(itemOf(parent)->children.size());
}

int ChainsModel::columnCount(const QModelIndex &) const
{
    return ChainColumnCount;
}

QVariant ChainsModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    return m_formatter && role < Qt::UserRole ? m_formatter->cell(index, role) : QVariant();
}

QVariant ChainsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= ChainColumnCount)
        return {};
    return m_formatter && role < Qt::UserRole ? m_formatter->header(section, role) : QVariant();
}

const ChainRow *ChainsModel::at(const QModelIndex &index) const
{
    return index.isValid() && index.model() == this ? &itemOf(index)->row : nullptr;
}

bool ChainsModel::isGone(const QModelIndex &index) const
{
    return index.isValid() && itemOf(index)->gone;
}

bool ChainsModel::isStale(const QModelIndex &index) const
{
    return index.isValid() && m_stale.contains(itemOf(index)->row.source);
}

QModelIndex ChainsModel::indexOf(const QByteArray &key, int column) const
{
    return indexOfItem(m_items.value(key, nullptr), column);
}

QModelIndex ChainsModel::indexOfLock(const domain::LockKey &key) const
{
    const ChainItem *waits = nullptr;
    for (const auto &item : m_store) {
        if (item->row.kind != ChainRow::ChainRowKind::Connection)
            continue;
        if (item->row.holds.contains(key))
            return indexOfItem(item.get());
        if (!waits && item->row.node.waitsFor == key)
            waits = item.get();
    }
    return indexOfItem(waits);
}

void ChainsModel::setForest(const ChainForest &forest)
{
    m_forest = forest;
    takeValues();
    if (m_store.empty())
        arrange(); // even while frozen: the first rows push no other row away
}

/** Updates only values and marks: no row is added, removed or moved. */
void ChainsModel::takeValues()
{
    QSet<QByteArray> present;
    QList<const ChainItem *> changed;
    for (const ChainRow &row : std::as_const(m_forest.rows)) {
        present.insert(row.key);
        ChainItem *item = m_items.value(row.key, nullptr);
        if (!item || (item->row == row && !item->gone))
            continue;
        item->row = row;
        item->gone = false;
        changed.append(item);
    }
    for (const auto &item : m_store) {
        if (!item->gone && !present.contains(item->row.key)) {
            item->gone = true;
            changed.append(item.get());
        }
    }
    for (const ChainItem *item : std::as_const(changed))
        Q_EMIT dataChanged(indexOfItem(item), indexOfItem(item, ChainColumnCount - 1));
}

void ChainsModel::setStale(const QSet<QString> &sources)
{
    if (sources == m_stale)
        return;
    m_stale = sources;
    for (const auto &item : m_store)
        Q_EMIT dataChanged(indexOfItem(item.get()), indexOfItem(item.get(), ChainColumnCount - 1));
}

void ChainsModel::setFrozen(bool frozen)
{
    m_frozen = frozen;
}

void ChainsModel::setTickMs(int ms)
{
    if (ms > 0)
        m_tick.start(ms);
    else
        m_tick.stop();
}

void ChainsModel::sort(int column, Qt::SortOrder order)
{
    m_sortColumn = column;
    m_sortOrder = order;
    Q_EMIT aboutToRearrange();
    layOut();
    Q_EMIT rearranged();
}

void ChainsModel::tick()
{
    if (!m_frozen)
        arrange();
}

/**
 * Appends new rows at the end of the top level, moves all rows to their places, and then removes the rows
 * that no longer exist. Views can follow each of these steps.
 */
void ChainsModel::arrange()
{
    const bool idle = m_forest.rows.isEmpty() && m_store.empty();
    if (idle || inPlace())
        return;
    Q_EMIT aboutToRearrange();
    addMissing();
    layOut();
    removeGone();
    Q_EMIT rearranged();
}

/** True if nothing would move: no row is new or removed, and each is in its place under its parent. */
bool ChainsModel::inPlace() const
{
    if (m_store.size() != size_t(m_forest.rows.size()))
        return false;
    QHash<const ChainItem *, QList<ChainItem *>> wanted;
    for (const ChainRow &row : m_forest.rows) {
        ChainItem *item = m_items.value(row.key, nullptr);
        const ChainItem *parent =
            row.parent < 0 ? m_root.get() : m_items.value(m_forest.rows.at(row.parent).key, nullptr);
        if (!item || item->gone || item->parent != parent)
            return false;
        wanted[parent].append(item);
    }
    for (auto it = wanted.begin(); it != wanted.end(); ++it) {
        sortChildren(*it);
        if (*it != it.key()->children)
            return false;
    }
    return true;
}

void ChainsModel::addMissing()
{
    QList<ChainItem *> added;
    for (const ChainRow &row : std::as_const(m_forest.rows)) {
        if (m_items.contains(row.key))
            continue;
        auto item = std::make_unique<ChainItem>();
        item->row = row;
        item->parent = m_root.get();
        item->place = int(m_root->children.size() + added.size());
        added.append(item.get());
        m_items.insert(row.key, item.get());
        m_store.push_back(std::move(item));
    }
    if (added.isEmpty())
        return;
    const int first = int(m_root->children.size());
    beginInsertRows({}, first, first + int(added.size()) - 1);
    m_root->children.append(added);
    endInsertRows();
}

void ChainsModel::sortChildren(QList<ChainItem *> &children) const
{
    std::stable_sort(children.begin(), children.end(), [this](const ChainItem *a, const ChainItem *b) {
        if (a->gone != b->gone)
            return b->gone;
        if (a->row.kind != b->row.kind)
            return a->row.kind < b->row.kind;
        if (m_sortColumn < 0)
            return false;
        const QVariant first = valueOf(a->row, m_sortColumn);
        const QVariant second = valueOf(b->row, m_sortColumn);
        return m_sortOrder == Qt::AscendingOrder ? lessThan(first, second) : lessThan(second, first);
    });
}

void ChainsModel::layOut()
{
    Q_EMIT layoutAboutToBeChanged();
    const QModelIndexList before = persistentIndexList();
    m_root->children.clear();
    for (const auto &item : m_store)
        item->children.clear();
    for (const ChainRow &row : std::as_const(m_forest.rows)) {
        ChainItem *item = m_items.value(row.key, nullptr);
        if (!item)
            continue; // sorted before its tick
        ChainItem *parent =
            row.parent < 0 ? m_root.get() : m_items.value(m_forest.rows.at(row.parent).key, nullptr);
        item->parent = parent ? parent : m_root.get();
        item->parent->children.append(item);
    }
    for (const auto &item : m_store) {
        if (!item->gone)
            continue;
        item->parent = m_root.get();
        m_root->children.append(item.get());
    }
    const auto settle = [this](ChainItem *parent) {
        sortChildren(parent->children);
        for (int i = 0; i < parent->children.size(); ++i)
            parent->children.at(i)->place = i;
    };
    settle(m_root.get());
    for (const auto &item : m_store)
        settle(item.get());
    QModelIndexList after;
    for (const QModelIndex &index : before)
        after.append(indexOfItem(static_cast<ChainItem *>(index.internalPointer()), index.column()));
    changePersistentIndexList(before, after);
    Q_EMIT layoutChanged();
}

/** Removed rows are at the end of the top level, without children. */
void ChainsModel::removeGone()
{
    const auto count = std::count_if(m_root->children.cbegin(), m_root->children.cend(),
                                     [](const ChainItem *item) { return item->gone; });
    if (count == 0)
        return;
    const int first = int(m_root->children.size() - count);
    beginRemoveRows({}, first, int(m_root->children.size()) - 1);
    for (qsizetype i = first; i < m_root->children.size(); ++i)
        m_items.remove(m_root->children.at(i)->row.key);
    m_root->children.resize(first);
    std::erase_if(m_store, [](const std::unique_ptr<ChainItem> &item) { return item->gone; });
    endRemoveRows();
}

} // namespace lockkeeper::app::models
