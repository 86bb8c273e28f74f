// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/presentation/console_style.h"

#include "app/presentation/colours.h"
#include "app/presentation/icons.h"

#include <QListView>
#include <QPainter>
#include <QStyleOption>

namespace lockkeeper::app::presentation {

namespace {

constexpr int kLeastTarget = 24; ///< high enough to click
constexpr int kAroundWords = 16; ///< of a button, both sides together

/** The pen of a field's frame, painted over Fusion's; none for a disabled field. */
QPen framePen(const QStyleOption &option)
{
    if (!option.state.testFlag(QStyle::State_Enabled))
        return Qt::NoPen;
    return option.state.testFlag(QStyle::State_HasFocus) ? option.palette.color(QPalette::Link)
                                                         : fieldLine(option.palette);
}

void drawFrame(QPainter *painter, const QStyleOption &option, const QRectF &rect, qreal radius)
{
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setBrush(Qt::NoBrush);
    painter->setPen(framePen(option));
    painter->drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
    painter->restore();
}

/** The name of our icon for Qt's; empty for icons that no window of ours shows. */
QString ownIcon(QStyle::StandardPixmap which)
{
    switch (which) {
    case QStyle::SP_TitleBarCloseButton:
    case QStyle::SP_DockWidgetCloseButton:
    case QStyle::SP_TabCloseButton:
    case QStyle::SP_LineEditClearButton:
    case QStyle::SP_DialogCloseButton:
    case QStyle::SP_DialogCancelButton:
    case QStyle::SP_DialogNoButton:
    case QStyle::SP_DialogAbortButton:
    case QStyle::SP_DialogDiscardButton:
        return QStringLiteral("edit-clear");
    case QStyle::SP_DialogOkButton:
    case QStyle::SP_DialogApplyButton:
    case QStyle::SP_DialogYesButton:
        return QStringLiteral("dialog-ok");
    case QStyle::SP_DialogSaveButton:
        return QStringLiteral("document-save-as");
    case QStyle::SP_DialogHelpButton:
    case QStyle::SP_MessageBoxQuestion:
        return QStringLiteral("help-contents");
    case QStyle::SP_DialogResetButton:
    case QStyle::SP_DialogRetryButton:
        return QStringLiteral("view-refresh");
    case QStyle::SP_MessageBoxInformation:
        return QStringLiteral("dialog-information");
    case QStyle::SP_MessageBoxWarning:
        return QStringLiteral("dialog-warning");
    case QStyle::SP_MessageBoxCritical:
        return QStringLiteral("dialog-error");
    case QStyle::SP_TitleBarNormalButton:
    case QStyle::SP_TitleBarMaxButton:
        return QStringLiteral("window-float");
    case QStyle::SP_ArrowBack:
    case QStyle::SP_ArrowLeft:
    case QStyle::SP_FileDialogBack:
        return QStringLiteral("go-previous");
    case QStyle::SP_ArrowForward:
    case QStyle::SP_ArrowRight:
    case QStyle::SP_ToolBarHorizontalExtensionButton:
        return QStringLiteral("go-next");
    case QStyle::SP_ArrowDown:
    case QStyle::SP_ToolBarVerticalExtensionButton:
        return QStringLiteral("go-down");
    case QStyle::SP_ArrowUp:
    case QStyle::SP_FileDialogToParent:
        return QStringLiteral("go-up");
    case QStyle::SP_FileDialogNewFolder:
        return QStringLiteral("folder-new");
    case QStyle::SP_FileDialogListView:
        return QStringLiteral("view-list");
    case QStyle::SP_FileDialogDetailedView:
        return QStringLiteral("view-group");
    case QStyle::SP_DirIcon:
    case QStyle::SP_DirLinkIcon:
    case QStyle::SP_DirClosedIcon:
    case QStyle::SP_DirOpenIcon:
    case QStyle::SP_DirHomeIcon:
    case QStyle::SP_DesktopIcon:
    case QStyle::SP_DialogOpenButton:
        return QStringLiteral("folder");
    case QStyle::SP_FileIcon:
    case QStyle::SP_FileLinkIcon:
        return QStringLiteral("document");
    case QStyle::SP_ComputerIcon:
    case QStyle::SP_DriveHDIcon:
    case QStyle::SP_DriveNetIcon:
        return QStringLiteral("computer");
    default:
        return {};
    }
}

} // namespace

ConsoleStyle::ConsoleStyle() : QProxyStyle(QStringLiteral("Fusion")) {}

QSize ConsoleStyle::sizeFromContents(ContentsType type, const QStyleOption *option, const QSize &size,
                                     const QWidget *widget) const
{
    QSize result = QProxyStyle::sizeFromContents(type, option, size, widget);
    const auto *item = qstyleoption_cast<const QStyleOptionMenuItem *>(option);
    if (item && item->menuItemType == QStyleOptionMenuItem::Separator)
        return result;
    switch (type) {
    case CT_PushButton:
        result = result.expandedTo({size.width() + kAroundWords, kLeastTarget});
        break;
    case CT_ItemViewItem:
        if (!qobject_cast<const QListView *>(widget)) // tables set the height of their rows
            break;
        [[fallthrough]];
    case CT_ToolButton:
    case CT_CheckBox:
    case CT_RadioButton:
    case CT_ComboBox:
    case CT_LineEdit:
    case CT_MenuItem:
    case CT_MenuBarItem:
    case CT_TabBarTab:
    case CT_HeaderSection:
        result = result.expandedTo({0, kLeastTarget});
        break;
    default:
        break;
    }
    return result;
}

void ConsoleStyle::drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter,
                                 const QWidget *widget) const
{
    QProxyStyle::drawPrimitive(element, option, painter, widget);
    switch (element) {
    case PE_FrameLineEdit:
        drawFrame(painter, *option, option->rect, 2);
        break;
    case PE_IndicatorCheckBox:
        drawFrame(painter, *option, option->rect, 0);
        break;
    case PE_IndicatorRadioButton:
        drawFrame(painter, *option, option->rect, option->rect.width() / 2.0);
        break;
    default:
        break;
    }
}

void ConsoleStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex *option,
                                      QPainter *painter, const QWidget *widget) const
{
    QProxyStyle::drawComplexControl(control, option, painter, widget);
    if (const auto *box = qstyleoption_cast<const QStyleOptionComboBox *>(option); box && box->frame)
        // A box that isn't editable is drawn as a button, whose frame begins one pixel lower.
        drawFrame(painter, *option, box->editable ? box->rect : box->rect.adjusted(0, 1, 0, 0), 2);
    if (const auto *spin = qstyleoption_cast<const QStyleOptionSpinBox *>(option); spin && spin->frame)
        drawFrame(painter, *option, spin->rect, 2);
}

QIcon ConsoleStyle::standardIcon(StandardPixmap which, const QStyleOption *option,
                                 const QWidget *widget) const
{
    const QString name = ownIcon(which);
    return name.isEmpty() ? QProxyStyle::standardIcon(which, option, widget) : icon(name);
}

QPixmap ConsoleStyle::standardPixmap(StandardPixmap which, const QStyleOption *option,
                                     const QWidget *widget) const
{
    const QString name = ownIcon(which);
    return name.isEmpty() ? QProxyStyle::standardPixmap(which, option, widget) : icon(name).pixmap(16, 16);
}

} // namespace lockkeeper::app::presentation
