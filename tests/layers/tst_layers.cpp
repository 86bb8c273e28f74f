// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The rules of the tree that no compiler checks: the allowed includes, licence lines, where words
// and waits may stand, and that the translation is complete.

#include "tests/support/test_program.h"

#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QHash>
#include <QProcess>
#include <QRegularExpression>
#include <QTest>

#include <algorithm>

namespace tst_layers {

namespace {

constexpr int kMostSources = 25; ///< of one folder

struct SourceFile
{
    QString path; ///< from the root of the tree
    QString text;
};

/** The allowed includes within shared/ (DESIGN.md, Layout): a folder and those below it. */
const QHash<QString, QStringList> kSharedLayers{
    {QStringLiteral("shared/base"), {}},
    {QStringLiteral("shared/domain"), {QStringLiteral("shared/base")}},
    {QStringLiteral("shared/events"), {QStringLiteral("shared/base"), QStringLiteral("shared/domain")}},
    {QStringLiteral("shared/protocol"),
     {QStringLiteral("shared/base"), QStringLiteral("shared/domain"), QStringLiteral("shared/events")}},
    {QStringLiteral("shared/transport"),
     {QStringLiteral("shared/base"), QStringLiteral("shared/domain"), QStringLiteral("shared/events"),
      QStringLiteral("shared/protocol")}},
    {QStringLiteral("shared/stores"), {QStringLiteral("shared/base"), QStringLiteral("shared/domain")}},
    {QStringLiteral("shared/config"),
     {QStringLiteral("shared/base"), QStringLiteral("shared/domain"), QStringLiteral("shared/stores")}},
    {QStringLiteral("shared/locks"),
     {QStringLiteral("shared/base"), QStringLiteral("shared/domain"), QStringLiteral("shared/events"),
      QStringLiteral("shared/stores"), QStringLiteral("shared/config")}},
};

/** Rooms of one folder: each may include those before it in its row, and itself. */
struct Row
{
    QString folder;
    QStringList rooms;
};
const QList<Row> kRows{
    {QStringLiteral("agent"),
     {QStringLiteral("config"), QStringLiteral("access"), QStringLiteral("login"), QStringLiteral("engine"),
      QStringLiteral("advice"), QStringLiteral("journal"), QStringLiteral("hub"), QStringLiteral("forward"),
      QStringLiteral("alerts"), QStringLiteral("liveness"), QStringLiteral("metrics"),
      QStringLiteral("release"), QStringLiteral("requests"), QStringLiteral("server"),
      QStringLiteral("election"), QStringLiteral("application")}},
    {QStringLiteral("agent/journal"),
     {QStringLiteral("storage"), QStringLiteral("audit"), QStringLiteral("query"), QStringLiteral("write")}},
    {QStringLiteral("agent/alerts"),
     {QStringLiteral("engine"), QStringLiteral("storage"), QStringLiteral("delivery")}},
    {QStringLiteral("app"),
     {QStringLiteral("records"), QStringLiteral("connections"), QStringLiteral("session"),
      QStringLiteral("replica"), QStringLiteral("filter"), QStringLiteral("models"),
      QStringLiteral("settings"), QStringLiteral("words"), QStringLiteral("overview"),
      QStringLiteral("timeline"), QStringLiteral("report"), QStringLiteral("discover"),
      QStringLiteral("private_agent"), QStringLiteral("demo"), QStringLiteral("cli"),
      QStringLiteral("presentation"), QStringLiteral("charts"), QStringLiteral("views"),
      QStringLiteral("application")}},
    {QStringLiteral("shared/stores/etcd"),
     {QStringLiteral("connection"), QStringLiteral("reading"), QStringLiteral("release"),
      QStringLiteral("watch"), QStringLiteral("store")}},
    {QStringLiteral("shared/stores/mongodb"),
     {QStringLiteral("connection"), QStringLiteral("reading"), QStringLiteral("release"),
      QStringLiteral("watch"), QStringLiteral("store")}},
    {QStringLiteral("shared/stores/redis"),
     {QStringLiteral("connection"), QStringLiteral("schemes"), QStringLiteral("reading"),
      QStringLiteral("invalidation"), QStringLiteral("release"), QStringLiteral("health"),
      QStringLiteral("monitor"), QStringLiteral("store"), QStringLiteral("composite"),
      QStringLiteral("cluster"), QStringLiteral("sentinel"), QStringLiteral("redlock")}},
    {QStringLiteral("shared/stores/sql"),
     {QStringLiteral("connection"), QStringLiteral("catalogue"), QStringLiteral("tables"),
      QStringLiteral("binlog"), QStringLiteral("release"), QStringLiteral("sets"), QStringLiteral("sessions"),
      QStringLiteral("standing"), QStringLiteral("store")}},
    {QStringLiteral("shared/stores/zookeeper"),
     {QStringLiteral("connection"), QStringLiteral("reading"), QStringLiteral("release"),
      QStringLiteral("store")}},
    {QStringLiteral("app/views"),
     {QStringLiteral("widgets"), QStringLiteral("table"), QStringLiteral("picture"), QStringLiteral("*"),
      QStringLiteral("window")}},
};

/** Where in the row a file stands; -1: not in it. A file in the folder itself comes after its rooms. */
qsizetype placeIn(const Row &row, const QString &path)
{
    if (!path.startsWith(row.folder + QLatin1Char('/')))
        return -1;
    const QString room = path.mid(row.folder.size() + 1);
    if (!room.contains(QLatin1Char('/')))
        return row.rooms.size();
    const qsizetype known = row.rooms.indexOf(room.section(QLatin1Char('/'), 0, 0));
    return known >= 0 ? known : row.rooms.indexOf(QLatin1String("*"));
}

/** Empty, or which row the include runs against. */
QString rowViolation(const QString &path, const QString &included)
{
    for (const Row &row : kRows) {
        const qsizetype from = placeIn(row, path);
        const qsizetype to = placeIn(row, included);
        if (from < 0 || to < 0)
            continue;
        const auto room = [&row](const QString &file) {
            return file.mid(row.folder.size() + 1).section(QLatin1Char('/'), 0, 0);
        };
        if (to > from || (to == from && room(path) != room(included) && from < row.rooms.size()))
            return QStringLiteral("%1 runs against the row %2: %3")
                .arg(included, row.folder, row.rooms.join(QLatin1String(" → ")));
    }
    return {};
}

QString folderOf(const QString &path)
{
    const QStringList parts = path.split(QLatin1Char('/'));
    return parts.size() > 2 ? parts.at(0) + QLatin1Char('/') + parts.at(1) : parts.at(0);
}

/** The store whose folder of shared/stores or shared/locks contains the file: "redis"; empty: no store's. */
QString storeOf(const QString &path)
{
    static const QRegularExpression folder(
        QStringLiteral("^shared/(?:stores|locks)/(etcd|mongodb|redis|sql|zookeeper)/"));
    return folder.match(path).captured(1);
}

/** Stores don't know each other. The newest stores are known only where they are registered. */
QString storeViolation(const QString &path, const QString &included)
{
    const QString to = storeOf(included);
    const QString from = storeOf(path);
    if (to.isEmpty() || to == from)
        return {};
    if (!from.isEmpty())
        return QStringLiteral("%1 may not know %2").arg(from, to);
    if (to == QLatin1String("redis") || to == QLatin1String("sql") ||
        path.startsWith(QLatin1String("shared/stores/discover/")) ||
        path == QLatin1String("shared/stores/factory.cpp") ||
        path == QLatin1String("shared/locks/factory.cpp") ||
        path == QLatin1String("shared/config/lock_sets.cpp")) // the layouts that users map
        return {};
    return QStringLiteral("%1 is known only where it is registered").arg(to);
}

/** Empty, or why the file at `path` may not include `included` (both from the root). */
QString layerViolation(const QString &path, const QString &included)
{
    const QString side = path.section(QLatin1Char('/'), 0, 0);
    const QString other = included.section(QLatin1Char('/'), 0, 0);
    if (side == QLatin1String("tests") || side == QLatin1String("resources"))
        return {};
    if (other != QLatin1String("shared") && other != side)
        return QStringLiteral("%1 may not know %2").arg(side, other);
    if (const QString why = rowViolation(path, included); !why.isEmpty())
        return why;
    if (const QString why = storeViolation(path, included); !why.isEmpty())
        return why;
    // Each room of the shell knows those below it: the program, its commands, the agents, the rest.
    const auto floorOf = [](const QString &file) {
        return file == QLatin1String("app/cli/main.cpp")             ? 4
               : file.startsWith(QLatin1String("app/cli/commands/")) ? 3
               : file.startsWith(QLatin1String("app/cli/past/"))     ? 2
               : file.startsWith(QLatin1String("app/cli/agents/"))   ? 1
                                                                     : 0;
    };
    if (floorOf(included) > floorOf(path))
        return QStringLiteral("%1 lies on top of %2").arg(folderOf(included), folderOf(path));
    if (side != QLatin1String("shared"))
        return {};
    const QString from = folderOf(path);
    const QString to = folderOf(included);
    if (from != to && !kSharedLayers.value(from).contains(to))
        return QStringLiteral("%1 may not know %2").arg(from, to);
    return {};
}

} // namespace

class TestLayers : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void includesFollowTheLayers();
    void theEngineAndStoresNameNoOther();
    void everyRoomStandsInItsRow();
    void roomsAreSmall();
    void ruleItself_data();
    void ruleItself();
    void modelsHaveNoWidgets();
    void everyFileHasItsLicence();
    void theUnitLeavesWhatTheAgentNeeds();
    void noWordsInTheAgent();
    void noNestedLoopsNorSleeps();
    void oneWallClock();
    void headersOpenNoNamespace();
    void translationIsComplete_data();
    void translationIsComplete();
    void documentsNameWhatExists_data();
    void documentsNameWhatExists();
    void pointsNameTests_data();
    void pointsNameTests();
    void translatedDocumentsKeepPace_data();
    void translatedDocumentsKeepPace();
    void englishStaysPlain_data();
    void englishStaysPlain();

private:
    void load(const QString &suffix, QList<SourceFile> &into) const;

