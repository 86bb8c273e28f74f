// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/liveness/address_policy.h"

#include <algorithm>
#include <array>
#include <utility>

namespace lockkeeper::agent::liveness {

using config::AddressRange;

namespace {

/** IPv4 without the public and private unicast ranges, and metadata services outside of link-local. */
constexpr std::array kRefused{
    "0.0.0.0/8",         "127.0.0.0/8",      "169.254.0.0/16", "224.0.0.0/3", "100.100.100.200/32",
    "168.63.129.16/32",  "192.0.0.192/32",   "::/96",          "fe80::/10",   "fec0::/10",
    "fd00:ec2::254/128", "fd20:ce::254/128", "ff00::/8",
};
constexpr int kNat64Prefix = 12; ///< bytes of 64:ff9b::/96 before the IPv4 address
constexpr int k6To4Prefix = 2;   ///< bytes of 2002::/16

QHostAddress ipv4At(const Q_IPV6ADDR &bytes, int at)
{
    quint32 value = 0;
    for (int i = 0; i < 4; ++i)
        value = (value << 8) | bytes[at + i];
    return QHostAddress(value);
}

/** The IPv4 address that a mapped or translated IPv6 address leads to; otherwise the address itself. */
QHostAddress effective(const QHostAddress &address)
{
    if (address.protocol() != QAbstractSocket::IPv6Protocol)
        return address;
    bool isMapped = false;
    if (const quint32 mapped = address.toIPv4Address(&isMapped); isMapped)
        return QHostAddress(mapped);
    const Q_IPV6ADDR bytes = address.toIPv6Address();
    if (address.isInSubnet(QHostAddress(QStringLiteral("64:ff9b::")), 96))
        return ipv4At(bytes, kNat64Prefix);
    if (bytes[0] == 0x20 && bytes[1] == 0x02)
        return ipv4At(bytes, k6To4Prefix);
    QHostAddress unscoped(bytes);
    return unscoped;
}

bool isWithin(const QHostAddress &address, const AddressRange &range)
{
    return address.protocol() == range.address.protocol() && address.isInSubnet(range.address, range.prefix);
}

const QList<AddressRange> &refusedRanges()
{
    static const QList<AddressRange> ranges = [] {
        QList<AddressRange> parsed;
        for (const char *text : kRefused) {
            const auto subnet = QHostAddress::parseSubnet(QLatin1String(text));
            parsed.append({subnet.first, subnet.second});
        }
        return parsed;
    }();
    return ranges;
}

} // namespace

bool mayProbe(const QHostAddress &address, const QList<AddressRange> &allow)
{
    if (address.isNull())
        return false;
    const QHostAddress asked = effective(address);
    const auto covers = [&asked](const AddressRange &range) { return isWithin(asked, range); };
    return std::any_of(allow.cbegin(), allow.cend(), covers) ||
           std::none_of(refusedRanges().cbegin(), refusedRanges().cend(), covers);
}

} // namespace lockkeeper::agent::liveness
