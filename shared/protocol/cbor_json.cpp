// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/protocol/cbor_reader.h"

#include <QJsonArray>

#include <cmath>

// An event's `detail`: the part of CBOR that JSON has too.
namespace lockkeeper::protocol {

void CborReader::value(QJsonObject &object)
{
    object = jsonObject();
}

QJsonObject CborReader::jsonObject()
{
    QJsonObject object;
    if (!enterMap())
        return object;
    while (!failed() && hasNext()) {
        QString key;
        value(key);
        // QJsonObject keeps its keys sorted, so inserting many keys takes quadratic time.
        if (!failed() && (object.contains(key) || object.size() >= kMaxDetailItems))
            fail(QStringLiteral("a key is doubled, or there are more than %1").arg(kMaxDetailItems));
        const QJsonValue item = jsonValue();
        if (!failed())
            object.insert(key, item);
    }
    leave();
    return object;
}

QJsonValue CborReader::jsonValue()
{
    if (failed())
        return {};
    QJsonValue item;
    switch (m_items.type()) {
    case Items::ItemType::Map:
        return jsonObject();
    case Items::ItemType::Array: {
        QJsonArray array;
        if (!enterArray())
            return item;
        while (!failed() && hasNext()) {
            if (array.size() >= kMaxDetailItems)
                fail(QStringLiteral("more than %1 elements").arg(kMaxDetailItems));
            array.append(jsonValue());
        }
        leave();
        return array;
    }
    case Items::ItemType::Text: {
        QString text;
        value(text);
        return text;
    }
    case Items::ItemType::Natural:
    case Items::ItemType::Negative:
        return integer(std::numeric_limits<qint64>::min(), std::numeric_limits<qint64>::max());
    default:
        break;
    }
    if (m_items.is(Items::Simple::True) || m_items.is(Items::Simple::False))
        item = m_items.is(Items::Simple::True);
    else if (m_items.is(Items::Simple::Double) && std::isfinite(m_items.real()))
        item = m_items.real();
    else if (!isNull())
        fail(QStringLiteral("a value that JSON has was expected"));
    if (!failed())
        advance();
    return item;
}

} // namespace lockkeeper::protocol