    QString m_root;
    QList<SourceFile> m_sources;
};

void TestLayers::load(const QString &suffix, QList<SourceFile> &into) const
{
    for (const QString &top : {QStringLiteral("app"), QStringLiteral("agent"), QStringLiteral("shared"),
                               QStringLiteral("tests"), QStringLiteral("resources")}) {
        QDirIterator it(m_root + QLatin1Char('/') + top, {suffix}, QDir::Files, QDirIterator::Subdirectories);
        while (it.hasNext()) {
            QFile file(it.next());
            QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(file.fileName()));
            into.append({QDir(m_root).relativeFilePath(file.fileName()), QString::fromUtf8(file.readAll())});
        }
    }
}

void TestLayers::initTestCase()
{
    m_root = qEnvironmentVariable("LOCKKEEPER_SOURCE");
    QVERIFY2(QFile::exists(m_root + QLatin1String("/CMakeLists.txt")),
             "LOCKKEEPER_SOURCE names the source tree");
    load(QStringLiteral("*.h"), m_sources);
    load(QStringLiteral("*.cpp"), m_sources);
    QVERIFY(m_sources.size() > 50);
}

void TestLayers::includesFollowTheLayers()
{
    static const QRegularExpression include(
        QStringLiteral("^\\s*#\\s*include\\s+\"((?:app|agent|shared|tests)/[^\"]+)\""),
        QRegularExpression::MultilineOption);
    QStringList violations;
    int seen = 0;
    for (const SourceFile &file : m_sources) {
        auto it = include.globalMatch(file.text);
        while (it.hasNext()) {
            ++seen;
            const QString why = layerViolation(file.path, it.next().captured(1));
            if (!why.isEmpty())
                violations.append(file.path + QStringLiteral(": ") + why);
        }
    }
    QVERIFY(seen > 100);
    QVERIFY2(violations.isEmpty(), qPrintable(violations.join(QLatin1Char('\n'))));
}

