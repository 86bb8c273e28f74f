// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/discover/value_shape.h"

#include "shared/base/java_text.h"
#include "shared/stores/discover/json_layout.h"

#include <QList>

#include <algorithm>
#include <array>
#include <cmath>

namespace lockkeeper::stores::discover {

namespace {

constexpr qsizetype kShort = 64;
constexpr qsizetype kLong = 512;
constexpr qint64 kNearS = 400 * 86'400; ///< a time this far from now is still one

bool isHexDigit(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

bool isLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isDigits(QByteArrayView text)
{
    return !text.isEmpty() && std::all_of(text.begin(), text.end(), isDigit);
}

bool isPrintable(QByteArrayView text)
{
    return std::all_of(text.begin(), text.end(), [](char c) { return c > 0x20 && c < 0x7f; });
}

/** Letters, digits and what Base64 has beside, with digits among the letters as words don't have them. */
bool isRandom(QByteArrayView text)
{
    constexpr int kLeastChanges = 4;
    if (text.size() < 16 || text.size() > 128)
        return false;
    int changes = 0;
    int kind = -1;
    for (const char c : text) {
        const bool known = isLetter(c) || isDigit(c) || QByteArrayView("+/=_-").contains(c);
        if (!known)
            return false;
        const int now = isDigit(c) ? 0 : (c >= 'A' && c <= 'Z') ? 1 : isLetter(c) ? 2 : 3;
        changes += kind >= 0 && now != kind && now != 3 && kind != 3;
        kind = now;
    }
    return changes >= kLeastChanges;
}

/** One part at least is a number as processes and ports are, another one is a name or an address. */
bool isProcess(QByteArrayView text)
{
    if (text.size() > 128 || !isPrintable(text))
        return false;
    bool number = false;
    bool name = false;
    qsizetype parts = 0;
    for (const QByteArray &part : text.toByteArray().replace('@', ':').replace('/', ':').split(':')) {
        ++parts;
        if (isDigits(part) && part.size() <= 19)
            number = true;
        else if (!part.isEmpty() &&
                 (isLetter(part.at(0)) || (isDigit(part.at(0)) && part.contains('.')) || isUuid(part)))
            name = true;
        else
            return false;
    }
    return parts >= 2 && parts <= 5 && number && name;
}

bool isTime(QByteArrayView text, qint64 now)
{
    bool ok = false;
    double value = text.toByteArray().toDouble(&ok);
    if (!ok || text.size() < 10)
        return false;
    for (int unit = 0; unit < 3; ++unit, value /= 1000) {
        if (std::fabs(value - double(now)) < double(kNearS))
            return true;
    }
    return false;
}

bool isFlag(QByteArrayView text)
{
    static constexpr std::array<const char *, 12> kFlags{"",       "0",    "1",       "true", "false", "yes",
                                                         "locked", "lock", "running", "ok",   "on",    "y"};
    const QByteArray lower = text.toByteArray().toLower();
    return std::any_of(kFlags.begin(), kFlags.end(), [&lower](const char *flag) { return lower == flag; });
}

/** True where the text begins as the output of serialisers and compressors does. */
bool isSerialised(QByteArrayView text)
{
    static constexpr std::array<const char *, 11> kBeginnings{
        "a:", "O:", "s:", "i:", "b:", "\xac\xed", "\x1f\x8b", "\x80\x04", "\x80\x03", "<", "\x78\x9c"};
    return std::any_of(kBeginnings.begin(), kBeginnings.end(),
                       [text](const char *begin) { return text.startsWith(begin); });
}

} // namespace

bool isUuid(QByteArrayView text)
{
    if (text.size() != 36)
        return false;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        if (dash ? text[i] != '-' : !isHexDigit(text[i]))
            return false;
    }
    return true;
}

bool isHex(QByteArrayView text)
{
    return text.size() >= 16 && text.size() <= 128 && text.size() % 2 == 0 &&
           std::all_of(text.begin(), text.end(), isHexDigit) &&
           std::any_of(text.begin(), text.end(), isLetter);
}

Shape shapeOf(QByteArrayView value, qint64 now)
{
    value = base::withoutJavaHeader(value);
    // Some libraries write their tokens as JSON strings.
    if (value.size() > 2 && value.size() <= 130 && value.front() == '"' && value.back() == '"')
        value = value.sliced(1, value.size() - 2);
    if (isFlag(value))
        return Shape::Flag;
    if (value.front() == '{' || value.front() == '[') {
        const Shape json = jsonShape(value);
        return json == Shape::Unknown ? Shape::Data : json;
    }
    if (value.size() > kLong || (isSerialised(value) && !isProcess(value)))
        return Shape::Data;
    if (isUuid(value.first(std::min<qsizetype>(36, value.size()))) &&
        (value.size() == 36 || ((value[36] == ':' || value[36] == '-') && value.size() <= 80)))
        return Shape::Uuid;
    if (isHex(value))
        return Shape::Hex;
    if (isTime(value, now))
        return Shape::Time;
    bool number = false;
    value.toByteArray().toDouble(&number);
    if (number)
        return Shape::Number;
    if (isProcess(value))
        return Shape::Process;
    if (isRandom(value))
        return Shape::Token;
    return value.size() <= kShort && isPrintable(value) ? Shape::Name : Shape::Data;
}

QByteArrayView shapeName(Shape shape)
{
    static constexpr std::array<const char *, 13> kNames{"unknown",     "uuid", "hex",  "token",  "process",
                                                         "name",        "time", "flag", "number", "lock_json",
                                                         "holder_json", "json", "data"};
    return kNames.at(size_t(shape));
}

bool namesHolder(Shape shape)
{
    switch (shape) {
    case Shape::Uuid:
    case Shape::Hex:
    case Shape::Token:
    case Shape::Process:
    case Shape::Name:
    case Shape::LockJson:
    case Shape::HolderJson:
        return true;
    default:
        return false;
    }
}

} // namespace lockkeeper::stores::discover
