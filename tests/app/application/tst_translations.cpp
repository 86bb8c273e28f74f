// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_program.h"

#include <QDirIterator>
#include <QFile>
#include <QMap>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

namespace tst_translations {

/** The catalogues hold every text of the sources and no other, and each text is translated. */
class TestTranslations : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void areComplete_data();
    void areComplete();
    void marksOfPlacesAreKept();
    void remediesAreSaid();
    void saidRemediesAreKnown();

private:
    /** Translations, by "context | source | comment"; a null string: not translated. */
    using Catalogue = QMap<QString, QStringList>;
    static Catalogue read(const QString &path);
    static QString committed(const QString &name);
    /**
     * Sources of the agent, the stores, the transport and the session, adjacent literals joined. Leaves out
     * files that match `skipped`.
     */
    static QString code(const QRegularExpression &skipped = QRegularExpression(QStringLiteral("^$")),
                        const QStringList &more = {});
    /** English remedies that have Chinese words. */
    static QStringList remedies();
    /** The catalogue as lupdate makes it from a copy and the current sources. */
    Catalogue updated(const QString &name, const QString &program, const QString &language, bool pluralOnly);

    QTemporaryDir m_folder;
};

void TestTranslations::initTestCase()
{
    QVERIFY2(QFile::exists(QStringLiteral(LOCKKEEPER_LUPDATE)), LOCKKEEPER_LUPDATE);
}

QString TestTranslations::committed(const QString &name)
{
    return QStringLiteral(LOCKKEEPER_SOURCE_DIR "/translations/") + name;
}

TestTranslations::Catalogue TestTranslations::read(const QString &path)
{
    Catalogue catalogue;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return catalogue;
    QXmlStreamReader xml(&file);
    QString context, source, comment;
    QStringList words;
    bool finished = true;
    while (!xml.atEnd()) {
        const auto token = xml.readNext();
        if (token == QXmlStreamReader::EndElement && xml.name() == QLatin1String("message")) {
            const QString key = QStringList{context, source, comment}.join(QStringLiteral(" | "));
            catalogue.insert(key, finished ? words : QStringList());
            continue;
        }
        if (token != QXmlStreamReader::StartElement)
            continue;
        if (xml.name() == QLatin1String("message")) {
            comment.clear();
            words.clear();
            finished = true;
        } else if (xml.name() == QLatin1String("name")) {
            context = xml.readElementText();
        } else if (xml.name() == QLatin1String("source")) {
            source = xml.readElementText();
        } else if (xml.name() == QLatin1String("comment")) {
            comment = xml.readElementText();
        } else if (xml.name() == QLatin1String("translation")) {
            finished = !xml.attributes().hasAttribute(QLatin1String("type"));
            const QString text = xml.readElementText(QXmlStreamReader::IncludeChildElements).trimmed();
            words = text.isEmpty() ? QStringList() : text.split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        }
    }
    return catalogue;
}

