// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/alerts/delivery/mail_message.h"

#include <QDateTime>
#include <QLocale>

#include <algorithm>

namespace lockkeeper::agent::alerts {

using domain::Alert;

namespace {

constexpr qsizetype kWordBytes = 42;    ///< an encoded word has 75 characters at most (RFC 2047)
constexpr qsizetype kMostSubject = 300; ///< characters
constexpr qsizetype kLineBytes = 57;    ///< 76 characters in base64

/** A header's text as encoded words, a line each. Cut between characters. */
QByteArray encodedText(const QString &text)
{
    QByteArrayList words;
    QByteArray word;
    for (const QChar *c = text.cbegin(); c < text.cend();) {
        const qsizetype units = c->isHighSurrogate() && c + 1 < text.cend() ? 2 : 1;
        const QByteArray character = QStringView(c, units).toUtf8();
        if (word.size() + character.size() > kWordBytes) {
            words.append(word);
            word.clear();
        }
        word += character;
        c += units;
    }
    words.append(word);
    for (QByteArray &one : words)
        one = "=?UTF-8?B?" + one.toBase64() + "?=";
    return words.join("\r\n ");
}

QByteArray headerText(const QString &text)
{
    const bool isPlain = text.size() < 60 && std::all_of(text.cbegin(), text.cend(), [](QChar c) {
                             return c >= QLatin1Char(' ') && c < QChar(0x7f);
                         });
    // "=?" would begin an encoded word.
    return isPlain && !text.contains(QLatin1String("=?")) ? text.toLatin1() : encodedText(text);
}

/** The part of a Message-ID before the @: letters, digits and hyphens. */
QByteArray idPart(const Alert &alert)
{
    QByteArray id = alert.id.left(128);
    std::replace_if(
        id.begin(), id.end(), [](char c) { return !(std::isalnum(uchar(c)) && uchar(c) < 0x80) && c != '-'; },
        '-');
    return id + '.' + QByteArray::number(alert.firedUs) + '.' + QByteArray::number(alert.repeats);
}

QByteArray mailDate(qint64 us)
{
    return QLocale::c()
        .toString(QDateTime::fromMSecsSinceEpoch(us / 1'000, Qt::UTC),
                  QStringLiteral("ddd, dd MMM yyyy HH:mm:ss '+0000'"))
        .toLatin1();
}

QByteArray bodyOf(const AlertText &text)
{
    const QByteArray plain =
        QStringList(QStringList{text.headline, QString()} + text.lines).join(QLatin1String("\r\n")).toUtf8() +
        "\r\n";
    QByteArray body;
    for (qsizetype i = 0; i < plain.size(); i += kLineBytes)
        body += plain.mid(i, kLineBytes).toBase64() + "\r\n";
    return body;
}

} // namespace

QByteArray mailMessage(const DueNotice &notice, const SendContext &context,
                       const config::EmailReceiver &receiver)
{
    const Alert &alert = notice.alert;
    const AlertText text = alertText(notice, context, TextStyle::Plain);
    const QByteArray host = receiver.from.section(QLatin1Char('@'), -1).toLatin1();
    const QByteArray fired = '<' + idPart(alert) + ".fired@" + host + '>';
    const bool isEnd = alert.isResolved() && notice.firingDelivered;
    QByteArray mail = "From: Lockkeeper <" + receiver.from.toLatin1() + ">\r\n";
    mail += "To: " + receiver.to.join(QLatin1String(",\r\n ")).toLatin1() + "\r\n";
    mail +=
        "Subject: " + headerText(QLatin1String("[Lockkeeper] ") + text.headline.left(kMostSubject)) + "\r\n";
    mail += "Date: " + mailDate(context.nowUs) + "\r\n";
    if (isEnd) {
        mail += "Message-ID: <" + idPart(alert) + ".over@" + host + ">\r\n";
        mail += "In-Reply-To: " + fired + "\r\nReferences: " + fired + "\r\n";
    } else {
        mail += "Message-ID: " + fired + "\r\n";
    }
    if (alert.severity == domain::AlertSeverity::Critical && !alert.isResolved())
        mail += "Importance: high\r\n";
    mail += "Auto-Submitted: auto-generated\r\n"
            "MIME-Version: 1.0\r\n"
            "Content-Type: text/plain; charset=utf-8\r\n"
            "Content-Transfer-Encoding: base64\r\n\r\n";
    return mail + bodyOf(text);
}

} // namespace lockkeeper::agent::alerts
