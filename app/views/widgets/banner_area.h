// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/presentation/theme.h"
#include "app/views/widgets/translated.h"

#include <QElapsedTimer>
#include <QList>
#include <QWidget>

#include <functional>
#include <optional>

class QVBoxLayout;

namespace lockkeeper::app::views {

class PlainLabel;

/** The content of a banner. `id` names it: showing the same id again changes the text in place. */
struct BannerText
{
    QByteArray id;
    presentation::BannerKind kind = presentation::BannerKind::Info;
    QString text;
    QString action;            ///< empty: no button
    std::function<void()> run; ///< the button's act
    bool closable = true;
    int lifeMs = 0; ///< disappears after this time; 0: stays until it is removed
};

/**
 * The banners at a view's or the window's foot: never modal, at most two at once, then "N more"; the worst
 * kind first, and of one kind the oldest. GUI thread.
 */
class BannerArea : public Translated<QWidget>
{
    Q_OBJECT

public:
    static constexpr int kShown = 2;

    explicit BannerArea(presentation::Theme *theme, QWidget *parent = nullptr);

    void showBanner(const BannerText &banner);
    void removeBanner(const QByteArray &id);
    bool hasBanner(const QByteArray &id) const;
    /** In their order. */
    QStringList texts() const;
    std::optional<presentation::BannerKind> kindOf(const QByteArray &id) const;

Q_SIGNALS:
    /** The user closed the banner; its cause persists. */
    void dismissed(const QByteArray &id);

private:
    void retranslate() final { rebuild(); }
    void rebuild();
    QWidget *makeRow(const BannerText &banner);
    void announce(const QString &text);

    presentation::Theme *m_theme;
    QVBoxLayout *m_layout;
    QList<BannerText> m_banners;
    QHash<QByteArray, PlainLabel *> m_labels;
    QElapsedTimer m_announced;
    QHash<QByteArray, quint64> m_lives; ///< the number of each banner's latest showing
    quint64 m_life = 0;
    bool m_all = false;
};

} // namespace lockkeeper::app::views
