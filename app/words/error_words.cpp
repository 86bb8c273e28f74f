// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/words/error_words.h"

#include "app/words/known_errors.h"
#include "shared/base/text.h"

#include <QLocale>
#include <QRegularExpression>

#include <algorithm>
#include <optional>

namespace lockkeeper::app::words {

namespace {

bool isEnglish()
{
    const QLocale::Language shown = QLocale().language();
    return shown == QLocale::English || shown == QLocale::C;
}

/** A text that this program has translated already: our programs report in English, servers mostly too. */
bool isChinese(const QString &text)
{
    constexpr char16_t kFirstWide = 0x2E80;
    return std::any_of(text.cbegin(), text.cend(), [](QChar c) { return c.unicode() >= kFirstWide; });
}

QString remedyOf(base::ErrorCode code)
{
    switch (code) {
    case base::ErrorCode::Unreachable:
        return ErrorWords::tr("Check that it is running and that the address is right.");
    case base::ErrorCode::Authentication:
        return ErrorWords::tr("Check the user and the password in the agent's configuration.");
    case base::ErrorCode::PermissionDenied:
        return ErrorWords::tr("The Sources view names the missing grant.");
    case base::ErrorCode::Loading:
    case base::ErrorCode::Busy:
    case base::ErrorCode::Timeout:
        return ErrorWords::tr("Try again in a moment.");
    case base::ErrorCode::Protocol:
        return ErrorWords::tr("Use a console and an agent of matching versions.");
    default:
        return {};
    }
}

/** The words for `known` if `said` is this text; the parts at %1, %2 and %3 are copied. */
std::optional<QString> wordsFor(const char *known, const QString &said)
{
    const QLatin1String text(known);
    const qsizetype open = text.indexOf(QLatin1Char('%'));
    if (!said.startsWith(open < 0 ? text : text.first(open)))
        return std::nullopt;
    static const QRegularExpression place(QStringLiteral(R"(\\%[1-3])"));
    const QString pattern = QRegularExpression::escape(text).replace(place, QStringLiteral("(.+)"));
    const auto match = QRegularExpression(QRegularExpression::anchoredPattern(pattern)).match(said);
    if (!match.hasMatch())
        return std::nullopt;
    const QString words = QCoreApplication::translate("Errors", known);
    switch (match.lastCapturedIndex()) {
    case 0:
        return words;
    case 1:
        return words.arg(base::displayText(match.captured(1)));
    case 2:
        return words.arg(base::displayText(match.captured(1)), base::displayText(match.captured(2)));
    default:
        return words.arg(base::displayText(match.captured(1)), base::displayText(match.captured(2)),
                         base::displayText(match.captured(3)));
    }
}

struct Translation
{
    QString text;
    bool isKnown = false; ///< false: unchanged, as reported
};

/** A text of an error in the user's language, if a translation exists. */
Translation translated(const QString &said)
{
    if (isEnglish())
        return {base::displayText(said), true};
    for (const char *known : knownErrors()) {
        if (const auto words = wordsFor(known, said))
            return {*words, true};
    }
    return {base::displayText(said), isChinese(said)};
}

} // namespace

QString ErrorWords::title(base::ErrorCode code)
{
    switch (code) {
    case base::ErrorCode::Unknown:
        return tr("Something went wrong");
    case base::ErrorCode::Usage:
        return tr("The request wasn't understood");
    case base::ErrorCode::NotFound:
        return tr("Not found");
    case base::ErrorCode::Ambiguous:
        return tr("The name matches more than one lock");
    case base::ErrorCode::Unreachable:
        return tr("Can't be reached");
    case base::ErrorCode::Authentication:
        return tr("The login was rejected");
    case base::ErrorCode::PermissionDenied:
        return tr("A permission is missing");
    case base::ErrorCode::ReadOnly:
        return tr("The server is read-only");
    case base::ErrorCode::Loading:
        return tr("The server is still starting");
    case base::ErrorCode::Timeout:
        return tr("No answer in time");
    case base::ErrorCode::ConnectionLost:
        return tr("The connection was lost");
    case base::ErrorCode::Protocol:
        return tr("The other side doesn't speak the protocol");
    case base::ErrorCode::TooLarge:
        return tr("Too large");
    case base::ErrorCode::Unsupported:
        return tr("Not supported here");
    case base::ErrorCode::SchemaMismatch:
        return tr("A table isn't what the configuration says");
    case base::ErrorCode::Busy:
        return tr("Busy: nothing was done");
    case base::ErrorCode::Storage:
        return tr("Reading or writing failed");
    case base::ErrorCode::Corrupt:
        return tr("Stored data is damaged");
    case base::ErrorCode::Cancelled:
        return tr("Cancelled");
    case base::ErrorCode::Shutdown:
        return tr("The agent is ending");
    }
    return {};
}

QString ErrorWords::cause(const base::Error &error)
{
    const Translation said = translated(error.cause);
    if (said.text.isEmpty())
        return title(error.code);
    if (said.isKnown || error.code == base::ErrorCode::Unknown)
        return said.text;
    return tr("%1 (%2)", "error, what was said in English").arg(title(error.code), said.text);
}

QString ErrorWords::line(const base::Error &error)
{
    const QString remedy = translated(error.remedy).text;
    if (error.cause.isEmpty() && error.code == base::ErrorCode::Unknown)
        return remedy;
    return base::Error{error.code, cause(error), remedy}.line();
}

QString ErrorWords::detail(const base::Error &error)
{
    return base::Error{error.code, error.cause, translated(error.remedy).text}.line();
}

QString ErrorWords::remedy(const base::Error &error)
{
    return error.remedy.isEmpty() ? remedyOf(error.code) : translated(error.remedy).text;
}

} // namespace lockkeeper::app::words
