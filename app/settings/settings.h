// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QVariant>

#include <memory>
#include <optional>

class QSettings;

namespace lockkeeper::app::settings {

enum class Appearance : quint8 { System = 0, Light, Dark };
enum class Density : quint8 { Compact = 0, Comfortable };
enum class Zone : quint8 { Local = 0, Utc };

/** Every setting that isn't a list. Its name in the file, type and default stand in one table. */
enum class Key : quint8 {
    Language = 0,   ///< QString: "" the system's, "en", "zh_CN"
    Appearance,     ///< "system", "light", "dark"
    Density,        ///< "compact", "comfortable"
    TimeZone,       ///< "local", "utc"
    Milliseconds,   ///< bool: times with milliseconds
    TickSeconds,    ///< int: 1, 2 or 5
    RowMarks,       ///< bool: mark changed rows
    Tints,          ///< bool: tint stuck and expired rows
    DefaultView,    ///< QString: a view's id, or "last"
    LastView,       ///< QString
    LastAgent,      ///< QString: an agent's address
    PrivateAgent,   ///< "off", "session" (ends with the console), "kept"
    Notifications,  ///< bool: of approval requests
    AttentionNews,  ///< bool: notify of alerts; without them, of stuck and expired locks and of sources that are down
    Reconnect,      ///< bool: reconnect automatically
    ExportFolder,   ///< QString: "" the documents folder
    FontZoom,       ///< int: per cent of the system's font size, in steps of 10
    WindowGeometry, ///< QByteArray, with the full screen
    WindowState,    ///< QByteArray
    DetailShown,    ///< bool
    KeyCount,
};

/** A column of a table as the operator set it, by its stable name. */
struct ColumnSetting
{
    QByteArray name;
    int width = 0; ///< px; 0: the default
    bool visible = true;
    bool operator==(const ColumnSetting &) const = default;
};

/** A table's columns in visual order, and its sort. Columns added by a later version are missing here. */
struct ColumnSettings
{
    QList<ColumnSetting> columns;
    QByteArray sortColumn; ///< empty: the default order
    bool descending = false;
    bool operator==(const ColumnSettings &) const = default;
};

/** The state of a view, besides its columns. */
struct ViewState
{
    QString filter;
    QByteArray group;         ///< "none", "source", …
    QString range;            ///< as its view writes it
    QStringList hiddenStates; ///< chips that are off, by badge name
    bool operator==(const ViewState &) const = default;
};

/** A named filter. Built-in filters have an id instead of a name; presentation provides their texts. */
struct SavedFilter
{
    QByteArray id; ///< "needs_attention", "waiting_now", "no_expiry"; empty: created by the operator
    QString name;  ///< the operator's text; empty for built-in filters
    QString query;
    QStringList hiddenStates;
    bool operator==(const SavedFilter &) const = default;
};

/**
 * The console's settings: one table of keys, types and defaults over a QSettings. An invalid value (edited by
 * hand, or from another version) reads as the default. No setting weakens a confirmation. GUI thread.
 */
class Settings : public QObject
{
    Q_OBJECT

public:
    /** The user's file. */
    explicit Settings(QObject *parent = nullptr);
    /** The given INI file, for tests and private runs. */
    explicit Settings(const QString &iniFile, QObject *parent = nullptr);
    ~Settings() override;

    QVariant value(Key key) const;
    /** Returns false and stores nothing if `value` isn't valid for the key. */
    bool setValue(Key key, const QVariant &value);
    static QString name(Key key);
    static QVariant defaultValue(Key key);

    QString language() const { return value(Key::Language).toString(); }
    settings::Appearance appearance() const;
    settings::Density density() const;
    Zone timeZone() const;
    bool milliseconds() const { return value(Key::Milliseconds).toBool(); }
    static constexpr int kLeastZoom = 80;
    static constexpr int kMostZoom = 150;
    static constexpr int kZoomStep = 10;
    int fontZoom() const { return value(Key::FontZoom).toInt(); }
    int tickMs() const { return value(Key::TickSeconds).toInt() * 1000; }
    bool rowMarks() const { return value(Key::RowMarks).toBool(); }
    bool tints() const { return value(Key::Tints).toBool(); }
    bool notifications() const { return value(Key::Notifications).toBool(); }
    bool reconnect() const { return value(Key::Reconnect).toBool(); }

    /** nullopt if nothing was stored: the view's defaults apply. */
    std::optional<ColumnSettings> columns(const QString &view) const;
    void setColumns(const QString &view, const ColumnSettings &columns);
    std::optional<ViewState> viewState(const QString &view) const;
    void setViewState(const QString &view, const ViewState &state);
    /** The saved state of the view's splitter; empty: the default. */
    QByteArray splitter(const QString &view) const;
    void setSplitter(const QString &view, const QByteArray &state);

    static QList<SavedFilter> shippedFilters();
    /** The operator's filters, in order. */
    QList<SavedFilter> savedFilters() const;
    void setSavedFilters(const QList<SavedFilter> &filters);

    /** Addresses of opened agents, the latest first; ten at most. */
    QStringList recentAgents() const;
    void noteAgent(const QString &address);
    void forgetAgent(const QString &address);

    /** *Reset layout*: geometry, docks and columns go back to their defaults; filters and preferences stay.
     */
    void resetLayout();
    void sync();

Q_SIGNALS:
    void changed(lockkeeper::app::settings::Key key);
    void layoutReset();
    void savedFiltersChanged();
    void recentAgentsChanged();

private:
    void keepAgents(const QStringList &addresses);

    std::unique_ptr<QSettings> m_store;
};

} // namespace lockkeeper::app::settings
