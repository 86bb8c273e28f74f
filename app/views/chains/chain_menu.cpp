// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/chains/chain_menu.h"

#include "app/presentation/chain_formatter.h"
#include "app/presentation/icons.h"
#include "app/replica/replica.h"
#include "app/views/widgets/release_verdict.h"
#include "app/views/widgets/requests.h"
#include "app/words/lock_text.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>

namespace lockkeeper::app::views {

using models::ChainRow;

namespace {

bool isHeldBy(const domain::LockKey &key, const domain::Session &session, const ConsoleContext &context)
{
    const auto state = context.replica->find(key);
    return state && state->isHeld() && state->session && state->session->id == session.id;
}

/** An ampersand in a name would become a mnemonic. */
QString menuText(QString text)
{
    return text.replace(QLatin1Char('&'), QLatin1String("&&"));
}

} // namespace

std::optional<domain::LockKey> ChainMenu::ownLock(const ChainRow &row, const ConsoleContext &context)
{
    for (const domain::LockKey &key : row.holds) {
        if (isHeldBy(key, row.node.session, context))
            return key;
    }
    return std::nullopt;
}

void ChainMenu::fill(QMenu *menu, const ChainRow &row, const ConsoleContext &context,
                     const std::function<void(const QByteArray &)> &go)
{
    if (row.kind == ChainRow::ChainRowKind::Link) {
        const QString other = presentation::ChainFormatter::connection(row.other);
        QObject::connect(menu->addAction(menuText(tr("Go to connection %1").arg(other))), &QAction::triggered,
                         menu, [go, key = row.otherKey] { go(key); });
        return;
    }
    if (row.kind != ChainRow::ChainRowKind::Connection)
        return;
    Requests *requests = context.requests;
    int named = 0;
    for (const domain::LockKey &key : row.holds) {
        if (++named > kLocks || !isHeldBy(key, row.node.session, context))
            continue;
        const QString name = words::LockText::name(key);
        QAction *release = menu->addAction(presentation::icon(QStringLiteral("force-release")),
                                           menuText(tr("Force-release “%1”…").arg(name)));
        const ReleaseVerdict verdict = ReleaseVerdict::of({key}, context);
        release->setEnabled(verdict.possible);
        release->setToolTip(verdict.reason);
        QObject::connect(release, &QAction::triggered, menu,
                         [requests, key] { Q_EMIT requests->releaseAsked({key}); });
    }
    menu->addSeparator();
    const auto jump = [&](const QString &text, const domain::LockKey &key) {
        QAction *action = menu->addAction(menuText(text.arg(words::LockText::name(key))));
        action->setEnabled(context.replica->find(key).has_value());
        QObject::connect(action, &QAction::triggered, menu,
                         [requests, key] { Q_EMIT requests->lockAsked(key); });
    };
    for (const domain::LockKey &key : row.holds.first(std::min<qsizetype>(kLocks, row.holds.size())))
        jump(tr("Show lock “%1”"), key);
    if (row.node.waitsFor)
        jump(tr("Show lock “%1”, which it waits for"), *row.node.waitsFor);
    menu->addSeparator();
    QAction *everything = menu->addAction(tr("Show everything of this holder"));
    everything->setEnabled(!row.node.session.id.isEmpty());
    QObject::connect(everything, &QAction::triggered, menu,
                     [requests, source = row.source, id = row.node.session.id] {
                         Q_EMIT requests->holderAsked(source, id);
                     });
    QAction *copy = menu->addAction(presentation::icon(QStringLiteral("edit-copy")), tr("Copy statement"));
    copy->setVisible(presentation::ChainFormatter::runsStatements(row));
    copy->setEnabled(!row.node.session.statement.isEmpty());
    QObject::connect(copy, &QAction::triggered, menu, [statement = row.node.session.statement] {
        QGuiApplication::clipboard()->setText(QString::fromUtf8(statement));
    });
}

} // namespace lockkeeper::app::views
