// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/connection/advisory_keys.h"

#include <QList>

namespace lockkeeper::stores::sql {

std::optional<AdvisoryKey> advisoryKey(const QByteArray &name)
{
    bool whole = false;
    if (const qint64 number = name.toLongLong(&whole); whole)
        return AdvisoryKey{false, number};
    const QList<QByteArray> pair = name.split(',');
    bool high = false;
    bool low = false;
    const qint32 first = pair.value(0).toInt(&high);
    const qint32 second = pair.value(1).toInt(&low);
    if (pair.size() != 2 || !high || !low)
        return std::nullopt;
    return AdvisoryKey{true, qint64(quint64(quint32(first)) << 32 | quint32(second))};
}

} // namespace lockkeeper::stores::sql
