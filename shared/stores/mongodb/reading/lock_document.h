// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/mongodb/reading/catalogue.h"
#include "shared/stores/store.h"

namespace lockkeeper::stores::mongodb {

/**
 * The lock's name: the bytes of a string, and for a string that begins with '{' or anything else the
 * canonical extended JSON of {"_id": value}. Two different values never have the same name.
 */
QByteArray nameOf(const bson_iter_t &field);
/** {field: {"$eq": value}} for the value that nameOf() gave this name; null where it is no name. */
Bson selectorOf(const QByteArray &field, const QByteArray &name);

/** The fields that the layout reads, for a find. */
Bson projectionOf(const Layout &layout);

/** When a lease ends, by which field and how much later than it. */
struct Deadline
{
    TimeField field; ///< without a name: never
    qint64 laterUs = 0;
};
Deadline deadlineOf(const Layout &layout, const Catalogue &catalogue);

/** Of a document that stays: at this time of the store. */
bool isHeld(const Observation &lock, const Layout &layout, qint64 nowUs);
/** `document` has the layout's fields; `nowUs` is the store's time. */
Observation observationOf(const bson_t *document, const Layout &layout, const Catalogue &catalogue,
                          qint64 nowUs);

} // namespace lockkeeper::stores::mongodb
