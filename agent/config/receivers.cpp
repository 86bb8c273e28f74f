// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/config/receivers.h"

#include "shared/base/text.h"
#include "shared/stores/secret.h"

#include <QDir>
#include <QFileInfo>
#include <QHash>
#include <QHostAddress>

#include <toml++/toml.h>

namespace lockkeeper::agent::config {

using base::displayText;
using lockkeeper::config::Problems;
using lockkeeper::config::suggestion;
using lockkeeper::config::TableReader;
using lockkeeper::config::words;

namespace {

const QStringList kTypes = words("alertmanager pagerduty webhook email command");
const QString kHeading = QStringLiteral("[[receiver]]");
const QString kPagerDutyUrl = QStringLiteral("https://events.pagerduty.com/v2/enqueue");

/** The keys of each type. For an unknown type all are known, so that the type is the only mistake. */
QStringList keysOf(const QString &type)
{
    static const QHash<QString, QStringList> own{
        {QStringLiteral("alertmanager"), words("url user password token ca proxy")},
        {QStringLiteral("pagerduty"), words("url routing_key ca proxy")},
        {QStringLiteral("webhook"), words("url user password token secret ca proxy")},
        {QStringLiteral("email"), words("url user password ca starttls from to")},
        {QStringLiteral("command"), words("command")},
    };
    QStringList keys = words("name type min_severity language");
    for (auto it = own.cbegin(); it != own.cend(); ++it) {
        if (it.key() == type || !own.contains(type))
            keys += it.value();
    }
    return keys;
}

/** Reads the keys of one [[receiver]] beyond those that every type has. */
class ReceiverReader
{
public:
    ReceiverReader(const TableReader &reader, QString folder) : m_reader(reader), m_folder(std::move(folder))
    {
    }

    ReceiverSettings::Target target(const QString &type) const
    {
        if (type == QLatin1String("alertmanager"))
            return AlertmanagerReceiver{access({})};
        if (type == QLatin1String("pagerduty"))
            return PagerDutyReceiver{access(kPagerDutyUrl), needed("routing_key", secret("routing_key"))};
        if (type == QLatin1String("webhook"))
            return WebhookReceiver{access({}), secret("secret")};
        if (type == QLatin1String("email"))
            return email();
        return CommandReceiver{command()};
    }

private:
    QByteArray secret(const char *key) const
    {
        if (!m_reader.has(key))
            return {};
        const auto resolved = stores::resolveSecret(m_reader.string(key, QStringLiteral("env:")), m_folder);
        if (resolved && !hasControl(*resolved))
            return *resolved;
        if (resolved)
            fault(key, QStringLiteral("the secret has a line break or another control character"));
        else
            fault(key, resolved.error().cause, resolved.error().remedy);
        return {};
    }

    QByteArray needed(const char *key, const QByteArray &value) const
    {
        if (!m_reader.has(key))
            m_reader.problem(key, QStringLiteral("%1 is missing").arg(m_reader.nameOf(key)),
                             QStringLiteral("Write \"env:NAME\" or \"file:PATH\"."));
        return value;
    }

    static bool hasControl(const QByteArray &text)
    {
        return std::any_of(text.cbegin(), text.cend(), [](char c) { return uchar(c) < 0x20 || c == 0x7f; });
    }

    void fault(const char *key, const QString &cause, const QString &remedy = {}) const
    {
        m_reader.problem(key, QStringLiteral("%1: %2").arg(m_reader.nameOf(key), cause), remedy);
    }

    QString filePath(const char *key) const
    {
        const QString given = m_reader.string(key);
        if (given.isEmpty())
            return {};
        const QString path = QDir::cleanPath(QDir(m_folder).absoluteFilePath(given));
        if (!QFileInfo(path).isReadable())
            fault(key, QStringLiteral("%1 can't be read").arg(displayText(path)));
        return path;
    }

