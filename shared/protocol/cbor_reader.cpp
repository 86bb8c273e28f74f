// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/protocol/cbor_reader.h"

#include <QJsonArray>

#include <cmath>

namespace lockkeeper::protocol {

void Reader::fail(const QString &cause)
{
    if (m_cause.isEmpty())
        m_cause = QStringLiteral("bad message at byte %1: %2").arg(m_cbor.currentOffset()).arg(cause);
}

void Reader::check()
{
    const QCborError error = m_cbor.lastError();
    if (error != QCborError::NoError)
        fail(error.toString());
}

void Reader::advance()
{
    m_cbor.next(0);
    check();
}

bool Reader::enter()
{
    if (m_cbor.containerDepth() >= kMaxNesting) {
        fail(QStringLiteral("nested deeper than %1").arg(kMaxNesting));
        return false;
    }
    if (m_cbor.isLengthKnown() && m_cbor.length() > quint64(m_size)) {
        fail(QStringLiteral("more elements than bytes"));
        return false;
    }
    m_cbor.enterContainer();
    check();
    return !failed();
}

bool Reader::enterMap()
{
    if (failed())
        return false;
    if (!m_cbor.isMap()) {
        fail(QStringLiteral("a map was expected"));
        return false;
    }
    return enter();
}

bool Reader::enterArray()
{
    if (failed())
        return false;
    if (!m_cbor.isArray()) {
        fail(QStringLiteral("an array was expected"));
        return false;
    }
    return enter();
}

void Reader::leave()
{
    if (failed())
        return;
    if (m_cbor.hasNext())
        return fail(QStringLiteral("too many elements"));
    m_cbor.leaveContainer();
    check();
}

void Reader::nextKey()
{
    check();
    m_keys.pending = false;
    if (failed() || !m_cbor.hasNext())
        return;
    const quint64 key = natural(std::numeric_limits<quint64>::max());
    if (failed())
        return;
    if (m_keys.any && key <= m_keys.key)
        return fail(QStringLiteral("key %1 is doubled or out of order").arg(key));
    m_keys = {true, key, true};
}

bool Reader::take(quint64 key)
{
    // The current key is passed over here; the value's reader moves on, and the next call reads the next key.
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

void Reader::skip()
{
    if (failed())
        return;
    while (m_cbor.isTag() && !failed())
        advance();
    if (failed())
        return;
    if (m_cbor.isContainer()) {
        if (!enter())
            return;
        while (!failed() && m_cbor.hasNext())
            skip();
        leave();
    } else if (m_cbor.isByteArray() || m_cbor.isString()) {
        string();
    } else {
        advance();
    }
}

void Reader::boolean(bool &item)
{
    if (failed())
        return;
    if (!m_cbor.isBool())
        return fail(QStringLiteral("true or false was expected"));
    item = m_cbor.toBool();
    advance();
}

quint64 Reader::natural(quint64 most)
{
    if (failed())
        return 0;
    if (!m_cbor.isUnsignedInteger()) {
        fail(QStringLiteral("a number from 0 was expected"));
        return 0;
    }
    const quint64 number = m_cbor.toUnsignedInteger();
    if (number > most) {
        fail(QStringLiteral("%1 is out of range").arg(number));
        return 0;
    }
    advance();
    return number;
}

qint64 Reader::integer(qint64 least, qint64 most)
{
    if (failed())
        return 0;
    qint64 number = 0;
    bool fits = false;
    if (m_cbor.isUnsignedInteger()) {
        const quint64 wide = m_cbor.toUnsignedInteger();
        fits = wide <= quint64(most);
        number = qint64(wide);
    } else if (m_cbor.isNegativeInteger()) {
        // −1 − n is on the wire; Qt hands out its absolute value, where 0 stands for 2⁶⁴.
        const quint64 magnitude = quint64(m_cbor.toNegativeInteger());
        fits = magnitude != 0 && magnitude - 1 <= quint64(std::numeric_limits<qint64>::max());
        number = fits ? -qint64(magnitude - 1) - 1 : 0;
        fits = fits && number >= least;
    }
    if (!fits) {
        fail(QStringLiteral("a whole number within range was expected"));
        return 0;
    }
    advance();
    return number;
}

QByteArray Reader::string()
{
    QByteArray bytes;
    if (failed())
        return bytes;
    if (!m_cbor.isLengthKnown()) {
        fail(QStringLiteral("a string of stated length was expected"));
        return bytes;
    }
    const quint64 length = m_cbor.length();
    if (length > quint64(m_size)) {
        fail(QStringLiteral("a string is longer than the message"));
        return bytes;
    }
    const qsizetype size = qsizetype(length);
    bytes.resize(size);
    auto chunk = m_cbor.readStringChunk(bytes.data(), size);
    const bool whole = chunk.status == QCborStreamReader::Ok && chunk.data == size;
    while (chunk.status == QCborStreamReader::Ok)
        chunk = m_cbor.readStringChunk(bytes.data() + size, 0);
    check();
    if (!whole)
        fail(QStringLiteral("a string is cut short"));
    return bytes;
}

void Reader::value(QByteArray &bytes)
{
    if (failed())
        return;
    if (!m_cbor.isByteArray())
        return fail(QStringLiteral("a byte string was expected"));
    bytes = string();
}

void Reader::value(QString &text)
{
    if (failed())
        return;
    if (!m_cbor.isString())
        return fail(QStringLiteral("a text string was expected"));
    const QByteArray utf8 = string();
    if (!QByteArrayView(utf8).isValidUtf8())
        return fail(QStringLiteral("a text isn't UTF-8"));
    text = QString::fromUtf8(utf8);
}

void Reader::value(domain::LockKey &key)
{
    if (!enterArray())
        return;
    value(key.source);
    value(key.scheme);
    value(key.place);
    value(key.name);
    leave();
}

void Reader::value(base::ErrorCode &code)
{
    QString name;
    value(name);
    code = base::errorFromName(name.toLatin1());
}

quint64 Reader::openMessage()
{
    if (!enterArray())
        return 0;
    return natural(std::numeric_limits<qint32>::max());
}

void Reader::closeMessage()
{
    leave();
}

void Reader::end()
{
    if (!failed() && m_cbor.currentOffset() != m_size)
        fail(QStringLiteral("bytes after the end"));
}

} // namespace lockkeeper::protocol
