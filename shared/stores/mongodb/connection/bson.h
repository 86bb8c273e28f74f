// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <bson/bson.h>
#include <utility>

namespace lockkeeper::stores::mongodb {

/** A BSON document (https://bsonspec.org), owned; it may be none. */
class Bson
{
public:
    Bson() = default;
    explicit Bson(bson_t *document) : m_document(document) {}
    ~Bson() { bson_destroy(m_document); }
    Bson(Bson &&other) noexcept : m_document(std::exchange(other.m_document, nullptr)) {}
    Bson &operator=(Bson &&other) noexcept
    {
        std::swap(m_document, other.m_document);
        return *this;
    }
    Q_DISABLE_COPY(Bson)

    bson_t *get() const { return m_document; }
    explicit operator bool() const { return m_document != nullptr; }

private:
    bson_t *m_document = nullptr;
};

inline Bson newBson()
{
    return Bson(bson_new());
}
inline Bson copyOf(const bson_t *document)
{
    return Bson(bson_copy(document));
}
inline QByteArray bytesOf(const bson_t *document)
{
    return {reinterpret_cast<const char *>(bson_get_data(document)), qsizetype(document->len)};
}
/** Null where these bytes aren't one whole document. */
Bson fromBytes(const QByteArray &bytes);
/** Canonical extended JSON (MongoDB's specification, version 2): it shows every value's type. */
QByteArray jsonOf(const bson_t *document);
Bson fromJson(const QByteArray &json);

/**
 * A field of a document, which must outlive it, or a missing one. Like std::optional, but libbson's iterators
 * lie on 128 bytes, which a template's parameter forgets.
 */
class BsonField
{
public:
    BsonField() = default;
    explicit BsonField(const bson_iter_t &at) : m_at(at), m_found(true) {}

    explicit operator bool() const { return m_found; }
    const bson_iter_t &operator*() const { return m_at; }

private:
    bson_iter_t m_at{};
    bool m_found = false;
};

/** The field of the document, or a missing one. */
BsonField fieldOf(const bson_t *document, const QByteArray &name);
/** A whole number of the document; 0 where it is none. */
qint64 numberOf(const bson_t *document, const QByteArray &name);
/** A document or an array that is in this field; an empty one where there is none. */
Bson documentOf(const bson_iter_t &field);
Bson documentOf(const bson_t *document, const QByteArray &name);
/** The type's name as the server's $type returns it; "missing" for a missing field. */
QByteArray typeName(const BsonField &field);
/** A string's own bytes; for anything else, the canonical extended JSON of the value alone. */
QByteArray textOf(const bson_iter_t &field);

} // namespace lockkeeper::stores::mongodb
