// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/mongodb/reading/lock_document.h"

#include "shared/stores/sane_time.h"

#include <QtEndian>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

namespace lockkeeper::stores::mongodb {

namespace {

constexpr char kId[] = "_id";
constexpr int kMostFields = 7; ///< that a layout names, with _id

/** Empty on overflow. */
std::optional<qint64> scaled(qint64 value, qint64 unitUs)
{
    qint64 us = 0;
    return __builtin_mul_overflow(value, unitUs, &us) ? std::nullopt : std::optional(us);
}

/** The field in microseconds since the epoch; empty where it is no time, or out of range. */
std::optional<qint64> timeOf(const bson_iter_t &field, const TimeField &time)
{
    switch (bson_iter_type(&field)) {
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

/** For a document that stays: held at this time of the store. */
bool isHeld(const Observation &lock, const Layout &layout, qint64 nowUs)
{
    return !layout.stays || (lock.expiry == domain::ExpiryKind::At && lock.expiresUs > nowUs);
}

} // namespace

QByteArray nameOf(const bson_iter_t &field)
{
    if (BSON_ITER_HOLDS_UTF8(&field)) {
        QByteArray text = textOf(field);
        if (!text.isEmpty() && !text.startsWith('{'))
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
    for (const QByteArray &field : layout.fields())
        bson_append_int32(projection.get(), field.constData(), int(field.size()), 1);
    return projection;
}

Bson selectorOfAll(const Layout &layout)
{
    Bson selector = newBson();
    if (!layout.ended.isEmpty()) // a missing field also equals null
        bson_append_null(selector.get(), layout.ended.constData(), int(layout.ended.size()));
    if (layout.job)
        bson_append_document(selector.get(), layout.acquired.name.constData(), -1,
                             fromJson(R"({"$ne": null})").get());
    return selector;
}

Deadline deadlineOf(const Layout &layout, const CollectionCatalogue &catalogue)
{
    if (!layout.expires.name.isEmpty())
        return {layout.expires, 0};
    for (const TimeField &field : {layout.renewed, layout.acquired}) {
        if (!field.name.isEmpty() && catalogue.ttlUs.contains(field.name))
            return {field, catalogue.ttlUs.value(field.name)};
        if (!field.name.isEmpty() && catalogue.partialTtl.contains(field.name))
            return {field, catalogue.partialTtl.value(field.name).afterUs};
    }
    if (!layout.leaseUs)
        return {};
    return {layout.renewed.name.isEmpty() ? layout.acquired : layout.renewed, *layout.leaseUs};
}

/** The layout's fields of one document, found in one pass over it: the first of each name. */
class LockReader::Elements
{
public:
    Elements(const bson_t *document, const QList<QByteArray> &fields) : m_document(document)
    {
        const qsizetype count = fields.size();
        for (qsizetype i = 0; i < count; ++i) {
            m_slots[i].type = BSON_TYPE_EOD;
            m_slots[i].begin = m_slots[i].end = 0;
        }
        bson_iter_t each;
        qsizetype next = 0;  // the documents of a collection mostly have one order
        qsizetype last = -1; // whose element's end isn't known yet
        for (bson_iter_init(&each, document); bson_iter_next(&each);) {
            if (last >= 0)
                m_slots[last].end = bson_iter_offset(&each);
            last = -1;
            const std::string_view key(bson_iter_key(&each), bson_iter_key_len(&each));
            for (qsizetype tried = 0; tried < count; ++tried) {
                const qsizetype i = next;
                next = next + 1 < count ? next + 1 : 0;
                if (key != std::string_view(fields.at(i).constData(), size_t(fields.at(i).size())))
                    continue;
                m_doubled = m_doubled || has(i);
                if (!has(i)) {
                    take(m_slots[i], each, quint32(key.size()));
                    last = i;
                }
                break;
            }
        }
        if (last >= 0)
            m_slots[last].end = document->len - 1;
    }

    bool has(qsizetype field) const { return field >= 0 && m_slots[field].type != BSON_TYPE_EOD; }
    /** With a value. */
    bool says(qsizetype field) const { return has(field) && m_slots[field].type != BSON_TYPE_NULL; }
    bool is(qsizetype field, bson_type_t type) const { return has(field) && m_slots[field].type == type; }
    /** This and the next two require a field that exists. Strings reuse the memory of `to`. */
    void takeName(qsizetype field, QByteArray &to) const
    {
        const Slot &slot = m_slots[field];
        if (slot.type == BSON_TYPE_UTF8 && slot.size > 0 && *slot.text != '{')
            put(slot.text, slot.size, to);
        else
            to = nameOf(at(slot));
    }
    void takeText(qsizetype field, QByteArray &to) const
    {
        const Slot &slot = m_slots[field];
        if (slot.type == BSON_TYPE_UTF8)
            put(slot.text, slot.size, to);
        else
            to = textOf(at(slot));
    }
    std::optional<qint64> time(qsizetype field, const TimeField &unit) const
    {
        const Slot &slot = m_slots[field];
        return slot.type == BSON_TYPE_DATE_TIME ? scaled(slot.dateMs, 1'000) : timeOf(at(slot), unit);
    }
    /** A date, or a number that can be a time in its unit. */
    bool isSane(qsizetype field, qint64 us) const { return is(field, BSON_TYPE_DATE_TIME) || isSaneTime(us); }
    /** A field occurs twice: it isn't known which occurrence a client reads. */
    bool doubled() const { return m_doubled; }
    /** Copies these fields unchanged into a document: https://bsonspec.org/spec.html */
    void takeDocument(const QList<qsizetype> &fields, QByteArray &bytes) const
    {
        qsizetype size = 5;
        for (const qsizetype field : fields)
            size += m_slots[field].end - m_slots[field].begin;
        fit(bytes, size);
        char *to = bytes.data();
        qToLittleEndian(qint32(size), to);
        to += 4;
        const auto *from = reinterpret_cast<const char *>(bson_get_data(m_document));
        for (auto field = fields.cbegin(); field != fields.cend();) {
            const quint32 begin = m_slots[*field].begin;
            quint32 end = m_slots[*field].end;
            while (++field != fields.cend() && m_slots[*field].begin == end) // fields are mostly adjacent
                end = m_slots[*field].end;
            to = std::copy(from + begin, from + end, to);
        }
        *to = '\0';
    }

private:
    struct Slot
    {
        bson_type_t type; ///< EOD: the element is missing, has no bytes, and nothing else is set
        quint32 begin;    ///< of the element in the document's bytes
        quint32 end;
        quint32 keyLength;
        quint32 size;     ///< of a string its bytes, …
        const char *text; ///< … within the document
        qint64 dateMs;    ///< of a date
    };

    static void take(Slot &slot, bson_iter_t &field, quint32 keyLength)
    {
        slot.begin = bson_iter_offset(&field);
        slot.keyLength = keyLength;
        slot.type = bson_iter_type(&field);
        if (slot.type == BSON_TYPE_UTF8)
            slot.text = bson_iter_utf8(&field, &slot.size);
        else if (slot.type == BSON_TYPE_DATE_TIME)
            slot.dateMs = bson_iter_date_time(&field);
    }
    /** Mostly, `bytes` already has that size. */
    static void fit(QByteArray &bytes, qsizetype size)
    {
        if (bytes.size() != size || !bytes.isDetached())
            bytes.resize(size);
    }
    static void put(const char *text, quint32 size, QByteArray &to)
    {
        fit(to, size);
        std::copy_n(text, size, to.data());
    }
    bson_iter_t at(const Slot &slot) const
    {
        bson_iter_t value;
        bson_iter_init_from_data_at_offset(&value, bson_get_data(m_document), m_document->len, slot.begin,
                                           slot.keyLength);
        return value;
    }

    const bson_t *m_document;
    std::array<Slot, kMostFields> m_slots;
    bool m_doubled = false;
};

LockReader::LockReader(const Layout &layout, const CollectionCatalogue &catalogue)
    : m_layout(layout),
      m_deadline(deadlineOf(layout, catalogue)),
      m_whole(catalogue.ttlUs.contains(m_deadline.field.name)),
      m_byId(layout.name == kId)
{
    if (const auto index = catalogue.partialTtl.constFind(m_deadline.field.name);
        !m_whole && index != catalogue.partialTtl.cend())
        m_partial.emplace(index->filter);
    m_byIndex = layout.expires.name.isEmpty() && (m_whole || m_partial);
    const qsizetype id = indexOf(kId);
    m_name = indexOf(layout.name);
    m_holder = indexOf(layout.holder);
    m_acquired = indexOf(layout.acquired.name);
    m_ended = indexOf(layout.ended);
    m_deadlines = indexOf(m_deadline.field.name);
    const auto add = [](QList<qsizetype> &list, qsizetype field) {
        if (field >= 0 && !list.contains(field))
            list.append(field);
    };
    for (const qsizetype field : {id, m_name, m_holder, m_acquired, m_ended})
        add(m_identity, field);
    for (const qsizetype field : {indexOf(layout.renewed.name), indexOf(layout.expires.name)})
        add(m_freshness, field);
}

qsizetype LockReader::indexOf(const QByteArray &field)
{
    if (field.isEmpty())
        return -1;
    if (!m_fields.contains(field))
        m_fields.append(field);
    return m_fields.indexOf(field);
}

bool LockReader::isSwept(const Elements &elements, const bson_t *document) const
{
    return elements.is(m_deadlines, BSON_TYPE_DATE_TIME) && // the server ignores numbers
           (m_whole || (m_partial && m_partial->fits(document)));
}

void LockReader::takeTimes(Observation &lock, const Elements &elements, const bson_t *document) const
{
    lock.acquiredUs.reset();
    lock.acquiredStepUs = 1;
    if (elements.says(m_acquired)) {
        const auto us = elements.time(m_acquired, m_layout.acquired);
        if (us && *us > 0 && elements.isSane(m_acquired, *us))
            lock.acquiredUs = *us;
        else
            lock.flaw = Flaw::BadTime;
        lock.acquiredStepUs = 1'000;
    }
    takeDeadline(lock, elements, document);
}

void LockReader::takeDeadline(Observation &lock, const Elements &elements, const bson_t *document) const
{
    lock.reclaimed = isSwept(elements, document);
    lock.expiry = domain::ExpiryKind::None;
    lock.expiresBy = domain::Evidence::None;
    lock.expiresUs = 0;
    lock.expiresStepUs = 1;
    if (!elements.says(m_deadlines)) // MongoDB's TTL monitor leaves it alone as well
        return;
    const bool byLease = m_byIndex && !lock.reclaimed;
    const qint64 laterUs = byLease ? m_layout.leaseUs.value_or(0) : m_deadline.laterUs;
    const auto us = elements.time(m_deadlines, m_deadline.field);
    qint64 at = 0;
    if (!us || !elements.isSane(m_deadlines, *us) || __builtin_add_overflow(*us, laterUs, &at) || at <= 0) {
        lock.flaw = Flaw::BadTime;
        lock.expiry = domain::ExpiryKind::Unknown;
        return;
    }
    if (byLease && !m_layout.leaseUs)
        return;
    lock.expiry = domain::ExpiryKind::At;
    lock.expiresBy = domain::Evidence::Column;
    lock.expiresUs = at;
    lock.expiresStepUs = 1'000;
}

qint64 LockReader::leaseUs(const Observation &lock) const
{
    if (m_deadline.laterUs > 0)
        return m_deadline.laterUs;
    return lock.acquiredUs ? lock.expiresUs - *lock.acquiredUs : 0;
}

Observation LockReader::read(const bson_t *document, qint64 nowUs) const
{
    Observation lock;
    read(document, nowUs, lock);
    return lock;
}

void LockReader::read(const bson_t *document, qint64 nowUs, Observation &lock) const
{
    const Elements elements(document, m_fields);
    lock.token.clear(); // the owner's own memory
    lock.flaw = Flaw::None;
    if (!elements.has(m_name) || elements.says(m_ended) || (m_layout.job && !elements.says(m_acquired))) {
        lock.name.clear();
        return;
    }
    elements.takeName(m_name, lock.name);
    takeTimes(lock, elements, document);
    lock.ownerKnown = elements.says(m_holder);
    if (lock.ownerKnown)
        elements.takeText(m_holder, lock.owner);
    else
        lock.owner.clear();
    lock.held = isHeld(lock, m_layout, nowUs);
    const bool own = !m_byId || elements.is(m_name, BSON_TYPE_OID); // new in each document
    lock.dated = lock.acquiredUs || (own && !m_layout.isUpdated());
    if (m_holder >= 0 && !lock.ownerKnown && !own)
        lock.flaw = Flaw::NullIdentity;
    if (elements.doubled())
        lock.flaw = Flaw::Malformed;
    if (lock.owner.size() > kLongestValue) {
        lock.owner = lock.owner.first(kShownOfLongValue);
        lock.flaw = Flaw::Truncated;
    }
    lock.token = lock.owner;
    if (lock.flaw == Flaw::None || lock.flaw == Flaw::BadTime) {
        elements.takeDocument(m_identity, lock.identity);
        elements.takeDocument(m_freshness, lock.freshness);
    } else {
        lock.identity.clear();
        lock.freshness.clear();
    }
}

} // namespace lockkeeper::stores::mongodb
