// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/chains_model.h"
#include "app/presentation/chain_formatter.h"
#include "app/replica/packed_lock_table.h"
#include "app/views/table/export_source.h"
#include "app/views/widgets/view.h"
#include "shared/base/result.h"
#include "shared/protocol/messages.h"

#include <QHash>
#include <QSet>
#include <QTimer>

class QStackedWidget;

namespace lockkeeper::app::views {

class BannerArea;
class ChainsTree;
class CodeBox;
class ElidedLabel;
class LiveFreeze;
class PlainLabel;
class StatePage;

/**
 * The blocking chains in the databases, head blockers first. The view asks the agent once a second while it
 * is in sight and not paused. It is available only if the agent offers chains. GUI thread.
 */
class ChainsView : public View
{
    Q_OBJECT

public:
    explicit ChainsView(const ConsoleContext &context, QWidget *parent = nullptr);
    ~ChainsView() override;

    QByteArray id() const override { return QByteArrayLiteral("chains"); }
    QString title() const override;
    bool selectsLocks() const override { return true; }
    bool showsLock(const domain::LockKey &key) const override;
    QString iconName() const override { return QStringLiteral("view-chains"); }
    /** The number of waiting connections, counted from the lock table without a request. */
    std::optional<qint64> shownRows() const override;
    qint64 selectedRows() const override;
    void activate() override;
    void refresh() override { look(); }
    TableColumns tableColumns() override;
    bool copyText() override;
    bool exportRows() override;
    std::unique_ptr<ExportSource> exportSource(records::FileFormat::Syntax kind) const;
    bool canExport() const override { return true; }

    ChainsTree *tree() const { return m_tree; }
    models::ChainsModel *model() { return &m_model; }
    LiveFreeze *freeze() const { return m_freeze; }
    BannerArea *banners() const { return m_banners; }
    /** The texts above the tree, and those of the page in its place, for tests and screen readers. */
    QString text() const;

Q_SIGNALS:
    void detailAsked();

protected:
    void showEvent(QShowEvent *event) override;

private:
    enum class ShownPage : quint8 { Loading = 0, Rows, Empty, Failed, Offline };

    void build();
    void retranslate() final;
    void look();
    void take(const base::Result<protocol::ChainsPage> &page);
    void updatePage(bool anew = false);
    ShownPage phase() const;
    void showHead();
    void showAbout();
    QList<domain::LockKey> heldBy(const models::ChainRow &row) const;
    void showBanners();
    void markStale();
    bool isAnyOfSql() const;
    QString evidenceText() const;
    QStringList unseen() const;
    void select();
    void follow();
    void open(const QModelIndex &index);
    void showMenu(const QPoint &at);
    /** The titles and the chosen row. */
    QList<QStringList> chosenRow() const;

    models::ChainsModel m_model;
    presentation::ChainFormatter m_formatter;
    PlainLabel *m_summary = nullptr;
    ElidedLabel *m_evidence = nullptr;
    BannerArea *m_banners = nullptr;
    ChainsTree *m_tree = nullptr;
    CodeBox *m_statement = nullptr; ///< of the chosen connection, whole
    ElidedLabel *m_holds = nullptr;
    StatePage *m_page = nullptr;
    QStackedWidget *m_stack = nullptr;
    LiveFreeze *m_freeze = nullptr;
    QTimer m_second;
    QList<domain::WaitGraph> m_graphs; ///< of the last answer
    QList<QByteArray> m_deadlocks;     ///< ids of the banners that are shown
    std::optional<base::Error> m_error;
    ShownPage m_phase = ShownPage::Loading;
    bool m_follows = false; ///< the first rows are to show the selected lock
    bool m_read = false;
    bool m_asking = false;
};

} // namespace lockkeeper::app::views
