// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/liveness/kubernetes_access.h"

#include "shared/base/text.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QSslCertificate>
#include <QSslKey>

#include <yaml-cpp/yaml.h>

namespace lockkeeper::agent::liveness {

using base::ErrorCode;
using base::Result;

namespace {

constexpr qint64 kLongestFile = 1'024 * 1'024;
constexpr int kMostValues = 100'000;

Result<QByteArray> readAll(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return base::failure(
            ErrorCode::NotFound,
            QStringLiteral("%1 can't be read: %2").arg(base::displayText(path), file.errorString()));
    return file.read(kLongestFile);
}

/**
 * The content of a YAML node. Each scalar becomes a text. `room` counts the nodes that may still follow,
 * since an alias repeats all that it names. Throws YAML::Exception.
 */
QJsonValue jsonOf(const YAML::Node &node, int &room)
{
    if (--room < 0)
        throw YAML::Exception(node.Mark(), "too many values");
    if (node.IsMap()) {
        QJsonObject object;
        for (const auto &member : node)
            object.insert(QString::fromStdString(member.first.Scalar()), jsonOf(member.second, room));
        return object;
    }
    if (node.IsSequence()) {
        QJsonArray array;
        for (const YAML::Node &item : node)
            array.append(jsonOf(item, room));
        return array;
    }
    return node.IsScalar() ? QJsonValue(QString::fromStdString(node.Scalar())) : QJsonValue();
}

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
    const QString remedy = QStringLiteral("Write it with 'kubectl config view --raw --output json'.");
    try {
        int room = kMostValues;
        const QJsonValue value = jsonOf(YAML::Load(text.toStdString()), room);
        if (value.isObject())
            return value.toObject();
        return base::failure(ErrorCode::Usage, QStringLiteral("the kubeconfig can't be read"), remedy);
    } catch (const YAML::Exception &error) {
        return base::failure(ErrorCode::Usage,
                             QStringLiteral("the kubeconfig can't be read: line %1: %2")
                                 .arg(error.mark.line + 1)
                                 .arg(QString::fromStdString(error.msg)),
                             remedy);
    }
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
    const QString insecure = cluster.value(QLatin1String("insecure-skip-tls-verify")).toString();
    if (!insecure.isEmpty() && insecure.compare(QLatin1String("false"), Qt::CaseInsensitive) != 0)
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

Result<KubernetesAccess> inClusterAccess(const QString &folder)
{
    const QString host = qEnvironmentVariable("KUBERNETES_SERVICE_HOST");
    if (host.isEmpty())
        return base::failure(ErrorCode::Usage, QStringLiteral("this agent doesn't run in a Kubernetes pod"),
                             QStringLiteral("Name a \"kubeconfig\" in the liveness rule."));
    const auto token = readAll(folder + QLatin1String("token"));
    const auto ca = readAll(folder + QLatin1String("ca.crt"));
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
