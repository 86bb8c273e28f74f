// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/mongodb/connection/bson.h"

namespace lockkeeper::stores::mongodb {

Bson fromBytes(const QByteArray &bytes)
{
    Bson document(
        bson_new_from_data(reinterpret_cast<const uint8_t *>(bytes.constData()), size_t(bytes.size())));
    if (!document || !bson_validate(document.get(), BSON_VALIDATE_NONE, nullptr))
        return {};
    return document;
}

QByteArray jsonOf(const bson_t *document)
{
    size_t length = 0;
    char *json = bson_as_canonical_extended_json(document, &length);
    const QByteArray text(json, qsizetype(length));
    bson_free(json);
    return text;
}

Bson fromJson(const QByteArray &json)
{
    return Bson(
        bson_new_from_json(reinterpret_cast<const uint8_t *>(json.constData()), json.size(), nullptr));
}

BsonField fieldOf(const bson_t *document, const QByteArray &name)
{
    bson_iter_t field;
    return bson_iter_init_find_w_len(&field, document, name.constData(), int(name.size())) ? BsonField(field)
                                                                                           : BsonField();
}

qint64 numberOf(const bson_t *document, const QByteArray &name)
{
    const BsonField field = fieldOf(document, name);
    return field && BSON_ITER_HOLDS_NUMBER(&*field) ? bson_iter_as_int64(&*field) : 0;
}

Bson documentOf(const bson_iter_t &field)
{
    const uint8_t *data = nullptr;
    uint32_t length = 0;
    if (BSON_ITER_HOLDS_DOCUMENT(&field))
        bson_iter_document(&field, &length, &data);
    else if (BSON_ITER_HOLDS_ARRAY(&field))
        bson_iter_array(&field, &length, &data);
    Bson document(data != nullptr ? bson_new_from_data(data, length) : nullptr);
    return document ? std::move(document) : newBson();
}

Bson documentOf(const bson_t *document, const QByteArray &name)
{
    const BsonField field = fieldOf(document, name);
    return field ? documentOf(*field) : newBson();
}

QByteArray typeName(const BsonField &field)
{
    if (!field)
        return QByteArrayLiteral("missing");
    // https://www.mongodb.com/docs/manual/reference/bson-types/
    switch (bson_iter_type(&*field)) {
    case BSON_TYPE_DOUBLE:
        return QByteArrayLiteral("double");
    case BSON_TYPE_UTF8:
        return QByteArrayLiteral("string");
    case BSON_TYPE_DOCUMENT:
        return QByteArrayLiteral("object");
    case BSON_TYPE_ARRAY:
        return QByteArrayLiteral("array");
    case BSON_TYPE_BINARY:
        return QByteArrayLiteral("binData");
    case BSON_TYPE_UNDEFINED:
        return QByteArrayLiteral("undefined");
    case BSON_TYPE_OID:
        return QByteArrayLiteral("objectId");
    case BSON_TYPE_BOOL:
        return QByteArrayLiteral("bool");
    case BSON_TYPE_DATE_TIME:
        return QByteArrayLiteral("date");
    case BSON_TYPE_NULL:
        return QByteArrayLiteral("null");
    case BSON_TYPE_REGEX:
        return QByteArrayLiteral("regex");
    case BSON_TYPE_DBPOINTER:
        return QByteArrayLiteral("dbPointer");
    case BSON_TYPE_CODE:
        return QByteArrayLiteral("javascript");
    case BSON_TYPE_SYMBOL:
        return QByteArrayLiteral("symbol");
    case BSON_TYPE_CODEWSCOPE:
        return QByteArrayLiteral("javascriptWithScope");
    case BSON_TYPE_INT32:
        return QByteArrayLiteral("int");
    case BSON_TYPE_TIMESTAMP:
        return QByteArrayLiteral("timestamp");
    case BSON_TYPE_INT64:
        return QByteArrayLiteral("long");
    case BSON_TYPE_DECIMAL128:
        return QByteArrayLiteral("decimal");
    case BSON_TYPE_MAXKEY:
        return QByteArrayLiteral("maxKey");
    case BSON_TYPE_MINKEY:
        return QByteArrayLiteral("minKey");
    case BSON_TYPE_EOD:
        break;
    }
    return QByteArrayLiteral("missing");
}

QByteArray textOf(const bson_iter_t &field)
{
    if (BSON_ITER_HOLDS_UTF8(&field)) {
        uint32_t length = 0;
        const char *text = bson_iter_utf8(&field, &length);
        return {text, qsizetype(length)};
    }
    const Bson alone = newBson();
    bson_append_iter(alone.get(), "v", 1, &field);
    const QByteArray json = jsonOf(alone.get()); // { "v" : … }
    const qsizetype from = json.indexOf(':') + 1;
    return json.sliced(from, json.lastIndexOf('}') - from).trimmed();
}

} // namespace lockkeeper::stores::mongodb
