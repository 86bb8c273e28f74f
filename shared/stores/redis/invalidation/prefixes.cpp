// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/invalidation/prefixes.h"

#include <algorithm>

namespace lockkeeper::stores::redis::push {

QByteArray literalHead(QByteArrayView glob)
{
    QByteArray head;
    for (qsizetype i = 0; i < glob.size(); ++i) {
        const char c = glob[i];
        if (c == '*' || c == '?' || c == '[')
            break;
        if (c == '\\' && i + 1 < glob.size())
            ++i;
        head += glob[i];
    }
    return head;
}

QList<QByteArray> trackedPrefixes(const QList<LockSet> &sets, const QList<QByteArray> &beside)
{
    QList<QByteArray> heads = beside;
    for (const LockSet &set : sets) {
        heads.append(literalHead(set.match));
        if (heads.constLast().isEmpty())
            return {};
    }
    // Sorted, a prefix comes right before all that it begins.
    std::sort(heads.begin(), heads.end());
    QList<QByteArray> prefixes;
    for (const QByteArray &head : std::as_const(heads)) {
        if (prefixes.isEmpty() || !head.startsWith(prefixes.constLast()))
            prefixes.append(head);
    }
    return prefixes;
}

QByteArray globOf(QByteArrayView prefix)
{
    QByteArray glob;
    for (const char c : prefix) {
        if (c == '*' || c == '?' || c == '[' || c == ']' || c == '\\')
            glob += '\\';
        glob += c;
    }
    return glob + '*';
}

} // namespace lockkeeper::stores::redis::push
