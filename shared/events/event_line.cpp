// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/events/event_line.h"

#include "shared/base/text.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>
#include <charconv>

namespace lockkeeper::events {

namespace {

/** Room for a typical line. */
constexpr qsizetype kUsualSize = 512;

bool isPlain(char c)
{
    return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

/** The fields of one object, in the order of their names. */
class Line
{
public:
    explicit Line(QByteArray &out) : m_out(out)
    {
        m_out.reserve(m_out.size() + kUsualSize);
        m_out += '{';
    }

    void text(QByteArrayView name, QByteArrayView bytes)
    {
        begin(name);
        if (std::all_of(bytes.cbegin(), bytes.cend(), isPlain))
            m_out.append('"').append(bytes.data(), bytes.size()).append('"');
        else
            escaped(base::textOf(bytes));
    }
    void textOrNull(QByteArrayView name, QByteArrayView bytes, bool is)
    {
        is ? text(name, bytes) : null(name);
    }
    void number(QByteArrayView name, qint64 value)
    {
        begin(name);
        char digits[24];
        const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
        m_out.append(digits, end - digits);
    }
    void number(QByteArrayView name, const std::optional<qint64> &value)
    {
        value ? number(name, *value) : null(name);
    }
    void object(QByteArrayView name, const QJsonObject &value)
    {
        begin(name);
        if (value.isEmpty())
            m_out.append("{}", 2);
        else
            m_out += QJsonDocument(value).toJson(QJsonDocument::Compact);
    }
    void end() { m_out.append("}\n", 2); }

private:
    void begin(QByteArrayView name)
    {
        m_out.append(m_first ? "\"" : ",\"").append(name.data(), name.size()).append("\":", 2);
        m_first = false;
    }
    void null(QByteArrayView name)
    {
        begin(name);
        m_out.append("null", 4);
    }
    void escaped(const QString &text)
    {
        const QByteArray list = QJsonDocument(QJsonArray{text}).toJson(QJsonDocument::Compact);
        m_out.append(list.constData() + 1, list.size() - 2);
    }

    QByteArray &m_out;
    bool m_first = true;
};

} // namespace

void appendLine(QByteArray &out, const LockEvent &event, const QString &agent)
{
    const bool ofLock = !event.isSourceEvent();
    Line line(out);
    line.text("agent", agent.toUtf8());
    line.textOrNull("command", event.command, !event.command.isEmpty());
    line.object("detail", event.detail);
    line.text("event", kindName(event.kind));
    line.number("expires_us", event.expiresUs);
    line.textOrNull("lock", event.key.name, ofLock);
    line.number("observed_us", event.observedUs);
    line.textOrNull("owner", event.owner, ofLock && event.ownerKnown && !event.owner.isEmpty());
    line.textOrNull("place", event.key.place, !event.key.place.isEmpty());
    line.textOrNull("scheme", event.key.scheme, !event.key.scheme.isEmpty());
    line.number("seq", event.seq ? std::optional(qint64(event.seq)) : std::nullopt);
    line.text("source", event.key.source.toUtf8());
    line.text("store", QString::fromLatin1(event.store).toUtf8());
    line.number("t_us", event.timeUs);
    line.number("ttl_ms", event.ttlMs);
    line.textOrNull("waiter", event.waiter.value_or(QByteArray()), event.waiter.has_value());
    line.number("window_us", event.windowUs);
    line.end();
}

} // namespace lockkeeper::events
