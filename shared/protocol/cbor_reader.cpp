// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/protocol/cbor_reader.h"

namespace lockkeeper::protocol {

void CborReader::fail(const QString &cause)
{
    if (m_cause.isEmpty())
        m_cause = QStringLiteral("bad message at byte %1: %2").arg(m_items.offset()).arg(cause);
}

void CborReader::check()
{
    if (m_items.failed())
        fail(QStringLiteral("this isn't CBOR, or it is cut short"));
}

void CborReader::advance()
{
    m_items.next();
    check();
}

bool CborReader::enter()
{
    if (m_items.depth() >= kMaxNesting) {
        fail(QStringLiteral("nested deeper than %1").arg(kMaxNesting));
        return false;
    }
    m_items.enter();
    check();
    return !failed();
}

bool CborReader::enterMap()
{
    if (failed())
        return false;
    if (m_items.type() != Items::ItemType::Map) {
        fail(QStringLiteral("a map was expected"));
        return false;
    }
    return enter();
}

bool CborReader::enterArray()
{
    if (failed())
        return false;
    if (m_items.type() != Items::ItemType::Array) {
        fail(QStringLiteral("an array was expected"));
        return false;
    }
    return enter();
}

void CborReader::leave()
{
    if (failed())
        return;
    if (hasNext())
        return fail(QStringLiteral("too many elements"));
    m_items.leave();
    check();
}

void CborReader::nextKey()
{
    m_keys.pending = false;
    if (failed() || !hasNext())
        return;
    const quint64 key = natural(std::numeric_limits<quint64>::max());
    if (failed())
        return;
    if (m_keys.any && key <= m_keys.key)
        return fail(QStringLiteral("key %1 is doubled or out of order").arg(key));
    m_keys = {true, key, true};
}

bool CborReader::take(quint64 key)
{
    // This consumes the key. The caller then reads the value, and the next call reads the next key.
    if (failed())
        return false;
    if (!m_keys.pending)
        nextKey();
    while (m_keys.pending && m_keys.key < key && !failed()) {
        skip();
        nextKey();
    }
    if (failed() || !m_keys.pending || m_keys.key != key)
        return false;
    m_keys.pending = false;
    return true;
}

void CborReader::skip()
{
    while (m_items.type() == Items::ItemType::Tag && !failed())
        advance();
    if (failed())
        return;
    switch (m_items.type()) {
    case Items::ItemType::Array:
    case Items::ItemType::Map:
        if (!enter())
            return;
        while (!failed() && hasNext())
            skip();
        leave();
        break;
    case Items::ItemType::Bytes:
    case Items::ItemType::Text:
        string();
        break;
    case Items::ItemType::End:
        fail(QStringLiteral("a value is missing"));
        break;
    default:
        advance();
    }
}

void CborReader::boolean(bool &item)
{
    if (failed())
        return;
    item = m_items.is(Items::Simple::True);
    if (!item && !m_items.is(Items::Simple::False))
        return fail(QStringLiteral("true or false was expected"));
    advance();
}

quint64 CborReader::natural(quint64 most)
{
    if (failed())
        return 0;
    if (m_items.type() != Items::ItemType::Natural) {
        fail(QStringLiteral("a number from 0 was expected"));
        return 0;
    }
    const quint64 number = m_items.number();
    if (number > most) {
        fail(QStringLiteral("%1 is out of range").arg(number));
        return 0;
    }
    advance();
    return number;
}

qint64 CborReader::integer(qint64 least, qint64 most)
{
    if (failed())
        return 0;
    const quint64 number = m_items.number();
    const bool isNatural = m_items.type() == Items::ItemType::Natural;
    // CBOR encodes a negative n as −1 − n.
    const bool fits = isNatural
                          ? number <= quint64(most)
                          : m_items.type() == Items::ItemType::Negative && number <= quint64(-(least + 1));
    if (!fits) {
        fail(QStringLiteral("a whole number within range was expected"));
        return 0;
    }
    advance();
    return isNatural ? qint64(number) : -1 - qint64(number);
}

/** The view points into the payload. */
QByteArrayView CborReader::string()
{
    if (failed())
        return {};
    if (!m_items.isLengthKnown()) {
        fail(QStringLiteral("a string of stated length was expected"));
        return {};
    }
    const QByteArrayView bytes = m_items.string();
    check();
    return bytes;
}

void CborReader::value(QByteArray &bytes)
{
    if (failed())
        return;
    if (m_items.type() != Items::ItemType::Bytes)
        return fail(QStringLiteral("a byte string was expected"));
    bytes = string().toByteArray();
}

void CborReader::value(QString &text)
{
    if (failed())
        return;
    if (m_items.type() != Items::ItemType::Text)
        return fail(QStringLiteral("a text string was expected"));
    const QByteArrayView utf8 = string();
    if (!utf8.isValidUtf8())
        return fail(QStringLiteral("a text isn't UTF-8"));
    text = QString::fromUtf8(utf8);
}

void CborReader::value(domain::LockKey &key)
{
    if (!enterArray())
        return;
    value(key.source);
    value(key.scheme);
    value(key.place);
    value(key.name);
    leave();
}

void CborReader::value(base::ErrorCode &code)
{
    QString name;
    value(name);
    code = base::errorFromName(name.toLatin1());
}

quint64 CborReader::openMessage()
{
    if (!enterArray())
        return 0;
    return natural(std::numeric_limits<qint32>::max());
}

void CborReader::closeMessage()
{
    leave();
}

void CborReader::end()
{
    if (!failed() && m_items.offset() != m_size)
        fail(QStringLiteral("bytes after the end"));
}

} // namespace lockkeeper::protocol