/** Adding etcd, MongoDB and ZooKeeper took nothing in the engine, nor in Redis' and SQL's folders. */
void TestLayers::theEngineAndStoresNameNoOther()
{
    static const QRegularExpression later(QStringLiteral("etcd|mongo|zookeeper"),
                                          QRegularExpression::CaseInsensitiveOption);
    QStringList found;
    int seen = 0;
    for (const SourceFile &file : std::as_const(m_sources)) {
        const QString store = storeOf(file.path);
        if (!file.path.startsWith(QLatin1String("agent/engine/")) && store != QLatin1String("redis") &&
            store != QLatin1String("sql"))
            continue;
        ++seen;
        if (file.text.contains(later))
            found.append(file.path);
    }
    QVERIFY(seen > 100);
    QVERIFY2(found.isEmpty(), qPrintable(found.join(QLatin1Char('\n'))));
}

void TestLayers::everyRoomStandsInItsRow()
{
    for (const Row &row : kRows) {
        for (const SourceFile &file : std::as_const(m_sources)) {
            if (file.path.startsWith(row.folder + QLatin1Char('/')))
                QVERIFY2(placeIn(row, file.path) >= 0, qPrintable(file.path));
        }
    }
}

/** A folder holds some 25 sources of one kind at most, so that a stranger can hold it in the head. */
void TestLayers::roomsAreSmall()
{
    QHash<QString, int> sources;
    for (const SourceFile &file : std::as_const(m_sources)) {
        if (!file.path.startsWith(QLatin1String("tests/")) && file.path.endsWith(QLatin1String(".cpp")))
            ++sources[file.path.section(QLatin1Char('/'), 0, -2)];
    }
    QStringList crowded;
    for (auto it = sources.cbegin(); it != sources.cend(); ++it) {
        if (*it > kMostSources)
            crowded.append(QStringLiteral("%1 has %2 sources").arg(it.key()).arg(*it));
    }
    QVERIFY2(crowded.isEmpty(), qPrintable(crowded.join(QLatin1Char('\n'))));
}

