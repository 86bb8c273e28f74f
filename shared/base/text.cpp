// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/base/text.h"

#include <QChar>
#include <QStringConverter>

#include <array>
#include <limits>

namespace lockkeeper::base {

namespace {

/** The length of the valid UTF-8 sequence at `at`, or 0 (Unicode 15, table 3-7). */
qsizetype sequenceLength(QByteArrayView b, qsizetype at)
{
    const auto byte = [&](qsizetype i) { return static_cast<uchar>(b[i]); };
    const auto tail = [&](qsizetype i, uchar low = 0x80, uchar high = 0xbf) {
        return i < b.size() && byte(i) >= low && byte(i) <= high;
    };
    const uchar lead = byte(at);
    if (lead < 0x80)
        return 1;
    if (lead >= 0xc2 && lead <= 0xdf)
        return tail(at + 1) ? 2 : 0;
    if (lead >= 0xe0 && lead <= 0xef) {
        const uchar low = lead == 0xe0 ? 0xa0 : 0x80;
        const uchar high = lead == 0xed ? 0x9f : 0xbf;
        return tail(at + 1, low, high) && tail(at + 2) ? 3 : 0;
    }
    if (lead >= 0xf0 && lead <= 0xf4) {
        const uchar low = lead == 0xf0 ? 0x90 : 0x80;
        const uchar high = lead == 0xf4 ? 0x8f : 0xbf;
        return tail(at + 1, low, high) && tail(at + 2) && tail(at + 3) ? 4 : 0;
    }
    return 0;
}

QString hexEscape(uchar byte)
{
    return QStringLiteral("\\x%1").arg(uint(byte), 2, 16, QLatin1Char('0'));
}

/** Valid UTF-8, all of it: QString::fromUtf8() would leave out a byte order mark, and so make two names
 * alike. */
QString decoded(QByteArrayView utf8)
{
    QStringDecoder decoder(QStringDecoder::Utf8,
                           QStringConverter::Flag::Stateless | QStringConverter::Flag::ConvertInitialBom);
    return decoder.decode(utf8);
}

bool isDangerous(char32_t ucs)
{
    switch (QChar::category(ucs)) {
    case QChar::Other_Control:
    case QChar::Other_Format:
    case QChar::Other_Surrogate:
    case QChar::Other_PrivateUse:
    case QChar::Other_NotAssigned:
    case QChar::Separator_Line:
    case QChar::Separator_Paragraph:
        return true;
    default:
        return false;
    }
}

void appendVisible(QString &out, char32_t ucs)
{
    if (!isDangerous(ucs))
        out += QChar::fromUcs4(ucs);
    else if (ucs < 0x80)
        out += hexEscape(uchar(ucs));
    else
        out += QStringLiteral("\\u%1").arg(uint(ucs), 4, 16, QLatin1Char('0'));
}

} // namespace

QString textOf(QByteArrayView bytes)
{
    QString out;
    out.reserve(bytes.size());
    qsizetype clean = 0;
    for (qsizetype at = 0; at < bytes.size();) {
        const qsizetype length = sequenceLength(bytes, at);
        if (length > 0) {
            at += length;
            continue;
        }
        out += decoded(bytes.sliced(clean, at - clean));
        out += hexEscape(static_cast<uchar>(bytes[at]));
        clean = ++at;
    }
    out += decoded(bytes.sliced(clean));
    return out;
}

QString displayText(QByteArrayView bytes)
{
    return displayText(textOf(bytes));
}

QString displayText(const QString &text)
{
    QString out;
    out.reserve(text.size());
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar c = text.at(i);
        if (c.isHighSurrogate() && i + 1 < text.size() && text.at(i + 1).isLowSurrogate())
            appendVisible(out, QChar::surrogateToUcs4(c, text.at(++i)));
        else
            appendVisible(out, c.unicode());
    }
    return out;
}

QString singleLine(const QString &text)
{
    return displayText(text);
}

