// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/connection/reply_reader.h"

#include <algorithm>

using lockkeeper::stores::redis::ReplyLimits;
using lockkeeper::stores::redis::ReplyReader;

namespace {

/** Touches every byte that a reply claims to have. */
quint64 walk(const redisReply *reply)
{
    quint64 sum = quint64(reply->type);
    if (reply->str != nullptr) {
        for (size_t i = 0; i < reply->len; ++i)
            sum += quint8(reply->str[i]);
    }
    for (size_t i = 0; i < reply->elements; ++i)
        sum += walk(reply->element[i]);
    return sum;
}

} // namespace

/** The first byte decides the size of the pieces in which the other bytes are fed. */
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    const size_t piece = 1 + data[0] % 64;
    ReplyReader reader(ReplyLimits{4'096, 16'384, 1'024});
    volatile quint64 sum = 0;
    for (size_t at = 1; at < size && !reader.failed(); at += piece) {
        reader.feed({reinterpret_cast<const char *>(data) + at, qsizetype(std::min(piece, size - at))});
        while (const auto reply = reader.next())
            sum = sum + walk(reply.get());
    }
    return 0;
}
