// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/raw_model.h"
#include "app/overview/overview.h"

namespace lockkeeper::app::overview {

enum AttentionColumn {
    AttentionStateColumn = 0,
    AttentionLockColumn,  ///< the name
    AttentionWhereColumn, ///< its source and place
    AttentionWhyColumn,   ///< Why
    AttentionSinceColumn, ///< an instant, the store's clock
    AttentionForColumn,   ///< since then
    AttentionWaitingColumn,
    AttentionColumnCount,
};

/**
 * The locks that need attention. Values change at once (revalue()), order and membership only when the caller
 * requests it (arrange()): a row that no longer needs attention stays until then and is marked. Selections
 * and persistent indexes follow their lock. GUI thread.
 */
class AttentionModel : public models::RawModel
{
    Q_OBJECT

public:
    explicit AttentionModel(QObject *parent = nullptr);

    /** Null for a row that doesn't exist. */
    const Attention *at(int row) const;
    /** True if the row no longer needs attention. */
    bool isSettled(int row) const;
    int rowOf(const domain::LockKey &key) const;

    /** Shows these locks in this order. */
    void arrange(const QList<Attention> &locks);
    using Find = std::function<std::optional<Attention>(const domain::LockKey &)>;
    void revalue(const Find &find);

private:
    int rows() const override { return int(m_rows.size()); }
    struct AttentionRow
    {
        Attention lock;
        bool settled = false;
    };

    QList<AttentionRow> m_rows;
};

} // namespace lockkeeper::app::overview
