// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/protocol/cbor_reader.h"

#include <QJsonArray>

#include <cmath>

// An event's `detail`: the part of CBOR that JSON has too.
namespace lockkeeper::protocol {

void Reader::value(QJsonObject &object)
{
    object = jsonObject();
}

QJsonObject Reader::jsonObject()
{
    QJsonObject object;
    if (!enterMap())
        return object;
    while (!failed() && m_cbor.hasNext()) {
        QString key;
        value(key);
        // Inserting keeps the keys sorted, so a long map would cost its square.
        if (!failed() && (object.contains(key) || object.size() >= kMaxDetailItems))
            fail(QStringLiteral("a key is doubled, or there are more than %1").arg(kMaxDetailItems));
        const QJsonValue item = jsonValue();
        if (!failed())
            object.insert(key, item);
    }
    leave();
    return object;
}

QJsonValue Reader::jsonValue()
{
    if (failed())
        return {};
    QJsonValue item;
    if (m_cbor.isMap())
        return jsonObject();
    if (m_cbor.isArray()) {
        QJsonArray array;
        if (!enterArray())
            return item;
        while (!failed() && m_cbor.hasNext()) {
            if (array.size() >= kMaxDetailItems)
                fail(QStringLiteral("more than %1 elements").arg(kMaxDetailItems));
            array.append(jsonValue());
        }
        leave();
        return array;
    }
    if (m_cbor.isString()) {
        QString text;
        value(text);
        return text;
    }
    if (m_cbor.isInteger())
        return integer(std::numeric_limits<qint64>::min(), std::numeric_limits<qint64>::max());
    if (m_cbor.isBool())
        item = m_cbor.toBool();
    else if (m_cbor.isDouble() && std::isfinite(m_cbor.toDouble()))
        item = m_cbor.toDouble();
    else if (!m_cbor.isNull())
        fail(QStringLiteral("a value that JSON has was expected"));
    if (!failed())
        advance();
    return item;
}

} // namespace lockkeeper::protocol
