// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/domain/guard.h"

#include <QCryptographicHash>
#include <QtEndian>

namespace lockkeeper::domain {

QByteArray Guard::digest() const
{
    if (identity.isEmpty())
        return {};
    QCryptographicHash hash(QCryptographicHash::Sha256);
    const auto add = [&hash](QByteArrayView part) {
        const quint64 length = qToBigEndian(quint64(part.size()));
        hash.addData(QByteArrayView(reinterpret_cast<const char *>(&length), sizeof length));
        hash.addData(part);
    };
    add(key.source.toUtf8());
    add(key.scheme);
    add(key.place);
    add(key.name);
    add(instance);
    add(identity);
    return hash.result().toHex();
}

} // namespace lockkeeper::domain
