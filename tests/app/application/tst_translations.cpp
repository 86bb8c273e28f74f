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

/** Whether the catalogues hold every text of the sources, no other one, and each of them translated. */
class TestTranslations : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void areComplete_data();
    void areComplete();
    void marksOfPlacesAreKept();
    void remediesAreSaid();

private:
    /** Translations, by "context | source | comment"; a null string: not translated. */
    using Catalogue = QMap<QString, QStringList>;
    static Catalogue read(const QString &path);
    static QString committed(const QString &name);
    /** The catalogue as lupdate makes it of a copy and the sources of now. */
    Catalogue updated(const QString &name, const QString &language, bool pluralOnly);

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

TestTranslations::Catalogue TestTranslations::updated(const QString &name, const QString &language,
                                                      bool pluralOnly)
{
    // lupdate keeps the finished state of what it finds again, so a copy shows what is missing.
    const QString copy = m_folder.filePath(name);
    QFile::remove(copy);
    if (!QFile::copy(committed(name), copy))
        return {};
    // As the target update_translations has them.
    QStringList arguments = QStringLiteral(LOCKKEEPER_LUPDATE_ARGUMENTS).split(QLatin1Char('|'));
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
    QTest::addColumn<QString>("language");
    QTest::addColumn<bool>("pluralOnly");
    QTest::newRow("Chinese") << QStringLiteral("lockkeeper_zh_CN.ts") << QStringLiteral("zh_CN") << false;
    QTest::newRow("English plurals") << QStringLiteral("lockkeeper_en.ts") << QStringLiteral("en") << true;
}

void TestTranslations::areComplete()
{
    QFETCH(QString, name);
    QFETCH(QString, language);
    QFETCH(bool, pluralOnly);
    const Catalogue now = updated(name, language, pluralOnly);
    QVERIFY2(now.size() > (pluralOnly ? 20 : 400), "lupdate found no texts");
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

/** %1, %2 and %n of a source stand in its translation, each of them. */
void TestTranslations::marksOfPlacesAreKept()
{
    const Catalogue chinese = read(committed(QStringLiteral("lockkeeper_zh_CN.ts")));
    for (auto it = chinese.cbegin(); it != chinese.cend(); ++it) {
        const QString source = it.key().section(QStringLiteral(" | "), 1, 1);
        for (const char *mark : {"%1", "%2", "%3", "%4", "%5", "%n"}) {
            const QString place = QString::fromLatin1(mark);
            for (const QString &words : *it)
                QVERIFY2(source.contains(place) == words.contains(place) || it->size() > 1,
                         qPrintable(it.key()));
        }
    }
}

/** A remedy that is said in other words by now would be shown in English. */
void TestTranslations::remediesAreSaid()
{
    QString said;
    for (const char *folder : {"/shared/transport", "/app/session", "/agent/server", "/agent/login",
                               "/agent/commands", "/agent/application"}) {
        QDirIterator files(QStringLiteral(LOCKKEEPER_SOURCE_DIR) + QLatin1String(folder),
                           {QStringLiteral("*.cpp")});
        while (files.hasNext()) {
            QFile file(files.next());
            QVERIFY(file.open(QIODevice::ReadOnly));
            said += QString::fromUtf8(file.readAll());
        }
    }
    said.remove(QRegularExpression(QStringLiteral("\"\\s*\"")));
    said.replace(QLatin1String("\\\""), QLatin1String("\""));
    const Catalogue chinese = read(committed(QStringLiteral("lockkeeper_zh_CN.ts")));
    int remedies = 0;
    for (auto it = chinese.cbegin(); it != chinese.cend(); ++it) {
        if (!it.key().startsWith(QLatin1String("Remedies | ")))
            continue;
        ++remedies;
        QVERIFY2(
            said.contains(QLatin1Char('"') + it.key().section(QLatin1String(" | "), 1, 1) + QLatin1Char('"')),
            qPrintable(it.key()));
    }
    QVERIFY(remedies > 20);
}

LOCKKEEPER_TEST(TestTranslations)

} // namespace tst_translations

#include "tst_translations.moc"
