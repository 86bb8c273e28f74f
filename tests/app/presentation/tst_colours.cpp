// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/presentation/icons.h"
#include "app/presentation/theme.h"
#include "tests/support/test_program.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDateTimeEdit>
#include <QImage>
#include <QLineEdit>
#include <QRadioButton>
#include <QSpinBox>
#include <QTest>

namespace tst_colours {

using namespace lockkeeper::app;
using presentation::Badge;
using presentation::Scheme;

/** Computes the WCAG 2 contrast ratio for every pair of colours that carries text. */
class ColoursTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void ratioIsWcag();
    void badgesAreReadable_data();
    void badgesAreReadable();
    void bannersAreReadable_data();
    void bannersAreReadable();
    void palettesAreReadable_data();
    void palettesAreReadable();
    void fieldsStandOut_data();
    void fieldsStandOut();
    void onlyStuckAndExpiredAreTinted();
    void disabledLooksDisabled();
    void everyIconDraws();
    void iconsFollowTheInk();
    void dialogsHaveOurIcons_data();
    void dialogsHaveOurIcons();
};

void ColoursTest::ratioIsWcag()
{
    QCOMPARE(qRound(presentation::contrastRatio(Qt::black, Qt::white) * 100), 2100);
    QCOMPARE(qRound(presentation::contrastRatio(QColor(0x767676), Qt::white) * 100), 454);
}

void ColoursTest::badgesAreReadable_data()
{
    QTest::addColumn<int>("scheme");
    QTest::addColumn<int>("badge");
    QTest::addColumn<double>("least");
    const double light[] = {13.3, 8.3, 7.0, 8.7, 7.7, 7.5, 7.2, 8.2, 8.2};
    const double dark[] = {13.9, 8.2, 5.7, 11.2, 7.6, 9.1, 7.5, 9.7, 9.7};
    for (int badge = 0; badge < replica::kBadgeCount; ++badge) {
        QTest::addRow("light %d", badge) << int(Scheme::Light) << badge << light[badge];
        QTest::addRow("dark %d", badge) << int(Scheme::Dark) << badge << dark[badge];
    }
}

void ColoursTest::badgesAreReadable()
{
    QFETCH(int, scheme);
    QFETCH(int, badge);
    QFETCH(double, least);
    const auto colours = presentation::badgeColours(Scheme(scheme), Badge(badge));
    QVERIFY(presentation::contrastRatio(colours.ink, colours.fill) >= least - 0.06);
    const QColor base = presentation::paletteOf(Scheme(scheme)).color(QPalette::Base);
    QVERIFY(presentation::contrastRatio(colours.border, base) >= 4.0);
}

void ColoursTest::bannersAreReadable_data()
{
    QTest::addColumn<int>("scheme");
    QTest::addColumn<int>("kind");
    for (int scheme = 0; scheme < 2; ++scheme) {
        for (int kind = 0; kind < 3; ++kind)
            QTest::addRow("%d %d", scheme, kind) << scheme << kind;
    }
}

void ColoursTest::bannersAreReadable()
{
    QFETCH(int, scheme);
    QFETCH(int, kind);
    const auto colours = presentation::bannerColours(Scheme(scheme), presentation::BannerKind(kind));
    QVERIFY(presentation::contrastRatio(colours.ink, colours.fill) >= 7.0);
}

void ColoursTest::palettesAreReadable_data()
{
    QTest::addColumn<int>("scheme");
    QTest::newRow("light") << int(Scheme::Light);
    QTest::newRow("dark") << int(Scheme::Dark);
}

