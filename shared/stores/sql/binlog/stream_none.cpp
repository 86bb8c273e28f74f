// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/binlog/stream.h"

namespace lockkeeper::stores::sql::binlog {

namespace {
auto notBuilt()
{
    return base::failure(base::ErrorCode::Unsupported, QStringLiteral("this build can't read binary logs"),
                         QStringLiteral("Build it with the package libmariadb-dev."));
}
} // namespace

bool isBuilt()
{
    return false;
}

Stream::Stream() = default;
Stream::~Stream() = default;

base::Result<void> Stream::open(const SourceSpec &)
{
    return notBuilt();
}

base::Result<QList<Stream::Row>> Stream::query(const QByteArray &)
{
    return notBuilt();
}

QByteArray Stream::quoted(const QByteArray &) const
{
    return {};
}

base::Result<void> Stream::dump(const LogPlace &, quint32)
{
    return notBuilt();
}

base::Result<QByteArrayView> Stream::next()
{
    return notBuilt();
}

void Stream::close() {}

void Stream::interrupt() {}

} // namespace lockkeeper::stores::sql::binlog