namespace {

/**
 * `[…]` at `at` against one byte. Moves `at` past it; false where there is no closing bracket, which makes
 * the opening one an ordinary character.
 */
bool takeSet(QByteArrayView pattern, qsizetype &at, uchar c, bool &hit)
{
    qsizetype i = at + 1;
    const bool negate = i < pattern.size() && (pattern[i] == '^' || pattern[i] == '!');
    if (negate)
        ++i;
    hit = false;
    for (bool first = true; i < pattern.size() && (first || pattern[i] != ']'); ++i, first = false) {
        if (pattern[i] == '\\' && i + 1 < pattern.size())
            ++i;
        const uchar low = static_cast<uchar>(pattern[i]);
        uchar high = low;
        if (i + 2 < pattern.size() && pattern[i + 1] == '-' && pattern[i + 2] != ']') {
            high = static_cast<uchar>(pattern[i + 2]);
            i += 2;
        }
        hit = hit || (c >= low && c <= high);
    }
    if (i >= pattern.size())
        return false;
    at = i + 1;
    hit = hit != negate;
    return true;
}

char folded(char c, GlobRules rules)
{
    return rules == GlobRules::Text && c >= 'A' && c <= 'Z' ? char(c + ('a' - 'A')) : c;
}

/** Bytes of the character that `text` begins with. */
qsizetype characterLength(QByteArrayView text)
{
    qsizetype length = 1;
    if ((uchar(text.front()) & 0xc0) == 0xc0) {
        while (length < 4 && length < text.size() && (uchar(text[length]) & 0xc0) == 0x80)
            ++length;
    }
    return length;
}

/**
 * One element of a glob other than `*` against the beginning of `name`; moves `at` past the element. How many
 * bytes of the name it takes; 0: it doesn't fit.
 */
qsizetype takeOne(QByteArrayView pattern, qsizetype &at, QByteArrayView name, GlobRules rules)
{
    bool hit = false;
    if (pattern[at] == '[' && takeSet(pattern, at, static_cast<uchar>(name.front()), hit))
        return hit ? 1 : 0;
    if (pattern[at] == '?') {
        ++at;
        return rules == GlobRules::Text ? characterLength(name) : 1;
    }
    if (pattern[at] == '\\' && at + 1 < pattern.size())
        ++at;
    return folded(pattern[at++], rules) == folded(name.front(), rules) ? 1 : 0;
}

} // namespace

bool globMatches(QByteArrayView pattern, QByteArrayView name, GlobRules rules)
{
    // Greedy with one point to come back to: linear for real patterns, never exponential.
    qsizetype p = 0;
    qsizetype n = 0;
    qsizetype starP = -1;
    qsizetype starN = 0;
    while (n < name.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            starP = ++p;
            starN = n;
            continue;
        }
        qsizetype next = p;
        if (const qsizetype taken = p < pattern.size() ? takeOne(pattern, next, name.sliced(n), rules) : 0) {
            p = next;
            n += taken;
            continue;
        }
        if (starP < 0)
            return false;
        p = starP;
        n = ++starN;
    }
    while (p < pattern.size() && pattern[p] == '*')
        ++p;
    return p == pattern.size();
}

QByteArray literalGlob(QByteArrayView name)
{
    QByteArray glob;
    for (const char c : name) {
        if (QByteArrayView("*?[]\\").contains(c))
            glob += '\\';
        glob += c;
    }
    return glob;
}

namespace {
struct Unit
{
    const char *name;
    qint64 us;
};
constexpr std::array<Unit, 6> kUnits{{
    {"d", 86'400'000'000},
    {"h", 3'600'000'000},
    {"m", 60'000'000},
    {"s", 1'000'000},
    {"ms", 1'000},
    {"us", 1},
}};
} // namespace

Result<qint64> parseDuration(QStringView text)
{
    qsizetype digits = 0;
    while (digits < text.size() && text.at(digits) >= QLatin1Char('0') && text.at(digits) <= QLatin1Char('9'))
        ++digits;
    bool ok = false;
    const qint64 count = text.first(digits).toLongLong(&ok);
    const QStringView unit = text.sliced(digits);
    for (const Unit &u : kUnits) {
        if (unit != QLatin1String(u.name))
            continue;
        if (!ok || count > std::numeric_limits<qint64>::max() / u.us)
            break;
        return count * u.us;
    }
    return failure(ErrorCode::Usage,
                   QStringLiteral("\"%1\" is not a duration").arg(displayText(text.toString())),
                   QStringLiteral("Write a number and a unit: 500ms, 30s, 10m, 2h or 7d."));
}

QString formatDuration(qint64 us)
{
    for (const Unit &u : kUnits) {
        if (us % u.us == 0 && (us != 0 || QLatin1String(u.name) == QLatin1String("s")))
            return QString::number(us / u.us) + QLatin1String(u.name);
    }
    return QString::number(us) + QLatin1String("us");
}

} // namespace lockkeeper::base
