// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/mongodb/connection/bson.h"
#include "shared/stores/mongodb/reading/layout.h"

#include <QHash>

namespace lockkeeper::stores::mongodb {

/**
 * The lock documents of one collection as of some moment, with the fields alone that the layout reads: what a
 * snapshot has shown, and each event of a change stream since
 * (https://www.mongodb.com/docs/manual/reference/change-events/). An update's event tells what it has
 * changed, and the document that a lookup finds for it may be a later one: so the rest must be known from
 * before.
 */
class Mirror
{
public:
    /** What an event has made of its document. */
    struct Turn
    {
        bool changed = false;
        bool unclear = false; ///< the event tells a part of a field that is read as a whole
        Bson before;          ///< null: it wasn't there
        Bson after;           ///< null: it is gone
    };

    explicit Mirror(const Layout &layout);

    void fill(const bson_t *document);
    /** Of a document: insert, replace, update or delete. In their order, none left out. */
    Turn apply(const bson_t *event);

private:
    bool isRead(const bson_iter_t &field) const;
    /** A part of a field that is read, by a path with dots? */
    bool isWithin(const QByteArray &path) const;
    Bson project(const bson_t *document) const;
    Bson updated(const bson_t *document, const bson_t *update, Turn &turn) const;

    QList<QByteArray> m_fields;
    QHash<QByteArray, QByteArray> m_documents; ///< by {_id}
};

} // namespace lockkeeper::stores::mongodb
