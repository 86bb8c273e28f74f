// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/table/keep_splitter.h"

#include "app/settings/settings.h"

#include <QSplitter>

#include <algorithm>

namespace lockkeeper::app::views {

void keepSplitter(QSplitter *splitter, settings::Settings *settings, const QByteArray &view)
{
    const QString name = QString::fromLatin1(view);
    splitter->restoreState(settings->splitter(name));
    QObject::connect(splitter, &QSplitter::splitterMoved, splitter,
                     [=] { settings->setSplitter(name, splitter->saveState()); });
    QObject::connect(settings, &settings::Settings::layoutReset, splitter, [splitter] {
        QList<int> sizes; // the splitter's default sizes
        for (int i = 0; i < splitter->count(); ++i) {
            const QWidget *part = splitter->widget(i);
            const bool isWide = splitter->orientation() == Qt::Horizontal;
            const QSizePolicy policy = part->sizePolicy();
            sizes.append(isWide ? part->sizeHint().width() * std::max(1, policy.horizontalStretch())
                                : part->sizeHint().height() * std::max(1, policy.verticalStretch()));
        }
        splitter->setSizes(sizes);
    });
}

} // namespace lockkeeper::app::views