void TestLayers::ruleItself_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("included");
    QTest::addColumn<bool>("allowed");
    const auto row = [](const char *path, const char *included, bool allowed) {
        QTest::addRow("%s -> %s", path, included)
            << QString::fromLatin1(path) << QString::fromLatin1(included) << allowed;
    };
    row("agent/engine/a.cpp", "shared/events/b.h", true);
    row("agent/engine/a.cpp", "agent/config/b.h", true);
    row("agent/engine/a.cpp", "app/replica/b.h", false);
    row("agent/engine/a.cpp", "agent/journal/b.h", false);
    row("agent/journal/storage/a.cpp", "agent/journal/write/b.h", false);
    row("agent/journal/write/a.cpp", "agent/journal/storage/b.h", true);
    row("agent/journal/write/a.cpp", "agent/journal/journal.h", false);
    row("agent/journal/journal.cpp", "agent/journal/write/b.h", true);
    row("app/views/widgets/a.cpp", "app/views/table/b.h", false);
    row("app/views/locks/a.cpp", "app/views/table/b.h", true);
    row("app/views/locks/a.cpp", "app/views/chains/b.h", false);
    row("app/views/window/a.cpp", "app/views/chains/b.h", true);
    row("app/cli/a.cpp", "app/cli/agents/b.h", false);
    row("app/cli/main.cpp", "app/cli/agents/b.h", true);
    row("app/cli/agents/a.cpp", "app/cli/b.h", true);
    row("app/cli/agents/a.cpp", "app/cli/commands/b.h", false);
    row("app/cli/commands/a.cpp", "app/cli/agents/b.h", true);
    row("app/cli/commands/a.cpp", "app/cli/past/b.h", true);
    row("app/cli/past/a.cpp", "app/cli/commands/b.h", false);
    row("app/replica/a.cpp", "agent/engine/b.h", false);
    row("shared/base/a.cpp", "agent/engine/b.h", false);
    row("shared/base/a.cpp", "shared/domain/b.h", false);
    row("shared/stores/redis/a.cpp", "shared/stores/b.h", true);
    row("shared/stores/redis/a.cpp", "shared/protocol/b.h", false);
    row("shared/protocol/a.cpp", "shared/transport/b.h", false);
    row("shared/transport/a.cpp", "shared/protocol/b.h", true);
    row("shared/stores/redis/a.cpp", "shared/stores/etcd/b.h", false);
    row("shared/locks/etcd/a.cpp", "shared/stores/etcd/b.h", true);
    row("shared/locks/etcd/a.cpp", "shared/stores/sql/b.h", false);
    row("shared/stores/factory.cpp", "shared/stores/zookeeper/b.h", true);
    row("agent/engine/a.cpp", "shared/stores/sql/b.h", true);
    row("agent/engine/a.cpp", "shared/stores/mongodb/b.h", false);
    row("tests/agent/a.cpp", "app/replica/b.h", true);
}