    /** The address; `env:` and `file:` because that of a webhook is often a secret. */
    QUrl url(const QString &otherwise, const QStringList &schemes, const QString &example) const
    {
        const QString remedy = QStringLiteral("Write for example \"%1\".").arg(example);
        QString text = m_reader.string("url", otherwise);
        if (text.isEmpty()) {
            m_reader.problem("url", QStringLiteral("%1 is missing").arg(m_reader.nameOf("url")), remedy);
            return {};
        }
        const bool isSecret =
            text.startsWith(QLatin1String("env:")) || text.startsWith(QLatin1String("file:"));
        if (isSecret)
            text = QString::fromUtf8(secret("url"));
        const QUrl address(text, QUrl::StrictMode);
        if (!text.isEmpty() && (!address.isValid() || address.host().isEmpty()))
            fault("url", QStringLiteral("it isn't a URL"), remedy);
        else if (!text.isEmpty() && !schemes.contains(address.scheme()))
            fault("url",
                  QStringLiteral("\"%1\" can't be used here")
                      .arg(isSecret ? QStringLiteral("…") : displayText(address.scheme())),
                  suggestion(isSecret ? QString() : address.scheme(), schemes));
        else if (!address.userInfo().isEmpty())
            fault("url", QStringLiteral("it contains a user or a password"),
                  QStringLiteral("Take it out, and write user = \"NAME\" and password = \"env:NAME\"."));
        else if (address.hasFragment())
            fault("url", QStringLiteral("it has a fragment"), QStringLiteral("Take out the part from #."));
        return address;
    }

    static bool isLoopback(const QUrl &address)
    {
        return address.host() == QLatin1String("localhost") || QHostAddress(address.host()).isLoopback();
    }

    void readLogin(ReceiverAccess &found, bool isClear) const
    {
        found.user = m_reader.string("user");
        found.password = secret("password");
        found.token = secret("token");
        if (hasControl(found.user.toUtf8()) || found.user.contains(QLatin1Char(':')))
            fault("user", QStringLiteral("it contains a colon or a control character"));
        if (found.user.isEmpty() != !m_reader.has("password"))
            m_reader.problem(m_reader.has("password") ? "password" : "user",
                             kHeading + QLatin1String(" needs user and password together"));
        if (m_reader.has("token") && m_reader.has("user"))
            fault("token", QStringLiteral("the receiver has a user as well"),
                  QStringLiteral("Remove one of the two."));
        if (isClear && !isLoopback(found.url) && (m_reader.has("password") || m_reader.has("token")))
            m_reader.problem(m_reader.has("token") ? "token" : "password",
                             QStringLiteral("a secret would be sent without encryption"),
                             QStringLiteral("Use TLS: https://, smtps://, or smtp:// with starttls."));
    }

    ReceiverAccess access(const QString &otherwise) const
    {
        ReceiverAccess found;
        found.url = url(otherwise, words("https http"), QStringLiteral("https://HOST/PATH"));
        readLogin(found, found.url.scheme() == QLatin1String("http"));
        found.ca = filePath("ca");
        found.proxy = QUrl(m_reader.string("proxy"), QUrl::StrictMode);
        if (m_reader.has("proxy") && (!words("http https").contains(found.proxy.scheme()) ||
                                      found.proxy.host().isEmpty() || !found.proxy.userInfo().isEmpty()))
            fault("proxy", QStringLiteral("it isn't the address of an HTTP proxy"),
                  QStringLiteral("Write for example \"http://proxy.example:3128\"."));
        return found;
    }

    EmailReceiver email() const
    {
        EmailReceiver found;
        found.access.url = url({}, words("smtps smtp"), QStringLiteral("smtps://HOST or smtp://HOST:587"));
        found.startTls = m_reader.boolean("starttls", true);
        readLogin(found.access, found.access.url.scheme() == QLatin1String("smtp") && !found.startTls);
        found.access.ca = filePath("ca");
        found.from = m_reader.string("from");
        found.to = m_reader.strings("to", {}, true);
        checkAddress("from", found.from);
        if (found.to.isEmpty())
            m_reader.problem("to", QStringLiteral("%1 names nobody").arg(m_reader.nameOf("to")),
                             QStringLiteral("Write to = [\"oncall@example.com\"]."));
        for (const QString &address : std::as_const(found.to))
            checkAddress("to", address);
        return found;
    }