void ColoursTest::palettesAreReadable()
{
    QFETCH(int, scheme);
    const QPalette palette = presentation::paletteOf(Scheme(scheme));
    for (const auto ground : {QPalette::Base, QPalette::AlternateBase, QPalette::Window}) {
        QVERIFY(presentation::contrastRatio(palette.color(QPalette::Text), palette.color(ground)) >= 7.0);
        QVERIFY(presentation::contrastRatio(palette.color(QPalette::PlaceholderText),
                                            palette.color(ground)) >= 4.5);
    }
    QVERIFY(presentation::contrastRatio(palette.color(QPalette::HighlightedText),
                                        palette.color(QPalette::Highlight)) >= 4.5);
    // The bar on a selected row, and the text of a tinted one.
    for (const auto badge : {Badge::Stuck, Badge::Expired}) {
        const auto tint = presentation::rowTint(Scheme(scheme), badge, palette.color(QPalette::Base));
        QVERIFY(presentation::contrastRatio(palette.color(QPalette::Text), *tint) >= 7.0);
    }
    for (const bool low : {false, true})
        QVERIFY(presentation::contrastRatio(presentation::barColour(Scheme(scheme), low),
                                            palette.color(QPalette::Base)) >= 3.0);
    using lockkeeper::domain::Severity;
    for (const auto severity : {Severity::Notice, Severity::Warning, Severity::Danger})
        QVERIFY(presentation::contrastRatio(presentation::severityInk(Scheme(scheme), severity),
                                            palette.color(QPalette::Window)) >= 3.0);
}

void ColoursTest::fieldsStandOut_data()
{
    QTest::addColumn<int>("scheme");
    QTest::addColumn<QWidget *>("field");
    for (const auto scheme : {Scheme::Light, Scheme::Dark}) {
        const char *name = scheme == Scheme::Light ? "light" : "dark";
        const auto row = [&](const char *what, QWidget *field) {
            QTest::addRow("%s %s", name, what) << int(scheme) << field;
        };
        row("line", new QLineEdit);
        row("combo box", new QComboBox);
        auto *editable = new QComboBox;
        editable->setEditable(true);
        row("editable combo box", editable);
        row("number", new QSpinBox);
        row("time", new QDateTimeEdit);
        row("check box", new QCheckBox);
        row("radio button", new QRadioButton);
    }
}

/**
 * Renders each field and checks the pixels along its middle: between the window's background and the field's
 * inside, a line contrasts with the background.
 */
void ColoursTest::fieldsStandOut()
{
    QFETCH(int, scheme);
    QFETCH(QWidget *, field);
    presentation::Theme theme;
    theme.setAppearance(Scheme(scheme) == Scheme::Dark ? presentation::Appearance::Dark
                                                       : presentation::Appearance::Light);
    QWidget window;
    field->setParent(&window);
    field->setGeometry(20, 20, 120, 30);
    field->setFocusPolicy(Qt::NoFocus);
    field->ensurePolished();
    window.resize(160, 70);
    const QImage image = window.grab().toImage();
    const QColor ground = image.pixelColor(2, 2);
    QCOMPARE(ground, presentation::paletteOf(Scheme(scheme)).color(QPalette::Window));
    double most = 0;
    const double scale = image.devicePixelRatio();
    for (int x = int(18 * scale); x < int(23 * scale); ++x)
        most = std::max(most, presentation::contrastRatio(image.pixelColor(x, int(35 * scale)), ground));
    QVERIFY2(most >= 3.0, qPrintable(QString::number(most, 'f', 2)));
}

void ColoursTest::onlyStuckAndExpiredAreTinted()
{
    for (int badge = 0; badge < replica::kBadgeCount; ++badge) {
        const bool tinted = presentation::rowTint(Scheme::Light, Badge(badge), Qt::white).has_value();
        QCOMPARE(tinted, Badge(badge) == Badge::Stuck || Badge(badge) == Badge::Expired);
    }
    // 14 % of the fill over white.
    QCOMPARE(presentation::rowTint(Scheme::Light, Badge::Stuck, Qt::white)->rgb(), qRgb(243, 225, 219));
}

void ColoursTest::disabledLooksDisabled()
{
    for (const auto scheme : {Scheme::Light, Scheme::Dark}) {
        const QPalette palette = presentation::paletteOf(scheme);
        const QColor live = palette.color(QPalette::Active, QPalette::ButtonText);
        const QColor off = palette.color(QPalette::Disabled, QPalette::ButtonText);
        QVERIFY(presentation::contrastRatio(live, off) >= 3.0);
    }
}

