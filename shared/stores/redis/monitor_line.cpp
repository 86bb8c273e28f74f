// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/monitor_line.h"

#include <limits>

namespace lockkeeper::stores::redis {

namespace {

/** Reads from the front of what is left of a line; after the first thing that doesn't fit it has failed. */
class LineScanner
{
public:
    explicit LineScanner(QByteArrayView line) : m_rest(line) {}

    bool failed() const { return m_failed; }
    bool atEnd() const { return m_rest.isEmpty(); }

    void expect(char wanted)
    {
        if (m_rest.isEmpty() || m_rest.front() != wanted)
            fail();
        else
            m_rest = m_rest.sliced(1);
    }

    /** `digits` of them exactly, or 1 to 12 where 0. */
    qint64 number(qsizetype digits = 0)
    {
        qsizetype length = 0;
        qint64 value = 0;
        const qsizetype most = digits == 0 ? 12 : digits;
        while (length < most && length < m_rest.size() && m_rest[length] >= '0' && m_rest[length] <= '9')
            value = value * 10 + (m_rest[length++] - '0');
        if (length == 0 || (digits != 0 && length != digits)) {
            fail();
            return 0;
        }
        m_rest = m_rest.sliced(length);
        return value;
    }

    /** Up to `] "`, which ends a client's name. */
    QByteArray client()
    {
        const qsizetype end = m_rest.indexOf("] \"");
        if (end <= 0) {
            fail();
            return {};
        }
        const QByteArray name = m_rest.first(end).toByteArray();
        m_rest = m_rest.sliced(end);
        return name;
    }

    QByteArray quoted()
    {
        expect('"');
        QByteArray word;
        while (!m_failed && !m_rest.isEmpty() && m_rest.front() != '"')
            word += next();
        expect('"');
        return word;
    }

private:
    void fail()
    {
        m_failed = true;
        m_rest = {};
    }

    char next()
    {
        const char c = m_rest.front();
        m_rest = m_rest.sliced(1);
        if (c != '\\')
            return plain(c);
        if (m_rest.isEmpty()) {
            fail();
            return 0;
        }
        const char escape = m_rest.front();
        m_rest = m_rest.sliced(1);
        switch (escape) {
        case '\\':
        case '"':
            return escape;
        case 'n':
            return '\n';
        case 'r':
            return '\r';
        case 't':
            return '\t';
        case 'a':
            return '\a';
        case 'b':
            return '\b';
        case 'x':
            return hex();
        default:
            fail();
            return 0;
        }
    }

    char plain(char c)
    {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || byte > 0x7e)
            fail(); // would have been written as an escape
        return c;
    }

    char hex()
    {
        bool high = false;
        bool low = false;
        if (m_rest.size() < 2) {
            fail();
            return 0;
        }
        const int value = digit(m_rest[0], &high) * 16 + digit(m_rest[1], &low);
        m_rest = m_rest.sliced(2);
        if (!high || !low)
            fail();
        return char(value);
    }

    static int digit(char c, bool *ok)
    {
        *ok = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
        return c <= '9' ? c - '0' : c - 'a' + 10;
    }

    QByteArrayView m_rest;
    bool m_failed = false;
};

} // namespace

std::optional<MonitorLine> readMonitorLine(QByteArrayView line)
{
    LineScanner scanner(line);
    MonitorLine read;
    const qint64 seconds = scanner.number();
    scanner.expect('.');
    const qint64 microseconds = scanner.number(6);
    read.timeUs = seconds * 1'000'000 + microseconds;
    scanner.expect(' ');
    scanner.expect('[');
    const qint64 database = scanner.number();
    if (database > std::numeric_limits<int>::max())
        return std::nullopt;
    read.database = int(database);
    scanner.expect(' ');
    read.client = scanner.client();
    scanner.expect(']');
    do {
        scanner.expect(' ');
        read.words.append(scanner.quoted());
    } while (!scanner.failed() && !scanner.atEnd());
    if (scanner.failed())
        return std::nullopt;
    return read;
}

} // namespace lockkeeper::stores::redis