    /** An address as SMTP takes it without quotes (RFC 5321): nothing in it can begin another command. */
    void checkAddress(const char *key, const QString &address) const
    {
        const qsizetype at = address.lastIndexOf(QLatin1Char('@'));
        const bool isPlain = std::all_of(address.cbegin(), address.cend(), [](QChar c) {
            return c > QLatin1Char(' ') && c < QChar(0x7f) && !QStringLiteral("<>()[]\\,;:\"").contains(c);
        });
        if (at < 1 || at == address.size() - 1 || address.size() > 254 || !isPlain)
            fault(key, QStringLiteral("\"%1\" isn't an address").arg(displayText(address)),
                  QStringLiteral("Write for example \"oncall@example.com\"."));
    }

    QStringList command() const
    {
        const QStringList argv = m_reader.strings("command", {});
        const QString program = argv.value(0);
        if (argv.isEmpty())
            m_reader.problem("command", QStringLiteral("%1 is missing").arg(m_reader.nameOf("command")),
                             QStringLiteral("Write command = [\"/usr/local/bin/PROGRAM\", \"ARGUMENT\"]."));
        else if (!QDir::isAbsolutePath(program))
            fault("command", QStringLiteral("\"%1\" isn't an absolute path").arg(displayText(program)),
                  QStringLiteral("Write command = [\"/usr/local/bin/PROGRAM\", \"ARGUMENT\"]."));
        else if (const QFileInfo file(program); !file.isFile() || !file.isExecutable())
            fault("command",
                  QStringLiteral("%1 isn't a program that the agent can start").arg(displayText(program)));
        for (const QString &argument : argv) {
            if (argument.contains(QChar(QChar::Null)))
                fault("command", QStringLiteral("an argument contains NUL"));
        }
        return argv;
    }

    const TableReader &m_reader;
    QString m_folder;
};

ReceiverSettings readReceiver(const toml::table &table, const QString &folder, Problems &problems)
{
    const auto written = table["type"].value<std::string>();
    const QString type = written ? QString::fromStdString(*written) : QString();
    const TableReader reader(table, kHeading, keysOf(type), problems);
    ReceiverSettings receiver;
    receiver.name = reader.string("name");
    if (receiver.name.isEmpty() || receiver.name.size() > 64 || displayText(receiver.name) != receiver.name)
        reader.problem("name",
                       QStringLiteral("%1 has to be 1 to 64 visible characters").arg(reader.nameOf("name")),
                       QStringLiteral("Give each receiver a short, unique name."));
    receiver.minSeverity = domain::alertSeverityFromName(
                               reader.choice("min_severity", words("info warning critical")).toLatin1())
                               .value_or(domain::AlertSeverity::Info);
    if (reader.choice("language", words("en zh")) == QLatin1String("zh"))
        receiver.language = AlertLanguage::Chinese;
    if (!reader.has("type"))
        reader.problem("type", QStringLiteral("a [[receiver]] has no \"type\""),
                       QStringLiteral("Use one of: %1.").arg(kTypes.join(QLatin1String(", "))));
    else if (kTypes.contains(reader.choice("type", kTypes)) && kTypes.contains(type))
        receiver.target = ReceiverReader(reader, folder).target(type);
    return receiver;
}

} // namespace

QByteArray receiverType(const ReceiverSettings &receiver)
{
    return kTypes.at(qsizetype(receiver.target.index())).toLatin1();
}

QList<ReceiverSettings> readReceivers(const TableReader &file, const QString &folder, Problems &problems)
{
    QList<ReceiverSettings> receivers;
    QHash<QString, int> lines;
    for (const toml::table *table : file.tables("receiver")) {
        receivers.append(readReceiver(*table, folder, problems));
        const QString &name = receivers.last().name;
        const int line = int(table->source().begin.line);
        if (lines.contains(name) && !name.isEmpty())
            problems.add(line,
                         QStringLiteral("the name \"%1\" is taken by the receiver at line %2")
                             .arg(displayText(name))
                             .arg(lines.value(name)),
                         QStringLiteral("Give each receiver a unique name."));
        lines.insert(name, line);
    }
    return receivers;
}

} // namespace lockkeeper::agent::config
