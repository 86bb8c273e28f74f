// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What is installed serves others: the library by CMake and by pkg-config, outside the tree, and the
// packages.

#include "tests/support/redis_server.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

namespace tst_package {

namespace {

/** A command's output with its errors. Empty where the command fails, which is printed. */
QString outputOf(const QString &program, const QStringList &arguments, const QStringList &environment = {})
{
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.setEnvironment(QProcess::systemEnvironment() + environment);
    process.start(program, arguments);
    process.waitForFinished(120'000);
    const QString output = QString::fromUtf8(process.readAll());
    if (process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0)
        return output.isEmpty() ? QStringLiteral("\n") : output;
    qWarning().noquote() << program << arguments << '\n' << output << process.errorString();
    return {};
}

} // namespace

class PackageTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void headersStandAlone();
    void findPackage();
    void theManualSufficesToCompile();
    void pkgConfig();
    void exportsItsInterfaceOnly();
    void theInstalledDemo();
    void debianPackages();

private:
    void runConsumer(const QString &program);
    QString fileNamed(const QString &name) const;

    QString m_source = qEnvironmentVariable("LOCKKEEPER_SOURCE");
    QString m_build = QDir(qEnvironmentVariable("LOCKKEEPER_BIN")).absoluteFilePath(QStringLiteral(".."));
    QTemporaryDir m_folder;
    QString m_prefix = m_folder.filePath(QStringLiteral("prefix"));
    QString m_library; ///< the folder that it is in
};

void PackageTest::initTestCase()
{
    for (const char *component : {"liblockkeeper0", "liblockkeeper-dev"})
        QVERIFY(!outputOf(QStringLiteral("cmake"),
                          {QStringLiteral("--install"), m_build, QStringLiteral("--prefix"), m_prefix,
                           QStringLiteral("--component"), QLatin1String(component)})
                     .isEmpty());
    m_library = QFileInfo(fileNamed(QStringLiteral("liblockkeeper.so.0"))).path();
    QVERIFY(!m_library.isEmpty());
}

QString PackageTest::fileNamed(const QString &name) const
{
    QDirIterator it(m_prefix, {name}, QDir::Files, QDirIterator::Subdirectories);
    return it.hasNext() ? it.next() : QString();
}

/** They include each other, Qt, the standard library and tl::expected: no other file of the tree. */
void PackageTest::headersStandAlone()
{
    static const QRegularExpression include(QStringLiteral("#\\s*include\\s+[<\"]([^>\"]+)[>\"]"));
    static const QRegularExpression others(QStringLiteral("^(Q\\w+|[a-z_]+|tl/expected\\.hpp)$"));
    const QDir headers(m_prefix + QStringLiteral("/include"));
    int seen = 0;
    QDirIterator it(headers.path(), {QStringLiteral("*.h")}, QDir::Files, QDirIterator::Subdirectories);
    while (it.hasNext()) {
        QFile file(it.next());
        QVERIFY(file.open(QIODevice::ReadOnly));
        auto match = include.globalMatch(QString::fromUtf8(file.readAll()));
        while (match.hasNext()) {
            const QString included = match.next().captured(1);
            ++seen;
            if (!headers.exists(included))
                QVERIFY2(others.match(included).hasMatch(),
                         qPrintable(file.fileName() + QStringLiteral(" includes ") + included));
        }
    }
    QVERIFY(seen > 20);
}

void PackageTest::runConsumer(const QString &program)
{
    lockkeeper::tests::RedisServer redis;
    QVERIFY(redis.start());
    const QString output =
        outputOf(program, {redis.url().toString(), QStringLiteral("redis.token"), QStringLiteral("a")},
                 {QStringLiteral("LD_LIBRARY_PATH=") + m_library});
    QCOMPARE(output, QStringLiteral("held 1, by others 0, released 1, 0.5, locale C\n"));
    QCOMPARE(redis.command({"EXISTS", "a"}).integer, 0);
}

void PackageTest::findPackage()
{
    const QString build = m_folder.filePath(QStringLiteral("consumer"));
    QVERIFY(!outputOf(QStringLiteral("cmake"),
                      {QStringLiteral("-G"), QStringLiteral("Ninja"), QStringLiteral("-S"),
                       m_source + QStringLiteral("/tests/integration/consumer"), QStringLiteral("-B"), build,
                       QStringLiteral("-DCMAKE_PREFIX_PATH=") + m_prefix})
                 .isEmpty());
    QVERIFY(!outputOf(QStringLiteral("cmake"), {QStringLiteral("--build"), build}).isEmpty());
    runConsumer(build + QStringLiteral("/consumer"));
}

/** The blocks of locks.md as they stand there: the program, its CMakeLists.txt, and the line without CMake.
 */
void PackageTest::theManualSufficesToCompile()
{
    QFile manual(m_source + QStringLiteral("/resources/docs/operators/locks.md"));
    QVERIFY(manual.open(QIODevice::ReadOnly));
    const QString text = QString::fromUtf8(manual.readAll());
    const auto blockOf = [&text](const QString &language) {
        const QRegularExpression block(QStringLiteral("```%1\n(.*?)```").arg(language),
                                       QRegularExpression::DotMatchesEverythingOption);
        return block.match(text).captured(1);
    };
    lockkeeper::tests::RedisServer redis;
    QVERIFY(redis.start());
    const QString folder = m_folder.filePath(QStringLiteral("report"));
    QVERIFY(QDir().mkpath(folder));
    const auto write = [&folder](const QString &name, const QString &content) {
        QFile file(folder + QLatin1Char('/') + name);
        return file.open(QIODevice::WriteOnly) && file.write(content.toUtf8()) > 0;
    };
    const QString program = blockOf(QStringLiteral("cpp"));
    const QString address = QStringLiteral("redis://127.0.0.1:6379/0");
    QVERIFY(program.contains(address));
    QVERIFY(write(QStringLiteral("report.cpp"), QString(program).replace(address, redis.url().toString())));
    QVERIFY(write(QStringLiteral("CMakeLists.txt"), blockOf(QStringLiteral("cmake"))));
    const QString build = folder + QStringLiteral("/build");
    QVERIFY(!outputOf(QStringLiteral("cmake"),
                      {QStringLiteral("-G"), QStringLiteral("Ninja"), QStringLiteral("-S"), folder,
                       QStringLiteral("-B"), build, QStringLiteral("-DCMAKE_PREFIX_PATH=") + m_prefix})
                 .isEmpty());
    QVERIFY(!outputOf(QStringLiteral("cmake"), {QStringLiteral("--build"), build}).isEmpty());
    const QString description = QFileInfo(fileNamed(QStringLiteral("lockkeeper.pc"))).path();
    QVERIFY(!outputOf(QStringLiteral("sh"),
                      {QStringLiteral("-c"),
                       QStringLiteral("cd %1 && %2").arg(folder, blockOf(QStringLiteral("sh")))},
                      {QStringLiteral("PKG_CONFIG_PATH=") + description})
                 .isEmpty());
    for (const QString &report : {build + QStringLiteral("/report"), folder + QStringLiteral("/report")}) {
        const QString output = outputOf(report, {}, {QStringLiteral("LD_LIBRARY_PATH=") + m_library});
        QVERIFY2(output.contains(QLatin1String("part 2, fencing token ")), qPrintable(output));
        QCOMPARE(redis.command({"EXISTS", "lock:report"}).integer, 0);
    }
}

void PackageTest::pkgConfig()
{
    const QString description = fileNamed(QStringLiteral("lockkeeper.pc"));
    QVERIFY(!description.isEmpty());
    const QString flags =
        outputOf(QStringLiteral("pkg-config"),
                 {QStringLiteral("--cflags"), QStringLiteral("--libs"), QStringLiteral("lockkeeper")},
                 {QStringLiteral("PKG_CONFIG_PATH=") + QFileInfo(description).path()});
    QVERIFY(flags.contains(m_prefix));
    const QString program = m_folder.filePath(QStringLiteral("by-pkg-config"));
    QVERIFY(
        !outputOf(QStringLiteral("c++"),
                  QStringList{QStringLiteral("-std=c++20"), QStringLiteral("-fPIC"), QStringLiteral("-o"),
                              program, m_source + QStringLiteral("/tests/integration/consumer/main.cpp")} +
                      flags.simplified().split(QLatin1Char(' ')))
             .isEmpty());
    runConsumer(program);
}

void PackageTest::exportsItsInterfaceOnly()
{
    const QString symbols =
        outputOf(QStringLiteral("nm"), {QStringLiteral("-DC"), QStringLiteral("--defined-only"),
                                        m_library + QStringLiteral("/liblockkeeper.so.0")});
    static const QRegularExpression ours(QStringLiteral(
        "^[0-9a-f]* [A-Z] (LOCKKEEPER_0|(vtable for |typeinfo for |typeinfo name for )?lockkeeper::"
        "(base::(Error|error|isTransient)|locks::(Lock|LockManager|Runtime|BlockingLock|BlockingLockManager)("
        "::|@|$)).*)"));
    int seen = 0;
    for (const QString &line : symbols.split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
        ++seen;
        QVERIFY2(ours.match(line).hasMatch(), qPrintable(line));
    }
    QVERIFY2(seen > 50, qPrintable(symbols));
    QVERIFY(symbols.contains(QLatin1String("lockkeeper::base::Error::line() const")));
}

/** The console finds the workload and the agent where they are installed. All of it ends even if it is
 * killed. */
void PackageTest::theInstalledDemo()
{
    const QString prefix = m_folder.filePath(QStringLiteral("demo"));
    for (const char *component : {"lockkeeper", "lockkeeper-console"})
        QVERIFY(!outputOf(QStringLiteral("cmake"),
                          {QStringLiteral("--install"), m_build, QStringLiteral("--prefix"), prefix,
                           QStringLiteral("--component"), QLatin1String(component)})
                     .isEmpty());
    const QString console = prefix + QStringLiteral("/bin/lockkeeper");
    if (!QFile::exists(console))
        QSKIP("built without the console");
    const auto processes = [] {
        QList<QByteArrayList> found;
        for (const QString &id : QDir(QStringLiteral("/proc")).entryList({QStringLiteral("[1-9]*")})) {
            QFile file(QStringLiteral("/proc/%1/cmdline").arg(id));
            const QByteArray line = file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
            if (line.contains("lockkeeper-own-demo"))
                found.append(line.split('\0'));
        }
        return found;
    };
    const auto folder = [&processes] {
        for (const QByteArrayList &words : processes()) {
            for (const QByteArray &word : words) {
                if (word.endsWith("/agent/agent.toml"))
                    return QString::fromUtf8(word.chopped(int(strlen("/agent/agent.toml"))));
            }
        }
        return QString();
    };
    QProcess process;
    process.setEnvironment(QProcess::systemEnvironment() +
                           QStringList{QStringLiteral("QT_QPA_PLATFORM=offscreen")});
    process.start(console, {QStringLiteral("--demo"), QStringLiteral("--settings"),
                            m_folder.filePath(QStringLiteral("console.ini"))});
    QTRY_VERIFY_WITH_TIMEOUT(!folder().isEmpty(), 30'000);
    const QString demo = folder();
    const auto locks = [&prefix, &demo] {
        return outputOf(prefix + QStringLiteral("/bin/lockkeeperctl"),
                        {QStringLiteral("--agent"),
                         QStringLiteral("local:%1/agent/data/agent.sock").arg(demo), QStringLiteral("locks"),
                         QStringLiteral("--json")});
    };
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(demo + QStringLiteral("/agent/data/agent.sock")), 30'000);
    QTRY_VERIFY_WITH_TIMEOUT(locks().contains(QStringLiteral("lock:import:nightly")), 30'000);
    process.kill();
    QVERIFY(process.waitForFinished());
    QTRY_VERIFY_WITH_TIMEOUT(processes().isEmpty(), 30'000);
    QDir(demo).removeRecursively();
}

void PackageTest::debianPackages()
{
    for (const char *tool : {"cpack", "dpkg-deb", "dpkg-shlibdeps"}) {
        if (QStandardPaths::findExecutable(QLatin1String(tool)).isEmpty())
            QSKIP("cpack, dpkg-deb or dpkg-shlibdeps isn't installed");
    }
    const QString folder = m_folder.filePath(QStringLiteral("packages"));
    QVERIFY(!outputOf(QStringLiteral("cpack"),
                      {QStringLiteral("--config"), m_build + QStringLiteral("/CPackConfig.cmake"),
                       QStringLiteral("-B"), folder})
                 .isEmpty());
    QHash<QString, QString> contents;
    QHash<QString, QString> fields;
    const QStringList files = QDir(folder).entryList({QStringLiteral("*.deb")});
    for (const QString &file : files) {
        const QString package = file.section(QLatin1Char('_'), 0, 0);
        contents.insert(package, outputOf(QStringLiteral("dpkg-deb"),
                                          {QStringLiteral("-c"), folder + QLatin1Char('/') + file}));
        fields.insert(package, outputOf(QStringLiteral("dpkg-deb"),
                                        {QStringLiteral("-I"), folder + QLatin1Char('/') + file}));
    }
    const auto has = [&contents](const char *package, const char *path) {
        return contents.value(QLatin1String(package)).contains(QRegularExpression(QLatin1String(path)));
    };
    QVERIFY(has("lockkeeper", "/usr/bin/lockkeeper-agent\n"));
    QVERIFY(has("lockkeeper", "/usr/bin/lockkeeperctl\n"));
    QVERIFY(has("lockkeeper", "/usr/lib/systemd/system/lockkeeper-agent.service\n"));
    QVERIFY(has("lockkeeper", "/usr/share/man/man1/lockkeeperctl.1"));
    QVERIFY(!has("lockkeeper", "liblockkeeper|/usr/bin/lockkeeper\n"));
    QVERIFY(has("liblockkeeper0", "/usr/lib/.*/liblockkeeper.so.0 -> "));
    QVERIFY(!has("liblockkeeper0", "liblockkeeper.so -> |include"));
    QVERIFY(has("liblockkeeper-dev", "/usr/lib/.*/liblockkeeper.so -> "));
    QVERIFY(has("liblockkeeper-dev", "/usr/include/lockkeeper/locks.h\n"));
    QVERIFY(has("liblockkeeper-dev", "/cmake/Lockkeeper/LockkeeperConfig.cmake\n"));
    QVERIFY(has("liblockkeeper-dev", "/pkgconfig/lockkeeper.pc\n"));
    QVERIFY(has("liblockkeeper-dev", "/examples/locks/redis_token.cpp\n"));
    const auto depends = [&fields](const char *package) {
        static const QRegularExpression line(QStringLiteral("\n Depends: ([^\n]*)"));
        return line.match(fields.value(QLatin1String(package))).captured(1);
    };
    QVERIFY2(depends("liblockkeeper0").contains(QLatin1String("libqt6core6")),
             qPrintable(depends("liblockkeeper0")));
    QVERIFY2(depends("liblockkeeper0").contains(QLatin1String("libhiredis")),
             qPrintable(depends("liblockkeeper0")));
    QVERIFY2(!fields.value(QStringLiteral("liblockkeeper0")).contains(QLatin1String("Recommends:")),
             "who has no SQL database needs none of its drivers");
    QVERIFY2(depends("liblockkeeper-dev").contains(QLatin1String("liblockkeeper0 (= ")),
             qPrintable(depends("liblockkeeper-dev")));
    QVERIFY2(depends("lockkeeper").contains(QLatin1String("libqt6sql6")), qPrintable(depends("lockkeeper")));
    QVERIFY2(!depends("lockkeeper").contains(QLatin1String("libqt6widgets6")),
             qPrintable(depends("lockkeeper")));
    if (fields.contains(QStringLiteral("lockkeeper-console"))) {
        QVERIFY(has("lockkeeper-console", "/usr/bin/lockkeeper\n"));
        QVERIFY(has("lockkeeper-console", "/usr/libexec/lockkeeper/lockkeeper-workload\n"));
        QVERIFY2(depends("lockkeeper-console").contains(QLatin1String("libqt6widgets6")),
                 qPrintable(depends("lockkeeper-console")));
    }
}

LOCKKEEPER_TEST(PackageTest)

} // namespace tst_package

#include "tst_package.moc"
