// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/lock_key_type.h"
#include "app/models/raw_model.h"
#include "app/overview/overview.h"

namespace lockkeeper::app::overview {

enum AttentionColumn {
    AttentionStateColumn = 0, ///< state::Badge
    AttentionLockColumn,      ///< QByteArray: the name
    AttentionWhyColumn,       ///< int: Why
    AttentionSinceColumn,     ///< qint64: an instant, the store's clock; invalid: not known
    AttentionForColumn,       ///< qint64: microseconds since then
    AttentionWaitingColumn,   ///< qint64; invalid: this scheme doesn't show who waits
    AttentionSourceColumn,    ///< QString
    AttentionColumnCount,
};
QByteArray attentionColumnName(int column);

/**
 * The locks that need a look. Values change at once (revalue()), order and membership only when the caller
 * says (arrange()): a row that needs no look any more stays until then, and says so. Selections and
 * persistent indexes follow their lock. GUI thread.
 */
class AttentionModel : public models::RawModel
{
    Q_OBJECT

public:
    enum Role { SettledRole = OwnRole }; ///< bool: it needs no look any more

    using RawModel::RawModel;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QByteArray columnName(int column) const override { return attentionColumnName(column); }
    /** Null for a row that doesn't exist. */
    const Attention *at(int row) const;
    int rowOf(const domain::LockKey &key) const;

    /** Takes these locks in this order. */
    void arrange(const QList<Attention> &locks);
    using Find = std::function<std::optional<Attention>(const domain::LockKey &)>;
    void revalue(const Find &find);

protected:
    QVariant raw(const QModelIndex &index, int role) const override;

private:
    struct Row
    {
        Attention lock;
        bool settled = false;
    };
    QVariant value(const Attention &one, int column) const;

    QList<Row> m_rows;
};

} // namespace lockkeeper::app::overview
