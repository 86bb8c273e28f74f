// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/binlog/binlog_position.h"

#include <QList>

namespace lockkeeper::stores::sql::binlog {

namespace {
constexpr char kVersion[] = "binlog1";
constexpr qsizetype kParts = 7;
} // namespace

quint64 LogPlace::fileNumber() const
{
    return file.mid(file.lastIndexOf('.') + 1).toULongLong();
}

bool LogPlace::isAtLeast(const LogPlace &other) const
{
    const quint64 mine = fileNumber();
    const quint64 its = other.fileNumber();
    return mine != its ? mine > its : offset >= other.offset;
}

QByteArray BinlogPosition::encoded() const
{
    return QByteArray(kVersion) + '|' + server.toPercentEncoding(":-") + '|' + tables.toPercentEncoding() +
           '|' + QByteArray::number(fileStamp) + '|' + QByteArray::number(skip) + '|' +
           QByteArray::number(place.offset) + '|' + place.file;
}

std::optional<BinlogPosition> BinlogPosition::decoded(const QByteArray &bytes)
{
    const QList<QByteArray> parts = bytes.split('|');
    if (parts.size() != kParts || parts.at(0) != kVersion || parts.at(6).isEmpty())
        return std::nullopt;
    bool stampOk = false;
    bool skipOk = false;
    bool offsetOk = false;
    BinlogPosition position;
    position.server = QByteArray::fromPercentEncoding(parts.at(1));
    position.tables = QByteArray::fromPercentEncoding(parts.at(2));
    position.fileStamp = parts.at(3).toUInt(&stampOk);
    position.skip = parts.at(4).toUInt(&skipOk);
    position.place = {parts.at(6), parts.at(5).toULongLong(&offsetOk)};
    return stampOk && skipOk && offsetOk ? std::optional(position) : std::nullopt;
}

} // namespace lockkeeper::stores::sql::binlog
