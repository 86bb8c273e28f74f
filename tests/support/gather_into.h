// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QPointer>

namespace lockkeeper::tests {

/** A completion that puts what it is called with into a list of `watch`, while that is there. */
template <typename Watch, typename Item> auto gatherInto(Watch *watch, QList<Item> Watch::*list)
{
    return [self = QPointer<Watch>(watch), list](const Item &item) {
        if (!self.isNull())
            (self->*list).append(item);
    };
}

/** One that counts how often it is called. */
template <typename Watch, typename Number> auto countInto(Watch *watch, Number Watch::*count)
{
    return [self = QPointer<Watch>(watch), count] {
        if (!self.isNull())
            ++(self->*count);
    };
}

} // namespace lockkeeper::tests
