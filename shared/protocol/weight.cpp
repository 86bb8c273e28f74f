// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/protocol/weight.h"

#include "shared/protocol/fields.h"

namespace lockkeeper::protocol {

namespace {

/** A visitor of fields() that adds up the most bytes that each field can take. */
class FieldWeigher
{
public:
    template <typename T, typename... Missing> void may(quint64, const T &item, const Missing &...)
    {
        add(item);
    }
    template <typename T> void need(quint64, const T &item) { add(item); }
    template <typename T, typename Around> void within(quint64, const std::optional<T> &item, const Around &)
    {
        add(item);
    }

    qint64 bytes = 0;

private:
    static constexpr qint64 kHead = 7; ///< a field's number and its text's length
    static constexpr qint64 kNumber = 11;

    void add(const QByteArray &text) { bytes += kHead + text.size(); }
    void add(const QString &text) { bytes += kHead + 3 * text.size(); } // UTF-8
    void add(const domain::LockKey &key)
    {
        add(key.source);
        add(key.scheme);
        add(key.place);
        add(key.name);
    }
    void add(const QJsonObject &detail)
    {
        // "previous" holds an owner, which can be long; other values are short.
        for (auto it = detail.begin(); it != detail.end(); ++it)
            bytes += it.key().size() + (it->isString() ? it->toString().size() : 8);
    }
    void add(const events::EventDetail &detail) { add(detail.toJson()); }
    template <typename T> void add(const std::optional<T> &item)
    {
        if (item)
            add(*item);
    }
    template <typename T> void add(const QList<T> &items)
    {
        bytes += kHead;
        for (const T &item : items)
            add(item);
    }
    template <typename T> void add(const T &item)
    {
        bytes += kNumber; // of a struct: its map
        if constexpr (std::is_class_v<T>)
            fields(*this, item);
    }
};

} // namespace

template <typename T> qint64 weightOf(const T &item)
{
    FieldWeigher weigher;
    fields(weigher, item);
    return weigher.bytes;
}
template qint64 weightOf(const domain::LockState &);
template qint64 weightOf(const events::LockEvent &);
template qint64 weightOf(const Hold &);
template qint64 weightOf(const Wait &);
template qint64 weightOf(const domain::AuditEntry &);
template qint64 weightOf(const domain::discovery::Candidate &);

} // namespace lockkeeper::protocol
