// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/picture/picture_output.h"

#include "app/presentation/theme.h"
#include "app/views/table/ask_export.h"
#include "app/views/widgets/requests.h"

#include <QBuffer>
#include <QFontMetrics>
#include <QImage>
#include <QPageLayout>
#include <QPainter>
#include <QPrintDialog>
#include <QPrinter>
#include <QSvgGenerator>
#include <QWidget>

#include <algorithm>
#include <memory>

namespace lockkeeper::app::views {

namespace {

constexpr int kPicturePad = 8;

/** The light colours while it lives: a dark ground would cover the paper with ink. */
class LightForNow
{
public:
    explicit LightForNow(presentation::Theme *theme) : m_theme(theme), m_before(theme->appearance())
    {
        m_theme->setAppearance(presentation::Appearance::Light);
    }
    ~LightForNow() { m_theme->setAppearance(m_before); }
    Q_DISABLE_COPY_MOVE(LightForNow)

private:
    presentation::Theme *m_theme;
    presentation::Appearance m_before;
};

} // namespace

int PictureOutput::headHeight() const
{
    return QFontMetrics(presentation::titleFont(m_widget->font())).height() +
           QFontMetrics(m_widget->font()).height() + 3 * kPicturePad;
}

QSize PictureOutput::wholeSize(const ViewPicture &picture) const
{
    return {picture.size.width() + 2 * kPicturePad, headHeight() + picture.size.height() + kPicturePad};
}

void PictureOutput::paint(QPainter &painter, const ViewPicture &picture) const
{
    const QPalette colours = presentation::paletteOf(m_context.theme->scheme());
    const QSize size = wholeSize(picture);
    const QFont title = presentation::titleFont(m_widget->font());
    painter.fillRect(QRect(QPoint(), size), colours.color(QPalette::Window));
    QRect line(kPicturePad, kPicturePad, picture.size.width(), QFontMetrics(title).height());
    painter.setFont(title);
    painter.setPen(colours.color(QPalette::WindowText));
    painter.drawText(line, int(Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine),
                     QFontMetrics(title).elidedText(picture.title, Qt::ElideMiddle, line.width()));
    const QFontMetrics metrics(m_widget->font());
    line.translate(0, line.height() + kPicturePad / 2);
    line.setHeight(metrics.height());
    painter.setFont(m_widget->font());
    painter.setPen(m_context.theme->muted());
    painter.drawText(line, int(Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine),
                     metrics.elidedText(picture.range, Qt::ElideRight, line.width()));
    painter.translate(kPicturePad, headHeight());
    picture.paint(painter);
}

QByteArray PictureOutput::bytes(const ViewPicture &picture, const QString &path) const
{
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    const QSize size = wholeSize(picture);
    if (path.endsWith(QLatin1String(".svg"), Qt::CaseInsensitive)) {
        QSvgGenerator svg;
        svg.setOutputDevice(&buffer);
        svg.setResolution(m_widget->logicalDpiX()); // the letters as large as on the screen
        svg.setSize(size);
        svg.setViewBox(QRect(QPoint(), size));
        svg.setTitle(picture.title);
        QPainter painter(&svg);
        paint(painter, picture);
        painter.end();
        return buffer.data();
    }
    QImage image(size * m_widget->devicePixelRatioF(), QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(m_widget->devicePixelRatioF());
    QPainter painter(&image);
    paint(painter, picture);
    painter.end();
    image.save(&buffer, "PNG");
    return buffer.data();
}

void PictureOutput::save(const ViewPicture &picture) const
{
    exportFile(
        m_context, m_widget, picture.name + QLatin1String(".png"),
        {tr("PNG picture (*.png)"), tr("SVG picture (*.svg)")},
        [output = *this, picture](const QString &path) { return output.bytes(picture, path); },
        [](const QString &path) { return tr("The picture was written to %1").arg(path); });
}

void PictureOutput::print(const ViewPicture &picture) const
{
    const auto printer = std::make_shared<QPrinter>(QPrinter::HighResolution); // until the dialog is gone
    printer->setPageOrientation(QPageLayout::Landscape);
    printer->setDocName(picture.name);
    auto *dialog = new QPrintDialog(printer.get(), m_widget->window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    QObject::connect(dialog, &QDialog::accepted, m_widget,
                     [output = *this, printer, picture] { output.printOn(*printer, picture); });
    QObject::connect(dialog, &QObject::destroyed, m_widget, [printer] {});
    dialog->open();
}

void PictureOutput::printOn(QPrinter &printer, const ViewPicture &picture) const
{
    const LightForNow light(m_context.theme);
    QPainter painter;
    if (!painter.begin(&printer)) {
        Q_EMIT m_context.requests->messageCame(tr("The printer can't be used."));
        return;
    }
    const QSize size = wholeSize(picture);
    const double scale = std::min(double(painter.viewport().width()) / size.width(),
                                  double(painter.viewport().height()) / size.height());
    // In units of the screen: fonts would otherwise grow with the printer's resolution and again with
    // `scale`.
    QImage image(size * 3, QImage::Format_RGB32);
    image.setDevicePixelRatio(3);
    QPainter onImage(&image);
    paint(onImage, picture);
    onImage.end();
    painter.drawImage(QRectF(QPointF(), QSizeF(size) * scale), image);
    painter.end();
    Q_EMIT m_context.requests->messageCame(tr("The picture was sent to the printer."));
}

} // namespace lockkeeper::app::views
