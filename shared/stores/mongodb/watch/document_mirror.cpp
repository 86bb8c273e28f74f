// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/mongodb/watch/document_mirror.h"

#include <QSet>

#include <algorithm>

namespace lockkeeper::stores::mongodb {

namespace {

/** {_id: …} of a document or of an event's key. */
QByteArray idOf(const bson_t *document)
{
    const BsonField id = fieldOf(document, "_id");
    const Bson alone = newBson();
    if (id)
        bson_append_iter(alone.get(), "_id", 3, &*id);
    return bytesOf(alone.get());
}

QByteArray fieldName(const bson_iter_t &field)
{
    return {bson_iter_key(&field), qsizetype(bson_iter_key_len(&field))};
}

} // namespace

DocumentMirror::DocumentMirror(const Layout &layout) : m_fields(layout.fields() + QList<QByteArray>{"_id"}) {}

bool DocumentMirror::isRead(const bson_iter_t &field) const
{
    return m_fields.contains(fieldName(field));
}

bool DocumentMirror::isWithin(const QByteArray &path) const
{
    return std::any_of(m_fields.cbegin(), m_fields.cend(), [&path](const QByteArray &field) {
        return path.size() > field.size() && path.startsWith(field) && path.at(field.size()) == '.';
    });
}

Bson DocumentMirror::project(const bson_t *document) const
{
    Bson fields = newBson();
    bson_iter_t each;
    for (bson_iter_init(&each, document); bson_iter_next(&each);) {
        if (isRead(each))
            bson_append_iter(fields.get(), bson_iter_key(&each), -1, &each);
    }
    return fields;
}

void DocumentMirror::fill(const bson_t *document)
{
    m_documents.insert(idOf(document), bytesOf(project(document).get()));
}

/** Its `updatedFields` and `removedFields`; anything else means nothing to a field that is read as a whole.
 */
Bson DocumentMirror::updated(const bson_t *document, const bson_t *update, Turn &turn) const
{
    QSet<QByteArray> replaced;
    Bson fields = newBson();
    bson_iter_t each;
    const Bson set = documentOf(update, "updatedFields");
    for (bson_iter_init(&each, set.get()); bson_iter_next(&each);) {
        turn.unclear = turn.unclear || isWithin(fieldName(each));
        if (isRead(each))
            replaced.insert(fieldName(each));
    }
    QSet<QByteArray> removed;
    const auto takeNames = [&](const char *list, const char *name) {
        const Bson names = documentOf(update, list);
        bson_iter_t one;
        for (bson_iter_init(&one, names.get()); bson_iter_next(&one);) {
            const Bson part = name != nullptr && BSON_ITER_HOLDS_DOCUMENT(&one) ? documentOf(one) : Bson();
            const BsonField path = part ? fieldOf(part.get(), name) : BsonField(one);
            if (!path)
                continue;
            const QByteArray told = textOf(*path);
            turn.unclear = turn.unclear || isWithin(told) || (name != nullptr && m_fields.contains(told));
            removed.insert(told);
        }
    };
    takeNames("removedFields", nullptr);
    turn.changed = !replaced.isEmpty();
    QSet<QByteArray> done;
    for (bson_iter_init(&each, document); bson_iter_next(&each);) {
        const QByteArray key = fieldName(each);
        if (removed.contains(key)) {
            turn.changed = true;
        } else if (!replaced.contains(key)) {
            bson_append_iter(fields.get(), key.constData(), int(key.size()), &each);
        } else if (const BsonField now = fieldOf(set.get(), key); now && !done.contains(key)) {
            done.insert(key);
            bson_append_iter(fields.get(), key.constData(), int(key.size()), &*now);
        }
    }
    for (bson_iter_init(&each, set.get()); bson_iter_next(&each);) {
        if (isRead(each) && !done.contains(fieldName(each)))
            bson_append_iter(fields.get(), bson_iter_key(&each), -1, &each);
    }
    takeNames("truncatedArrays", "field");
    return fields;
}

DocumentMirror::Turn DocumentMirror::apply(const bson_t *event)
{
    Turn turn;
    const QByteArray id = idOf(documentOf(event, "documentKey").get());
    const BsonField type = fieldOf(event, "operationType");
    const QByteArray what = type ? textOf(*type) : QByteArray();
    if (const auto known = m_documents.constFind(id); known != m_documents.cend())
        turn.before = fromBytes(*known);
    if (what == "delete") {
        turn.changed = m_documents.remove(id) > 0;
        return turn;
    }
    if (what == "update") {
        if (!turn.before) {
            turn.unclear = true; // never of a whole stream
            return turn;
        }
        turn.after = updated(turn.before.get(), documentOf(event, "updateDescription").get(), turn);
    } else {
        turn.after = project(documentOf(event, "fullDocument").get());
        turn.changed = true;
    }
    m_documents.insert(id, bytesOf(turn.after.get()));
    return turn;
}

} // namespace lockkeeper::stores::mongodb