void TestLayers::ruleItself()
{
    QFETCH(QString, path);
    QFETCH(QString, included);
    QFETCH(bool, allowed);
    QCOMPARE(layerViolation(path, included).isEmpty(), allowed);
}

void TestLayers::modelsHaveNoWidgets()
{
    static const QRegularExpression widgets(
        QStringLiteral("#\\s*include\\s+<(QtWidgets|QWidget|QIcon|QColor|QPainter)"));
    for (const SourceFile &file : m_sources) {
        if (file.path.startsWith(QLatin1String("app/models/")) ||
            file.path.startsWith(QLatin1String("app/replica/")) ||
            file.path.startsWith(QLatin1String("app/filter/")))
            QVERIFY2(!file.text.contains(widgets), qPrintable(file.path));
    }
}

void TestLayers::everyFileHasItsLicence()
{
    QList<SourceFile> files = m_sources;
    for (const QString &suffix :
         {QStringLiteral("CMakeLists.txt"), QStringLiteral("*.cmake"), QStringLiteral("*.sh"),
          QStringLiteral("*.py"), QStringLiteral("*.lua"), QStringLiteral("*.sql")})
        load(suffix, files);
    QStringList bare;
    for (const SourceFile &file : std::as_const(files)) {
        if (!file.text.left(400).contains(QLatin1String("SPDX-License-Identifier: GPL-3.0-or-later")))
            bare.append(file.path);
    }
    QVERIFY2(bare.isEmpty(), qPrintable(bare.join(QLatin1Char('\n'))));
}

