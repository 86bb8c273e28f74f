// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/liveness/kubernetes_access.h"
#include "agent/liveness/kubernetes_probe.h"
#include "tests/support/certificates.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QJsonArray>
#include <QProcess>
#include <QScopeGuard>
#include <QSslKey>
#include <QSslServer>
#include <QSslSocket>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTemporaryDir>
#include <QTest>

namespace tst_kubernetes_probe {

using namespace lockkeeper;
using namespace lockkeeper::agent::liveness;
using domain::HolderEvidence;
using domain::HolderVerdict;
using tests::Certificates;

namespace {

constexpr qint64 kSecond = 1'000'000;
constexpr qint64 kAcquired = 1'795'000'000 * kSecond; // 2026-11-18T11:06:40Z

QByteArray timeText(qint64 secondsAfter)
{
    return QDateTime::fromSecsSinceEpoch(kAcquired / kSecond + secondsAfter, Qt::UTC)
        .toString(Qt::ISODate)
        .toLatin1();
}

QByteArray running(qint64 secondsAfter)
{
    return "{\"state\":{\"running\":{\"startedAt\":\"" + timeText(secondsAfter) + "\"}}}";
}

QByteArray podBody(const QByteArray &status, qint64 createdAfter = -1'000, const QByteArray &metadata = {})
{
    return "{\"kind\":\"Pod\",\"metadata\":{\"name\":\"orders-0\",\"creationTimestamp\":\"" +
           timeText(createdAfter) + "\"" + metadata + "},\"spec\":{\"nodeName\":\"node-1\"},\"status\":{" +
           status + "}}";
}

QByteArray phase(const QByteArray &name, const QByteArray &containers)
{
    return "\"phase\":\"" + name + "\",\"containerStatuses\":[" + containers + "]";
}

QByteArray notFound(const QByteArray &kind, const QByteArray &name)
{
    return "{\"kind\":\"Status\",\"reason\":\"NotFound\",\"details\":{\"kind\":\"" + kind + "\",\"name\":\"" +
           name + "\"}}";
}

const QByteArray kReadyNode =
    "{\"kind\":\"Node\",\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\"}]}}";
const QByteArray kLostNode =
    "{\"kind\":\"Node\",\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"Unknown\"}]}}";

/** A cluster's API with prepared answers by path. */
class FakeCluster : public QObject
{
public:
    explicit FakeCluster(std::unique_ptr<QTcpServer> server = std::make_unique<QTcpServer>())
        : m_server(std::move(server))
    {
        connect(m_server.get(), &QTcpServer::pendingConnectionAvailable, this, [this] {
            QTcpSocket *socket = m_server->nextPendingConnection();
            connect(socket, &QTcpSocket::disconnected, socket, &QObject::deleteLater);
            connect(socket, &QTcpSocket::readyRead, this, [this, socket] {
                const QByteArray request = socket->readAll();
                requests.append(request);
                if (const auto *tls = qobject_cast<QSslSocket *>(socket))
                    client = tls->peerCertificate();
                const auto answer =
                    answers.value(request.split(' ').value(1), {404, "{\"kind\":\"Status\"}"});
                socket->write("HTTP/1.0 " + QByteArray::number(answer.first) + " X\r\nContent-Length: " +
                              QByteArray::number(answer.second.size() + (isCut ? 1 : 0)) + "\r\n\r\n" +
                              answer.second);
                socket->disconnectFromHost();
            });
        });
        m_server->listen(QHostAddress::LocalHost);
    }
    /** Speaks TLS as `name`, and asks its clients for certificates of the same authority. */
    static std::unique_ptr<QTcpServer> tlsServer(const Certificates &certificates, const QString &name)
    {
        const auto all = [](const QString &path) {
            QFile file(path);
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        QSslConfiguration tls = QSslConfiguration::defaultConfiguration();
        tls.setLocalCertificate(QSslCertificate(all(certificates.certificate(name))));
        tls.setPrivateKey(QSslKey(all(certificates.key(name)), QSsl::Ec));
        tls.setCaCertificates(QSslCertificate::fromData(all(certificates.certificate(QStringLiteral("ca")))));
        tls.setPeerVerifyMode(QSslSocket::VerifyPeer);
        auto server = std::make_unique<QSslServer>();
        server->setSslConfiguration(tls);
        return server;
    }
    QByteArray url() const
    {
        const bool isTls = qobject_cast<QSslServer *>(m_server.get()) != nullptr;
        return (isTls ? "https" : "http") + QByteArray("://127.0.0.1:") +
               QByteArray::number(m_server->serverPort());
    }

    QHash<QByteArray, std::pair<int, QByteArray>> answers;
    QByteArrayList requests;
    QSslCertificate client; ///< of the last request
    bool isCut = false;

private:
    std::unique_ptr<QTcpServer> m_server;
};

} // namespace

/** A cluster's answers about a pod, and the verdicts that they prove. */
class TestKubernetesProbe : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void pods_data();
    void pods();
    void withoutATime();
    void asksForThePodAndItsNode();
    void kubeconfigs_data();
    void kubeconfigs();
    void unreadable();
    void clientCertificates_data();
    void clientCertificates();
    void inCluster_data();
    void inCluster();
    void realServer();

private:
    QString write(const QByteArray &kubeconfig)
    {
        QFile file(m_folder.filePath(QStringLiteral("config")));
        return file.open(QIODevice::WriteOnly) && file.write(kubeconfig) >= 0 ? file.fileName() : QString();
    }
    static ProbeOutcome probe(const QString &kubeconfig, const QString &pod = QStringLiteral("orders-0"),
                              qint64 acquiredUs = kAcquired)
    {
        ProbeTarget target;
        target.method = domain::LivenessMethod::Kubernetes;
        target.nameSpace = QStringLiteral("shop");
        target.pod = pod;
        target.kubeconfig = kubeconfig;
        target.timeoutUs = 10 * kSecond;
        std::optional<ProbeOutcome> outcome;
        const auto probe = makeProbe(target, AcquiredWhen{acquiredUs, acquiredUs},
                                     [&outcome](const ProbeOutcome &found) { outcome = found; });
        probe->start();
        (void)QTest::qWaitFor([&outcome] { return outcome.has_value(); }, 20'000);
        return outcome.value_or(ProbeOutcome{HolderVerdict::Unknown, HolderEvidence::Other});
    }
    QTemporaryDir m_folder;
};

void TestKubernetesProbe::pods_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<HolderVerdict>("verdict");
    QTest::addColumn<HolderEvidence>("evidence");
    QTest::addColumn<QString>("node");
    const auto row = [](const char *name, int status, const QByteArray &body, HolderVerdict verdict,
                        HolderEvidence evidence, const char *node = "") {
        QTest::newRow(name) << status << body << verdict << evidence << QString::fromLatin1(node);
    };
    const QByteArray ended = "{\"state\":{\"terminated\":{\"exitCode\":137}}}";
    row("runs since before", 200, podBody(phase("Running", running(-100))), HolderVerdict::Alive,
        HolderEvidence::PodRunning, "node-1");
    row("gone", 404, notFound("pods", "orders-0"), HolderVerdict::Dead, HolderEvidence::PodGone);
    row("another thing is gone", 404, notFound("namespaces", "shop"), HolderVerdict::Unknown,
        HolderEvidence::Failed);
    row("another server's page", 404, "<html>404</html>", HolderVerdict::Unknown, HolderEvidence::Failed);
    row("a page of 200", 200, "<html>hello</html>", HolderVerdict::Unknown, HolderEvidence::Failed);
    row("another pod", 200, podBody(phase("Running", running(-100))).replace("orders-0", "orders-1"),
        HolderVerdict::Unknown, HolderEvidence::Failed);
    row("no credentials", 401, "{}", HolderVerdict::Unknown, HolderEvidence::Failed);
    row("forbidden", 403, "{}", HolderVerdict::Unknown, HolderEvidence::Failed);
    row("a redirect", 302, "", HolderVerdict::Unknown, HolderEvidence::Failed);
    row("created since", 200, podBody(phase("Pending", ""), 100), HolderVerdict::Dead,
        HolderEvidence::PodReplaced);
    row("created about then", 200, podBody(phase("Pending", ""), 20), HolderVerdict::Unknown,
        HolderEvidence::PodPending);
    row("its container started anew", 200, podBody(phase("Running", running(100))), HolderVerdict::Dead,
        HolderEvidence::PodReplaced);
    row("its container started about then", 200, podBody(phase("Running", running(20))),
        HolderVerdict::Unknown, HolderEvidence::PodReplaced);
    row("one of its containers started anew", 200,
        podBody(phase("Running", running(-100) + ',' + running(100))), HolderVerdict::Unknown,
        HolderEvidence::PodReplaced);
    row("its container waits for its next start", 200,
        podBody(phase("Running", "{\"state\":{\"waiting\":{\"reason\":\"CrashLoopBackOff\"}}}")),
        HolderVerdict::Unknown, HolderEvidence::PodPending);
    row("succeeded", 200, podBody(phase("Succeeded", ended)), HolderVerdict::Dead,
        HolderEvidence::PodFinished);
    row("failed", 200, podBody(phase("Failed", ended)), HolderVerdict::Dead, HolderEvidence::PodFinished);
    row("evicted", 200, podBody("\"phase\":\"Failed\",\"reason\":\"Evicted\""), HolderVerdict::Dead,
        HolderEvidence::PodFinished);
    row("failed by the word of a controller", 200, podBody(phase("Failed", running(-100))),
        HolderVerdict::Unknown, HolderEvidence::PodFinished);
    row("being deleted", 200,
        podBody(phase("Running", running(-100)), -1'000, ",\"deletionTimestamp\":\"" + timeText(1) + '"'),
        HolderVerdict::Unknown, HolderEvidence::PodDeleting);
    row("pending", 200, podBody(phase("Pending", "")), HolderVerdict::Unknown, HolderEvidence::PodPending);
    row("unknown to the cluster", 200, podBody(phase("Unknown", "")), HolderVerdict::Unknown,
        HolderEvidence::PodPending);
}

void TestKubernetesProbe::pods()
{
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    QFETCH(HolderVerdict, verdict);
    QFETCH(HolderEvidence, evidence);
    QFETCH(QString, node);
    const PodReading pod =
        readPod({status, body}, QStringLiteral("orders-0"), AcquiredWhen{kAcquired - kSecond, kAcquired});
    QCOMPARE(pod.outcome.verdict, verdict);
    QCOMPARE(pod.outcome.evidence, evidence);
    QCOMPARE(pod.node, node);
    QCOMPARE(pod.outcome.error != base::Error(), evidence == HolderEvidence::Failed);
    QCOMPARE(pod.outcome.number.has_value(), evidence == HolderEvidence::PodReplaced);
}

/** Without the time of the acquisition, a pod's name proves less. */
void TestKubernetesProbe::withoutATime()
{
    const auto read = [](int status, const QByteArray &body) {
        return readPod({status, body}, QStringLiteral("orders-0"), std::nullopt).outcome;
    };
    QCOMPARE(read(200, podBody(phase("Running", running(-100)))).verdict, HolderVerdict::Unknown);
    QCOMPARE(read(200, podBody(phase("Running", running(100)), 100)).verdict, HolderVerdict::Unknown);
    QCOMPARE(read(404, notFound("pods", "orders-0")).verdict, HolderVerdict::Dead);
}

void TestKubernetesProbe::asksForThePodAndItsNode()
{
    FakeCluster cluster;
    const QString config = write("current-context: c\ncontexts:\n- name: c\n  context: {}\n"
                                 "clusters:\n- name: k\n  cluster:\n    server: " +
                                 cluster.url() + "/k8s/\nusers: []\n");
    QCOMPARE(probe(config).evidence, HolderEvidence::Failed); // the context names no cluster
    const QString good = write("apiVersion: v1\ncurrent-context: c\ncontexts:\n- context:\n    cluster: k\n"
                               "    user: u\n  name: c\nclusters:\n- cluster:\n    server: " +
                               cluster.url() +
                               "/k8s/\n  name: k\nkind: Config\npreferences: {}\nusers:\n- name: u\n"
                               "  user:\n    token: abc\n");
    const QByteArray podPath = "/k8s/api/v1/namespaces/shop/pods/orders-0";
    const QByteArray nodePath = "/k8s/api/v1/nodes/node-1";
    cluster.answers[podPath] = {200, podBody(phase("Running", running(-100)))};
    cluster.answers[nodePath] = {200, kReadyNode};
    ProbeOutcome outcome = probe(good);
    QCOMPARE(outcome.verdict, HolderVerdict::Alive);
    QCOMPARE(outcome.evidence, HolderEvidence::PodRunning);
    QCOMPARE(cluster.requests.size(), 2);
    QVERIFY(cluster.requests[0].startsWith("GET " + podPath + " HTTP/1.0\r\n"));
    QVERIFY(cluster.requests[0].contains("\r\nAuthorization: Bearer abc\r\n"));
    cluster.answers[nodePath] = {200, kLostNode};
    outcome = probe(good);
    QCOMPARE(outcome.verdict, HolderVerdict::Unknown);
    QCOMPARE(outcome.evidence, HolderEvidence::NodeNotReady);
    cluster.answers[nodePath] = {403, "{}"};
    outcome = probe(good);
    QCOMPARE(outcome.verdict, HolderVerdict::Unknown);
    QCOMPARE(outcome.error.code, base::ErrorCode::PermissionDenied);
    cluster.answers[podPath] = {404, notFound("pods", "orders-0")};
    QCOMPARE(probe(good).verdict, HolderVerdict::Dead);
    cluster.isCut = true;
    outcome = probe(good);
    QCOMPARE(outcome.verdict, HolderVerdict::Unknown);
    QCOMPARE(outcome.error.code, base::ErrorCode::ConnectionLost);
    cluster.isCut = false;
    cluster.answers[podPath] = {200, QByteArray(1'000'000, 'x')};
    QCOMPARE(probe(good).error.code, base::ErrorCode::TooLarge);
}

void TestKubernetesProbe::kubeconfigs_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("cause"); // empty: it can be used
    const QByteArray head =
        "current-context: c\ncontexts:\n- name: c\n  context:\n    cluster: k\n    user: u\n"
        "clusters:\n- name: k\n  cluster:\n    server: \"https://10.0.0.1:6443\"\n";
    const auto row = [](const char *name, const QByteArray &text, const char *cause) {
        QTest::newRow(name) << text << QString::fromLatin1(cause);
    };
    row("a token", head + "users:\n  - name: u # indented\n    user:\n      token: 'abc'\n", "");
    row("JSON",
        "{\"current-context\":\"c\",\"contexts\":[{\"name\":\"c\",\"context\":{\"cluster\":\"k\"}}],"
        "\"clusters\":[{\"name\":\"k\",\"cluster\":{\"server\":\"https://10.0.0.1\"}}]}",
        "");
    row("a login by a program", head + "users:\n- name: u\n  user:\n    exec:\n      command: aws\n",
        "logs in by \"exec\"");
    row("no verification", head + "    insecure-skip-tls-verify: true\n", "unverified");
    row("no server", "current-context: c\n", "names no server");
    row("in one line each",
        "current-context: c\ncontexts: [{name: c, context: {cluster: k, user: u}}]\n"
        "clusters: [{name: k, cluster: {server: 'https://10.0.0.1'}}]\nusers: [{name: u, user: {token: "
        "t}}]\n",
        "");
    row("an alias and a text of several lines",
        "current-context: &c c\ncontexts:\n- name: *c\n  context: {cluster: k}\n"
        "clusters:\n- name: k\n  cluster:\n    server: >-\n      https://10.0.0.1\n",
        "");
    row("no verification, in other words", head + "    insecure-skip-tls-verify: yes\n", "unverified");
    row("a bracket without an end", "a: b\nc: [\n", "can't be read: line 3: ");
    row("a list without names", "- a\n", "can't be read");
    row("a list in a list without end", QByteArray("[").repeated(100'000), "can't be read");
    row(
        "aliases that repeat each other",
        [] {
            QByteArray text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
            for (char i = '1'; i <= '9'; ++i)
                text += QByteArray("aN: &aN [*aM, *aM, *aM, *aM, *aM, *aM, *aM, *aM, *aM, *aM]\n")
                            .replace('N', i)
                            .replace('M', char(i - 1));
            return text;
        }(),
        "too many values");
    row("empty", "", "can't be read");
    row("a bad key",
        head + "users:\n- name: u\n  user:\n    client-certificate-data: YQ==\n    "
               "client-key-data: YQ==\n",
        "client key can't be used");
    row("a missing file", head + "    certificate-authority: missing.pem\n", "missing.pem can't be read");
}

void TestKubernetesProbe::kubeconfigs()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, cause);
    const auto access = readKubeconfig(write(text));
    QCOMPARE(access.has_value(), cause.isEmpty());
    if (!access)
        QVERIFY2(access.error().cause.contains(cause), qPrintable(access.error().cause));
    else
        QCOMPARE(access->server.host(), QStringLiteral("10.0.0.1"));
}

void TestKubernetesProbe::unreadable()
{
    QCOMPARE(probe(QStringLiteral("/nonexistent/config")).error.code, base::ErrorCode::NotFound);
    const QString closed = write("{\"current-context\":\"c\",\"contexts\":[{\"name\":\"c\",\"context\":"
                                 "{\"cluster\":\"k\"}}],\"clusters\":[{\"name\":\"k\",\"cluster\":"
                                 "{\"server\":\"http://127.0.0.1:1\"}}]}");
    const ProbeOutcome outcome = probe(closed);
    QCOMPARE(outcome.verdict, HolderVerdict::Unknown);
    QCOMPARE(outcome.error.code, base::ErrorCode::Unreachable);
}

void TestKubernetesProbe::clientCertificates_data()
{
    QTest::addColumn<QString>("authority"); // that the kubeconfig trusts
    QTest::addColumn<QString>("client");    // empty: none
    QTest::addColumn<bool>("isAnswered");
    const QString ca = QStringLiteral("ca");
    const QString client = QStringLiteral("client");
    QTest::newRow("both sides are known") << ca << client << true;
    QTest::newRow("the server is another's") << QStringLiteral("other") << client << false;
    QTest::newRow("no certificate of the agent's") << ca << QString() << false;
    QTest::newRow("the agent's is another's") << ca << QStringLiteral("stranger") << false;
}

void TestKubernetesProbe::clientCertificates()
{
    QFETCH(QString, authority);
    QFETCH(QString, client);
    QFETCH(bool, isAnswered);
    Certificates certificates;
    QVERIFY(certificates.makeAuthority(QStringLiteral("ca")));
    QVERIFY(certificates.makeAuthority(QStringLiteral("other")));
    QVERIFY(certificates.make(QStringLiteral("api"), QStringLiteral("ca"), QStringLiteral("IP:127.0.0.1")));
    QVERIFY(certificates.make(QStringLiteral("client"), QStringLiteral("ca"), QStringLiteral("DNS:agent")));
    QVERIFY(
        certificates.make(QStringLiteral("stranger"), QStringLiteral("other"), QStringLiteral("DNS:agent")));
    FakeCluster cluster(FakeCluster::tlsServer(certificates, QStringLiteral("api")));
    cluster.answers.insert("/api/v1/namespaces/shop/pods/orders-0", {404, notFound("pods", "orders-0")});
    QByteArray user;
    if (!client.isEmpty())
        user = "client-certificate: " + certificates.certificate(client).toUtf8() +
               ", client-key: " + certificates.key(client).toUtf8();
    const ProbeOutcome outcome = probe(
        write("current-context: c\ncontexts: [{name: c, context: {cluster: k, user: u}}]\n"
              "clusters: [{name: k, cluster: {server: '" +
              cluster.url() + "', certificate-authority: " + certificates.certificate(authority).toUtf8() +
              "}}]\nusers: [{name: u, user: {" + user + "}}]\n"));
    QCOMPARE(outcome.evidence, isAnswered ? HolderEvidence::PodGone : HolderEvidence::Failed);
    QCOMPARE(outcome.verdict, isAnswered ? HolderVerdict::Dead : HolderVerdict::Unknown);
    QCOMPARE(cluster.requests.size(), isAnswered ? 1 : 0);
}

void TestKubernetesProbe::inCluster_data()
{
    QTest::addColumn<QByteArray>("host");
    QTest::addColumn<bool>("hasAccount");
    QTest::addColumn<QString>("server"); // empty: refused
    QTest::newRow("a name") << QByteArray("api") << true << QStringLiteral("https://api:6443");
    QTest::newRow("IPv6") << QByteArray("fd00::1") << true << QStringLiteral("https://[fd00::1]:6443");
    QTest::newRow("no account") << QByteArray("api") << false << QString();
    QTest::newRow("not in a pod") << QByteArray() << true << QString();
}

void TestKubernetesProbe::inCluster()
{
    QFETCH(QByteArray, host);
    QFETCH(bool, hasAccount);
    QFETCH(QString, server);
    Certificates certificates;
    QVERIFY(certificates.makeAuthority(QStringLiteral("ca")));
    const QTemporaryDir folder;
    QFile token(folder.filePath(QStringLiteral("token")));
    if (hasAccount) {
        QVERIFY(token.open(QIODevice::WriteOnly) && token.write("secret\n") > 0);
        token.close();
        QVERIFY(QFile::copy(certificates.certificate(QStringLiteral("ca")),
                            folder.filePath(QStringLiteral("ca.crt"))));
    }
    qputenv("KUBERNETES_SERVICE_HOST", host);
    qputenv("KUBERNETES_SERVICE_PORT", "6443");
    const auto restore = qScopeGuard([] {
        qunsetenv("KUBERNETES_SERVICE_HOST");
        qunsetenv("KUBERNETES_SERVICE_PORT");
    });
    const auto access = inClusterAccess(folder.path() + QLatin1Char('/'));
    QCOMPARE(access.has_value(), !server.isEmpty());
    if (!access)
        return;
    QCOMPARE(access->server, QUrl(server));
    QCOMPARE(access->token, QByteArray("secret"));
    QCOMPARE(access->tls.caCertificates().size(), 1);
    QCOMPARE(access->tls.peerVerifyMode(), QSslSocket::VerifyPeer);
}

/** A running Kubernetes server. Its folder has url, ca.crt, client.crt and client.key (for
 * CN=lockkeeper-cert) and the kubeconfigs admin (may do all), observer (its rights come from here) and
 * breaker (no rights). */
void TestKubernetesProbe::realServer()
{
    const QDir folder(qEnvironmentVariable("LOCKKEEPER_KUBERNETES"));
    if (!qEnvironmentVariableIsSet("LOCKKEEPER_KUBERNETES"))
        QSKIP("LOCKKEEPER_KUBERNETES names no folder of a Kubernetes server");
    const auto all = [&folder](const char *name) {
        QFile file(folder.filePath(QLatin1String(name)));
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll().trimmed()) : QString();
    };
    const auto send = [&](const char *method, const QString &path, const QByteArray &body,
                          const char *type = "application/json") {
        QProcess curl;
        curl.start(QStringLiteral("curl"),
                   {QStringLiteral("-sS"), QStringLiteral("--fail-with-body"), QStringLiteral("--cacert"),
                    folder.filePath(QStringLiteral("ca.crt")), QStringLiteral("-H"),
                    QStringLiteral("Authorization: Bearer ") + all("admin.token"), QStringLiteral("-H"),
                    QStringLiteral("Content-Type: ") + QLatin1String(type), QStringLiteral("-X"),
                    QLatin1String(method), QStringLiteral("--data-binary"), QString::fromUtf8(body),
                    all("url") + path});
        return curl.waitForFinished() && curl.exitCode() == 0 ? QByteArray()
                                                              : curl.readAll() + curl.readAllStandardError();
    };
    const auto config = [&folder](const char *user) {
        return folder.filePath(QLatin1String(user) + QLatin1String(".kubeconfig"));
    };
    const QString pods = QStringLiteral("/api/v1/namespaces/shop/pods");
    const QString rbac = QStringLiteral("/apis/rbac.authorization.k8s.io/v1/");
    (void)send("POST", QStringLiteral("/api/v1/namespaces"), "{\"metadata\":{\"name\":\"shop\"}}");
    (void)send("DELETE", pods + QStringLiteral("/orders-0?gracePeriodSeconds=0"), {});
    (void)send("DELETE", QStringLiteral("/api/v1/nodes/node-1"), {});
    (void)send("DELETE", rbac + QStringLiteral("clusterrolebindings/lockkeeper-liveness"), {});
    (void)send("DELETE", rbac + QStringLiteral("clusterroles/lockkeeper-liveness"), {});

