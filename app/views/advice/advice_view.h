// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/advice_model.h"
#include "app/presentation/advice_row_formatter.h"
#include "app/views/table/list_view.h"

#include <memory>

class QComboBox;

namespace lockkeeper::app::views {

class WrappedLabel;

/**
 * The changes that the evidence of a range of time recommends. Below the table are the whole sentences of the
 * selected advice, and the section of the document. Reads again whenever it is shown. GUI thread.
 */
class AdviceView : public ListView
{
    Q_OBJECT

public:
    explicit AdviceView(const ConsoleContext &context, QWidget *parent = nullptr);
    ~AdviceView() override;

    QByteArray id() const override { return QByteArrayLiteral("advice"); }
    QString title() const override;
    QString iconName() const override { return QStringLiteral("dialog-information"); }
    void activate() override { refresh(); }
    void refresh() override;
    QVariantMap saveState() const override;
    void restoreState(const QVariantMap &state) override;

    models::AdviceModel *model() const { return m_model.get(); }

private:
    void build();
    void retranslate() final;
    void showState();
    void showNote();
    void showSelected();
    void openLock(int row);

    std::unique_ptr<models::AdviceModel> m_model;
    presentation::AdviceRowFormatter m_formatter;
    QComboBox *m_range = nullptr;
    WrappedLabel *m_note = nullptr;
    ListPage *m_list = nullptr;
    WrappedLabel *m_selected = nullptr;
};

} // namespace lockkeeper::app::views