/** The agent doesn't use anything that systemd's unit denies it. No test runs the agent in the unit. */
void TestLayers::theUnitLeavesWhatTheAgentNeeds()
{
    QFile file(m_root + QLatin1String("/resources/systemd/lockkeeper-agent.service"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString unit = QString::fromUtf8(file.readAll());
    const auto agentHas = [this](const char *what) {
        return std::any_of(m_sources.cbegin(), m_sources.cend(), [what](const SourceFile &source) {
            return !source.path.startsWith(QLatin1String("app/")) &&
                   !source.path.startsWith(QLatin1String("tests/")) &&
                   source.text.contains(QLatin1String(what));
        });
    };
    QVERIFY(agentHas("\"/proc/sys/") && !unit.contains(QLatin1String("\nProcSubset=pid")));
    QVERIFY(agentHas("::chown(") && agentHas(" setpriority("));
    QVERIFY(unit.contains(QLatin1String("\nSystemCallFilter=setpriority @chown\n")));
    QVERIFY(unit.contains(QLatin1String("\nStateDirectoryMode=0751\n"))); // the socket's folder, by default
}

void TestLayers::noWordsInTheAgent()
{
    static const QRegularExpression word(QStringLiteral("\\b(tr|translate)\\("));
    for (const SourceFile &file : std::as_const(m_sources)) {
        if (file.path.startsWith(QLatin1String("agent/")) || file.path.startsWith(QLatin1String("shared/")))
            QVERIFY2(!file.text.contains(word), qPrintable(file.path));
    }
}

void TestLayers::noNestedLoopsNorSleeps()
{
    // Put together here, so that this file doesn't find itself. A test may wait in its own loop, for a
    // condition.
    const QRegularExpression loops(QStringLiteral("\\b(%1|%2)\\b")
                                       .arg(QStringLiteral("process") + QStringLiteral("Events"),
                                            QStringLiteral("QEvent") + QStringLiteral("Loop")));
    const QRegularExpression sleeps(QStringLiteral("\\b(%1|%2|%3|%4)\\b")
                                        .arg(QStringLiteral("q") + QStringLiteral("Wait"),
                                             QStringLiteral("q") + QStringLiteral("Sleep"),
                                             QStringLiteral("sleep") + QStringLiteral("_for"),
                                             QStringLiteral("u") + QStringLiteral("sleep")));
    QStringList found;
    for (const SourceFile &file : std::as_const(m_sources)) {
        const bool ofTests = file.path.startsWith(QLatin1String("tests/"));
        if (file.text.contains(sleeps) || (!ofTests && file.text.contains(loops)))
            found.append(file.path);
    }
    QVERIFY2(found.isEmpty(), qPrintable(found.join(QLatin1Char('\n'))));
}

/** It would apply to every file that includes the header. */
void TestLayers::headersOpenNoNamespace()
{
    static const QRegularExpression opens(QStringLiteral("^\\s*using namespace "),
                                          QRegularExpression::MultilineOption);
    QStringList found;
    for (const SourceFile &file : std::as_const(m_sources)) {
        if (file.path.endsWith(QLatin1String(".h")) && !file.path.startsWith(QLatin1String("tests/")) &&
            file.text.contains(opens))
            found.append(file.path);
    }
    QVERIFY2(found.isEmpty(), qPrintable(found.join(QLatin1Char('\n'))));
}

/** Qt 6.8 rounds this reading to the nearest millisecond: every other one lies in the future. */
void TestLayers::oneWallClock()
{
    const QString rounded = QStringLiteral("current") + QStringLiteral("MSecsSinceEpoch");
    QStringList found;
    for (const SourceFile &file : std::as_const(m_sources)) {
        if (!file.path.startsWith(QLatin1String("tests/")) && file.text.contains(rounded))
            found.append(file.path);
    }
    QVERIFY2(found.isEmpty(), qPrintable(QStringLiteral("use base::SystemClock().wallUs() in\n") +
                                         found.join(QLatin1Char('\n'))));
}

void TestLayers::translationIsComplete_data()
{
    QTest::addColumn<QString>("name");
    for (const char *name : {"lockkeeper_zh_CN.ts", "lockkeeperctl_zh_CN.ts"})
        QTest::newRow(name) << QString::fromLatin1(name);
}

void TestLayers::translationIsComplete()
{
    QFETCH(QString, name);
    QFile file(m_root + QLatin1String("/translations/") + name);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString text = QString::fromUtf8(file.readAll());
    QVERIFY(text.contains(QLatin1String("<translation>")));
    QVERIFY2(!text.contains(QLatin1String("type=\"unfinished\"")), "unfinished translations");
    QVERIFY2(!text.contains(QLatin1String("<translation></translation>")), "empty translations");
    // A placeholder lost in translation shows a sentence without its value.
    static const QRegularExpression message(
        QStringLiteral("<source>(.*?)</source>.*?<translation>(.*?)</translation>"),
        QRegularExpression::DotMatchesEverythingOption);
    static const QRegularExpression place(QStringLiteral("%(?:\\d|n)"));
    const auto places = [](const QString &words) {
        QStringList all;
        auto it = place.globalMatch(words);
        while (it.hasNext())
            all.append(it.next().captured(0));
        all.removeDuplicates();
        all.sort();
        return all;
    };
    auto it = message.globalMatch(text);
    while (it.hasNext()) {
        const auto match = it.next();
        if (match.captured(0).contains(QLatin1String("numerusform")))
            continue;
        QCOMPARE(places(match.captured(2)), places(match.captured(1)));
    }
}

void TestLayers::documentsNameWhatExists_data()
{
    QTest::addColumn<QString>("document");
    for (const char *name : {"architecture.md", "glossary.md", "adding-a-scheme.md", "decisions.md"})
        QTest::newRow(name) << QStringLiteral("resources/docs/contributors/") + QLatin1String(name);
}

/** Each class, function and path that a contributors' document names in code style exists by that name. */
void TestLayers::documentsNameWhatExists()
{
    QFETCH(QString, document);
    QFile file(m_root + QLatin1Char('/') + document);
    QVERIFY(file.open(QIODevice::ReadOnly));
    static const QRegularExpression code(QStringLiteral("`([^`\n]+)`"));
    static const QRegularExpression className(
        QStringLiteral("^([A-Z][a-z]\\w+)(?:::([a-zA-Z]\\w+)(?:\\(\\))?)?$"));
    static const QRegularExpression path(QStringLiteral("^(?:app|agent|shared|tests|resources)/[\\w./-]+$"));
    QString headers;
    for (const SourceFile &source : std::as_const(m_sources)) {
        if (source.path.endsWith(QLatin1String(".h")))
            headers += source.text;
    }
    QStringList unknown;
    int named = 0;
    auto it = code.globalMatch(QString::fromUtf8(file.readAll()));
    while (it.hasNext()) {
        const QString text = it.next().captured(1);
        if (const auto name = className.match(text); name.hasMatch()) {
            ++named;
            const QRegularExpression declared(
                QStringLiteral("\\b(?:class|struct|enum class|using)\\s+%1\\b").arg(name.captured(1)));
            const QRegularExpression member(QStringLiteral("\\b%1\\b").arg(name.captured(2)));
            if (!headers.contains(declared) || (!name.captured(2).isEmpty() && !headers.contains(member)))
                unknown.append(text);
        } else if (path.match(text).hasMatch()) {
            ++named;
            if (!QFile::exists(m_root + QLatin1Char('/') + text))
                unknown.append(text);
        }
    }
    QVERIFY(named > 3);
    QVERIFY2(unknown.isEmpty(), qPrintable(unknown.join(QLatin1String(", "))));
}

void TestLayers::pointsNameTests_data()
{
    QTest::addColumn<QString>("document");
    QTest::addColumn<int>("count");
    QTest::newRow("the console's checklist") << QStringLiteral("contributors/console-checklist.md") << 40;
    QTest::newRow("the threat model") << QStringLiteral("operators/security.md") << 32;
}

/** Each numbered point names a test that exists; `::function` is one of the class before. */
void TestLayers::pointsNameTests()
{
    QFETCH(QString, document);
    QFETCH(int, count);
    QFile file(m_root + QStringLiteral("/resources/docs/") + document);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QHash<QString, QString> tests;
    for (const SourceFile &source : std::as_const(m_sources)) {
        if (source.path.startsWith(QLatin1String("tests/")) && source.path.endsWith(QLatin1String(".cpp")))
            tests.insert(QFileInfo(source.path).completeBaseName(), source.text);
    }
    static const QRegularExpression point(QStringLiteral("^\\| \\d+ \\|"));
    static const QRegularExpression name(QStringLiteral("`(?:(tst_\\w+))?(?:::(\\w+))?`"));
    QStringList wrong;
    QString test;
    int points = 0;
    for (const QString &line : QString::fromUtf8(file.readAll()).split(QLatin1Char('\n'))) {
        if (!point.match(line).hasMatch())
            continue;
        ++points;
        int named = 0;
        for (auto it = name.globalMatch(line); it.hasNext();) {
            const QRegularExpressionMatch match = it.next();
            ++named;
            if (!match.captured(1).isEmpty())
                test = match.captured(1);
            const QString function = match.captured(2);
            const QRegularExpression defined(QStringLiteral("(?:::|void )%1\\(").arg(function));
            if (!tests.contains(test) || (!function.isEmpty() && !tests.value(test).contains(defined)))
                wrong.append(match.captured(0));
        }
        if (named == 0 && !line.contains(QLatin1String("; pictures")) &&
            !line.contains(QLatin1String("the same")))
            wrong.append(line);
    }
    QCOMPARE(points, count);
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(QLatin1String(", "))));
}

