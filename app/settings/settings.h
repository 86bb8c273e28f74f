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
    Notifications,  ///< bool
    Reconnect,      ///< bool: reconnect by itself
    ExportFolder,   ///< QString: "" the documents folder
    WindowGeometry, ///< QByteArray
    WindowState,    ///< QByteArray
    DetailShown,    ///< bool
    KeyCount,
};

/** A column of a table as the operator left it, by its stable name. */
struct Column
{
    QByteArray name;
    int width = 0; ///< px; 0: the default
    bool visible = true;
    bool operator==(const Column &) const = default;
};

/** A table's columns in visual order, and its sort. Columns that a later version adds are simply not in it.
 */
struct Columns
{
    QList<Column> columns;
    QByteArray sortColumn; ///< empty: the default order
    bool descending = false;
    bool operator==(const Columns &) const = default;
};

/** What a view shows, besides its columns. */
struct ViewState
{
    QString filter;
    QByteArray group;         ///< "none", "source", …
    QString range;            ///< as its view writes it
    QStringList hiddenStates; ///< chips that are off, by badge name
    bool operator==(const ViewState &) const = default;
};

/** A filter under a name. Shipped ones have an id that presentation words, and no name of their own. */
struct SavedFilter
{
    QByteArray id; ///< "needs_attention", "waiting_now", "no_expiry"; empty: the operator's own
    QString name;  ///< the operator's word; empty for shipped ones
    QString query;
    QStringList hiddenStates;
    bool operator==(const SavedFilter &) const = default;
};

/**
 * The console's settings: one table of keys, types and defaults over a QSettings. A value that isn't fit (by
 * hand, or from another version) reads as the default. Nothing here weakens a confirmation. GUI thread.
 */
class Settings : public QObject
{
    Q_OBJECT

public:
    /** The user's own file. */
    explicit Settings(QObject *parent = nullptr);
    /** A stated INI file, for tests and private runs. */
    explicit Settings(const QString &iniFile, QObject *parent = nullptr);
    ~Settings() override;

    QVariant value(Key key) const;
    /** False, and nothing is kept, where `value` isn't fit for the key. */
    bool setValue(Key key, const QVariant &value);
    static QString name(Key key);
    static QVariant defaultValue(Key key);

    QString language() const { return value(Key::Language).toString(); }
    settings::Appearance appearance() const;
    settings::Density density() const;
    Zone timeZone() const;
    bool milliseconds() const { return value(Key::Milliseconds).toBool(); }
    int tickMs() const { return value(Key::TickSeconds).toInt() * 1000; }
    bool rowMarks() const { return value(Key::RowMarks).toBool(); }
    bool tints() const { return value(Key::Tints).toBool(); }
    bool notifications() const { return value(Key::Notifications).toBool(); }
    bool reconnect() const { return value(Key::Reconnect).toBool(); }

    /** nullopt where nothing was kept: the view's defaults apply. */
    std::optional<Columns> columns(const QString &view) const;
    void setColumns(const QString &view, const Columns &columns);
    std::optional<ViewState> viewState(const QString &view) const;
    void setViewState(const QString &view, const ViewState &state);
    /** How the view's splitter was left; empty: as it is by itself. */
    QByteArray splitter(const QString &view) const;
    void setSplitter(const QString &view, const QByteArray &state);

    static QList<SavedFilter> shippedFilters();
    /** The operator's own ones, in order. */
    QList<SavedFilter> savedFilters() const;
    void setSavedFilters(const QList<SavedFilter> &filters);

    /** Addresses of agents that were opened, the last one first; ten at most. */
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
