// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/widgets/filter_help.h"

#include "app/filter/query_words.h"
#include "app/presentation/icons.h"
#include "app/presentation/theme.h"
#include "app/views/widgets/plain_label.h"
#include "app/views/widgets/wrapped_label.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QScrollArea>
#include <QVBoxLayout>

namespace lockkeeper::app::views {

namespace {

using Line = std::pair<QString, QString>;

QString code(const char *text)
{
    return QString::fromLatin1(text);
}

/** An example for a field, and its matches. */
Line lineOf(filter::QueryField field)
{
    using filter::QueryField;
    switch (field) {
    case QueryField::State:
        return {code("state:stuck,expired"), FilterHelp::tr("locks in one of these states")};
    case QueryField::Source:
        return {code("source:orders-db"), FilterHelp::tr("of this source")};
    case QueryField::Scheme:
        return {code("scheme:sql.*"), FilterHelp::tr("of these lock schemes")};
    case QueryField::Place:
        return {code("place:app.stock"), FilterHelp::tr("in this table, database or node set")};
    case QueryField::Agent:
        return {code("agent:dc1"), FilterHelp::tr("of this agent")};
    case QueryField::Name:
        return {code("name:lock:orders:*"), FilterHelp::tr("locks with such a name")};
    case QueryField::Holder:
        return {code("holder:worker-3"), FilterHelp::tr("held by it; in the history also formerly")};
    case QueryField::Waiter:
        return {code("waiter:worker-7"), FilterHelp::tr("it waits for the lock")};
    case QueryField::Waiters:
        return {code("waiters>=5"), FilterHelp::tr("at least this many waiters")};
    case QueryField::Wait:
        return {code("wait>30s"), FilterHelp::tr("longest wait at least this long")};
    case QueryField::Held:
        return {code("held>10m"), FilterHelp::tr("held at least this long")};
    case QueryField::Ttl:
        return {code("ttl:none"), FilterHelp::tr("without expiry; ttl<5s: so much is left of the lease")};
    case QueryField::Alive:
        return {code("alive:silent"),
                FilterHelp::tr("by its holder's sign of life: renewed, silent, connected, unknown")};
    case QueryField::Release:
        return {code("release:unsafe"), FilterHelp::tr("by how a force-release goes: guarded, unsafe, off")};
    case QueryField::Event:
        return {code("event:expired,force_released"), FilterHelp::tr("events of one of these kinds")};
    case QueryField::From:
        return {code("from:-15m"), FilterHelp::tr("since then; also 02:40 or 2026-11-20T02:40")};
    case QueryField::To:
        return {code("to:02:40"), FilterHelp::tr("until then")};
    case QueryField::Command:
        return {code("command:7f3a*"), FilterHelp::tr("of this force-release")};
    case QueryField::Who:
        return {code("who:kim"), FilterHelp::tr("asked for by this person")};
    case QueryField::Reason:
        return {code("reason:ticket"), FilterHelp::tr("with this in its reason")};
    case QueryField::Outcome:
        return {code("outcome:released,unknown"), FilterHelp::tr("with one of these outcomes")};
    case QueryField::Any:
        break;
    }
    return {};
}

QList<Line> syntax()
{
    return {{code("orders"), FilterHelp::tr("a word alone is searched in lock and holder")},
            {code("source:a state:stuck"), FilterHelp::tr("a space is “and”: both must match")},
            {code("state:stuck,expired"), FilterHelp::tr("a comma is “or”: one of them is enough")},
            {code("-scheme:sql.row"), FilterHelp::tr("a minus is “not”")},
            {code("name:lock:*:eu"), FilterHelp::tr("* matches any text, ? one character")},
            {code("name:=orders"), FilterHelp::tr("= matches the whole value exactly")},
            {code("\"two words\""), FilterHelp::tr("quotes keep spaces, commas and colons together")},
            {code("Down"), FilterHelp::tr("lists the recent filters if the line is empty")}};
}

void addLines(QGridLayout *grid, const QString &title, const QList<Line> &lines)
{
    auto *heading = new PlainLabel(title);
    heading->setFont(presentation::titleFont(heading->font()));
    grid->addWidget(heading, grid->rowCount(), 0, 1, 2);
    for (const auto &[example, meaning] : lines) {
        const int row = grid->rowCount();
        auto *left = new PlainLabel(example);
        left->setSelectable(true);
        left->setFont(presentation::codeFont(left->font()));
        auto *right = new WrappedLabel(meaning);
        grid->addWidget(left, row, 0, Qt::AlignTop);
        grid->addWidget(right, row, 1);
    }
}

} // namespace

FilterHelp::FilterHelp(filter::QueryScope scope, QWidget *parent) : Translated(parent), m_scope(scope)
{
    setObjectName(QStringLiteral("filterHelp"));
    setIcon(presentation::icon(QStringLiteral("help-contents")));
    setMinimumSize(24, 24);
    setFocusPolicy(Qt::TabFocus);
    connect(this, &QToolButton::clicked, this, &FilterHelp::open);
    retranslate();
}

void FilterHelp::open()
{
    auto *dialog = new QDialog(window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName(QStringLiteral("filterSyntax"));
    dialog->setWindowTitle(tr("Filter syntax"));
    auto *page = new QWidget;
    auto *grid = new QGridLayout(page);
    grid->setHorizontalSpacing(24);
    grid->setVerticalSpacing(4);
    grid->setColumnStretch(1, 1);
    addLines(grid, tr("How terms are put together"), syntax());
    grid->setRowMinimumHeight(grid->rowCount(), 12);
    QList<Line> fields;
    for (const QByteArray &name : filter::fieldNames(m_scope))
        fields.append(lineOf(filter::findField(name, m_scope)->field));
    addLines(grid, tr("Fields"), fields);
    grid->setRowStretch(grid->rowCount(), 1);
    auto *scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidget(page);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    auto *column = new QVBoxLayout(dialog);
    column->addWidget(scroll, 1);
    column->addWidget(buttons);
    dialog->resize(600, page->sizeHint().height() + 80);
    dialog->show();
}

void FilterHelp::retranslate()
{
    setToolTip(tr("Filter syntax, with examples"));
    setAccessibleName(tr("Filter syntax"));
}

} // namespace lockkeeper::app::views
