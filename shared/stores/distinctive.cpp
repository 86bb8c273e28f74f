// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/distinctive.h"

#include <QUtf8StringView>

#include <algorithm>
#include <array>

namespace lockkeeper::stores {

namespace {

constexpr qsizetype kRandomRun = 16;
constexpr qsizetype kPadding = 4; ///< zeros before an address or a thread's id of 48 bits, in 16 digits
constexpr qsizetype kUuid = 36;

enum Kind : quint8 { None = 0, Digit = 1, Small = 2, Capital = 4, Mark = 8 };

Kind kindOf(char c)
{
    if (c >= '0' && c <= '9')
        return Digit;
    if (c >= 'a' && c <= 'z')
        return Small;
    if (c >= 'A' && c <= 'Z')
        return Capital;
    return c == '+' || c == '/' || c == '_' || c == '-' ? Mark : None;
}

bool isHex(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/** Characters of one alphabet that follow each other. */
struct Run
{
    qsizetype length = 0;  ///< letters and digits
    qsizetype zeros = 0;   ///< that it begins with
    qsizetype changes = 0; ///< from one kind to another
    int kinds = None;      ///< all that it has
    Kind last = None;

    /** Marks may join words: they belong to the run and count for nothing. */
    void add(Kind kind)
    {
        if (kind != Mark) {
            changes += last != None && last != Mark && kind != last ? 1 : 0;
            ++length;
            kinds |= kind;
        }
        last = kind;
    }
};

/** "3b5f0c1e-8d0a-4c7e-9f2b-6a1d5e4c3b2a" */
bool isUuid(QByteArrayView text)
{
    for (qsizetype i = 0; i < kUuid; ++i) {
        const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        if (dash ? text[i] != '-' : !isHex(text[i]))
            return false;
    }
    return true;
}

/** Random bytes are no text, a third of them at least is beyond ASCII, and hardly any comes twice; a
 * serialized text's aren't so. */
bool isRandomBinary(QByteArrayView bytes)
{
    const auto high = std::count_if(bytes.begin(), bytes.end(), [](char c) { return uchar(c) >= 0x80; });
    if (high == 0)
        return false;
    std::array<bool, 256> seen{};
    for (const char c : bytes)
        seen[uchar(c)] = true;
    const auto distinct = std::count(seen.cbegin(), seen.cend(), true);
    const qsizetype most = std::min<qsizetype>(bytes.size(), 64); // more can't all differ
    return bytes.size() >= kRandomRun && 3 * high >= bytes.size() && 4 * distinct >= 3 * most &&
           !QUtf8StringView(bytes.data(), bytes.size()).isValidUtf8();
}

bool isRandomHex(const Run &run)
{
    const qsizetype length = run.zeros < kPadding ? run.length : run.length - run.zeros;
    return length >= kRandomRun && (run.kinds & Digit) != 0 && run.kinds != Digit;
}

bool isRandomBase64(const Run &run)
{
    constexpr int all = Digit | Small | Capital;
    return run.length >= kRandomRun && (run.kinds & all) == all && 5 * run.changes >= 2 * (run.length - 1);
}

} // namespace

bool isDistinctive(QByteArrayView token)
{
    if (isRandomBinary(token))
        return true;
    Run hex;
    Run base64;
    for (qsizetype i = 0; i <= token.size(); ++i) {
        const char c = i < token.size() ? token[i] : '\0';
        if (isHex(c)) {
            hex.zeros += c == '0' && hex.zeros == hex.length ? 1 : 0;
            hex.add(kindOf(c));
        } else {
            if (isRandomHex(hex))
                return true;
            hex = Run();
        }
        if (const Kind kind = kindOf(c); kind != None) {
            base64.add(kind);
        } else {
            if (isRandomBase64(base64))
                return true;
            base64 = Run();
        }
        if (c == '-' && i >= 8 && i - 8 + kUuid <= token.size() && isUuid(token.sliced(i - 8, kUuid)))
            return true;
    }
    return false;
}

} // namespace lockkeeper::stores