void ColoursTest::everyIconDraws()
{
    QStringList names = presentation::iconNames();
    for (const char *wanted :
         {"view-refresh", "media-playback-pause", "media-playback-start", "edit-find", "edit-clear",
          "edit-copy", "document-save-as", "zoom-in", "zoom-out", "zoom-fit-best", "go-previous", "go-next",
          "network-offline", "dialog-warning", "dialog-error", "dialog-information", "preferences-system",
          "help-contents", "force-release"})
        QVERIFY2(names.contains(QLatin1String(wanted)), wanted);
    for (int badge = 0; badge < replica::kBadgeCount; ++badge)
        QVERIFY(names.contains(presentation::badgeIconName(Badge(badge))));
    for (const QString &name : names) {
        const QImage image = presentation::iconPixmap(name, Qt::red, 16, 2.0).toImage();
        QCOMPARE(image.size(), QSize(32, 32));
        int inked = 0;
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x)
                inked += qAlpha(image.pixel(x, y)) > 128 ? 1 : 0;
        }
        QVERIFY2(inked > 20, qPrintable(name + QStringLiteral(" is empty")));
    }
    QVERIFY(presentation::icon(QStringLiteral("no-such-icon")).isNull());
}

void ColoursTest::iconsFollowTheInk()
{
    presentation::Theme theme;
    theme.setAppearance(presentation::Appearance::Light);
    const QIcon icon = presentation::icon(QStringLiteral("edit-find"));
    const QImage light = icon.pixmap(16, 16).toImage();
    theme.setAppearance(presentation::Appearance::Dark);
    QVERIFY(icon.pixmap(16, 16).toImage() != light);
    QVERIFY(icon.pixmap(QSize(16, 16), QIcon::Disabled).toImage() != icon.pixmap(16, 16).toImage());
}

void ColoursTest::dialogsHaveOurIcons_data()
{
    QTest::addColumn<QStyle::StandardPixmap>("which");
    const QList<QStyle::StandardPixmap> all{QStyle::SP_TitleBarCloseButton,
                                            QStyle::SP_TitleBarNormalButton,
                                            QStyle::SP_DockWidgetCloseButton,
                                            QStyle::SP_LineEditClearButton,
                                            QStyle::SP_DialogOkButton,
                                            QStyle::SP_DialogCancelButton,
                                            QStyle::SP_DialogCloseButton,
                                            QStyle::SP_DialogSaveButton,
                                            QStyle::SP_DialogOpenButton,
                                            QStyle::SP_MessageBoxWarning,
                                            QStyle::SP_ArrowLeft,
                                            QStyle::SP_ArrowRight,
                                            QStyle::SP_FileDialogBack,
                                            QStyle::SP_FileDialogToParent,
                                            QStyle::SP_FileDialogNewFolder,
                                            QStyle::SP_FileDialogListView,
                                            QStyle::SP_FileDialogDetailedView,
                                            QStyle::SP_DirIcon,
                                            QStyle::SP_FileIcon,
                                            QStyle::SP_ComputerIcon,
                                            QStyle::SP_ToolBarHorizontalExtensionButton};
    for (const QStyle::StandardPixmap which : all)
        QTest::addRow("%d", int(which)) << which;
}

/** Qt's own icons are green, red, or black in a dark palette. Ours have the ink of the palette's buttons. */
void ColoursTest::dialogsHaveOurIcons()
{
    QFETCH(const QStyle::StandardPixmap, which);
    presentation::Theme theme;
    for (const auto appearance : {presentation::Appearance::Dark, presentation::Appearance::Light}) {
        theme.setAppearance(appearance);
        const QColor ink = QApplication::palette().color(QPalette::ButtonText);
        const QIcon icon = QApplication::style()->standardIcon(which);
        for (const QPixmap &pixmap : {icon.pixmap(16, 16), QApplication::style()->standardPixmap(which)}) {
            const QImage image = pixmap.toImage();
            int opaque = 0;
            for (int y = 0; y < image.height(); ++y) {
                for (int x = 0; x < image.width(); ++x) {
                    if (image.pixelColor(x, y).alpha() < 250)
                        continue;
                    ++opaque;
                    QVERIFY(qAbs(image.pixelColor(x, y).lightness() - ink.lightness()) < 8);
                }
            }
            QVERIFY(opaque > 0);
        }
    }
}

LOCKKEEPER_TEST(ColoursTest)

} // namespace tst_colours

#include "tst_colours.moc"
