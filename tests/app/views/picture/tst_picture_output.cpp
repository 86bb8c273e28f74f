// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/picture/picture_output.h"
#include "app/views/window/main_window.h"
#include "app/views/window/window_actions.h"
#include "tests/app/views/support/demo_agent.h"
#include "tests/app/views/support/demo_feed.h"
#include "tests/app/views/support/view_rig.h"
#include "tests/support/test_program.h"

#include <QFileDialog>
#include <QImage>
#include <QPainter>
#include <QPrintDialog>
#include <QPrinter>
#include <QSignalSpy>
#include <QTest>
#include <QWidget>

namespace tst_picture_output {

using namespace lockkeeper;
using namespace lockkeeper::app;
using views::PictureOutput;
using views::ViewPicture;
using views::WindowActions;

/** *Save picture…* and *Print…*: title, range and zone stand over what the view draws. */
class PictureOutputTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void fileHasTitleAndRange();
    void printsInLightColours();
    void viewsHavePictures_data();
    void viewsHavePictures();

private:
    static ViewPicture picture()
    {
        return {QStringLiteral("Timeline <b>of</b> \xe2\x80\xaa"),
                QStringLiteral("2026-11-20 02:40:00 – 2026-11-20 03:40:00 UTC+8"),
                QStringLiteral("lockkeeper-timeline"), QSize(600, 300),
                [](QPainter &painter) { painter.fillRect(0, 0, 600, 300, QColor(0x12, 0x34, 0x56)); }};
    }
};

void PictureOutputTest::fileHasTitleAndRange()
{
    tests::ViewRig rig;
    QWidget widget;
    const PictureOutput output(rig.context, &widget);
    QImage image;
    QVERIFY(image.loadFromData(output.bytes(picture(), QStringLiteral("a.png")), "PNG"));
    QVERIFY(image.width() >= 600 && image.height() > 330);
    const QPoint below(image.width() / 2, image.height() - 20);
    QCOMPARE(image.pixelColor(below), QColor(0x12, 0x34, 0x56));
    QCOMPARE(image.pixelColor(2, 2), presentation::paletteOf(rig.theme.scheme()).color(QPalette::Window));
    const QByteArray svg = output.bytes(picture(), QStringLiteral("a.SVG"));
    QVERIFY(svg.contains("UTC+8"));
    QVERIFY(svg.contains("&lt;b&gt;of&lt;/b&gt;"));
}

void PictureOutputTest::printsInLightColours()
{
    tests::ViewRig rig;
    rig.theme.setAppearance(presentation::Appearance::Dark);
    QWidget widget;
    ViewPicture drawn = picture();
    std::optional<presentation::Scheme> scheme;
    drawn.paint = [&](QPainter &) { scheme = rig.theme.scheme(); };
    const QString file = rig.folder.filePath(QStringLiteral("out.pdf"));
    QPrinter printer(QPrinter::HighResolution);
    printer.setOutputFormat(QPrinter::PdfFormat);
    printer.setOutputFileName(file);
    QSignalSpy message(&rig.requests, &views::Requests::messageCame);
    PictureOutput(rig.context, &widget).printOn(printer, drawn);
    QCOMPARE(message.count(), 1);
    QVERIFY(scheme == presentation::Scheme::Light);
    QCOMPARE(rig.theme.appearance(), presentation::Appearance::Dark);
    QFile pdf(file);
    QVERIFY(pdf.open(QIODevice::ReadOnly));
    QVERIFY(pdf.readAll().startsWith("%PDF"));
}

void PictureOutputTest::viewsHavePictures_data()
{
    QTest::addColumn<QByteArray>("view");
    QTest::addColumn<bool>("drawn");
    QTest::newRow("timeline") << QByteArray("timeline") << true;
    QTest::newRow("contention") << QByteArray("contention") << true;
    QTest::newRow("locks") << QByteArray("locks") << false;
}

void PictureOutputTest::viewsHavePictures()
{
    QFETCH(QByteArray, view);
    QFETCH(bool, drawn);
    const base::SystemClock clock;
    tests::ConsoleRig rig(clock);
    tests::DemoAgent agent(rig.feed, clock);
    QVERIFY(agent.start());
    rig.console->start(QStringLiteral("local:") + agent.address().path);
    views::MainWindow *window = rig.console->window();
    window->resize(1280, 800);
    window->show();
    QTRY_VERIFY(window->view(view)->isAvailable());
    window->showView(view);
    QAction *save = (*window->actions())[WindowActions::SavePicture];
    QAction *print = (*window->actions())[WindowActions::Print];
    if (!drawn) {
        QVERIFY(!save->isEnabled() && !print->isEnabled());
        QVERIFY(!window->actions()->reason(WindowActions::Print).isEmpty());
        return;
    }
    QTRY_VERIFY_WITH_TIMEOUT(save->isEnabled(), 20'000);
    QVERIFY(print->isEnabled());
    const auto picture = window->currentView()->picture();
    QVERIFY(picture);
    QVERIFY2(picture->title.contains(QStringLiteral("fake")), qPrintable(picture->title));
    QVERIFY2(picture->range.endsWith(QStringLiteral("UTC")), qPrintable(picture->range));
    QVERIFY(picture->range.contains(QStringLiteral(" – ")));
    const QByteArray bytes =
        PictureOutput({rig.console->session(), rig.console->replica(), rig.console->selection(),
                       &rig.settings, &clock, rig.console->theme(), nullptr, rig.console->requests()},
                      window->currentView())
            .bytes(*picture, QStringLiteral("a.png"));
    const QString keep = qEnvironmentVariable("LOCKKEEPER_PICTURES");
    if (!keep.isEmpty())
        QImage::fromData(bytes).save(keep + QLatin1Char('/') + QString::fromLatin1(view) +
                                     QStringLiteral("-saved.png"));
    QVERIFY(QImage::fromData(bytes).height() > picture->size.height());
    save->trigger(); // it opens its dialog and comes back at once
    auto *file = window->findChild<QFileDialog *>();
    QVERIFY(file && file->isVisible());
    file->close();
    print->trigger();
    auto *printing = window->findChild<QPrintDialog *>();
    QVERIFY(printing && printing->isVisible());
    printing->close();
}

LOCKKEEPER_TEST(PictureOutputTest)

} // namespace tst_picture_output

#include "tst_picture_output.moc"
