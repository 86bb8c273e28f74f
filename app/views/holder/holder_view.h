// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/holder_model.h"
#include "app/presentation/holder_formatter.h"
#include "app/views/table/list_page.h"
#include "app/views/table/list_view.h"

#include <QTimer>

class QPushButton;
class QToolButton;

namespace lockkeeper::app::views {

class ElidedLabel;

/**
 * Everything that one holder has and waits for, over all sources and agents, as far as its name shows it.
 * Available once a holder was asked for. Its rows are locks: the window's actions aim at the selected rows,
 * and *Break all* at the shown rows that can be released. GUI thread.
 */
class HolderView : public ListView
{
    Q_OBJECT

public:
    explicit HolderView(const ConsoleContext &context, QWidget *parent = nullptr);
    ~HolderView() override;

    QByteArray id() const override { return QByteArrayLiteral("holder"); }
    QString title() const override;
    QString iconName() const override { return QStringLiteral("computer"); }
    bool isAvailable() const override { return !m_model.holder().isEmpty(); }
    bool selectsLocks() const override { return true; }
    bool showsLock(const domain::LockKey &key) const override { return m_model.rowOfLock(key) >= 0; }
    void activate() override;
    QVariantMap saveState() const override { return {}; } ///< a filter is for one holder
    void restoreState(const QVariantMap &) override {}

    /** The holder of this lock, as it is held now. */
    void showHolderOf(const domain::LockKey &key);
    /** The holder or waiter with this name, seen in `source`. */
    void showNamed(const QString &source, const QByteArray &name);

    models::HolderModel *model() { return &m_model; }

private:
    void build();
    void connectModel();
    EmptyList emptyText();
    void retranslate() final;
    void show(const replica::HolderId &holder);
    void fromTable();
    void toTable();
    void showState();
    void showBreak();
    QStringList notes() const;
    void fillMenu(QMenu *menu, int row);

    models::HolderModel m_model;
    presentation::HolderFormatter m_formatter;
    ElidedLabel *m_name = nullptr;
    QToolButton *m_sameHost = nullptr;
    ListPage *m_list = nullptr;
    QPushButton *m_break = nullptr;
    QTimer m_second;
    bool m_syncing = false;
};

} // namespace lockkeeper::app::views
