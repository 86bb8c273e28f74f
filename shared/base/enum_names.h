// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>

#include <array>
#include <optional>

namespace lockkeeper::base {

/** The stable names of an enumeration's values, in their order from 0. */
template <size_t Size> using EnumNames = std::array<const char *, Size>;

/** The value's name; "unknown" past the last one. */
template <typename E, size_t Size> QByteArrayView enumName(const EnumNames<Size> &names, E value)
{
    const auto index = size_t(value);
    return index < Size ? QByteArrayView(names[index]) : QByteArrayView("unknown");
}

template <typename E, size_t Size>
std::optional<E> enumFromName(const EnumNames<Size> &names, QByteArrayView name)
{
    for (size_t i = 0; i < Size; ++i) {
        if (name == QByteArrayView(names[i]))
            return E(i);
    }
    return std::nullopt;
}

} // namespace lockkeeper::base
