// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/error.h"
#include "shared/domain/lock_key.h"

#include <QByteArray>
#include <QCborStreamWriter>
#include <QIODevice>
#include <QJsonObject>
#include <QList>
#include <QString>

#include <optional>
#include <type_traits>

namespace lockkeeper::protocol {

/** Where a writer's bytes go: appended to one array, without the bookkeeping of a seekable QBuffer. */
class ByteSink final : public QIODevice
{
public:
    explicit ByteSink(QByteArray &out);
    bool isSequential() const override { return true; }

protected:
    qint64 readData(char *, qint64) override { return -1; }
    qint64 writeData(const char *data, qint64 size) override;

private:
    QByteArray &m_out;
};

/**
 * The writing half of the field visitor. `fields(writer, value)` names each field of a struct once, in
 * ascending order of its key; need() always writes it, may() leaves it out where it equals its default.
 */
class Writer
{
public:
    explicit Writer(QByteArray &out) : m_sink(out), m_cbor(&m_sink) {}

    template <typename T> void need(quint64 key, const T &item)
    {
        m_cbor.append(key);
        value(item);
    }

    template <typename T> void may(quint64 key, const T &item, const std::type_identity_t<T> &missing = T{})
    {
        if (!(item == missing))
            need(key, item);
    }

    /** A struct inside another whose fields default to those of `around`. */
    template <typename T, typename Around>
    void within(quint64 key, const std::optional<T> &item, const Around &around)
    {
        if (!item)
            return;
        m_cbor.append(key);
        map([&] { fields(*this, *item, &around); });
    }

    template <typename T> void value(const T &item)
    {
        if constexpr (std::is_same_v<T, bool>)
            m_cbor.append(item);
        else if constexpr (std::is_enum_v<T> || std::is_unsigned_v<T>)
            m_cbor.append(quint64(item));
        else if constexpr (std::is_integral_v<T>)
            m_cbor.append(qint64(item));
        else
            map([&] { fields(*this, item); });
    }
    void value(const QByteArray &bytes) { m_cbor.append(bytes); }
    void value(const QString &text) { m_cbor.append(QStringView(text)); }
    void value(const QJsonObject &object) { json(object, 0); }
    void value(const domain::LockKey &key);
    void value(base::ErrorCode code);

    template <typename T> void value(const std::optional<T> &item)
    {
        if (item)
            value(*item);
        else
            m_cbor.append(nullptr);
    }

    template <typename T> void value(const QList<T> &items)
    {
        m_cbor.startArray(quint64(items.size()));
        for (const T &item : items)
            value(item);
        m_cbor.endArray();
    }

    /** The envelope: an array of the type's number and the map of the fields. */
    template <typename T> void message(int type, const T &item)
    {
        m_cbor.startArray(2);
        m_cbor.append(type);
        value(item);
        m_cbor.endArray();
    }

private:
    template <typename Body> void map(const Body &body)
    {
        m_cbor.startMap();
        body();
        m_cbor.endMap();
    }
    void json(const QJsonObject &object, int depth);
    void json(const QJsonValue &item, int depth);

    ByteSink m_sink;
    QCborStreamWriter m_cbor;
};

} // namespace lockkeeper::protocol
