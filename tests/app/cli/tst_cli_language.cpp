// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/language/language.h"
#include "app/cli/table.h"
#include "fake_agent.h"
#include "tests/support/test_program.h"

#include <QProcess>
#include <QScopeGuard>
#include <QTest>

#ifdef Q_OS_UNIX
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>
#endif

namespace tst_cli_language {

using namespace lockkeeper;
using namespace lockkeeper::tests;

/** The program in Chinese: people's texts are translated, and what scripts read stays as it is. */
class TestCliLanguage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void wanted_data();
    void wanted();
    void help_data();
    void help();
    void colonsOfHelp_data();
    void colonsOfHelp();
    void errors_data();
    void errors();
    void columnsOfHelp();
    void usageErrors_data();
    void usageErrors();
    void releases_data();
    void releases();
    void releaseAsksInChinese();
    void sentencesAroundTables();
    void scriptsSeeNoDifference_data();
    void scriptsSeeNoDifference();

private:
    static void start(QProcess &process, const QStringList &arguments, const QString &language,
                      const FakeAgent *agent = nullptr);
    static bool hasEnded(const QProcess &process) { return process.state() == QProcess::NotRunning; }
};

static const QString kChinese = QStringLiteral("zh_CN.UTF-8");

static bool hasChinese(const QByteArray &text)
{
    static const QRegularExpression chinese(QStringLiteral("\\p{Han}"));
    return QString::fromUtf8(text).contains(chinese);
}

/** Without the ids and the clock's times, which differ from run to run. */
static QByteArray withoutChance(const QByteArray &text)
{
    static const QRegularExpression chance(
        QStringLiteral("\\b[0-9a-f]{32}\\b|\\b\\d{13,}\\b|(?<=\"lag_us\":)-?\\d+"));
    return QString::fromUtf8(text).replace(chance, QStringLiteral("#")).toUtf8();
}

void TestCliLanguage::start(QProcess &process, const QStringList &arguments, const QString &language,
                            const FakeAgent *agent)
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char *name : {"LC_ALL", "LC_MESSAGES", "LC_CTYPE", "LANGUAGE"})
        environment.remove(QString::fromLatin1(name));
    environment.insert(QStringLiteral("LANG"), language);
    if (agent)
        environment.insert(QStringLiteral("LOCKKEEPER_AGENT"),
                           QStringLiteral("local:") + agent->address().path);
    process.setProcessEnvironment(environment);
    process.start(qEnvironmentVariable("LOCKKEEPER_BIN") + QStringLiteral("/lockkeeperctl"), arguments);
}

void TestCliLanguage::wanted_data()
{
    QTest::addColumn<QString>("variables");
    QTest::addColumn<QString>("language");
    const auto row = [](const char *variables, const char *language) {
        QTest::newRow(variables) << QString::fromLatin1(variables) << QString::fromLatin1(language);
    };
    row("", "en");
    row("LANG=C", "en");
    row("LANG=C.UTF-8", "en");
    row("LANG=en_GB.UTF-8", "en");
    row("LANG=de_DE.UTF-8", "en");
    row("LANG=zh_CN.UTF-8", "zh_CN");
    row("LANG=zh_CN.utf8", "zh_CN");
    row("LANG=zh_CN.UTF-8@pinyin", "zh_CN");
    row("LANG=zh_TW.UTF-8", "en");
    // We write UTF-8 alone.
    row("LANG=zh_CN", "en");
    row("LANG=zh_CN.GB18030", "en");
    row("LANG=C.UTF-8 LC_MESSAGES=zh_CN", "zh_CN");
    row("LANG=zh_CN.UTF-8 LC_CTYPE=C", "en");
    // The first that is set decides.
    row("LANG=zh_CN.UTF-8 LC_MESSAGES=en_US.UTF-8", "en");
    row("LANG=en_US.UTF-8 LC_MESSAGES=zh_CN.UTF-8", "zh_CN");
    row("LANG=zh_CN.UTF-8 LC_ALL=C.UTF-8", "en");
    row("LANG=C LC_ALL=zh_CN.UTF-8", "zh_CN");
    row("LANG=zh_CN.UTF-8 LC_ALL=", "zh_CN");
    row("LANG=en_US.UTF-8 LANGUAGE=zh_CN:en", "zh_CN");
    row("LANG=en_US.UTF-8 LANGUAGE=de:zh_CN", "zh_CN");
    row("LANG=zh_CN.UTF-8 LANGUAGE=en:zh_CN", "en");
    row("LANG=C.UTF-8 LANGUAGE=zh_CN", "en");
}

