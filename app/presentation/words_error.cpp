// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/presentation/words.h"
#include "shared/base/text.h"

#include <QLocale>

namespace lockkeeper::app::presentation {

QString Words::error(base::ErrorCode code)
{
    switch (code) {
    case base::ErrorCode::Unknown:
        return tr("Something went wrong");
    case base::ErrorCode::Usage:
        return tr("The request wasn't understood");
    case base::ErrorCode::NotFound:
        return tr("Not found");
    case base::ErrorCode::Ambiguous:
        return tr("The name fits more than one lock");
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
        return tr("The journal can't be written");
    case base::ErrorCode::Corrupt:
        return tr("Stored data is damaged");
    case base::ErrorCode::Cancelled:
        return tr("Cancelled");
    case base::ErrorCode::Shutdown:
        return tr("The agent is ending");
    }
    return {};
}

static QString inWords(base::ErrorCode code, const QString &said)
{
    if (said.isEmpty())
        return Words::error(code);
    const QLocale::Language shown = QLocale().language();
    if (shown == QLocale::English || shown == QLocale::C || code == base::ErrorCode::Unknown)
        return said;
    return Words::tr("%1 (%2)", "error, what was said in English").arg(Words::error(code), said);
}

QString Words::cause(const base::Error &error)
{
    return inWords(error.code, base::displayText(error.cause));
}

QString Words::line(const base::Error &error)
{
    return inWords(error.code, error.line());
}

QString Words::remedy(base::ErrorCode code)
{
    switch (code) {
    case base::ErrorCode::Unreachable:
        return tr("Check that it is running and that the address is right.");
    case base::ErrorCode::Authentication:
        return tr("Check the user and the password in the agent's configuration.");
    case base::ErrorCode::PermissionDenied:
        return tr("The Sources view names the missing grant.");
    case base::ErrorCode::Loading:
    case base::ErrorCode::Busy:
    case base::ErrorCode::Timeout:
        return tr("Try again in a moment.");
    case base::ErrorCode::Storage:
        return tr("Free some disk space for the agent's journal.");
    case base::ErrorCode::Protocol:
        return tr("Use a console and an agent of matching versions.");
    default:
        return {};
    }
}

} // namespace lockkeeper::app::presentation
