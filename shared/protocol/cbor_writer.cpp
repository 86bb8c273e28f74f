// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/protocol/cbor_writer.h"

#include "shared/protocol/messages.h"

#include <QJsonArray>

#include <algorithm>

namespace lockkeeper::protocol {

ByteSink::ByteSink(QByteArray &out) : m_out(out)
{
    open(QIODevice::WriteOnly | QIODevice::Unbuffered);
}

qint64 ByteSink::writeData(const char *data, qint64 size)
{
    m_out.append(data, qsizetype(size));
    return size;
}

void Writer::value(const domain::LockKey &key)
{
    m_cbor.startArray(4);
    value(key.source);
    value(key.scheme);
    value(key.place);
    value(key.name);
    m_cbor.endArray();
}

void Writer::value(base::ErrorCode code)
{
    const QByteArrayView name = base::errorName(code);
    m_cbor.append(QLatin1String(name.data(), name.size()));
}

void Writer::json(const QJsonObject &object, int depth)
{
    // What is cut off here would be refused by every reader, and the rest of the event with it.
    const qsizetype count = depth < kMaxDetailDepth ? std::min<qsizetype>(object.size(), kMaxDetailItems) : 0;
    m_cbor.startMap(quint64(count));
    auto it = object.begin();
    for (qsizetype i = 0; i < count; ++i, ++it) {
        value(it.key());
        json(it.value(), depth + 1);
    }
    m_cbor.endMap();
}

void Writer::json(const QJsonValue &item, int depth)
{
    switch (item.type()) {
    case QJsonValue::Bool:
        m_cbor.append(item.toBool());
        break;
    case QJsonValue::Double: {
        const qint64 whole = item.toInteger();
        if (double(whole) == item.toDouble())
            m_cbor.append(whole);
        else
            m_cbor.append(item.toDouble());
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
        m_cbor.startArray(quint64(count));
        for (qsizetype i = 0; i < count; ++i)
            json(array.at(i), depth + 1);
        m_cbor.endArray();
        break;
    }
    case QJsonValue::Null:
    case QJsonValue::Undefined:
        m_cbor.append(nullptr);
        break;
    }
}

} // namespace lockkeeper::protocol
