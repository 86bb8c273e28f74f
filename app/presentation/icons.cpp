// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/presentation/icons.h"

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QHash>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>

// A static library's resources are only linked if something refers to them; the macro must be outside a
// namespace.
static void initIcons()
{
    Q_INIT_RESOURCE(lockkeeper_icons);
}

namespace lockkeeper::app::presentation {

namespace {

QString pathOf(const QString &name)
{
    static const bool ready = [] {
        initIcons();
        return true;
    }();
    Q_UNUSED(ready)
    return QStringLiteral(":/lockkeeper/icons/%1.svg").arg(name);
}

QPixmap render(const QString &name, const QColor &ink, const QSize &pixels)
{
    const QString key = QStringLiteral("lk:%1:%2:%3x%4")
                            .arg(name, ink.name(QColor::HexArgb))
                            .arg(pixels.width())
                            .arg(pixels.height());
    QPixmap pixmap;
    if (QPixmapCache::find(key, &pixmap))
        return pixmap;
    QFile file(pathOf(name));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    QByteArray svg = file.readAll();
    svg.replace("currentColor", ink.name().toLatin1());
    QSvgRenderer renderer(svg);
    pixmap = QPixmap(pixels);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    renderer.render(&painter);
    painter.end();
    QPixmapCache::insert(key, pixmap);
    return pixmap;
}

/** Draws one SVG in the palette's text colour, or in a fixed colour. */
class InkIconEngine final : public QIconEngine
{
public:
    explicit InkIconEngine(QString name, QColor ink = {}) : m_name(std::move(name)), m_ink(ink) {}

    void paint(QPainter *painter, const QRect &rect, QIcon::Mode mode, QIcon::State state) override
    {
        const qreal ratio = painter->device() ? painter->device()->devicePixelRatioF() : 1.0;
        painter->drawPixmap(rect, scaledPixmap(rect.size() * ratio, mode, state, ratio));
    }

    QPixmap pixmap(const QSize &size, QIcon::Mode mode, QIcon::State state) override
    {
        return scaledPixmap(size, mode, state, 1.0);
    }

    QPixmap scaledPixmap(const QSize &size, QIcon::Mode mode, QIcon::State, qreal) override
    {
        const int side = std::min(size.width(), size.height());
        return render(m_name, inkOf(mode), QSize(side, side));
    }

    QSize actualSize(const QSize &size, QIcon::Mode, QIcon::State) override
    {
        const int side = std::min(size.width(), size.height());
        return {side, side};
    }

    QIconEngine *clone() const override { return new InkIconEngine(m_name, m_ink); }
    QString key() const override { return QStringLiteral("lockkeeper-ink"); }
    QString iconName() override { return m_name; }
    bool isNull() override { return false; }

private:
    QColor inkOf(QIcon::Mode mode) const
    {
        const QPalette palette = QApplication::palette();
        if (mode == QIcon::Disabled)
            return palette.color(QPalette::Disabled, QPalette::ButtonText);
        if (m_ink.isValid())
            return m_ink;
        return palette.color(mode == QIcon::Selected ? QPalette::HighlightedText : QPalette::ButtonText);
    }

    QString m_name;
    QColor m_ink;
};

} // namespace

QIcon icon(const QString &name)
{
    return icon(name, QColor());
}

QIcon icon(const QString &name, const QColor &ink)
{
    if (!QFile::exists(pathOf(name)))
        return {};
    return QIcon(new InkIconEngine(name, ink));
}

QPixmap iconPixmap(const QString &name, const QColor &ink, int size, qreal devicePixelRatio)
{
    const int pixels = qRound(size * devicePixelRatio);
    QPixmap pixmap = render(name, ink, QSize(pixels, pixels));
    pixmap.setDevicePixelRatio(devicePixelRatio);
    return pixmap;
}

QString badgeIconName(Badge badge)
{
    switch (badge) {
    case Badge::Releasing:
        return QStringLiteral("state-releasing");
    case Badge::Unknown:
        return QStringLiteral("state-unknown");
    case Badge::Stuck:
        return QStringLiteral("state-stuck");
    case Badge::Expired:
        return QStringLiteral("state-expired");
    case Badge::Contended:
        return QStringLiteral("state-contended");
    case Badge::Expiring:
        return QStringLiteral("state-expiring");
    case Badge::Held:
        return QStringLiteral("state-held");
    case Badge::Optimistic:
        return QStringLiteral("state-optimistic");
    case Badge::Free:
        return QStringLiteral("state-free");
    }
    return {};
}

QStringList iconNames()
{
    const QDir folder(QFileInfo(pathOf(QStringLiteral("x"))).path());
    QStringList names;
    for (const QString &file : folder.entryList({QStringLiteral("*.svg")}, QDir::Files, QDir::Name))
        names.append(file.chopped(4));
    return names;
}

} // namespace lockkeeper::app::presentation
