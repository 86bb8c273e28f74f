// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/mongodb/reading/lock_document.h"

#include <QtEndian>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

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

enum Role : quint8 { Id, Name, Holder, Acquired, Renewed, Expires, kRoles };

/** The layout's fields of one document, found in one pass over it. */
class Fields
{
public:
    Fields(const bson_t *document, const Layout &layout)
        : m_data(reinterpret_cast<const char *>(bson_get_data(document)))
    {
        const std::array<QByteArrayView, kRoles> names{
            kId, layout.name, layout.holder, layout.acquired.name, layout.renewed.name, layout.expires.name};
        bson_iter_t each;
        std::array<bool, kRoles> ended{}; // whose element's end isn't known yet
        const auto endAll = [&](quint32 end) {
            for (int role = 0; role < kRoles; ++role) {
                if (std::exchange(ended[role], false))
                    m_slots[role].end = end;
            }
        };
        for (bson_iter_init(&each, document); bson_iter_next(&each);) {
            endAll(bson_iter_offset(&each));
            const QByteArrayView key(bson_iter_key(&each), qsizetype(bson_iter_key_len(&each)));
            for (int role = 0; role < kRoles; ++role) {
                if (names[role].isEmpty() || names[role] != key)
                    continue;
                m_doubled = m_doubled || bool(m_slots[role].field);
                if (m_slots[role].field)
                    continue;
                m_slots[role] = {Field(each), bson_iter_offset(&each), 0};
                ended[role] = true;
            }
        }
        endAll(document->len - 1);
    }

    const Field &at(Role role) const { return m_slots[role].field; }
    /** A field stands twice: who reads which of the two isn't known. */
    bool doubled() const { return m_doubled; }
    /** A document of these fields, as they are: https://bsonspec.org/spec.html */
    QByteArray document(std::initializer_list<Role> roles) const
    {
        qsizetype size = 5;
        for (const Role role : roles)
            size += m_slots[role].end - m_slots[role].begin;
        QByteArray bytes(size, Qt::Uninitialized);
        char *to = bytes.data();
        qToLittleEndian(qint32(size), to);
        to += 4;
        for (const Role role : roles)
            to = std::copy(m_data + m_slots[role].begin, m_data + m_slots[role].end, to);
        *to = '\0';
        return bytes;
    }

private:
    struct Slot
    {
        Field field;
        quint32 begin = 0; ///< of the element in the document's bytes
        quint32 end = 0;
    };
    const char *m_data;
    std::array<Slot, kRoles> m_slots;
    bool m_doubled = false;
};

bool isNull(const Field &field)
{
    return !field || BSON_ITER_HOLDS_NULL(&*field);
}

void takeTimes(Observation &lock, const Fields &fields, const Layout &layout, const Deadline &deadline)
{
    if (const auto &field = fields.at(Acquired); !isNull(field)) {
        if (const auto us = timeOf(*field, layout.acquired); us && *us > 0)
            lock.acquiredUs = *us;
        else
            lock.flaw = Flaw::BadTime;
        lock.acquiredStepUs = 1'000;
    }
    lock.expiry = domain::ExpiryKind::None;
    if (deadline.field.name.isEmpty())
        return;
    const Role role = deadline.field.name == layout.expires.name   ? Expires
                      : deadline.field.name == layout.renewed.name ? Renewed
                                                                   : Acquired;
    const auto &field = fields.at(role);
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

Bson projectionOf(const Layout &layout)
{
    Bson projection = newBson();
    bson_append_int32(projection.get(), kId, -1, 1);
    for (const QByteArray &field : layout.identity() + layout.freshness())
        bson_append_int32(projection.get(), field.constData(), int(field.size()), 1);
    return projection;
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

bool isHeld(const Observation &lock, const Layout &layout, qint64 nowUs)
{
    return !layout.stays || (lock.expiry == domain::ExpiryKind::At && lock.expiresUs > nowUs);
}

Observation observationOf(const bson_t *document, const Layout &layout, const Catalogue &catalogue,
                          qint64 nowUs)
{
    Observation lock;
    const Fields fields(document, layout);
    const auto &name = fields.at(Name);
    lock.name = name ? nameOf(*name) : QByteArray();
    const Deadline deadline = deadlineOf(layout, catalogue);
    takeTimes(lock, fields, layout, deadline);
    const auto &holder = fields.at(Holder);
    lock.ownerKnown = !layout.holder.isEmpty() && !isNull(holder);
    if (lock.ownerKnown)
        lock.owner = lock.token = textOf(*holder);
    lock.held = isHeld(lock, layout, nowUs);
    lock.reclaimed = catalogue.ttlUs.contains(deadline.field.name);
    const auto &id = fields.at(Id);
    const bool own = id && (BSON_ITER_HOLDS_OID(&*id) || layout.name != kId); // made anew with the document
    lock.repeatable = !lock.acquiredUs && !own;
    if (!layout.holder.isEmpty() && !lock.ownerKnown && !own)
        lock.flaw = Flaw::NullIdentity;
    if (fields.doubled())
        lock.flaw = Flaw::Malformed;
    if (lock.owner.size() > kLongestValue) {
        lock.owner.truncate(kShownOfLongValue);
        lock.token = lock.owner;
        lock.flaw = Flaw::Truncated;
        return lock;
    }
    if (lock.flaw == Flaw::NullIdentity)
        return lock;
    lock.identity = layout.name == kId ? fields.document({Id, Holder, Acquired})
                                       : fields.document({Id, Name, Holder, Acquired});
    lock.freshness = fields.document({Renewed, Expires});
    return lock;
}

} // namespace lockkeeper::stores::mongodb
