// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QByteArrayView>

namespace lockkeeper::stores::sql::binlog {

/** Reads a peer's bytes in order. Past the end it returns zeros, and ok() is false. */
class ByteReader
{
public:
    explicit ByteReader(QByteArrayView bytes) : m_bytes(bytes) {}

    bool ok() const { return m_ok; }
    qsizetype left() const { return m_bytes.size(); }
    /** Little-endian, `size` bytes, at most 8. */
    quint64 little(qsizetype size);
    /** Big-endian, `size` bytes, at most 8. */
    quint64 big(qsizetype size);
    /** MySQL's length-encoded integer. */
    quint64 packed();
    /** The next bytes; empty, and ok() false, where fewer are left. */
    QByteArrayView take(quint64 size);
    void skip(quint64 size) { take(size); }
    QByteArrayView rest() { return take(quint64(m_bytes.size())); }

private:
    QByteArrayView m_bytes;
    bool m_ok = true;
};

} // namespace lockkeeper::stores::sql::binlog