    QCOMPARE(probe(config("observer")).error.code, base::ErrorCode::PermissionDenied);
    QCOMPARE(send("POST", rbac + QStringLiteral("clusterroles"),
                  "{\"metadata\":{\"name\":\"lockkeeper-liveness\"},\"rules\":[{\"apiGroups\":[\"\"],"
                  "\"resources\":[\"pods\",\"nodes\"],\"verbs\":[\"get\"]}]}"),
             QByteArray());
    QCOMPARE(send("POST", rbac + QStringLiteral("clusterrolebindings"),
                  "{\"metadata\":{\"name\":\"lockkeeper-liveness\"},\"roleRef\":{\"apiGroup\":"
                  "\"rbac.authorization.k8s.io\",\"kind\":\"ClusterRole\",\"name\":\"lockkeeper-liveness\"},"
                  "\"subjects\":[{\"kind\":\"User\",\"name\":\"observer\"},{\"kind\":\"User\",\"name\":"
                  "\"lockkeeper-cert\"}]}"),
             QByteArray());
    QTRY_COMPARE(probe(config("observer")).evidence, HolderEvidence::PodGone);
    QCOMPARE(probe(config("breaker")).error.code, base::ErrorCode::PermissionDenied);
    const QByteArray strange =
        QByteArray("current-context: c\ncontexts: [{name: c, context: {cluster: k, user: u}}]\n"
                   "clusters: [{name: k, cluster: {server: '") +
        all("url").toUtf8() +
        "', certificate-authority: " + folder.filePath(QStringLiteral("ca.crt")).toUtf8() +
        "}}]\nusers: [{name: u, user: {";
    QCOMPARE(probe(write(strange + "token: wrong}}]\n")).error.code, base::ErrorCode::Authentication);
    QCOMPARE(probe(write(strange +
                         "client-certificate: " + folder.filePath(QStringLiteral("client.crt")).toUtf8() +
                         ", client-key: " + folder.filePath(QStringLiteral("client.key")).toUtf8() + "}}]\n"))
                 .evidence,
             HolderEvidence::PodGone);

