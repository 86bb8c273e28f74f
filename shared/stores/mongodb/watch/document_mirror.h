// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/mongodb/connection/bson.h"
#include "shared/stores/mongodb/reading/layout.h"

#include <QHash>

namespace lockkeeper::stores::mongodb {

/**
 * The lock documents of one collection as of some moment, with only the fields that the layout reads. The
 * mirror starts from a snapshot and applies each later event of a change stream
 * (https://www.mongodb.com/docs/manual/reference/change-events/). An update's event carries only its changes,
 * and a lookup may find a later version of the document. The mirror therefore keeps the other fields.
 */
class DocumentMirror
{
public:
    /** The effect of an event on its document. */
    struct Turn
    {
        bool changed = false;
        bool unclear = false; ///< the event changes a part of a field that is read as a whole
        Bson before;          ///< null: it didn't exist
        Bson after;           ///< null: it no longer exists
    };

    explicit DocumentMirror(const Layout &layout);

    void fill(const bson_t *document);
    /** Applies a document's insert, replace, update or delete. Events must come in order, none left out. */
    Turn apply(const bson_t *event);

private:
    bool isRead(const bson_iter_t &field) const;
    /** True where the dotted path names a part of a field that is read. */
    bool isWithin(const QByteArray &path) const;
    Bson project(const bson_t *document) const;
    Bson updated(const bson_t *document, const bson_t *update, Turn &turn) const;

    QList<QByteArray> m_fields;
    QHash<QByteArray, QByteArray> m_documents; ///< by {_id}
};

} // namespace lockkeeper::stores::mongodb
