// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/binlog/change_feed.h"

#include <QtEndian>

#include <algorithm>

using namespace lockkeeper::stores::sql::binlog;

namespace {
constexpr size_t kLengthAt = 9;
constexpr size_t kHeader = 19;

/** The description of a file without checksums. */
QByteArray description()
{
    QByteArray event(kHeader + 2 + 50 + 4 + 1 + 42 + 5, '\0');
    event[4] = 15;
    event[kHeader] = 4;
    event[kHeader + 2 + 50 + 4] = char(kHeader);
    qToLittleEndian(quint32(event.size()), event.data() + kLengthAt);
    return event;
}

QList<TableShape> shapes()
{
    TableShape shape{"app", "shedlock", {}};
    for (const char *type : {"varchar", "timestamp", "datetime", "varchar", "int"}) {
        ShapeColumn column{QLatin1String(type), {}};
        column.facts.wanted = true;
        shape.columns.append(column);
    }
    return {shape};
}
} // namespace

/** Events of a log without checksums, one after the other: each is as long as its header says. */
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    LogReader reader(shapes());
    if (!reader.read(description()))
        std::abort();
    while (size >= kHeader) {
        const size_t length = std::clamp(size_t(qFromLittleEndian<quint32>(data + kLengthAt)), kHeader, size);
        auto item = reader.read(QByteArrayView(data, qsizetype(length)));
        while (item && reader.isInside())
            item = reader.readInner();
        if (!item)
            return 0;
        data += length;
        size -= length;
    }
    return 0;
}