void TestLayers::translatedDocumentsKeepPace_data()
{
    QTest::addColumn<QString>("english");
    QTest::addColumn<QString>("chinese");
    QTest::newRow("README") << QStringLiteral("/README.md") << QStringLiteral("/README.zh-CN.md");
    for (const char *name :
         {"force-release", "discover", "redis", "mysql", "troubleshooting", "alerts", "liveness", "fleet"}) {
        const QString folder = QStringLiteral("/resources/docs/operators/");
        const QString file = QLatin1String(name) + QLatin1String(".md");
        QTest::newRow(name) << folder + file << folder + QLatin1String("zh-CN/") + file;
    }
}

/** The same headings by their levels, the same code blocks, and as many rows in tables. */
void TestLayers::translatedDocumentsKeepPace()
{
    QFETCH(QString, english);
    QFETCH(QString, chinese);
    const auto frameOf = [this](const QString &path) {
        QFile file(m_root + path);
        QStringList frame;
        bool isCode = false;
        if (!file.open(QIODevice::ReadOnly))
            return QStringList{path + QStringLiteral(" is missing")};
        for (const QString &line : QString::fromUtf8(file.readAll()).split(QLatin1Char('\n'))) {
            const bool isFence = line.trimmed().startsWith(QLatin1String("```"));
            if (isFence || isCode)
                frame.append(line);
            else if (line.startsWith(QLatin1Char('#')))
                frame.append(line.section(QLatin1Char(' '), 0, 0));
            else if (line.startsWith(QLatin1Char('|')))
                frame.append(QStringLiteral("|"));
            isCode = isCode != isFence;
        }
        return frame;
    };
    QCOMPARE(frameOf(chinese), frameOf(english));
}

