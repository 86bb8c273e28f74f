// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/liveness/kubernetes_access.h"

#include "shared/base/text.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QSslCertificate>
#include <QSslKey>

#include <algorithm>
#include <vector>

namespace lockkeeper::agent::liveness {

using base::ErrorCode;
using base::Result;

namespace {

constexpr qint64 kLongestFile = 1'024 * 1'024;
constexpr int kDeepest = 16;
const QString kAccountFolder = QStringLiteral("/var/run/secrets/kubernetes.io/serviceaccount/");

Result<QByteArray> readAll(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return base::failure(
            ErrorCode::NotFound,
            QStringLiteral("%1 can't be read: %2").arg(base::displayText(path), file.errorString()));
    return file.read(kLongestFile);
}

/** Maps and lists by indentation with one plain or quoted text a line: how kubectl writes a kubeconfig. */
class YamlReader
{
public:
    explicit YamlReader(const QByteArray &text)
    {
        for (const QByteArray &raw : text.split('\n')) {
            const QString line = QString::fromUtf8(raw);
            const QString content = line.trimmed();
            if (content.isEmpty() || content.startsWith(QLatin1Char('#')) || content == QLatin1String("---"))
                continue;
            const auto first =
                std::find_if(line.cbegin(), line.cend(), [](QChar c) { return c != QLatin1Char(' '); });
            m_lines.push_back({int(first - line.cbegin()), content});
        }
    }
    std::optional<QJsonObject> object()
    {
        const QJsonValue value = m_lines.empty() ? QJsonValue() : block(m_lines.front().indent, 0);
        return m_failed || m_at < m_lines.size() || !value.isObject() ? std::nullopt
                                                                      : std::optional(value.toObject());
    }

private:
    struct YamlLine
    {
        int indent = 0;
        QString text;
        bool isItem() const { return text.startsWith(QLatin1String("- ")) || text == QLatin1String("-"); }
    };

    bool isAt(int indent) const { return m_at < m_lines.size() && m_lines[m_at].indent == indent; }
    QJsonValue block(int indent, int depth)
    {
        if (depth > kDeepest)
            return fail();
        return m_lines[m_at].isItem() ? list(indent, depth) : map(indent, depth);
    }
    QJsonValue list(int indent, int depth)
    {
        QJsonArray values;
        while (!m_failed && isAt(indent) && m_lines[m_at].isItem()) {
            YamlLine &line = m_lines[m_at];
            const QString rest = line.text.mid(1);
            const QString content = rest.trimmed();
            if (content.isEmpty())
                return fail();
            if (content.contains(QLatin1String(": ")) || content.endsWith(QLatin1Char(':'))) {
                line.indent += 1 + int(rest.indexOf(content));
                line.text = content;
                values.append(block(line.indent, depth + 1));
            } else {
                values.append(scalar(content));
                ++m_at;
            }
        }
        return values;
    }
    QJsonValue map(int indent, int depth)
    {
        QJsonObject values;
        while (!m_failed && isAt(indent) && !m_lines[m_at].isItem()) {
            const QString text = m_lines[m_at++].text;
            const qsizetype colon = text.indexOf(QLatin1Char(':'));
            const QString rest = text.mid(colon + 1);
            if (colon <= 0 || (!rest.isEmpty() && !rest.startsWith(QLatin1Char(' '))))
                return fail();
            const QString key = scalar(text.left(colon)).toString();
            if (!rest.trimmed().isEmpty())
                values.insert(key, scalar(rest.trimmed()));
            else if (m_at < m_lines.size() &&
                     (m_lines[m_at].indent > indent || (isAt(indent) && m_lines[m_at].isItem())))
                values.insert(key, block(m_lines[m_at].indent, depth + 1));
        }
        return values;
    }
    QJsonValue scalar(const QString &text)
    {
        const QChar first = text.at(0);
        if (first == QLatin1Char('"') || first == QLatin1Char('\'')) {
            const qsizetype end = text.lastIndexOf(first);
            return end > 0 ? QJsonValue(text.mid(1, end - 1)) : fail();
        }
        if (first == QLatin1Char('|') || first == QLatin1Char('>') || first == QLatin1Char('&'))
            return fail();
        const qsizetype comment = text.indexOf(QLatin1String(" #"));
        return text.left(comment).trimmed();
    }
    QJsonValue fail()
    {
        m_failed = true;
        return {};
    }

