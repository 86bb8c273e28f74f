// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/base/random_id.h"

#include <QRandomGenerator>

#include <algorithm>

namespace lockkeeper::base {

QByteArray randomId(qsizetype bytes)
{
    QByteArray random(bytes, Qt::Uninitialized);
    std::generate(random.begin(), random.end(), [] { return char(QRandomGenerator::system()->generate()); });
    return random.toHex();
}

} // namespace lockkeeper::base
