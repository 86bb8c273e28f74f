// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/protocol/enums.h"
#include "shared/protocol/fields.h"

#include <utility>

namespace lockkeeper::tests {

/** Converts to the type of any member. */
struct AnyMember
{
    template <typename T> operator T() const;
};

/** The number of members of an aggregate. */
template <typename T, typename... Members> constexpr int membersOf()
{
    if constexpr (requires { T{std::declval<Members>()..., std::declval<AnyMember>()}; })
        return membersOf<T, Members..., AnyMember>();
    else
        return int(sizeof...(Members));
}

/** A visitor of fields() that collects the keys on the wire. */
struct KeyList
{
    QList<quint64> keys;

    template <typename T, typename... Missing> void may(quint64 key, const T &, const Missing &...)
    {
        keys.append(key);
    }
    template <typename T> void need(quint64 key, const T &) { keys.append(key); }
    template <typename T, typename Around> void within(quint64 key, const T &, const Around &)
    {
        keys.append(key);
    }
};

template <typename T> QList<quint64> keysOnWire()
{
    KeyList list;
    T item;
    protocol::fields(list, item);
    return list.keys;
}

/** A visitor of fields() that changes one value: the one with the number `wanted`, nested ones included. */
class Perturber
{
public:
    explicit Perturber(int wanted) : m_wanted(wanted) {}

    /** The key of the field that was changed; −1: there is no such value. */
    int key() const { return m_key; }

    template <typename T, typename... Missing> void may(quint64 key, T &item, const Missing &...)
    {
        need(key, item);
    }
    template <typename T> void need(quint64 key, T &item)
    {
        const int outer = std::exchange(m_current, m_depth == 0 ? int(key) : m_current);
        ++m_depth;
        change(item);
        --m_depth;
        m_current = outer;
    }

private:
    template <typename Change> void leaf(const Change &apply)
    {
        if (m_seen++ != m_wanted)
            return;
        m_key = m_current;
        apply();
    }
    void change(QByteArray &text)
    {
        leaf([&] { text += 'x'; });
    }
    void change(QString &text)
    {
        leaf([&] { text += QLatin1Char('x'); });
    }
    void change(domain::LockKey &key)
    {
        change(key.source);
        change(key.scheme);
        change(key.place);
        change(key.name);
    }
    template <typename T> void change(std::optional<T> &item)
    {
        if (item)
            change(*item);
        leaf([&] { item = item ? std::nullopt : std::optional<T>(T()); });
    }
    template <typename T> void change(QList<T> &items)
    {
        for (T &item : items)
            change(item);
        leaf([&] { items.append(T()); });
    }
    template <typename T> void change(T &item)
    {
        if constexpr (std::is_same_v<T, bool>)
            leaf([&] { item = !item; });
        else if constexpr (std::is_enum_v<T>)
            leaf([&] { item = T(item == T() ? 1 : quint64(item) - 1); });
        else if constexpr (std::is_integral_v<T>)
            leaf([&] { ++item; });
        else
            protocol::fields(*this, item);
    }

    int m_wanted;
    int m_seen = 0;
    int m_depth = 0;
    int m_current = -1;
    int m_key = -1;
};

/** A state and the key of the field in which it differs from the state that it was made from. */
struct PerturbedState
{
    int key;
    domain::LockState state;
};

/** For each value that fields() visits in `state`, a copy with only this value changed. */
inline QList<PerturbedState> perturbed(const domain::LockState &state)
{
    QList<PerturbedState> all;
    for (int i = 0;; ++i) {
        PerturbedState next{-1, state};
        Perturber perturber(i);
        protocol::fields(perturber, next.state);
        next.key = perturber.key();
        if (next.key < 0)
            return all;
        all.append(next);
    }
}

} // namespace lockkeeper::tests
