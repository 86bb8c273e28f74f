// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/protocol/codec.h"

#include <cstdint>
#include <cstdlib>

using namespace lockkeeper::protocol;

namespace {

/**
 * An accepted message must be the same after encoding and decoding it again; any difference is a fault that a
 * crash reports.
 */
void checkPayload(QByteArrayView payload)
{
    const auto message = decode(payload);
    if (message) {
        const auto again = decode(encode(*message));
        if (!again || !(*again == *message))
            std::abort();
    }
    const auto state = decodeState(payload);
    if (state && !(decodeState(encodeState(*state)) == state))
        std::abort();
}

} // namespace

/** The input as one payload, and as a stream of frames. */
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const QByteArrayView bytes(data, qsizetype(size));
    checkPayload(bytes);
    Deframer deframer;
    deframer.feed(bytes);
    while (true) {
        const auto next = deframer.next();
        if (!next || !*next)
            break;
        checkPayload(**next);
    }
    return 0;
}