void TestCliLanguage::wanted()
{
    QFETCH(QString, variables);
    QFETCH(QString, language);
    QProcessEnvironment environment;
    for (const QString &variable : variables.split(QLatin1Char(' '), Qt::SkipEmptyParts))
        environment.insert(variable.section(QLatin1Char('='), 0, 0), variable.section(QLatin1Char('='), 1));
    QCOMPARE(app::cli::Language::wanted(environment), language);
}

void TestCliLanguage::help_data()
{
    QTest::addColumn<QString>("language");
    QTest::addColumn<bool>("isChinese");
    QTest::newRow("Chinese") << kChinese << true;
    QTest::newRow("no locale") << QStringLiteral("C") << false;
    QTest::newRow("another encoding") << QStringLiteral("zh_CN.GB18030") << false;
}

void TestCliLanguage::help()
{
    QFETCH(QString, language);
    QFETCH(bool, isChinese);
    QProcess process;
    start(process, {QStringLiteral("release"), QStringLiteral("--help")}, language);
    QTRY_VERIFY_WITH_TIMEOUT(hasEnded(process), 20'000);
    QCOMPARE(process.exitCode(), 0);
    const QByteArray out = process.readAllStandardOutput();
    QCOMPARE(hasChinese(out), isChinese);
    QVERIFY(out.contains("--if-not-renewed"));
    for (const char *text : {"有校验的强制释放，并输出结果\n用法：lockkeeperctl release [选项] SOURCE LOCK\n",
                             "\n位置参数：\n", "\n选项：\n", "必填"})
        QVERIFY2(out.contains(text) == isChinese, out.constData());
    if (!isChinese)
        QVERIFY(out.contains(
            "guarded force-release; prints the outcome\nUsage: lockkeeperctl release [OPTIONS]"));
}

void TestCliLanguage::colonsOfHelp_data()
{
    QTest::addColumn<QString>("command");
    QTest::newRow("the program") << QString();
    for (const char *command :
         {"status", "overview", "locks",  "chains",   "contention", "advise",    "probe",
          "watch",  "history",  "holds",  "release",  "whoami",     "approvals", "approve",
          "reject", "audit",    "export", "discover", "run",        "simulate"})
        QTest::newRow(command) << QString::fromLatin1(command);
}

/** CLI11 writes an ASCII colon after its titles; Chinese needs a full-width one. */
void TestCliLanguage::colonsOfHelp()
{
    QFETCH(QString, command);
    QProcess process;
    start(process, (command + QStringLiteral(" --help")).split(QLatin1Char(' '), Qt::SkipEmptyParts),
          kChinese);
    QTRY_VERIFY_WITH_TIMEOUT(hasEnded(process), 20'000);
    QCOMPARE(process.exitCode(), 0);
    const QString out = QString::fromUtf8(process.readAllStandardOutput());
    static const QRegularExpression ascii(QStringLiteral("\\p{Han}[:,;]"));
    QVERIFY2(!out.contains(ascii), qPrintable(out));
    static const QRegularExpression english(
        QStringLiteral("\\b(Usage|OPTIONS|Options|Subcommands|Positionals|"
                       "Examples|REQUIRED|Needs|Excludes)\\b"));
    QVERIFY2(!out.contains(english), qPrintable(out));
    QVERIFY(out.contains(QStringLiteral("用法：lockkeeperctl")));
}

void TestCliLanguage::errors_data()
{
    QTest::addColumn<base::Error>("error");
    QTest::addColumn<QString>("said");
    const auto row = [](const char *name, base::Error error, const char *said) {
        QTest::newRow(name) << std::move(error) << QString::fromUtf8(said);
    };
    using base::ErrorCode;
    row("of the agent",
        {ErrorCode::PermissionDenied, QStringLiteral("the role viewer doesn't allow this"),
         QStringLiteral("Ask for an [[access]] entry in the agent's configuration.")},
        "角色 viewer 不允许此操作。请申请在 Agent 的配置中添加 [[access]] 条目。");
    row("with a lock's name",
        {ErrorCode::PermissionDenied, QStringLiteral("the role viewer doesn't cover \"订单\" in orders"), {}},
        "角色 viewer 的范围不含 \"订单\" in orders");
    row("a server's own words", {ErrorCode::Storage, QStringLiteral("OOM command not allowed"), {}},
        "读写失败（OOM command not allowed）");
    row("without words", {ErrorCode::Busy, {}, {}}, "繁忙：未执行任何操作");
}

/** Errors that an agent reports in English are translated, except with --json. */
void TestCliLanguage::errors()
{
    QFETCH(base::Error, error);
    QFETCH(QString, said);
    FakeAgent agent;
    agent.locks = {shownLock("lock:a", "w1")};
    agent.outcome.outcome = domain::Outcome::Refused;
    agent.outcome.error = error;
    const QString release = QStringLiteral("release orders lock:a --holder w1 --reason stale --yes");
    QProcess process;
    start(process, release.split(QLatin1Char(' ')), kChinese, &agent);
    QTRY_VERIFY_WITH_TIMEOUT(hasEnded(process), 20'000);
    const QByteArray err = process.readAllStandardError();
    QVERIFY2(err.contains("拒绝执行：lock:a: " + said.toUtf8()), err.constData());
    QProcess scripted;
    start(scripted, (release + QStringLiteral(" --json")).split(QLatin1Char(' ')), kChinese, &agent);
    QTRY_VERIFY_WITH_TIMEOUT(hasEnded(scripted), 20'000);
    const QByteArray english = scripted.readAllStandardError();
    QVERIFY2(english.contains("refused: lock:a: " + error.line().toUtf8()), english.constData());
    QProcess alone;
    start(alone, {QStringLiteral("--agent"), QStringLiteral("local:/no/such.sock"), QStringLiteral("status")},
          kChinese);
    QTRY_VERIFY_WITH_TIMEOUT(hasEnded(alone), 20'000);
    const QByteArray nobody = alone.readAllStandardError();
    QVERIFY2(nobody.contains("没有 Agent 监听") && !nobody.contains("listens"), nobody.constData());
    QCOMPARE(alone.exitCode(), 3);
}

/** A Chinese character has three bytes and takes two columns. */
void TestCliLanguage::columnsOfHelp()
{
    QProcess process;
    start(process, {QStringLiteral("release"), QStringLiteral("--help")}, kChinese);
    QTRY_VERIFY_WITH_TIMEOUT(hasEnded(process), 20'000);
    static const QRegularExpression row(QStringLiteral("^(  \\S.*? {2,})\\p{Han}"));
    int rows = 0;
    for (const QString &line : QString::fromUtf8(process.readAllStandardOutput()).split(QLatin1Char('\n'))) {
        const auto match = row.match(line);
        if (!match.hasMatch())
            continue;
        ++rows;
        QVERIFY2(app::cli::displayWidth(match.captured(1)) == 30, qPrintable(line));
    }
    QVERIFY(rows > 8);
}

void TestCliLanguage::usageErrors_data()
{
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<QString>("said");
    const auto row = [](const char *arguments, const char *said) {
        QTest::newRow(arguments) << QString::fromUtf8(arguments) << QString::fromUtf8(said);
    };
    row("", "请给出一个子命令。请参阅 lockkeeperctl --help");
    row("release a", "缺少必填参数 LOCK。请参阅 lockkeeperctl --help");
    row("locks --state gone",
        "--state：gone 不在 {held,free,expired,stuck,contended,expiring,optimistic,unknown} "
        "之中。请参阅 lockkeeperctl --help");
    row("locks --nothing", "多余的参数：--nothing。请参阅 lockkeeperctl --help");
    row("lokcs", "没有命令“lokcs”。是否指“locks”？");
    row("watch --for 2x", "--for: ");
    row("holds --lock a --from never", "--from: “never”不是有效的时间。请写成 2026-11-21T02:51:13Z");
    row("release a b --reason c",
        "release: 必须给出 --guard 或 --holder。请从 lockkeeperctl locks --json 中复制 guard");
}

void TestCliLanguage::usageErrors()
{
    QFETCH(QString, arguments);
    QFETCH(QString, said);
    for (const QString &language : {kChinese, QStringLiteral("C")}) {
        QProcess process;
        start(process, arguments.split(QLatin1Char(' '), Qt::SkipEmptyParts), language);
        QTRY_VERIFY_WITH_TIMEOUT(hasEnded(process), 20'000);
        QCOMPARE(process.exitCode(), 2);
        QVERIFY(process.readAllStandardOutput().isEmpty());
        const QByteArray err = process.readAllStandardError();
        if (language == kChinese)
            QVERIFY2(err.contains("lockkeeperctl: " + said.toUtf8()), err.constData());
        else
            QVERIFY2(!hasChinese(err), err.constData());
    }
}

void TestCliLanguage::releases_data()
{
    QTest::addColumn<QString>("options");
    QTest::addColumn<int>("outcome");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("said");
    const auto row = [](const char *name, const char *options, domain::Outcome outcome, int status,
                        const char *said) {
        QTest::newRow(name) << QString::fromLatin1(options) << int(outcome) << status
                            << QString::fromUtf8(said);
    };
    using domain::Outcome;
    row("released", "--yes", Outcome::Released, 0, "已强制释放：lock:a。");
    row("dry run", "--dry-run", Outcome::Released, 0, "试运行：可以强制释放 lock:a。未写入任何内容。");
    row("refused", "--yes", Outcome::Refused, 1, "拒绝执行：lock:a");
    row("rejected", "--yes", Outcome::Rejected, 4, "已驳回，未执行任何操作：lock:a");
    row("free", "--yes", Outcome::AlreadyFree, 6, "已空闲：lock:a");
}

void TestCliLanguage::releases()
{
    QFETCH(QString, options);
    QFETCH(int, outcome);
    QFETCH(int, status);
    QFETCH(QString, said);
    FakeAgent agent;
    agent.locks = {shownLock("lock:a", "w1")};
    agent.outcome.outcome = domain::Outcome(outcome);
    agent.outcome.dryRun = options == QLatin1String("--dry-run");
    agent.outcome.replicated = true;
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    start(process,
          QStringLiteral("release orders lock:a --holder w1 --reason stale %1")
              .arg(options)
              .split(QLatin1Char(' ')),
          kChinese, &agent);
    QTRY_VERIFY_WITH_TIMEOUT(hasEnded(process), 20'000);
    const QByteArray all = process.readAllStandardOutput();
    QVERIFY2(all.contains(said.toUtf8()), all.constData());
    QVERIFY2(all.contains("持有者      w1\n"), all.constData());
    QVERIFY2(all.contains("强制释放不会停止持有者。"), all.constData());
    QCOMPARE(process.exitCode(), status);
}

/** The answer is 'yes' in every language. */
void TestCliLanguage::releaseAsksInChinese()
{
#ifdef Q_OS_UNIX
    const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    QVERIFY(terminal >= 0);
    const auto closes = qScopeGuard([terminal] { ::close(terminal); });
    QVERIFY(::grantpt(terminal) == 0 && ::unlockpt(terminal) == 0);
    FakeAgent agent;
    agent.locks = {shownLock("lock:a", "w1")};
    agent.outcome.replicated = true;
    QProcess process;
    process.setStandardInputFile(QString::fromLocal8Bit(::ptsname(terminal)));
    start(process, QStringLiteral("release orders lock:a --holder w1 --reason stale").split(QLatin1Char(' ')),
          kChinese, &agent);
    QByteArray err;
    QTRY_VERIFY2_WITH_TIMEOUT(
        (err += process.readAllStandardError()).contains("要强制释放锁 lock:a，请输入 yes"), err.constData(),
        20'000);
    QVERIFY(agent.askedFor<protocol::ForceRelease>().isEmpty());
    QCOMPARE(::write(terminal, "yes\n", 4), 4);
    QTRY_VERIFY_WITH_TIMEOUT(hasEnded(process), 20'000);
    QCOMPARE(process.exitCode(), 0);
    QVERIFY(process.readAllStandardOutput().contains("已强制释放：lock:a。"));
#else
    QSKIP("needs a terminal");
#endif
}

/** The states and the titles of tables are data, the sentences around them are for people. */
void TestCliLanguage::sentencesAroundTables()
{
    FakeAgent agent;
    agent.locks = {shownLock("lock:a", "w1")};
    agent.locks[0].stuck = domain::StuckReason::NoExpiry;
    agent.locks[0].mayHaveChanged = true;
    agent.status.wallUs = 93'000'000;
    agent.status.sources = agent.sources;
    QProcess status;
    start(status, {QStringLiteral("status")}, kChinese, &agent);
    QTRY_VERIFY_WITH_TIMEOUT(hasEnded(status), 20'000);
    const QByteArray head = status.readAllStandardOutput();
    QVERIFY2(head.startsWith("Agent dc1，版本 0.1.0，已运行 1 分 33 秒，"), head.constData());
    QVERIFY2(head.contains("\nSOURCE "), head.constData());
    QProcess locks;
    start(locks, {QStringLiteral("locks")}, kChinese, &agent);
    QTRY_VERIFY_WITH_TIMEOUT(hasEnded(locks), 20'000);
    const QByteArray table = locks.readAllStandardOutput();
    QVERIFY2(table.startsWith("STATE "), table.constData());
    QVERIFY2(table.contains("\nstuck~ "), table.constData());
    QVERIFY2(table.contains("\n~：当时可能已有变化"), table.constData());
    QProcess overview;
    start(overview, {QStringLiteral("overview")}, kChinese, &agent);
    QTRY_VERIFY_WITH_TIMEOUT(hasEnded(overview), 20'000);
    const QByteArray screen = overview.readAllStandardOutput();
    const QByteArray verdict = screen.left(screen.indexOf('\n')); // from the console's catalogue
    QVERIFY2(verdict.contains("卡死") && verdict.endsWith("。"), screen.constData());
    QVERIFY2(screen.contains("\n需要关注\n"), screen.constData());
    QVERIFY2(screen.contains("  never expires\n"), screen.constData());
}

void TestCliLanguage::scriptsSeeNoDifference_data()
{
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<int>("status");
    const auto row = [](const char *arguments, int status = 0) {
        QTest::newRow(arguments) << QString::fromLatin1(arguments) << status;
    };
    row("locks");
    row("history");
    row("holds --lock *");
    row("audit");
    row("approvals");
    row("contention");
    row("watch --since 0 --for 1s --no-reconnect");
    row("export --format csv");
    row("export --format csv --history");
    row("export --format json --history");
    row("locks --json");
    row("status --json");
    row("history --json");
    row("overview --json");
    row("audit --json --verify");
    row("approvals --json");
    row("advise --json");
    row("release orders lock:a --holder other --reason stale --yes --json", 5);
    row("release orders lock:a --holder w1 --reason stale --dry-run --json");
}

void TestCliLanguage::scriptsSeeNoDifference()
{
    QFETCH(QString, arguments);
    QFETCH(int, status);
    FakeAgent agent;
    agent.locks = {shownLock("lock:a", "w1")};
    agent.locks[0].acquiredUs.reset(); // no running time in the output
    agent.locks[0].expiry = domain::ExpiryKind::None;
    agent.locks[0].stuck = domain::StuckReason::NoExpiry;
    agent.events = {acquired(1, "lock:a"), acquired(2, "lock:b")};
    agent.events[1].detail.firstSeen = true;
    agent.events[1].ttlMs = 90'000;
    protocol::Hold hold;
    hold.key = agent.locks.at(0).key;
    agent.holds = {hold};
    domain::AuditEntry entry;
    entry.id = 1;
    entry.key = hold.key;
    entry.outcome = domain::Outcome::Refused;
    agent.audit = {entry};
    domain::ApprovalRequest request;
    request.id = 17;
    request.key = hold.key;
    agent.approvals = {request};
    domain::Contention contention;
    contention.key = hold.key;
    contention.waitersVisible = true;
    agent.contention.locks = {contention};
    agent.advice.advice = {{domain::AdviceCode::NoExpiry, {}, hold.key, {}, {}, {}, {}, {}, 1, 2}};
    QByteArray english;
    for (const QString &language : {QStringLiteral("C"), kChinese}) {
        QProcess process;
        start(process, arguments.split(QLatin1Char(' ')), language, &agent);
        QTRY_VERIFY_WITH_TIMEOUT(hasEnded(process), 20'000);
        QCOMPARE(process.exitCode(), status);
        const QByteArray out = withoutChance(process.readAllStandardOutput());
        if (english.isEmpty())
            english = out;
        QVERIFY2(!out.isEmpty(), process.readAllStandardError().constData());
        QCOMPARE(out, english);
    }
}

LOCKKEEPER_TEST(TestCliLanguage)

} // namespace tst_cli_language

#include "tst_cli_language.moc"
