// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/chain_forest.h"
#include "app/models/raw_model.h"

#include <QAbstractItemModel>
#include <QHash>
#include <QSet>
#include <QTimer>

#include <memory>
#include <vector>

namespace lockkeeper::app::models {

enum ChainColumn {
    ChainConnectionColumn = 0, ///< the connection's id
    ChainLockColumn,           ///< the name of the lock that others wait for
    ChainWaitsForColumn,       ///< the name of the lock that this client waits for
    ChainWaitedColumn,
    ChainBlocksColumn, ///< all connections behind it
    ChainCausedColumn, ///< their total waiting time
    ChainAgeColumn,    ///< since its transaction began
    ChainClientColumn,
    ChainStatementColumn,
    ChainEvidenceColumn,
    ChainColumnCount,
};
QByteArray chainColumnName(int column);

/**
 * A tree of blocked connections, with the head blockers at the top. Values change at once, and an empty tree
 * gets its first rows at once. Otherwise rows are added, removed and moved only at a tick, and not while
 * frozen; until then, rows that no longer exist stay, marked. A row keeps its identity as long as its
 * connection works on the same transaction. GUI thread.
 */
class ChainsModel : public QAbstractItemModel
{
    Q_OBJECT

public:
    static constexpr int kTickMs = 2'000;

    explicit ChainsModel(QObject *parent = nullptr);
    ~ChainsModel() override;

    /** `formatter` isn't owned and must live as long as the model; null: no words. */
    void setFormatter(const Formatter *formatter);
    void reword();

    QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    QModelIndex parent(const QModelIndex &index) const override;
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    /** Sorts siblings by a column; −1: the default order. */
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

    /** The latest data. */
    void setForest(const ChainForest &forest);
    const ChainForest &forest() const { return m_forest; }
    /** Sources that are no longer read: their values are kept, marked. */
    void setStale(const QSet<QString> &sources);

    /** Null for an invalid index. */
    const ChainRow *at(const QModelIndex &index) const;
    bool isGone(const QModelIndex &index) const;
    /** True if its source is no longer read. */
    bool isStale(const QModelIndex &index) const;
    QModelIndex indexOf(const QByteArray &key, int column = 0) const;
    /** The row whose connection blocks others with this lock, or waits for it; invalid: none. */
    QModelIndex indexOfLock(const domain::LockKey &key) const;

    void setFrozen(bool frozen);
    void setTickMs(int ms); ///< 0: only by tick()
    /** Updates rows and their order now, unless frozen. */
    void tick();

Q_SIGNALS:
    void aboutToRearrange();
    void rearranged();

private:
    struct ChainItem;
    ChainItem *itemOf(const QModelIndex &index) const;
    QModelIndex indexOfItem(const ChainItem *item, int column = 0) const;
    void takeValues();
    bool inPlace() const;
    void arrange();
    void addMissing();
    void layOut();
    void removeGone();
    void sortChildren(QList<ChainItem *> &children) const;

    const Formatter *m_formatter = nullptr;
    ChainForest m_forest;
    std::unique_ptr<ChainItem> m_root;
    QHash<QByteArray, ChainItem *> m_items; ///< owned by m_store
    std::vector<std::unique_ptr<ChainItem>> m_store;
    QTimer m_tick;
    int m_sortColumn = -1;
    Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
    bool m_frozen = false;
    QSet<QString> m_stale;
};

} // namespace lockkeeper::app::models
