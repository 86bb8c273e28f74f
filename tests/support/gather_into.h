// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QPointer>

namespace lockkeeper::tests {

/** A completion that appends its argument to a list of `watch`, as long as `watch` exists. */
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