    const qint64 beforeUs = QDateTime::currentMSecsSinceEpoch() * 1'000;
    const auto at = [beforeUs](qint64 seconds) {
        return QDateTime::fromMSecsSinceEpoch(beforeUs / 1'000 + seconds * 1'000, Qt::UTC)
            .toString(Qt::ISODate)
            .toUtf8();
    };
    QCOMPARE(send("POST", pods,
                  "{\"metadata\":{\"name\":\"orders-0\"},\"spec\":{\"nodeName\":\"node-1\",\"containers\":"
                  "[{\"name\":\"c\",\"image\":\"i\"}]}}"),
             QByteArray());
    const qint64 laterUs = beforeUs + 600 * kSecond; // the lock was taken after the pod had started
    QCOMPARE(probe(config("observer"), QStringLiteral("orders-0"), laterUs).evidence,
             HolderEvidence::PodPending);
    QCOMPARE(probe(config("observer"), QStringLiteral("orders-0"), beforeUs - 600 * kSecond).evidence,
             HolderEvidence::PodReplaced);
    const auto status = [&](const QByteArray &phase, const QByteArray &state) {
        return send("PATCH", pods + QStringLiteral("/orders-0/status"),
                    "{\"status\":{\"phase\":\"" + phase +
                        "\",\"containerStatuses\":[{\"name\":\"c\",\"image\":\"i\","
                        "\"imageID\":\"\",\"ready\":true,\"restartCount\":0,\"state\":" +
                        state + "}]}}",
                    "application/merge-patch+json");
    };
    QCOMPARE(status("Running", "{\"running\":{\"startedAt\":\"" + at(1) + "\"}}"), QByteArray());
    const auto evidence = [&] { return probe(config("observer"), QStringLiteral("orders-0"), laterUs); };
    QCOMPARE(evidence().evidence, HolderEvidence::NodeNotReady); // there is no such node
    QCOMPARE(send("POST", QStringLiteral("/api/v1/nodes"), "{\"metadata\":{\"name\":\"node-1\"}}"),
             QByteArray());
    QCOMPARE(evidence().evidence, HolderEvidence::NodeNotReady);
    QCOMPARE(send("PATCH", QStringLiteral("/api/v1/nodes/node-1/status"),
                  "{\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\"}]}}",
                  "application/merge-patch+json"),
             QByteArray());
    QCOMPARE(evidence().verdict, HolderVerdict::Alive);
    QCOMPARE(probe(config("observer"), QStringLiteral("orders-1"), laterUs).verdict, HolderVerdict::Dead);
    QCOMPARE(status("Running", "{\"running\":{\"startedAt\":\"" + at(1'200) + "\"}}"), QByteArray());
    QCOMPARE(evidence().evidence, HolderEvidence::PodReplaced);
    QCOMPARE(status("Failed", "{\"running\":{\"startedAt\":\"" + at(1) + "\"}}"), QByteArray());
    QCOMPARE(evidence().verdict, HolderVerdict::Unknown); // its node doesn't report
    QCOMPARE(status("Failed", "{\"running\":null,\"terminated\":{\"exitCode\":1}}"), QByteArray());
    QCOMPARE(evidence().evidence, HolderEvidence::PodFinished);
    QCOMPARE(evidence().verdict, HolderVerdict::Dead);
    QCOMPARE(send("DELETE", pods + QStringLiteral("/orders-0?gracePeriodSeconds=0"), {}), QByteArray());
    QTRY_COMPARE(evidence().evidence, HolderEvidence::PodGone);
}

LOCKKEEPER_TEST(TestKubernetesProbe)

} // namespace tst_kubernetes_probe

#include "tst_kubernetes_probe.moc"
