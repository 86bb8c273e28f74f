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

/** Decodes valid UTF-8 completely. QString::fromUtf8() would omit a byte order mark, so that two different
 * names would become equal. */
QString decoded(QByteArrayView utf8)
{
    QStringDecoder decoder(QStringDecoder::Utf8,
                           QStringConverter::Flag::Stateless | QStringConverter::Flag::ConvertInitialBom);
    return decoder.decode(utf8);
}

void appendVisible(QString &out, char32_t ucs)
{
    if (!isEscaped(ucs))
        out += QChar::fromUcs4(ucs);
    else if (ucs < 0x80)
        out += hexEscape(uchar(ucs));
    else
        out += QStringLiteral("\\u%1").arg(uint(ucs), 4, 16, QLatin1Char('0'));
}

} // namespace

bool isEscaped(char32_t ucs)
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
struct DurationUnit
{
    const char *name;
    qint64 us;
};
constexpr std::array<DurationUnit, 6> kUnits{{
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
    for (const DurationUnit &u : kUnits) {
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
    for (const DurationUnit &u : kUnits) {
        if (us % u.us == 0 && (us != 0 || QLatin1String(u.name) == QLatin1String("s")))
            return QString::number(us / u.us) + QLatin1String(u.name);
    }
    return QString::number(us) + QLatin1String("us");
}

} // namespace lockkeeper::base
