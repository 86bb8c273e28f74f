// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/foreign_client.h"

#include <QCryptographicHash>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcessEnvironment>
#include <QUuid>

namespace lockkeeper::tests {

namespace {
QString sourceFolder()
{
    return qEnvironmentVariable("LOCKKEEPER_SOURCE");
}

/** "KEY = VALUE" lines; JSON's texts, numbers, booleans and lists are TOML's. */
QByteArray tomlOf(const QJsonObject &object)
{
    QByteArray lines;
    for (auto entry = object.begin(); entry != object.end(); ++entry) {
        const QByteArray list = QJsonDocument(QJsonArray{entry.value()}).toJson(QJsonDocument::Compact);
        lines += "  " + entry.key().toUtf8() + " = " + list.sliced(1, list.size() - 2) + '\n';
    }
    return lines;
}

ForeignClient::Renewal renewalOf(const QString &word)
{
    if (word == QLatin1String("itself"))
        return ForeignClient::Renewal::Itself;
    if (word == QLatin1String("anew"))
        return ForeignClient::Renewal::Anew;
    return word == QLatin1String("asked") ? ForeignClient::Renewal::Asked : ForeignClient::Renewal::No;
}

ForeignClient::Death deathOf(const QString &word)
{
    if (word == QLatin1String("stays"))
        return ForeignClient::Death::Stays;
    return word == QLatin1String("session") ? ForeignClient::Death::SessionEnds
                                            : ForeignClient::Death::Expires;
}

ForeignClient clientOf(const QJsonObject &entry)
{
    const auto text = [&entry](const char *key, const QByteArray &otherwise = {}) {
        return entry.value(QLatin1String(key)).toString(QString::fromUtf8(otherwise)).toUtf8();
    };
    const auto flag = [&entry](const char *key, bool otherwise) {
        return entry.value(QLatin1String(key)).toBool(otherwise);
    };
    ForeignClient client;
    client.program = text("client");
    client.kind = text("kind", "lock");
    client.name = entry.contains(QLatin1String("kind")) ? client.program + ' ' + client.kind : client.program;
    client.language = text("language");
    client.store = text("store");
    client.locks = tomlOf(entry.value(QLatin1String("locks")).toObject());
    client.lock = text("lock", "{}");
    client.key = text("key", client.lock);
    client.also = text("also");
    client.renewal = renewalOf(entry.value(QLatin1String("renews")).toString());
    client.death = deathOf(entry.value(QLatin1String("killed")).toString());
    client.expiry = flag("expiry", client.death == ForeignClient::Death::Expires);
    client.tellsOwner = flag("owner", true);
    client.alike = flag("alike", false);
    client.settles = flag("settles", client.death == ForeignClient::Death::SessionEnds);
    client.breakable = flag("breakable", true);
    client.waiters = text("waiters");
    client.holderNotices = flag("notices", true);
    client.wakes = flag("wakes", false);
    client.contends = flag("contends", true);
    client.waits = flag("waits", false);
    client.ttlMs = entry.value(QLatin1String("ttl_ms")).toInt();
    client.shortTtlMs = entry.value(QLatin1String("short_ttl_ms")).toInt(client.shortTtlMs);
    return client;
}
} // namespace

QString librariesFolder()
{
    return qEnvironmentVariable("LOCKKEEPER_TEST_CLIENTS", sourceFolder() + QStringLiteral("/build/clients"));
}

QByteArray ForeignClient::filled(QByteArray pattern, const QByteArray &test) const
{
    const QByteArray own = name.toLower().replace(' ', '-') + '-' + test.toLower();
    QByteArray digest = QCryptographicHash::hash(own, QCryptographicHash::Md5);
    digest[6] = char((digest[6] & 0x0f) | 0x30);
    digest[8] = char((digest[8] & 0x3f) | 0x80);
    const QUuid uuid = QUuid::fromRfc4122(digest);
    return pattern.replace("{uuid}", uuid.toByteArray(QUuid::WithoutBraces)).replace("{}", own);
}

QList<ForeignClient> ForeignClient::all(const QList<QByteArray> &stores)
{
    QFile file(sourceFolder() + QStringLiteral("/tests/clients/clients.json"));
    QJsonParseError error;
    if (!file.open(QIODevice::ReadOnly))
        qFatal("%s can't be read", qPrintable(file.fileName()));
    const QJsonArray entries = QJsonDocument::fromJson(file.readAll(), &error).array();
    if (error.error != QJsonParseError::NoError)
        qFatal("%s: %s at %d", qPrintable(file.fileName()), qPrintable(error.errorString()), error.offset);
    QList<ForeignClient> clients;
    for (const auto &entry : entries) {
        const ForeignClient client = clientOf(entry.toObject());
        if (stores.contains(client.store))
            clients.append(client);
    }
    return clients;
}

ForeignClient ForeignClient::named(const QByteArray &name)
{
    const QList<ForeignClient> known = all({"redis", "mariadb", "postgres"});
    for (const ForeignClient &client : known) {
        if (client.name == name)
            return client;
    }
    qFatal("clients.json has no %s", name.constData());
}

ForeignProgram::ForeignProgram(ForeignClient client) : m_client(std::move(client)) {}

ForeignProgram::ForeignProgram(const QByteArray &program, const QByteArray &language)
{
    m_client.name = m_client.program = program;
    m_client.language = language;
}

ForeignProgram::~ForeignProgram()
{
    m_process.closeWriteChannel();
    if (m_process.state() != QProcess::NotRunning && !m_process.waitForFinished(3'000))
        kill();
}

void ForeignProgram::start(const QHash<QString, QString> &environment)
{
    m_environment = environment;
    const QString libraries = librariesFolder();
    const QString clients = sourceFolder() + QStringLiteral("/tests/clients/");
    const QString folder = clients + QString::fromLatin1(m_client.program) + QLatin1Char('/');
    QProcessEnvironment all = QProcessEnvironment::systemEnvironment();
    for (auto entry = environment.begin(); entry != environment.end(); ++entry)
        all.insert(entry.key(), entry.value());
    QString program;
    QStringList arguments;
    QString needs; ///< a path that exists where the libraries are installed
    if (m_client.language == "python") {
        program = needs = libraries + QStringLiteral("/python/bin/python3");
        arguments = {QStringLiteral("-B"), folder + QStringLiteral("client.py")};
        all.insert(QStringLiteral("PYTHONPATH"), clients + QStringLiteral("python"));
    } else if (m_client.language == "node") {
        needs = libraries + QStringLiteral("/node/node_modules");
        program = QStringLiteral("node");
        arguments = {folder + QStringLiteral("client.js")};
        all.insert(QStringLiteral("NODE_PATH"), needs + QLatin1Char(':') + clients + QStringLiteral("node"));
    } else if (m_client.language == "java") {
        needs = libraries + QStringLiteral("/java/classes");
        program = QStringLiteral("java");
        // Small and quick to start: a dozen of them share the machine.
        arguments = {QStringLiteral("-Xmx96m"),
                     QStringLiteral("-XX:+UseSerialGC"),
                     QStringLiteral("-XX:TieredStopAtLevel=1"),
                     QStringLiteral("-cp"),
                     needs + QLatin1Char(':') + libraries + QStringLiteral("/java/*"),
                     QStringLiteral("clients.") +
                         QString::fromLatin1(m_client.program).remove(QLatin1Char('-')) +
                         QStringLiteral(".Client")};
    } else if (m_client.language == "go") {
        program = needs = libraries + QStringLiteral("/go/bin/") + QString::fromLatin1(m_client.program);
    } else {
        program = QStringLiteral("bash");
        arguments = {needs = folder + QStringLiteral("client.sh")};
    }
    why = QStringLiteral("needs %1's lock libraries (./run test fetches them)")
              .arg(QString::fromLatin1(m_client.language));
    if (!QFileInfo::exists(needs))
        return;
    m_process.setProcessEnvironment(all);
    m_process.start(program, arguments);
}

bool ForeignProgram::isReady()
{
    if (m_ready || m_late || m_process.state() == QProcess::NotRunning)
        return m_ready; // the agent doesn't watch a program that was too late once
    const QByteArray first = line(120'000);
    m_ready = first == "ready";
    m_late = !m_ready;
    if (!m_ready)
        why = QString::fromLatin1(m_client.program + ": " + first);
    return m_ready;
}

QByteArray ForeignProgram::ask(const QByteArray &command)
{
    tell(command);
    return answer();
}

void ForeignProgram::tell(const QByteArray &command)
{
    m_process.write(command + '\n');
    m_process.waitForBytesWritten();
}

QByteArray ForeignProgram::answer()
{
    QByteArray answer = line();
    for (; answer.startsWith("got "); answer = line())
        m_waited.append(answer);
    return answer;
}

QByteArray ForeignProgram::waited()
{
    return m_waited.isEmpty() ? line() : m_waited.takeFirst();
}

QByteArray ForeignProgram::line(int timeoutMs)
{
    while (!m_process.canReadLine()) {
        if (!m_process.waitForReadyRead(timeoutMs))
            return "(no answer) " + m_process.readAllStandardError().right(2'000);
    }
    return m_process.readLine().trimmed();
}

void ForeignProgram::restart()
{
    kill();
    m_ready = m_late = false;
    m_waited.clear();
    start(m_environment);
}

void ForeignProgram::kill()
{
    m_process.kill();
    m_process.waitForFinished();
}

} // namespace lockkeeper::tests
