// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/base/sha256.h"

#include <QtEndian>

#include <array>
#include <bit>
#include <cstring>
#include <utility>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace lockkeeper::base {

namespace {

constexpr size_t kBlock = 64; ///< bytes

using State = std::array<quint32, 8>;
using Blocks = void (*)(State &state, const uchar *data, size_t count);

constexpr State kStart{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                       0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

alignas(16) constexpr std::array<quint32, 64> kRound{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

/** The message's words, each made of those before it, for all 64 rounds. */
std::array<quint32, 64> schedule(const uchar *block)
{
    std::array<quint32, 64> w{};
    for (size_t i = 0; i < 16; ++i)
        w[i] = qFromBigEndian<quint32>(block + 4 * i);
    for (size_t i = 16; i < w.size(); ++i) {
        const quint32 a = w[i - 15];
        const quint32 b = w[i - 2];
        w[i] = w[i - 16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ (a >> 3)) + w[i - 7] +
               (std::rotr(b, 17) ^ std::rotr(b, 19) ^ (b >> 10));
    }
    return w;
}

void portable(State &state, const uchar *data, size_t count)
{
    for (; count > 0; --count, data += kBlock) {
        const std::array<quint32, 64> w = schedule(data);
        auto [a, b, c, d, e, f, g, h] = state;
        for (size_t i = 0; i < w.size(); ++i) {
            const quint32 one = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
                                ((e & f) ^ (~e & g)) + kRound[i] + w[i];
            const quint32 two =
                (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
            h = std::exchange(g, std::exchange(f, std::exchange(e, d + one)));
            d = std::exchange(c, std::exchange(b, std::exchange(a, one + two)));
        }
        const State rounds{a, b, c, d, e, f, g, h};
        for (size_t i = 0; i < state.size(); ++i)
            state[i] += rounds[i];
    }
}

#if defined(__x86_64__)

bool hasInstructions()
{
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    constexpr unsigned kSsse3And41 = 1u << 9 | 1u << 19;
    if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & kSsse3And41) != kSsse3And41)
        return false;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & 1u << 29) != 0;
}

/**
 * The instructions keep the state as two registers of ABEF and CDGH, do two rounds each, and make four words
 * of the schedule at once (Intel SDM, SHA256RNDS2, SHA256MSG1, SHA256MSG2).
 */
__attribute__((target("sha,sse4.1"))) void byInstructions(State &state, const uchar *data, size_t count)
{
    const auto at = [](auto *words) { return reinterpret_cast<__m128i *>(words); };
    const auto from = [](const auto *words) { return reinterpret_cast<const __m128i *>(words); };
    const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    const __m128i badc = _mm_shuffle_epi32(_mm_loadu_si128(from(state.data())), 0xb1);
    const __m128i hgfe = _mm_shuffle_epi32(_mm_loadu_si128(from(state.data() + 4)), 0x1b);
    __m128i abef = _mm_alignr_epi8(badc, hgfe, 8);
    __m128i cdgh = _mm_blend_epi16(hgfe, badc, 0xf0);
    for (; count > 0; --count, data += kBlock) {
        const __m128i abefBefore = abef;
        const __m128i cdghBefore = cdgh;
        __m128i w[4];
        for (size_t i = 0; i < 16; ++i) {
            __m128i &next = w[i % 4]; // holds the words of 16 rounds ago
            if (i < 4) {
                next = _mm_shuffle_epi8(_mm_loadu_si128(from(data + 16 * i)), swap);
            } else {
                const __m128i last = w[(i + 3) % 4];
                const __m128i sevenAgo = _mm_alignr_epi8(last, w[(i + 2) % 4], 4);
                next = _mm_add_epi32(_mm_sha256msg1_epu32(next, w[(i + 1) % 4]), sevenAgo);
                next = _mm_sha256msg2_epu32(next, last);
            }
            const __m128i k = _mm_add_epi32(next, _mm_load_si128(from(kRound.data() + 4 * i)));
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, k);
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(k, 0x0e));
        }
        abef = _mm_add_epi32(abef, abefBefore);
        cdgh = _mm_add_epi32(cdgh, cdghBefore);
    }
    const __m128i feba = _mm_shuffle_epi32(abef, 0x1b);
    const __m128i dchg = _mm_shuffle_epi32(cdgh, 0xb1);
    _mm_storeu_si128(at(state.data()), _mm_blend_epi16(feba, dchg, 0xf0));
    _mm_storeu_si128(at(state.data() + 4), _mm_alignr_epi8(dchg, feba, 8));
}

#endif

Blocks fastest()
{
#if defined(__x86_64__)
    if (hasInstructions())
        return byInstructions;
#endif
    return portable;
}

QByteArray digest(QByteArrayView bytes, Blocks blocks)
{
    State state = kStart;
    const auto *data = reinterpret_cast<const uchar *>(bytes.data());
    const size_t whole = size_t(bytes.size()) / kBlock;
    if (whole > 0)
        blocks(state, data, whole);
    // A bit that is set, zeros, and the length in bits at the end of a block.
    std::array<uchar, 2 * kBlock> rest{};
    const size_t left = size_t(bytes.size()) % kBlock;
    if (left > 0)
        std::memcpy(rest.data(), data + whole * kBlock, left);
    rest[left] = 0x80;
    const size_t last = left + 1 + 8 <= kBlock ? 1 : 2;
    qToBigEndian(quint64(bytes.size()) * 8, rest.data() + last * kBlock - 8);
    blocks(state, rest.data(), last);
    QByteArray out(qsizetype(sizeof state), Qt::Uninitialized);
    qToBigEndian<quint32>(state.data(), qsizetype(state.size()), out.data());
    return out;
}

} // namespace

QByteArray sha256(QByteArrayView bytes)
{
    static const Blocks blocks = fastest();
    return digest(bytes, blocks);
}

QByteArray sha256Portable(QByteArrayView bytes)
{
    return digest(bytes, portable);
}

} // namespace lockkeeper::base
