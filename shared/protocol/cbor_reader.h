// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/error.h"
#include "shared/domain/lock_key.h"
#include "shared/events/event_detail.h"
#include "shared/protocol/cbor_items.h"
#include "shared/protocol/enums.h"

#include <QByteArray>
#include <QByteArrayView>
#include <QJsonObject>
#include <QList>
#include <QString>

#include <limits>
#include <optional>
#include <type_traits>

namespace lockkeeper::protocol {

/**
 * The reading half of the field visitor; accepts untrusted bytes. Keys must ascend, so that a single pass
 * finds the fields in order, detects duplicate keys and skips unknown ones. The first fault is kept, and
 * every later call does nothing; the values read so far have no meaning then. Memory is bounded by the number
 * of bytes.
 */
class CborReader
{
public:
    explicit CborReader(QByteArrayView bytes) : m_size(bytes.size()), m_items(bytes) {}

    bool failed() const { return !m_cause.isEmpty(); }
    base::Error error() const { return {base::ErrorCode::Protocol, m_cause, {}}; }

    template <typename T> void need(quint64 key, T &item)
    {
        if (take(key))
            value(item);
        else if (!failed())
            fail(QStringLiteral("field %1 is missing").arg(key));
    }

    template <typename T> void may(quint64 key, T &item, const std::type_identity_t<T> &missing = T{})
    {
        if (take(key))
            value(item);
        else
            item = missing;
    }

    template <typename T, typename Around>
    void within(quint64 key, std::optional<T> &item, const Around &around)
    {
        item.reset();
        if (!take(key))
            return;
        item.emplace();
        map([&] { fields(*this, *item, &around); });
    }

    template <typename T> void value(T &item, const T &base)
    {
        map([&] { fields(*this, item, &base); });
    }

    template <typename T> void value(T &item)
    {
        if constexpr (std::is_same_v<T, bool>)
            boolean(item);
        else if constexpr (std::is_enum_v<T>)
            enumeration(item);
        else if constexpr (std::is_unsigned_v<T>)
            item = T(natural(std::numeric_limits<T>::max()));
        else if constexpr (std::is_integral_v<T>)
            item = T(integer(std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
        else
            map([&] { fields(*this, item); });
    }
    void value(QByteArray &bytes);
    void value(QString &text);
    void value(QJsonObject &object);
    void value(events::EventDetail &detail) { detail = events::EventDetail::fromJson(jsonObject()); }
    void value(domain::LockKey &key);
    void value(base::ErrorCode &code);

    template <typename T> void value(std::optional<T> &item)
    {
        item.reset();
        if (isNull())
            skip();
        else
            value(item.emplace());
    }

    template <typename T> void value(QList<T> &items)
    {
        items.clear();
        if (!enterArray())
            return;
        // Each element takes at least one byte, and memory grows only with elements that were read.
        while (!failed() && hasNext()) {
            if (items.size() >= kMaxItems)
                return fail(QStringLiteral("more than %1 elements").arg(kMaxItems));
            value(items.emplaceBack());
        }
        leave();
    }

    /** Enters the envelope. Returns the type's number, or 0 after a fault. */
    quint64 openMessage();
    /** Leaves the envelope. */
    void closeMessage();
    /** Fails if bytes follow the value. */
    void end();
    void fail(const QString &cause);

private:
    /** The progress of reading one map. */
    struct Keys
    {
        bool pending = false; ///< `key` has been read, but not its value
        quint64 key = 0;
        bool any = false; ///< a key was read before: the next key must be greater
    };

    template <typename Body> void map(const Body &body)
    {
        const Keys outer = m_keys;
        m_keys = {};
        if (enterMap()) {
            body();
            if (!m_keys.pending)
                nextKey();
            while (m_keys.pending && !failed()) {
                skip();
                nextKey();
            }
            leave();
        }
        m_keys = outer;
    }

    template <typename E> void enumeration(E &item)
    {
        const quint64 number = natural(std::numeric_limits<quint64>::max());
        if (const auto known = Enum<E>::from(number))
            item = *known;
        else
            fail(QStringLiteral("%1 is out of range").arg(number));
    }

    bool take(quint64 key);
    void nextKey();
    bool hasNext() const { return m_items.hasNext(); }
    bool isNull() const { return m_items.is(Items::Simple::Null); }
    bool enterMap();
    bool enterArray();
    bool enter();
    void leave();
    void skip();
    void advance();
    void boolean(bool &item);
    quint64 natural(quint64 most);
    qint64 integer(qint64 least, qint64 most);
    QByteArrayView string();
    QJsonObject jsonObject();
    QJsonValue jsonValue();
    void check();

    qsizetype m_size;
    Items m_items;
    Keys m_keys;
    QString m_cause;
};

} // namespace lockkeeper::protocol
