// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/liveness/kubernetes_probe.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QJsonArray>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTemporaryDir>
#include <QTest>

namespace tst_kubernetes_probe {

using namespace lockkeeper;
using namespace lockkeeper::agent::liveness;
using domain::HolderEvidence;
using domain::HolderVerdict;

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
    FakeCluster()
    {
        connect(&m_server, &QTcpServer::newConnection, this, [this] {
            QTcpSocket *socket = m_server.nextPendingConnection();
            connect(socket, &QTcpSocket::disconnected, socket, &QObject::deleteLater);
            connect(socket, &QTcpSocket::readyRead, this, [this, socket] {
                const QByteArray request = socket->readAll();
                requests.append(request);
                const auto answer =
                    answers.value(request.split(' ').value(1), {404, "{\"kind\":\"Status\"}"});
                socket->write("HTTP/1.0 " + QByteArray::number(answer.first) + " X\r\nContent-Length: " +
                              QByteArray::number(answer.second.size() + (isCut ? 1 : 0)) + "\r\n\r\n" +
                              answer.second);
                socket->disconnectFromHost();
            });
        });
        m_server.listen(QHostAddress::LocalHost);
    }
    QByteArray url() const { return "http://127.0.0.1:" + QByteArray::number(m_server.serverPort()); }

    QHash<QByteArray, std::pair<int, QByteArray>> answers;
    QByteArrayList requests;
    bool isCut = false;

private:
    QTcpServer m_server;
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

private:
    QString write(const QByteArray &kubeconfig)
    {
        QFile file(m_folder.filePath(QStringLiteral("config")));
        return file.open(QIODevice::WriteOnly) && file.write(kubeconfig) >= 0 ? file.fileName() : QString();
    }
    ProbeOutcome probe(const QString &kubeconfig)
    {
        ProbeTarget target;
        target.method = domain::LivenessMethod::Kubernetes;
        target.nameSpace = QStringLiteral("shop");
        target.pod = QStringLiteral("orders-0");
        target.kubeconfig = kubeconfig;
        target.timeoutUs = 10 * kSecond;
        std::optional<ProbeOutcome> outcome;
        const auto probe = makeProbe(target, AcquiredWhen{kAcquired, kAcquired},
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
    row("not YAML", "a: b\n  c\n", "can't be read");
    row("a text of several lines", "a: |\n  b\n", "can't be read");
    row("a list in a list without end", "- " + QByteArray("- ").repeated(100), "can't be read");
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

LOCKKEEPER_TEST(TestKubernetesProbe)

} // namespace tst_kubernetes_probe

#include "tst_kubernetes_probe.moc"