void TestLayers::englishStaysPlain_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<int>("budget"); // flagged sentences; it only goes down
    QTest::newRow("comments and documents") << QStringList{} << 45;
    QTest::newRow("the words that users read") << QStringList{QStringLiteral("--strings")} << 0;
}

/** Counts the sentences with patterns that slow a reader down (plain_english.py). */
void TestLayers::englishStaysPlain()
{
    QFETCH(QStringList, options);
    QFETCH(int, budget);
    if (!QFileInfo::exists(m_root + QStringLiteral("/.git")))
        QSKIP("the script lists the files with git");
    QProcess script;
    script.setWorkingDirectory(m_root);
    script.start(
        QStringLiteral("python3"),
        QStringList{m_root + QStringLiteral("/tests/layers/plain_english.py"), QStringLiteral("--summary")} +
            options);
    QVERIFY(script.waitForFinished(60'000));
    const QString report = QString::fromUtf8(script.readAllStandardOutput());
    static const QRegularExpression total(QStringLiteral(R"((\d+) of \d+ \w+ flagged \(\S+ %\)\s*$)"));
    const auto flagged = total.match(report);
    QVERIFY2(flagged.hasMatch(), qPrintable(report));
    QVERIFY2(flagged.captured(1).toInt() <= budget, qPrintable(report));
}

LOCKKEEPER_TEST(TestLayers)

} // namespace tst_layers

#include "tst_layers.moc"
