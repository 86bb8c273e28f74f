// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/presentation/words.h"
#include "shared/base/text.h"

#include <QCoreApplication>
#include <QLocale>
#include <QRegularExpression>

#include <array>

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

namespace {

/**
 * Texts of the transport, the session, the agent and the stores, mainly remedies. %1 stands for a part that
 * is copied unchanged.
 */
constexpr std::array kRemedies{
    QT_TRANSLATE_NOOP("Remedies", "this agent is standby, and the active one is unknown: %1"),
    QT_TRANSLATE_NOOP("Remedies", "this agent is standby; active is %1"),
    QT_TRANSLATE_NOOP("Remedies", "this agent is standby; another one is active, but its name isn't known"),
    QT_TRANSLATE_NOOP("Remedies", "this agent is standby; no agent is known to be active"),
    QT_TRANSLATE_NOOP("Remedies", "Ask that agent."),
    QT_TRANSLATE_NOOP("Remedies", "Ask the other agent."),
    QT_TRANSLATE_NOOP("Remedies", "Start lockkeeper-agent, or specify its address"),
    QT_TRANSLATE_NOOP("Remedies", "Restart lockkeeper-agent; it replaces the stale socket"),
    QT_TRANSLATE_NOOP("Remedies", "Run as the user that lockkeeper-agent runs as"),
    QT_TRANSLATE_NOOP("Remedies", "Check that lockkeeper-agent runs and that this is its socket"),
    QT_TRANSLATE_NOOP("Remedies", "Check that lockkeeper-agent isn't stopped or overloaded"),
    QT_TRANSLATE_NOOP("Remedies", "Use --user NAME, and --password env:NAME or file:PATH"),
    QT_TRANSLATE_NOOP("Remedies", "Install Lockkeeper there, in the PATH of commands over ssh"),
    QT_TRANSLATE_NOOP("Remedies", "Install a newer Lockkeeper there"),
    QT_TRANSLATE_NOOP("Remedies", "Start lockkeeper-agent there, or add its socket's path to the address"),
    QT_TRANSLATE_NOOP("Remedies", "Install the OpenSSH client"),
    QT_TRANSLATE_NOOP("Remedies", "Make its login shell silent for commands over ssh"),
    QT_TRANSLATE_NOOP(
        "Remedies",
        "Ask that machine's administrator whether its key was changed, and only then: ssh-keygen -R %1"),
    QT_TRANSLATE_NOOP(
        "Remedies",
        "Run 'ssh %1' once in a terminal, and compare the key's fingerprint before you accept it"),
    QT_TRANSLATE_NOOP("Remedies", "Check the name; ssh's own configuration may define aliases"),
    QT_TRANSLATE_NOOP("Remedies", "Try 'ssh %1' in a terminal; load the key with ssh-add"),
    QT_TRANSLATE_NOOP("Remedies", "Try 'ssh %1' in a terminal; name the right key in ssh's configuration"),
    QT_TRANSLATE_NOOP("Remedies", "Try 'ssh %1 lockkeeperctl status' in a terminal"),
    QT_TRANSLATE_NOOP("Remedies", "Try 'ssh %1' in a terminal"),
    QT_TRANSLATE_NOOP("Remedies", "Check the clock of this machine, or give the agent a new certificate"),
    QT_TRANSLATE_NOOP("Remedies",
                      "Ask that agent's administrator whether its certificate was changed, and only then "
                      "trust the new one: lockkeeperctl --agent %1 --trust FINGERPRINT status"),
    QT_TRANSLATE_NOOP("Remedies",
                      "Compare it with what lockkeeper-agent --config FILE --fingerprint prints there, "
                      "then trust it: lockkeeperctl --agent %1 --trust %2 status"),
    QT_TRANSLATE_NOOP("Remedies", "Use the name that the certificate carries: %1"),
    QT_TRANSLATE_NOOP("Remedies", "Use --ca with the file of the authority that signed it"),
    QT_TRANSLATE_NOOP("Remedies", "Check the name"),
    QT_TRANSLATE_NOOP("Remedies", "Start lockkeeper-agent there, with this address in listen"),
    QT_TRANSLATE_NOOP("Remedies", "Check the address and the firewall"),
    QT_TRANSLATE_NOOP("Remedies", "Use --certificate and --key, signed by an authority in its client_ca"),
    QT_TRANSLATE_NOOP("Remedies", "TLS 1.2 or later is required; update the server"),
    QT_TRANSLATE_NOOP("Remedies", "Use the port of the agent's tls:// address"),
    QT_TRANSLATE_NOOP("Remedies", "Check that a lockkeeper-agent listens there"),
    QT_TRANSLATE_NOOP("Remedies", "Use the address in the agent's listen"),
    QT_TRANSLATE_NOOP("Remedies", "Check that it is a lockkeeper-agent, and not overloaded"),
    QT_TRANSLATE_NOOP("Remedies",
                      "Its log has the reason; it may refuse the client's certificate, or require one"),
    QT_TRANSLATE_NOOP("Remedies", "Connect again"),
    QT_TRANSLATE_NOOP("Remedies", "Request a new certificate"),
    QT_TRANSLATE_NOOP("Remedies", "Use --certificate and --key"),
    QT_TRANSLATE_NOOP("Remedies", "Wait a few minutes"),
    QT_TRANSLATE_NOOP("Remedies", "Try again in a few seconds"),
    QT_TRANSLATE_NOOP("Remedies", "Add an [[access]] with who = [\"user:%1\"] to the agent's configuration"),
    QT_TRANSLATE_NOOP("Remedies", "Ask for an [[access]] entry in the agent's configuration."),
    QT_TRANSLATE_NOOP("Remedies",
                      "Wait for the lease to expire, or release it as an operator (--because operator)."),
    QT_TRANSLATE_NOOP("Remedies", "Check its state, or release it as an operator (--because operator)."),
    QT_TRANSLATE_NOOP("Remedies", "Read the lock again."),
    QT_TRANSLATE_NOOP("Remedies", "Use local:PATH, ssh://HOST or tls://HOST"),
    QT_TRANSLATE_NOOP("Remedies", "Specify the path of the socket, e.g. local:lockkeeper.sock"),
    QT_TRANSLATE_NOOP("Remedies", "Use a shorter path, e.g. below /run or /tmp"),
    QT_TRANSLATE_NOOP("Remedies", "Use ssh://[USER@]HOST[:PORT][/SOCKET]"),
    QT_TRANSLATE_NOOP("Remedies", "Remove it: ssh asks for it, or uses a key"),
    QT_TRANSLATE_NOOP("Remedies", "Remove it, and log in with --user and --password"),
    QT_TRANSLATE_NOOP("Remedies", "Use tls://HOST[:PORT], with an IPv6 address in brackets"),
    QT_TRANSLATE_NOOP("Remedies", "Use local:PATH, or ssh://HOST or tls://HOST for another machine"),
    QT_TRANSLATE_NOOP("Remedies", "Log in again"),
    QT_TRANSLATE_NOOP(
        "Remedies",
        "Try again. An administrator manages users with: lockkeeper-agent --config FILE user list"),
    QT_TRANSLATE_NOOP("Remedies", "Its common name must be a user name: 1 to 64 visible characters"),
    QT_TRANSLATE_NOOP("Remedies", "Ask another approver."),
    QT_TRANSLATE_NOOP("Remedies", "Copy the guard from 'lockkeeperctl locks --json'."),
    QT_TRANSLATE_NOOP("Remedies", "XA RECOVER lists it; commit or roll it back there."),
    QT_TRANSLATE_NOOP("Remedies", "Try again in a few seconds."),
    QT_TRANSLATE_NOOP("Remedies", "It can be released once a single holder is left."),
    QT_TRANSLATE_NOOP("Remedies", "Release at the primary."),
    QT_TRANSLATE_NOOP("Remedies", "break = \"unsafe\" in its lock set allows it, but the release may then "
                                  "hit the holder's next acquisition."),
    QT_TRANSLATE_NOOP("Remedies", "Correct \"held_value\" and \"free_value\" of the lock set."),
    QT_TRANSLATE_NOOP("Remedies", "Add its name to \"names\" of the lock set."),
    QT_TRANSLATE_NOOP("Remedies", "Write \"names\" in the lock set, or have them listed: %1"),
    QT_TRANSLATE_NOOP("Remedies", "Check the schema in the source's url."),
    QT_TRANSLATE_NOOP("Remedies", "Check the user and the password of this source, and pg_hba.conf."),
    QT_TRANSLATE_NOOP("Remedies", "Write the same \"table\" in both lock sets."),
    QT_TRANSLATE_NOOP("Remedies", "Correct the path in the URL, or create the znode."),
    QT_TRANSLATE_NOOP("Remedies", "The server has no such command: it was renamed or disabled "
                                  "(rename-command), or a proxy doesn't support it."),
    QT_TRANSLATE_NOOP("Remedies",
                      "Set probe = true in its [[source]]: contention.md describes the cost of a probe"),
    QT_TRANSLATE_NOOP("Remedies", "Ask for a new probe"),
    QT_TRANSLATE_NOOP("Remedies", "Wait for it or cancel it"),
    QT_TRANSLATE_NOOP("Remedies", "Ask again"),
    QT_TRANSLATE_NOOP("Remedies", "Run lockkeeperctl discover on the agent's machine"),
    QT_TRANSLATE_NOOP("Remedies", "Try again; ask the agent that is active then."),
    QT_TRANSLATE_NOOP("Remedies", "Check the source's user and password."),
    QT_TRANSLATE_NOOP("Remedies", "Check the user, the password and authSource."),
    QT_TRANSLATE_NOOP("Remedies", "Check the user in the URL and the source's password."),
    QT_TRANSLATE_NOOP("Remedies",
                      "Write the user into the URL, etcd://USER@HOST, and its password beside it."),
    QT_TRANSLATE_NOOP("Remedies", "Set a password on the server, or connect over its unix socket."),
    QT_TRANSLATE_NOOP("Remedies", "Connect the source to the primary."),
    QT_TRANSLATE_NOOP("Remedies", "Narrow the lock set's match to the keys that are locks."),
    QT_TRANSLATE_NOOP("Remedies", "Check that this is its TLS port."),
    QT_TRANSLATE_NOOP("Remedies", "A server that asks for TLS closes other connections: add ?tls=true."),
    QT_TRANSLATE_NOOP("Remedies", "Use the port for TLS, or redis:// for this one."),
    QT_TRANSLATE_NOOP("Remedies", "Use the port for TLS, or etcd:// for this one."),
    QT_TRANSLATE_NOOP("Remedies", "Write the address that clients use, with etcds:// for TLS."),
    QT_TRANSLATE_NOOP("Remedies", "Enable TLS on the server."),
    QT_TRANSLATE_NOOP("Remedies", "Set tls_ca to the file of the CA that signed it."),
    QT_TRANSLATE_NOOP("Remedies", "Check tls_ca, and that the certificate is for the host in the url."),
    QT_TRANSLATE_NOOP("Remedies", "Set tls_cert and tls_key to a certificate that the server accepts."),
    QT_TRANSLATE_NOOP("Remedies", "Set tls_cert and tls_key to a certificate that the members accept."),
    QT_TRANSLATE_NOOP("Remedies", "Use the name that the certificate carries, or tls_verify = \"ca\"."),
    QT_TRANSLATE_NOOP("Remedies", "Renew it, and check this machine's clock."),
    QT_TRANSLATE_NOOP("Remedies", "Make it readable to the agent's user."),
    QT_TRANSLATE_NOOP("Remedies", "Use a file in PEM format."),
    QT_TRANSLATE_NOOP("Remedies", "Check the path in the source's url."),
    QT_TRANSLATE_NOOP("Remedies", "Install the package %1."),
    QT_TRANSLATE_NOOP("Remedies",
                      "Run: SET GLOBAL binlog_format = ROW; and let the applications connect again."),
    QT_TRANSLATE_NOOP("Remedies", "Run: %1"),
    QT_TRANSLATE_NOOP("Remedies", "Check its name, or run: %1"),
    QT_TRANSLATE_NOOP("Remedies", "Did you mean \"%1\"? Or run: %2"),
    QT_TRANSLATE_NOOP("Remedies", "If it exists, run: %1;"),
    QT_TRANSLATE_NOOP("Remedies", "Create it, or name the lock by another field."),
    QT_TRANSLATE_NOOP("Remedies", "Set log_bin in the server's configuration and restart it."),
    QT_TRANSLATE_NOOP("Remedies", "Use the server's own address instead of a load balancer's."),
    QT_TRANSLATE_NOOP("Remedies", "Use a separate source for row and advisory locks, without binlog."),
    QT_TRANSLATE_NOOP("Remedies", "Keep the clocks of the application's hosts in step."),
    QT_TRANSLATE_NOOP("Remedies", "Find the program that reads information_schema.INNODB_TRX, INNODB_LOCKS "
                                  "or INNODB_LOCK_WAITS more often than ten times a second."),
    QT_TRANSLATE_NOOP("Remedies", "Push needs Redis 6.0 or later."),
    QT_TRANSLATE_NOOP("Remedies", "Give match a fixed prefix (\"lock:*\"), or remove push."),
    QT_TRANSLATE_NOOP("Remedies",
                      "Grant the agent's user the role \"read\" on the database: it has changeStream."),
    QT_TRANSLATE_NOOP("Remedies", "Remove push: the source is polled every poll_ms."),
    QT_TRANSLATE_NOOP("Remedies", "Write a smaller page_size."),
    QT_TRANSLATE_NOOP("Remedies", "Compare the journal with a backup. To accept the audit as it is, stop the "
                                  "agent and run: lockkeeper-agent --config FILE audit accept --reason TEXT"),
    QT_TRANSLATE_NOOP("Remedies", "Restore it from a backup, or accept the audit as it is: lockkeeper-agent "
                                  "--config FILE audit accept --reason TEXT"),
    QT_TRANSLATE_NOOP("Remedies", "Restore it from a backup"),
    QT_TRANSLATE_NOOP("Remedies", "Make it readable for the agent's user alone"),
    QT_TRANSLATE_NOOP("Remedies", "Make its folder writable for the agent's user"),
    QT_TRANSLATE_NOOP("Remedies", "End some of them"),
    QT_TRANSLATE_NOOP("Remedies", "Read the lock again."),
    QT_TRANSLATE_NOOP("Remedies", "Try again."),
    QT_TRANSLATE_NOOP("Remedies", "Try again in a few minutes."),
    QT_TRANSLATE_NOOP("Remedies", "Try again in a minute."),
    QT_TRANSLATE_NOOP("Remedies", "Commit it or roll it back by its id."),
    QT_TRANSLATE_NOOP("Remedies", "Its slot is moving to another node: read the lock again."),
    QT_TRANSLATE_NOOP("Remedies", "Release it as an operator, without \"if not renewed\"."),
    QT_TRANSLATE_NOOP("Remedies", "lockkeeper-agent --check names the missing right."),
    QT_TRANSLATE_NOOP("Remedies", "lockkeeper-agent --check shows how to enable it."),
    QT_TRANSLATE_NOOP("Remedies", "lockkeeper-agent --check shows what to enable."),
    QT_TRANSLATE_NOOP("Remedies", "lockkeeperctl approvals lists them."),
    QT_TRANSLATE_NOOP("Remedies", "lockkeeperctl whoami shows its scope."),
};

bool isEnglish()
{
    const QLocale::Language shown = QLocale().language();
    return shown == QLocale::English || shown == QLocale::C;
}

QString remedyOf(base::ErrorCode code)
{
    switch (code) {
    case base::ErrorCode::Unreachable:
        return Words::tr("Check that it is running and that the address is right.");
    case base::ErrorCode::Authentication:
        return Words::tr("Check the user and the password in the agent's configuration.");
    case base::ErrorCode::PermissionDenied:
        return Words::tr("The Sources view names the missing grant.");
    case base::ErrorCode::Loading:
    case base::ErrorCode::Busy:
    case base::ErrorCode::Timeout:
        return Words::tr("Try again in a moment.");
    case base::ErrorCode::Protocol:
        return Words::tr("Use a console and an agent of matching versions.");
    default:
        return {};
    }
}

/** The text of an error in the console's language, if a translation exists. */
QString translated(const QString &said)
{
    for (const char *one : kRemedies) {
        if (isEnglish())
            break;
        const QLatin1String known(one);
        const qsizetype open = known.indexOf(QLatin1Char('%'));
        if (!said.startsWith(open < 0 ? known : known.first(open)))
            continue;
        QString pattern = QRegularExpression::escape(known);
        for (const char *name : {"\\%1", "\\%2"})
            pattern.replace(QLatin1String(name), QLatin1String("(.+)"));
        const QRegularExpressionMatch match =
            QRegularExpression(QRegularExpression::anchoredPattern(pattern)).match(said);
        if (!match.hasMatch())
            continue;
        const QString words = QCoreApplication::translate("Remedies", one);
        return match.lastCapturedIndex() == 0 ? words
               : match.lastCapturedIndex() == 1
                   ? words.arg(base::displayText(match.captured(1)))
                   : words.arg(base::displayText(match.captured(1)), base::displayText(match.captured(2)));
    }
    return base::displayText(said);
}

} // namespace

QString Words::cause(const base::Error &error)
{
    const QString said = translated(error.cause);
    if (said.isEmpty())
        return Words::error(error.code);
    if (isEnglish() || error.code == base::ErrorCode::Unknown)
        return said;
    return tr("%1 (%2)", "error, what was said in English").arg(Words::error(error.code), said);
}

QString Words::line(const base::Error &error)
{
    if (isEnglish() && !error.cause.isEmpty())
        return error.line();
    return error.remedy.isEmpty() ? cause(error)
                                  : tr("%1. %2", "cause, remedy").arg(cause(error), translated(error.remedy));
}

QString Words::detail(const base::Error &error)
{
    return base::Error{error.code, error.cause, translated(error.remedy)}.line();
}

QString Words::remedy(const base::Error &error)
{
    return error.remedy.isEmpty() ? remedyOf(error.code) : translated(error.remedy);
}

} // namespace lockkeeper::app::presentation