    std::vector<YamlLine> m_lines;
    size_t m_at = 0;
    bool m_failed = false;
};

QJsonObject named(const QJsonObject &config, QLatin1String list, const QString &name, QLatin1String inner)
{
    for (const QJsonValue &value : config.value(list).toArray()) {
        if (value.toObject().value(QLatin1String("name")).toString() == name)
            return value.toObject().value(inner).toObject();
    }
    return {};
}

/** The bytes of "key-data" (Base64), or of the file that "key" names; empty: the object has neither. */
Result<QByteArray> dataOrFile(const QJsonObject &object, const QString &key, const QDir &folder)
{
    const QString data = object.value(key + QLatin1String("-data")).toString();
    if (!data.isEmpty())
        return QByteArray::fromBase64(data.toLatin1());
    const QString path = object.value(key).toString();
    return path.isEmpty() ? QByteArray() : readAll(folder.absoluteFilePath(path));
}

QSslKey keyOf(const QByteArray &pem)
{
    for (const QSsl::KeyAlgorithm algorithm : {QSsl::Rsa, QSsl::Ec}) {
        const QSslKey key(pem, algorithm);
        if (!key.isNull())
            return key;
    }
    return {};
}

QSslConfiguration tlsOf(const QByteArray &ca)
{
    QSslConfiguration tls = QSslConfiguration::defaultConfiguration();
    tls.setPeerVerifyMode(QSslSocket::VerifyPeer);
    if (!ca.isEmpty())
        tls.setCaCertificates(QSslCertificate::fromData(ca));
    return tls;
}

/** Adds the user's token or certificate. */
Result<void> logIn(const QJsonObject &user, const QDir &folder, KubernetesAccess &access)
{
    for (const char *key : {"exec", "auth-provider", "username"}) {
        if (user.contains(QLatin1String(key)))
            return base::failure(
                ErrorCode::Unsupported,
                QStringLiteral("the kubeconfig's user logs in by \"%1\"").arg(QLatin1String(key)),
                QStringLiteral("Use a service account's token or a client certificate."));
    }
    access.token = user.value(QLatin1String("token")).toString().toLatin1();
    const QString tokenFile = user.value(QLatin1String("tokenFile")).toString();
    if (!tokenFile.isEmpty()) {
        const auto token = readAll(folder.absoluteFilePath(tokenFile));
        if (!token)
            return tl::unexpected(token.error());
        access.token = token->trimmed();
    }
    const auto certificate = dataOrFile(user, QStringLiteral("client-certificate"), folder);
    const auto key = dataOrFile(user, QStringLiteral("client-key"), folder);
    if (!certificate || !key)
        return tl::unexpected(certificate ? key.error() : certificate.error());
    if (!certificate->isEmpty()) {
        access.tls.setLocalCertificateChain(QSslCertificate::fromData(*certificate));
        access.tls.setPrivateKey(keyOf(*key));
        if (access.tls.privateKey().isNull())
            return base::failure(ErrorCode::Usage,
                                 QStringLiteral("the kubeconfig's client key can't be used"));
    }
    return {};
}

} // namespace

Result<QJsonObject> parseKubeconfig(const QByteArray &text)
{
    const QJsonDocument json = QJsonDocument::fromJson(text);
    if (json.isObject())
        return json.object();
    if (const auto object = YamlReader(text).object())
        return *object;
    return base::failure(ErrorCode::Usage, QStringLiteral("the kubeconfig can't be read"),
                         QStringLiteral("Write it with 'kubectl config view --raw --output json'."));
}

Result<KubernetesAccess> readKubeconfig(const QString &path)
{
    const auto text = readAll(path);
    if (!text)
        return tl::unexpected(text.error());
    const auto config = parseKubeconfig(*text);
    if (!config)
        return tl::unexpected(config.error());
    const QJsonObject context =
        named(*config, QLatin1String("contexts"), config->value(QLatin1String("current-context")).toString(),
              QLatin1String("context"));
    const QJsonObject cluster =
        named(*config, QLatin1String("clusters"), context.value(QLatin1String("cluster")).toString(),
              QLatin1String("cluster"));
    const QJsonObject user = named(*config, QLatin1String("users"),
                                   context.value(QLatin1String("user")).toString(), QLatin1String("user"));
    KubernetesAccess access;
    access.server = QUrl(cluster.value(QLatin1String("server")).toString(), QUrl::StrictMode);
    if (!access.server.isValid() || access.server.host().isEmpty())
        return base::failure(ErrorCode::Usage,
                             QStringLiteral("the kubeconfig's current context names no server"));
    const QJsonValue insecure = cluster.value(QLatin1String("insecure-skip-tls-verify"));
    if (insecure.toBool() || insecure.toString() == QLatin1String("true"))
        return base::failure(ErrorCode::Unsupported,
                             QStringLiteral("the kubeconfig wants the server's certificate unverified"),
                             QStringLiteral("Add the cluster's certificate authority."));
    const QDir folder = QFileInfo(path).absoluteDir();
    const auto ca = dataOrFile(cluster, QStringLiteral("certificate-authority"), folder);
    if (!ca)
        return tl::unexpected(ca.error());
    access.tls = tlsOf(*ca);
    if (const auto done = logIn(user, folder, access); !done)
        return tl::unexpected(done.error());
    return access;
}

Result<KubernetesAccess> inClusterAccess()
{
    const QString host = qEnvironmentVariable("KUBERNETES_SERVICE_HOST");
    if (host.isEmpty())
        return base::failure(ErrorCode::Usage, QStringLiteral("this agent doesn't run in a Kubernetes pod"),
                             QStringLiteral("Name a \"kubeconfig\" in the liveness rule."));
    const auto token = readAll(kAccountFolder + QLatin1String("token"));
    const auto ca = readAll(kAccountFolder + QLatin1String("ca.crt"));
    if (!token || !ca)
        return tl::unexpected(token ? ca.error() : token.error());
    KubernetesAccess access;
    access.server.setScheme(QStringLiteral("https"));
    access.server.setHost(host);
    access.server.setPort(qEnvironmentVariable("KUBERNETES_SERVICE_PORT", QStringLiteral("443")).toInt());
    access.token = token->trimmed();
    access.tls = tlsOf(*ca);
    return access;
}

} // namespace lockkeeper::agent::liveness
