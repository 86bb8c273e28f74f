// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/mongodb/connection/link.h"
#include "shared/stores/mongodb/reading/layout.h"

#include <QHash>

namespace lockkeeper::stores::mongodb {

/** What the catalogue says of a collection. */
struct Catalogue
{
    QHash<QByteArray, qint64> ttlUs; ///< by field: how long after its date the server removes a document
    bool uniqueName = false;         ///< no two documents have the same name
    bool absent = false;             ///< there is no such collection yet

    bool operator==(const Catalogue &) const = default;
};

/** Asks for the indexes of the layout's collection. */
base::Result<Catalogue> catalogueOf(Link &link, const Layout &layout);

} // namespace lockkeeper::stores::mongodb
