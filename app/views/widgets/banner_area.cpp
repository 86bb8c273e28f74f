// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/widgets/banner_area.h"

#include "app/presentation/icons.h"
#include "app/views/widgets/plain_label.h"
#include "app/views/widgets/wrapped_label.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QPushButton>
#include <QTimer>
#include <QToolButton>

#include <algorithm>

namespace lockkeeper::app::views {

namespace {

QString iconOf(presentation::BannerKind kind)
{
    switch (kind) {
    case presentation::BannerKind::Info:
        return QStringLiteral("dialog-information");
    case presentation::BannerKind::Warning:
        return QStringLiteral("dialog-warning");
    case presentation::BannerKind::Error:
        return QStringLiteral("dialog-error");
    }
    return {};
}

} // namespace

BannerArea::BannerArea(presentation::Theme *theme, QWidget *parent)
    : Translated(parent), m_theme(theme), m_layout(new QVBoxLayout(this))
{
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(1);
    setVisible(false);
    connect(theme, &presentation::Theme::changed, this, &BannerArea::rebuild);
}

void BannerArea::showBanner(const BannerText &banner)
{
    const auto known = std::find_if(m_banners.begin(), m_banners.end(),
                                    [&](const BannerText &other) { return other.id == banner.id; });
    const bool inPlace = known != m_banners.end() && known->kind == banner.kind &&
                         known->action == banner.action && known->closable == banner.closable;
    if (inPlace) {
        *known = banner;
    } else {
        if (known != m_banners.end())
            m_banners.erase(known);
        const auto milder = std::find_if(m_banners.begin(), m_banners.end(),
                                         [&](const BannerText &other) { return other.kind < banner.kind; });
        m_banners.insert(milder, banner);
    }
    m_lives.insert(banner.id, ++m_life);
    if (banner.lifeMs > 0) {
        QTimer::singleShot(banner.lifeMs, this, [this, id = banner.id, life = m_life] {
            if (m_lives.value(id) == life)
                removeBanner(id);
        });
    }
    // A countdown changes its text each second: the row stays, so that nothing moves under the pointer.
    if (PlainLabel *label = m_labels.value(banner.id); inPlace && label) {
        label->setText(banner.text);
        return;
    }
    if (!inPlace) {
        rebuild();
        announce(banner.text);
    }
}

void BannerArea::removeBanner(const QByteArray &id)
{
    m_lives.remove(id);
    const auto gone = m_banners.removeIf([&](const BannerText &other) { return other.id == id; });
    if (gone > 0)
        rebuild();
}

bool BannerArea::hasBanner(const QByteArray &id) const
{
    return std::any_of(m_banners.cbegin(), m_banners.cend(),
                       [&](const BannerText &other) { return other.id == id; });
}

std::optional<presentation::BannerKind> BannerArea::kindOf(const QByteArray &id) const
{
    for (const BannerText &banner : m_banners) {
        if (banner.id == id)
            return banner.kind;
    }
    return std::nullopt;
}

QStringList BannerArea::texts() const
{
    QStringList result;
    for (const BannerText &banner : m_banners)
        result.append(banner.text);
    return result;
}

void BannerArea::rebuild()
{
    m_labels.clear();
    while (QLayoutItem *item = m_layout->takeAt(0)) {
        // Later: the click that closes a banner comes from inside it.
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    if (m_banners.size() <= kShown)
        m_all = false;
    const auto shown = m_all ? m_banners.size() : std::min<qsizetype>(m_banners.size(), kShown);
    for (qsizetype i = 0; i < shown; ++i)
        m_layout->addWidget(makeRow(m_banners.at(i)));
    if (const auto more = m_banners.size() - shown; more > 0) {
        auto *button = new QToolButton(this);
        button->setText(tr("%n more message(s)", nullptr, int(more)));
        button->setAutoRaise(true);
        connect(button, &QToolButton::clicked, this, [this] {
            m_all = true;
            rebuild();
        });
        m_layout->addWidget(button, 0, Qt::AlignLeft);
    }
    setVisible(!m_banners.isEmpty());
}

QWidget *BannerArea::makeRow(const BannerText &banner)
{
    const presentation::BannerColours colours = m_theme->banner(banner.kind);
    auto *row = new QWidget(this);
    QPalette palette = row->palette();
    palette.setColor(QPalette::Window, colours.fill);
    palette.setColor(QPalette::WindowText, colours.ink);
    palette.setColor(QPalette::Text, colours.ink);
    row->setPalette(palette);
    row->setAutoFillBackground(true);
    auto *layout = new QHBoxLayout(row);
    layout->setContentsMargins(12, 4, 8, 4);
    layout->setSpacing(8);
    auto *symbol = new QLabel(row);
    symbol->setPixmap(presentation::iconPixmap(iconOf(banner.kind), colours.ink, 16, devicePixelRatioF()));
    layout->addWidget(symbol);
    auto *label = new WrappedLabel(banner.text, row);
    layout->addWidget(label, 1);
    m_labels.insert(banner.id, label);
    if (!banner.action.isEmpty()) {
        auto *button = new QPushButton(banner.action, row);
        button->setPalette(presentation::paletteOf(m_theme->scheme()));
        connect(button, &QPushButton::clicked, this, [run = banner.run] {
            if (run)
                run();
        });
        layout->addWidget(button);
    }
    if (banner.closable) {
        auto *close = new QToolButton(row);
        close->setIcon(presentation::icon(QStringLiteral("edit-clear"), colours.ink));
        close->setAutoRaise(true);
        close->setMinimumSize(24, 24);
        close->setToolTip(tr("Dismiss"));
        close->setAccessibleName(tr("Dismiss"));
        connect(close, &QToolButton::clicked, this, [this, id = banner.id] {
            removeBanner(id);
            Q_EMIT dismissed(id);
        });
        layout->addWidget(close);
    }
    return row;
}

void BannerArea::announce(const QString &text)
{
    constexpr int kPauseMs = 5000;
    if (m_announced.isValid() && m_announced.elapsed() < kPauseMs)
        return;
    m_announced.start();
    setAccessibleName(text);
    QAccessibleEvent event(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&event);
}

} // namespace lockkeeper::app::views