TestTranslations::Catalogue TestTranslations::updated(const QString &name, const QString &program,
                                                      const QString &language, bool pluralOnly)
{
    // lupdate keeps the finished state of each text that it finds again, so the copy shows the missing texts.
    const QString copy = m_folder.filePath(name);
    QFile::remove(copy);
    if (!QFile::copy(committed(name), copy))
        return {};
    // The arguments of the target update_translations.
    QStringList arguments = program.split(QLatin1Char('|'));
    arguments += {QStringLiteral("-target-language"), language};
    if (pluralOnly)
        arguments.append(QStringLiteral("-pluralonly"));
    arguments += {QStringLiteral("-ts"), copy};
    QProcess lupdate;
    lupdate.start(QStringLiteral(LOCKKEEPER_LUPDATE), arguments);
    if (!lupdate.waitForFinished(60'000) || lupdate.exitCode() != 0)
        return {};
    return read(copy);
}

void TestTranslations::areComplete_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<QString>("language");
    QTest::addColumn<bool>("pluralOnly");
    const QString console = QStringLiteral(LOCKKEEPER_LUPDATE_ARGUMENTS);
    QTest::newRow("Chinese") << QStringLiteral("lockkeeper_zh_CN.ts") << console << QStringLiteral("zh_CN")
                             << false;
    QTest::newRow("English plurals") << QStringLiteral("lockkeeper_en.ts") << console << QStringLiteral("en")
                                     << true;
    QTest::newRow("Chinese in a shell")
        << QStringLiteral("lockkeeperctl_zh_CN.ts") << QStringLiteral(LOCKKEEPERCTL_LUPDATE_ARGUMENTS)
        << QStringLiteral("zh_CN") << false;
}

void TestTranslations::areComplete()
{
    QFETCH(QString, name);
    QFETCH(QString, arguments);
    QFETCH(QString, language);
    QFETCH(bool, pluralOnly);
    const Catalogue now = updated(name, arguments, language, pluralOnly);
    QVERIFY2(now.size() > (pluralOnly ? 20 : 300), "lupdate found no texts");
    const Catalogue kept = read(committed(name));
    QStringList missing;
    for (auto it = now.cbegin(); it != now.cend(); ++it) {
        if (it->isEmpty() || !kept.contains(it.key()))
            missing.append(it.key());
    }
    QVERIFY2(missing.isEmpty(),
             qPrintable(QStringLiteral("Not translated in %1: run update_translations\n").arg(name) +
                        missing.join(QLatin1Char('\n'))));
    QStringList left;
    for (auto it = kept.cbegin(); it != kept.cend(); ++it) {
        if (!now.contains(it.key()))
            left.append(it.key());
    }
    QVERIFY2(left.isEmpty(),
             qPrintable(QStringLiteral("No source has these any more\n") + left.join(QLatin1Char('\n'))));
}

/** Each translation keeps the %1, %2 and %n of its source text. */
void TestTranslations::marksOfPlacesAreKept()
{
    const Catalogue chinese = read(committed(QStringLiteral("lockkeeper_zh_CN.ts")));
    for (auto it = chinese.cbegin(); it != chinese.cend(); ++it) {
        const QString source = it.key().section(QStringLiteral(" | "), 1, 1);
        for (const char *mark : {"%1", "%2", "%3", "%4", "%5", "%n"}) {
            const QString place = QString::fromLatin1(mark);
            if (it->size() > 1) // a plural form may spell its number out
                continue;
            for (const QString &words : *it)
                QVERIFY2(source.contains(place) == words.contains(place), qPrintable(it.key()));
        }
    }
}

QString TestTranslations::code(const QRegularExpression &skipped, const QStringList &more)
{
    QString code;
    for (const QString &folder :
         QStringList{QStringLiteral("/shared/transport"), QStringLiteral("/shared/stores"),
                     QStringLiteral("/app/session"), QStringLiteral("/agent/server"),
                     QStringLiteral("/agent/login"), QStringLiteral("/agent/release"),
                     QStringLiteral("/agent/requests"), QStringLiteral("/agent/application"),
                     QStringLiteral("/agent/election"), QStringLiteral("/agent/journal/audit")} +
             more) {
        QDirIterator files(QStringLiteral(LOCKKEEPER_SOURCE_DIR) + folder, {QStringLiteral("*.cpp")},
                           QDir::Files, QDirIterator::Subdirectories);
        while (files.hasNext()) {
            QFile file(files.next());
            if (!file.fileName().contains(skipped) && file.open(QIODevice::ReadOnly))
                code += QString::fromUtf8(file.readAll());
        }
    }
    return code.remove(QRegularExpression(QStringLiteral(R"x((?<!\\)"\s*")x")));
}

QStringList TestTranslations::remedies()
{
    QStringList remedies;
    const Catalogue chinese = read(committed(QStringLiteral("lockkeeper_zh_CN.ts")));
    for (auto it = chinese.keyBegin(); it != chinese.keyEnd(); ++it) {
        if (it->startsWith(QLatin1String("Errors | ")))
            remedies.append(it->section(QLatin1String(" | "), 1, 1));
    }
    return remedies;
}

/** A program shows an error in English once the code words it differently from the catalogue. */
void TestTranslations::remediesAreSaid()
{
    const QString said = code(QRegularExpression(QStringLiteral("^$")),
                              {QStringLiteral("/agent/alerts"), QStringLiteral("/agent/journal"),
                               QStringLiteral("/agent/liveness"), QStringLiteral("/shared/base"),
                               QStringLiteral("/shared/locks"), QStringLiteral("/shared/protocol")})
                             .replace(QLatin1String("\\\""), QLatin1String("\""));
    // These are put together from parts, or stand in a header.
    static const QRegularExpression others(
        QStringLiteral("^(request %1 (was|has)|an earlier request|this source can't be probed)"));
    const QStringList known = remedies();
    for (const QString &remedy : known)
        QVERIFY2(said.contains(QLatin1Char('"') + remedy + QLatin1Char('"')) || remedy.contains(others),
                 qPrintable(remedy));
    QVERIFY(known.size() > 20);
}

/**
 * The console would also show a remedy without a translation in English. Messages about a configuration file
 * or a command line on the agent's machine never reach a console: the skipped files report only those.
 */
void TestTranslations::saidRemediesAreKnown()
{
    const QRegularExpression skipped(QStringLiteral(
        "/(discover/.*|without_\\w+|endpoints?|ensemble|cluster_seeds|sentinel_guide|redlock_stores|secret|"
        "source_spec|layout|sql_stores|factory|identifiers|driver|catalogue|survey|discovery_runner|user_"
        "command|"
        "certificate_maker|server_certificate|audit_head|users_file|file_stamp|stop|data_dir|local_listener|"
        "tls_listener|fingerprint)\\.cpp$"));
    // The code, the cause (an argument without a comma outside brackets), and the text after it.
    const QRegularExpression error(QStringLiteral(
        R"(ErrorCode::\w+,((?:[^(){}",;]++|"(?:[^"\\]|\\.)*+"|\((?:(?1)|,)*+\)|\{(?:(?1)|,)*+\})++),((?:(?1)|,)++))"));
    const QRegularExpression literal(QStringLiteral(R"x("((?:[^"\\]|\\.)* (?:[^"\\]|\\.)*)")x"));
    const QStringList known = remedies();
    int said = 0;
    for (auto it = error.globalMatch(code(skipped).remove(QLatin1String("'\"'"))); it.hasNext();) {
        for (auto words = literal.globalMatch(it.next().captured(2)); words.hasNext(); ++said) {
            const QString remedy =
                words.next().captured(1).replace(QLatin1String("\\\""), QLatin1String("\""));
            const bool isStatement = remedy.startsWith(QLatin1String("Run: ")); // "Run: %1" has words
            if (!isStatement)
                QVERIFY2(known.contains(remedy), qPrintable(remedy));
        }
    }
    QVERIFY2(said > 60, qPrintable(QString::number(said)));
}

LOCKKEEPER_TEST(TestTranslations)

} // namespace tst_translations

#include "tst_translations.moc"
