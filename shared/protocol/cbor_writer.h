// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/error.h"
#include "shared/domain/lock_key.h"
#include "shared/events/event_detail.h"

#include <QByteArray>
#include <QJsonObject>
#include <QList>
#include <QString>

#include <optional>
#include <type_traits>

namespace lockkeeper::protocol {

/**
 * The writing half of the field visitor. `fields(writer, value)` names each field of a struct once, in
 * ascending order of its key. need() always writes the field; may() omits it if it equals its default.
 * Appends CBOR (RFC 8949) to `out`: numbers and lengths in their shortest form, maps of fields without a
 * length. Compared with a stream on a device this saves a call and a copy per item, and an event has about
 * sixty items.
 */
class CborWriter
{
public:
    explicit CborWriter(QByteArray &out) : m_out(out) {}

    template <typename T> void need(quint64 key, const T &item)
    {
        head(Major::Natural, key);
        value(item);
    }

    template <typename T> void may(quint64 key, const T &item, const std::type_identity_t<T> &missing = T{})
    {
        if (!(item == missing))
            need(key, item);
    }

    /** Writes a struct inside `around`; its fields default to those of `around`. */
    template <typename T, typename Around>
    void within(quint64 key, const std::optional<T> &item, const Around &around)
    {
        if (!item)
            return;
        head(Major::Natural, key);
        map([&] { fields(*this, *item, &around); });
    }

    template <typename T> void value(const T &item)
    {
        if constexpr (std::is_same_v<T, bool>)
            m_out.append(item ? kTrue : kFalse);
        else if constexpr (std::is_enum_v<T> || std::is_unsigned_v<T>)
            head(Major::Natural, quint64(item));
        else if constexpr (std::is_integral_v<T>)
            whole(qint64(item));
        else
            map([&] { fields(*this, item); });
    }
    void value(const QByteArray &bytes) { string(Major::Bytes, bytes); }
    void value(const QString &text) { string(Major::Text, text.toUtf8()); }
    void value(const QJsonObject &object) { json(object, 0); }
    void value(const events::EventDetail &detail) { json(detail.toJson(), 0); }
    void value(const domain::LockKey &key);
    void value(base::ErrorCode code);

    template <typename T> void value(const std::optional<T> &item)
    {
        if (item)
            value(*item);
        else
            m_out.append(kNull);
    }

    template <typename T> void value(const QList<T> &items)
    {
        head(Major::Array, quint64(items.size()));
        for (const T &item : items)
            value(item);
    }

    /** Writes the head of a list field. The caller appends its `count` encoded items. */
    void list(quint64 key, quint64 count)
    {
        head(Major::Natural, key);
        head(Major::Array, count);
    }

    /** Writes the fields of `item` that differ from `base`. */
    template <typename T> void value(const T &item, const T &base)
    {
        map([&] { fields(*this, item, &base); });
    }

    /** Writes the envelope: an array of the type's number and the map of the fields. */
    template <typename T> void message(int type, const T &item)
    {
        head(Major::Array, 2);
        whole(type);
        value(item);
    }

private:
    /** The first three bits of an item. */
    enum class Major : quint8 { Natural = 0, Negative, Bytes, Text, Array, Map };
    static constexpr char kFalse = char(0xf4);
    static constexpr char kTrue = char(0xf5);
    static constexpr char kNull = char(0xf6);
    static constexpr char kDouble = char(0xfb);
    static constexpr char kOpenMap = char(0xbf); ///< begins a map without a length
    static constexpr char kBreak = char(0xff);

    template <typename Body> void map(const Body &body)
    {
        m_out.append(kOpenMap);
        body();
        m_out.append(kBreak);
    }
    void head(Major major, quint64 number)
    {
        if (number < 24)
            m_out.append(char(quint8(major) << 5 | quint8(number)));
        else
            longHead(major, number);
    }
    void whole(qint64 number)
    {
        if (number >= 0)
            head(Major::Natural, quint64(number));
        else
            head(Major::Negative, ~quint64(number)); // CBOR encodes a negative n as −1 − n
    }
    void string(Major major, const QByteArray &bytes)
    {
        head(major, quint64(bytes.size()));
        m_out.append(bytes);
    }
    void longHead(Major major, quint64 number);
    void real(double number);
    void json(const QJsonObject &object, int depth);
    void json(const QJsonValue &item, int depth);

    QByteArray &m_out;
};

} // namespace lockkeeper::protocol
