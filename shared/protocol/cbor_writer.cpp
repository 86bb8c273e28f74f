// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/protocol/cbor_writer.h"

#include "shared/protocol/messages.h"

#include <QJsonArray>
#include <QtEndian>

#include <algorithm>
#include <array>
#include <bit>

namespace lockkeeper::protocol {

/** Writes a number that doesn't fit into the first byte: in 1, 2, 4 or 8 more bytes, big-endian. */
void CborWriter::longHead(Major major, quint64 number)
{
    std::array<char, 9> bytes{};
    const int log = number > 0xffffffff ? 3 : number > 0xffff ? 2 : number > 0xff ? 1 : 0;
    const int size = 1 << log;
    bytes[0] = char(quint8(major) << 5 | quint8(24 + log));
    for (int at = size; at > 0; --at, number >>= 8)
        bytes[size_t(at)] = char(quint8(number));
    m_out.append(bytes.data(), 1 + size);
}

void CborWriter::real(double number)
{
    std::array<char, 8> bytes{};
    qToBigEndian(std::bit_cast<quint64>(number), bytes.data());
    m_out.append(kDouble).append(bytes.data(), qsizetype(bytes.size()));
}

void CborWriter::value(const domain::LockKey &key)
{
    head(Major::Array, 4);
    value(key.source);
    value(key.scheme);
    value(key.place);
    value(key.name);
}

void CborWriter::value(base::ErrorCode code)
{
    const QByteArrayView name = base::errorName(code);
    head(Major::Text, quint64(name.size()));
    m_out.append(name.data(), name.size());
}

void CborWriter::json(const QJsonObject &object, int depth)
{
    // Cut off what exceeds the limits: otherwise every reader would refuse the whole event.
    const qsizetype count = depth < kMaxDetailDepth ? std::min<qsizetype>(object.size(), kMaxDetailItems) : 0;
    head(Major::Map, quint64(count));
    auto it = object.begin();
    for (qsizetype i = 0; i < count; ++i, ++it) {
        value(it.key());
        json(it.value(), depth + 1);
    }
}

void CborWriter::json(const QJsonValue &item, int depth)
{
    switch (item.type()) {
    case QJsonValue::Bool:
        m_out.append(item.toBool() ? kTrue : kFalse);
        break;
    case QJsonValue::Double: {
        const qint64 number = item.toInteger();
        if (double(number) == item.toDouble())
            whole(number);
        else
            real(item.toDouble());
        break;
    }
    case QJsonValue::String:
        value(item.toString());
        break;
    case QJsonValue::Object:
        json(item.toObject(), depth);
        break;
    case QJsonValue::Array: {
        const QJsonArray array = item.toArray();
        const qsizetype count =
            depth < kMaxDetailDepth ? std::min<qsizetype>(array.size(), kMaxDetailItems) : 0;
        head(Major::Array, quint64(count));
        for (qsizetype i = 0; i < count; ++i)
            json(array.at(i), depth + 1);
        break;
    }
    case QJsonValue::Null:
    case QJsonValue::Undefined:
        m_out.append(kNull);
        break;
    }
}

} // namespace lockkeeper::protocol
