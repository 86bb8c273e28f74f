// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/mongodb/reading/lock_document.h"

#include <cmath>
#include <limits>

namespace lockkeeper::stores::mongodb {

namespace {

constexpr char kId[] = "_id";

/** The field in microseconds since the epoch; nothing where it is no time, or one that doesn't fit. */
std::optional<qint64> timeOf(const bson_iter_t &field, const TimeField &time)
{
    const auto scaled = [](qint64 value, qint64 unitUs) -> std::optional<qint64> {
        qint64 us = 0;
        return __builtin_mul_overflow(value, unitUs, &us) ? std::nullopt : std::optional(us);
    };
    switch (bson_iter_type(&field)) {
    case BSON_TYPE_DATE_TIME:
        return scaled(bson_iter_date_time(&field), 1'000);
    case BSON_TYPE_INT32:
        return scaled(bson_iter_int32(&field), time.unitUs);
    case BSON_TYPE_INT64:
        return scaled(bson_iter_int64(&field), time.unitUs);
    case BSON_TYPE_DOUBLE: {
        const double us = bson_iter_double(&field) * double(time.unitUs);
        return std::isfinite(us) && std::abs(us) < 9e18 ? std::optional(qint64(us)) : std::nullopt;
    }
    default:
        return std::nullopt;
    }
}

/** BSON of `_id` and these fields, as they are. */
QByteArray fieldsOf(const bson_t *document, const QList<QByteArray> &names, bool withId)
{
    const Bson fields = newBson();
    const auto add = [&](const QByteArray &name) {
        if (const auto field = fieldOf(document, name))
            bson_append_iter(fields.get(), name.constData(), int(name.size()), &*field);
    };
    if (withId)
        add(kId);
    for (const QByteArray &name : names)
        add(name);
    return bytesOf(fields.get());
}

/** A field that stands twice: who reads which of the two isn't known. */
bool isDoubled(const bson_t *document, const Layout &layout)
{
    QHash<QByteArrayView, int> seen;
    const QList<QByteArray> fields = QList<QByteArray>{kId} + layout.identity() + layout.freshness();
    bson_iter_t each;
    for (bson_iter_init(&each, document); bson_iter_next(&each);) {
        const QByteArrayView key(bson_iter_key(&each), bson_iter_key_len(&each));
        if (fields.contains(key.toByteArray()) && ++seen[key] > 1)
            return true;
    }
    return false;
}

bool isNull(const std::optional<bson_iter_t> &field)
{
    return !field || BSON_ITER_HOLDS_NULL(&*field);
}

void takeTimes(Observation &lock, const bson_t *document, const Layout &layout, const Deadline &deadline)
{
    if (const auto field = fieldOf(document, layout.acquired.name); !isNull(field)) {
        if (const auto us = timeOf(*field, layout.acquired); us && *us > 0)
            lock.acquiredUs = *us;
        else
            lock.flaw = Flaw::BadTime;
        lock.acquiredStepUs = 1'000;
    }
    lock.expiry = domain::ExpiryKind::None;
    if (deadline.field.name.isEmpty())
        return;
    const auto field = fieldOf(document, deadline.field.name);
    if (isNull(field)) // MongoDB's TTL monitor leaves it alone as well
        return;
    const auto us = timeOf(*field, deadline.field);
    qint64 at = 0;
    if (!us || __builtin_add_overflow(*us, deadline.laterUs, &at) || at <= 0) {
        lock.flaw = Flaw::BadTime;
        lock.expiry = domain::ExpiryKind::Unknown;
        return;
    }
    lock.expiry = domain::ExpiryKind::At;
    lock.expiresBy = domain::Evidence::Column;
    lock.expiresUs = at;
    lock.expiresStepUs = 1'000;
}

} // namespace

QByteArray nameOf(const bson_iter_t &field)
{
    if (BSON_ITER_HOLDS_UTF8(&field)) {
        const QByteArray text = textOf(field);
        if (!text.startsWith('{'))
            return text;
    }
    const Bson alone = newBson();
    bson_append_iter(alone.get(), kId, -1, &field);
    return jsonOf(alone.get());
}

Bson selectorOf(const QByteArray &field, const QByteArray &name)
{
    const Bson value = name.startsWith('{') ? fromJson(name) : newBson();
    if (!value)
        return {};
    if (!name.startsWith('{'))
        bson_append_utf8(value.get(), kId, -1, name.constData(), int(name.size()));
    const auto found = fieldOf(value.get(), kId);
    if (!found)
        return {};
    const Bson equal = newBson();
    bson_append_iter(equal.get(), "$eq", -1, &*found);
    Bson selector = newBson();
    bson_append_document(selector.get(), field.constData(), int(field.size()), equal.get());
    return selector;
}

Deadline deadlineOf(const Layout &layout, const Catalogue &catalogue)
{
    if (!layout.expires.name.isEmpty())
        return {layout.expires, 0};
    for (const TimeField &field : {layout.renewed, layout.acquired}) {
        if (!field.name.isEmpty() && catalogue.ttlUs.contains(field.name))
            return {field, catalogue.ttlUs.value(field.name)};
    }
    if (!layout.leaseUs)
        return {};
    return {layout.renewed.name.isEmpty() ? layout.acquired : layout.renewed, *layout.leaseUs};
}

Observation observationOf(const bson_t *document, const Layout &layout, const Catalogue &catalogue,
                          qint64 nowUs)
{
    Observation lock;
    const auto name = fieldOf(document, layout.name);
    lock.name = name ? nameOf(*name) : QByteArray();
    const Deadline deadline = deadlineOf(layout, catalogue);
    takeTimes(lock, document, layout, deadline);
    const auto holder = fieldOf(document, layout.holder);
    lock.ownerKnown = !layout.holder.isEmpty() && !isNull(holder);
    if (lock.ownerKnown)
        lock.owner = lock.token = textOf(*holder);
    lock.held = !layout.stays || (lock.expiry == domain::ExpiryKind::At && lock.expiresUs > nowUs);
    lock.reclaimed = catalogue.ttlUs.contains(deadline.field.name);
    const auto id = fieldOf(document, kId);
    const bool own = id && (BSON_ITER_HOLDS_OID(&*id) || layout.name != kId); // made anew with the document
    lock.repeatable = !lock.acquiredUs && !own;
    if (!layout.holder.isEmpty() && !lock.ownerKnown && !own)
        lock.flaw = Flaw::NullIdentity;
    if (isDoubled(document, layout))
        lock.flaw = Flaw::Malformed;
    if (lock.owner.size() > kLongestValue) {
        lock.owner.truncate(kShownOfLongValue);
        lock.token = lock.owner;
        lock.flaw = Flaw::Truncated;
        return lock;
    }
    if (lock.flaw == Flaw::NullIdentity)
        return lock;
    lock.identity = fieldsOf(document, layout.identity(), true);
    lock.freshness = fieldsOf(document, layout.freshness(), false);
    return lock;
}

} // namespace lockkeeper::stores::mongodb
