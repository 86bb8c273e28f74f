// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/table_client.h"

#include "shared/base/text.h"
#include "shared/stores/sql/mapped_client.h"
#include "shared/stores/sql/shedlock_client.h"

#include <QUuid>

namespace lockkeeper::stores::sql {

namespace {
constexpr qsizetype kRandomDigits = 32;
}

QByteArray holderText(const QByteArray &owner, qsizetype length)
{
    const QByteArray random = QUuid::createUuid().toRfc4122().toHex();
    qsizetype kept = std::min(owner.size(), length - kRandomDigits - 1);
    if (kept <= 0)
        return random;
    while (kept > 0 && kept < owner.size() && (uchar(owner.at(kept)) & 0xc0) == 0x80)
        --kept; // never half a character
    return owner.first(kept) + ':' + random;
}

base::Result<qint64> runClient(TableSet &table, const QByteArray &name, const Values &values)
{
    const auto statement = table.statement(name);
    if (!statement)
        return tl::unexpected(statement.error());
    if (const auto failed = (*statement)->run(values))
        return tl::unexpected(failed->error);
    QSqlQuery &rows = (*statement)->rows();
    const qint64 count = rows.isSelect() ? (rows.next() ? 1 : 0) : rows.numRowsAffected();
    (*statement)->finish();
    return count;
}

base::Result<std::unique_ptr<TableClient>> TableClient::open(const SetContext &context)
{
    const QByteArray &scheme = context.lockSet().scheme;
    if (scheme == "sql.shedlock")
        return ShedlockClient::openTable(context);
    if (protocolOf(scheme))
        return MappedClient::openTable(context);
    return base::failure(
        base::ErrorCode::Unsupported,
        QStringLiteral("locks of the scheme \"%1\" can't be taken here").arg(base::displayText(scheme)));
}

} // namespace lockkeeper::stores::sql
