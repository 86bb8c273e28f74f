// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/domain/node.h"

#include <algorithm>
#include <array>

namespace lockkeeper::domain {

namespace {
constexpr std::array<const char *, 5> kHolds{"nothing", "holder", "other", "unreachable", "unreadable"};
}

qsizetype countOf(const QList<NodeView> &nodes, NodeHolds what)
{
    return std::count_if(nodes.cbegin(), nodes.cend(),
                         [what](const NodeView &node) { return node.holds == what; });
}

qsizetype holdersOf(const QList<NodeView> &nodes, QByteArrayView token)
{
    return std::count_if(nodes.cbegin(), nodes.cend(), [token](const NodeView &node) {
        return (node.holds == NodeHolds::Holder || node.holds == NodeHolds::Other) && node.token == token;
    });
}

bool mayBeHeldBy(const QList<NodeView> &nodes, QByteArrayView token)
{
    return holdersOf(nodes, token) + countOf(nodes, NodeHolds::Unreachable) >= quorumOf(nodes.size());
}

bool hasTraces(const QList<NodeView> &nodes)
{
    return std::any_of(nodes.cbegin(), nodes.cend(), [](const NodeView &node) {
        return node.holds == NodeHolds::Holder || node.holds == NodeHolds::Other ||
               node.holds == NodeHolds::Unreadable;
    });
}

QByteArrayView nodeHoldsName(NodeHolds value)
{
    const auto index = size_t(value);
    return index < kHolds.size() ? QByteArrayView(kHolds[index]) : QByteArrayView("unreachable");
}

} // namespace lockkeeper::domain
