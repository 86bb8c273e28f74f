// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/storage/hold_rows.h"

#include "agent/journal/storage/checksum.h"

#include <QtEndian>

#include <algorithm>
#include <array>

namespace lockkeeper::agent::journal {

namespace {

constexpr std::array<QByteArrayView, 7> kEnds{"",    "released", "expired", "taken_over", "force_released",
                                              "gap", "lost"};

bool endsWell(qint64 holdId, const std::optional<qint64> &toUs, qint64 windowUs, qint64 end,
              const std::optional<qint64> &check, qint64 events)
{
    if (toUs.has_value() != check.has_value() || end < 0 || end >= qint64(kEnds.size()))
        return false;
    return toUs ? *check == holdCloseCheck(holdId, *toUs, windowUs, HoldEnd(end), events)
                : end == 0 && windowUs == 0 && events == 0;
}

} // namespace

HoldEnd endOf(events::EventKind kind)
{
    switch (kind) {
    case events::EventKind::Released:
        return HoldEnd::Released;
    case events::EventKind::Expired:
        return HoldEnd::Expired;
    case events::EventKind::TakenOver:
        return HoldEnd::TakenOver;
    case events::EventKind::ForceReleased:
        return HoldEnd::ForceReleased;
    case events::EventKind::Lost:
        return HoldEnd::Lost;
    case events::EventKind::Acquired:
        return HoldEnd::Gap; // the end before it was never seen
    default:
        return HoldEnd::Open;
    }
}

QByteArray holdEndName(HoldEnd end)
{
    const QByteArrayView name = kEnds.at(size_t(end));
    return QByteArray::fromRawData(name.data(), name.size()); // no copy: a ranking calls this for each hold
}

HoldEnd holdEndFromName(QByteArrayView name)
{
    const auto found = std::ranges::find(kEnds, name);
    return found == kEnds.end() ? HoldEnd::Open : HoldEnd(found - kEnds.begin());
}

qint64 holdOpenCheck(qint64 lockId, const std::optional<QByteArray> &owner, qint64 fromUs, qint64 windowUs,
                     bool startSeen)
{
    return Checksum().add(lockId).addBytes(owner).add(fromUs).add(windowUs).add(startSeen ? 1 : 0).value();
}

qint64 holdRenewCheck(qint64 holdId, const RenewalNote &note)
{
    return Checksum()
        .add(holdId)
        .add(qint64(note.renewals))
        .add(note.longestGapUs)
        .add(note.renewedUs)
        .add(note.expiresUs)
        .value();
}

qint64 holdCloseCheck(qint64 holdId, qint64 toUs, qint64 windowUs, HoldEnd end, qint64 events)
{
    return Checksum().add(holdId).add(toUs).add(windowUs).add(qint64(end)).add(events).value();
}

QByteArray sealState(const QByteArray &encoded)
{
    std::array<char, 4> sum{};
    qToLittleEndian(quint32(Checksum().addBytes(encoded).value()), sum.data());
    return encoded + QByteArray(sum.data(), qsizetype(sum.size()));
}

std::optional<QByteArray> unsealState(const QByteArray &sealed)
{
    if (sealed.size() < 4)
        return std::nullopt;
    const QByteArray encoded = sealed.first(sealed.size() - 4);
    const quint32 sum = qFromLittleEndian<quint32>(sealed.constData() + encoded.size());
    if (quint32(Checksum().addBytes(encoded).value()) != sum)
        return std::nullopt;
    return encoded;
}

base::Result<HoldRow> readHold(const SqliteStatement &row)
{
    HoldRow out;
    out.holdId = row.integer(0);
    out.lockId = row.integer(1);
    const std::optional<QByteArray> owner = row.optionalBytes(2);
    protocol::Hold &hold = out.hold;
    hold.id = out.holdId;
    hold.ownerKnown = owner.has_value();
    hold.owner = owner.value_or(QByteArray());
    hold.fromUs = row.integer(3);
    hold.fromWindowUs = row.integer(4);
    hold.startSeen = row.integer(5) != 0;
    if (holdOpenCheck(out.lockId, owner, hold.fromUs, hold.fromWindowUs, hold.startSeen) != row.integer(6))
        return damagedRow("holds", out.holdId);
    out.note.renewals = quint32(row.integer(7));
    out.note.longestGapUs = row.integer(8);
    out.note.renewedUs = row.optionalInteger(9);
    out.note.expiresUs = row.optionalInteger(10);
    const auto renewCheck = row.optionalInteger(11);
    const bool renewed =
        out.note.renewals || out.note.longestGapUs || out.note.renewedUs || out.note.expiresUs;
    if (renewCheck ? *renewCheck != holdRenewCheck(out.holdId, out.note) : renewed)
        return damagedRow("holds", out.holdId);
    hold.renewals = out.note.renewals;
    hold.longestRenewalGapUs = out.note.longestGapUs;
    hold.toUs = row.optionalInteger(12);
    hold.toWindowUs = row.integer(13);
    const qint64 end = row.integer(14);
    const qint64 events = row.integer(17);
    if (!endsWell(out.holdId, hold.toUs, hold.toWindowUs, end, row.optionalInteger(15), events))
        return damagedRow("holds", out.holdId);
    if (hold.toUs)
        out.endSeq = out.holdId + events;
    hold.end = holdEndName(HoldEnd(end));
    out.state = row.bytes(16);
    return out;
}

base::Result<HoldSpan> readHoldSpan(const SqliteStatement &row)
{
    const qint64 holdId = row.integer(0);
    HoldSpan span{row.integer(3),         row.integer(4), row.integer(5) != 0,
                  row.optionalInteger(7), row.integer(8), HoldEnd(row.integer(9))};
    const auto owner = row.isNull(2) ? std::nullopt : std::optional(row.bytesHere(2));
    const bool beginsWell = row.integer(6) == holdOpenCheck(row.integer(1), owner, span.fromUs,
                                                            span.fromWindowUs, span.startSeen);
    if (!beginsWell || !endsWell(holdId, span.toUs, span.toWindowUs, row.integer(9), row.optionalInteger(10),
                                 row.integer(11)))
        return damagedRow("holds", holdId);
    return span;
}

} // namespace lockkeeper::agent::journal
