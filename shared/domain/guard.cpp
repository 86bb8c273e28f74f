// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/domain/guard.h"

#include "shared/base/sha256.h"

#include <QtEndian>

#include <array>

namespace lockkeeper::domain {

QByteArray Guard::digest() const
{
    if (identity.isEmpty())
        return {};
    const QByteArray source = key.source.toUtf8();
    QList<QByteArrayView> parts{source, key.scheme, key.place, key.name, instance, identity};
    if (!pin.isEmpty())
        parts.append(pin);
    qsizetype size = 0;
    for (const QByteArrayView part : parts)
        size += qsizetype(sizeof(quint64)) + part.size();
    QByteArray whole;
    whole.reserve(size);
    for (const QByteArrayView part : parts) {
        std::array<char, sizeof(quint64)> length{};
        qToBigEndian(quint64(part.size()), length.data());
        whole.append(length.data(), qsizetype(length.size())).append(part);
    }
    return base::sha256(whole).toHex();
}

} // namespace lockkeeper::domain
