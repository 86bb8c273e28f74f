// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/settings/settings.h"

#include <QLoggingCategory>
#include <QSettings>

#include <algorithm>
#include <array>
#include <utility>

namespace lockkeeper::app::settings {

Q_LOGGING_CATEGORY(lcSettings, "lockkeeper.settings")

namespace {

constexpr const char *kRecentAgents = "session/recent_agents";
constexpr int kMostAgents = 10;

/** One row of the table: the name in the file, the default, which sets the type, and the valid values. */
struct SettingSpec
{
    Key key;
    const char *name;
    QVariant fallback;
    QStringList words; ///< the only valid texts; empty: any
};

const QList<SettingSpec> &table()
{
    static const QList<SettingSpec> entries{
        {Key::Language, "ui/language", QString(), {}},
        {Key::Appearance,
         "ui/appearance",
         QStringLiteral("system"),
         {QStringLiteral("system"), QStringLiteral("light"), QStringLiteral("dark")}},
        {Key::Density,
         "ui/density",
         QStringLiteral("compact"),
         {QStringLiteral("compact"), QStringLiteral("comfortable")}},
        {Key::TimeZone,
         "ui/time_zone",
         QStringLiteral("local"),
         {QStringLiteral("local"), QStringLiteral("utc")}},
        {Key::Milliseconds, "ui/milliseconds", false, {}},
        {Key::TickSeconds, "ui/tick_seconds", 2, {}},
        {Key::RowMarks, "ui/row_marks", true, {}},
        {Key::Tints, "ui/tints", true, {}},
        {Key::DefaultView, "ui/default_view", QStringLiteral("last"), {}},
        {Key::LastView, "ui/last_view", QString(), {}},
        {Key::LastAgent, "session/last_agent", QString(), {}},
        {Key::PrivateAgent,
         "session/private_agent",
         QStringLiteral("off"),
         {QStringLiteral("off"), QStringLiteral("session"), QStringLiteral("kept")}},
        {Key::Notifications, "ui/notifications", true, {}},
        {Key::AttentionNews, "ui/attention_news", true, {}},
        {Key::Reconnect, "session/reconnect", true, {}},
        {Key::ExportFolder, "export/folder", QString(), {}},
        {Key::FontZoom, "ui/font_zoom", 100, {}},
        {Key::WindowGeometry, "window/geometry", QByteArray(), {}},
        {Key::WindowState, "window/state", QByteArray(), {}},
        {Key::DetailShown, "window/detail_shown", true, {}},
    };
    return entries;
}

const SettingSpec &entryOf(Key key)
{
    return table()[qsizetype(key)];
}

/** An INI file keeps booleans and numbers as text: read them strictly. nullopt: invalid. */
std::optional<QVariant> fit(const SettingSpec &entry, const QVariant &value)
{
    switch (entry.fallback.typeId()) {
    case QMetaType::Bool: {
        const QString text = value.toString();
        if (text != QLatin1String("true") && text != QLatin1String("false"))
            return std::nullopt;
        return QVariant(text == QLatin1String("true"));
    }
    case QMetaType::Int: {
        bool good = false;
        const int number = value.toString().toInt(&good);
        const bool fits = entry.key == Key::FontZoom
                              ? number >= Settings::kLeastZoom && number <= Settings::kMostZoom &&
                                    number % Settings::kZoomStep == 0
                              : number == 1 || number == 2 || number == 5;
        return good && fits ? std::optional(QVariant(number)) : std::nullopt;
    }
    case QMetaType::QByteArray:
        return value.typeId() == QMetaType::QByteArray ? std::optional(value) : std::nullopt;
    default:
        break;
    }
    const QString text = value.toString();
    if (!value.canConvert<QString>() || (!entry.words.isEmpty() && !entry.words.contains(text)))
        return std::nullopt;
    return QVariant(text);
}

template <typename Enum> Enum wordIndex(const Settings &settings, Key key)
{
    return Enum(std::max<qsizetype>(0, entryOf(key).words.indexOf(settings.value(key).toString())));
}

QString viewKey(const QString &view, QLatin1String what)
{
    return QStringLiteral("views/%1/%2").arg(view, what);
}

} // namespace

Settings::Settings(QObject *parent)
    : QObject(parent),
      m_store(std::make_unique<QSettings>(QSettings::IniFormat, QSettings::UserScope,
                                          QStringLiteral("Lockkeeper"), QStringLiteral("console")))
{
}

Settings::Settings(const QString &iniFile, QObject *parent)
    : QObject(parent), m_store(std::make_unique<QSettings>(iniFile, QSettings::IniFormat))
{
}

Settings::~Settings() = default;

QString Settings::name(Key key)
{
    return QString::fromLatin1(entryOf(key).name);
}

QVariant Settings::defaultValue(Key key)
{
    return entryOf(key).fallback;
}

QVariant Settings::value(Key key) const
{
    const SettingSpec &entry = entryOf(key);
    const QVariant kept = m_store->value(QString::fromLatin1(entry.name));
    if (!kept.isValid())
        return entry.fallback;
    const auto value = fit(entry, kept);
    if (!value)
        qCWarning(lcSettings) << "the setting" << entry.name << "isn't fit and reads as its default";
    return value.value_or(entry.fallback);
}

bool Settings::setValue(Key key, const QVariant &value)
{
    const SettingSpec &entry = entryOf(key);
    const auto good = fit(entry, value);
    if (!good)
        return false;
    if (*good == this->value(key))
        return true;
    m_store->setValue(QString::fromLatin1(entry.name), *good);
    Q_EMIT changed(key);
    return true;
}

settings::Appearance Settings::appearance() const
{
    return wordIndex<settings::Appearance>(*this, Key::Appearance);
}

settings::Density Settings::density() const
{
    return wordIndex<settings::Density>(*this, Key::Density);
}

Zone Settings::timeZone() const
{
    return wordIndex<Zone>(*this, Key::TimeZone);
}

std::optional<ColumnSettings> Settings::columns(const QString &view) const
{
    const QStringList kept = m_store->value(viewKey(view, QLatin1String("columns"))).toStringList();
    const QString sort = m_store->value(viewKey(view, QLatin1String("sort"))).toString();
    if (kept.isEmpty() && sort.isEmpty())
        return std::nullopt;
    ColumnSettings columns;
    for (const QString &text : kept) {
        const QStringList parts = text.split(u':');
        bool good = parts.size() == 3;
        const int width = good ? parts[1].toInt(&good) : 0;
        const bool known =
            good && (parts[2] == QLatin1String("shown") || parts[2] == QLatin1String("hidden"));
        if (known && !parts[0].isEmpty() && width >= 0 && width <= 10'000)
            columns.columns.append({parts[0].toUtf8(), width, parts[2] == QLatin1String("shown")});
    }
    columns.descending = sort.startsWith(u'-');
    columns.sortColumn = (columns.descending ? sort.mid(1) : sort).toUtf8();
    return columns;
}

void Settings::setColumns(const QString &view, const ColumnSettings &columns)
{
    QStringList kept;
    for (const ColumnSetting &column : columns.columns) {
        const QLatin1String shown(column.visible ? "shown" : "hidden");
        kept.append(
            QStringLiteral("%1:%2:%3").arg(QString::fromUtf8(column.name)).arg(column.width).arg(shown));
    }
    m_store->setValue(viewKey(view, QLatin1String("columns")), kept);
    m_store->setValue(viewKey(view, QLatin1String("sort")),
                      (columns.descending ? QStringLiteral("-") : QString()) +
                          QString::fromUtf8(columns.sortColumn));
}

std::optional<ViewState> Settings::viewState(const QString &view) const
{
    const QString filterKey = viewKey(view, QLatin1String("filter"));
    if (!m_store->contains(filterKey))
        return std::nullopt;
    ViewState state;
    state.filter = m_store->value(filterKey).toString();
    state.group = m_store->value(viewKey(view, QLatin1String("group"))).toString().toUtf8();
    state.range = m_store->value(viewKey(view, QLatin1String("range"))).toString();
    state.hiddenStates = m_store->value(viewKey(view, QLatin1String("hidden_states"))).toStringList();
    return state;
}

void Settings::setViewState(const QString &view, const ViewState &state)
{
    m_store->setValue(viewKey(view, QLatin1String("filter")), state.filter);
    m_store->setValue(viewKey(view, QLatin1String("group")), QString::fromUtf8(state.group));
    m_store->setValue(viewKey(view, QLatin1String("range")), state.range);
    m_store->setValue(viewKey(view, QLatin1String("hidden_states")), state.hiddenStates);
}

QByteArray Settings::splitter(const QString &view) const
{
    return m_store->value(viewKey(view, QLatin1String("splitter"))).toByteArray();
}

void Settings::setSplitter(const QString &view, const QByteArray &state)
{
    m_store->setValue(viewKey(view, QLatin1String("splitter")), state);
}

QList<SavedFilter> Settings::shippedFilters()
{
    const QStringList idle{QStringLiteral("free"), QStringLiteral("optimistic")};
    return {
        {"needs_attention", {}, QStringLiteral("state:stuck,expired,unknown"), idle},
        {"waiting_now", {}, QStringLiteral("waiters>0"), {}},
        {"no_expiry", {}, QStringLiteral("ttl:none"), idle},
    };
}

QList<SavedFilter> Settings::savedFilters() const
{
    QList<SavedFilter> filters;
    const int count = m_store->beginReadArray(QStringLiteral("filters"));
    for (int i = 0; i < count; ++i) {
        m_store->setArrayIndex(i);
        SavedFilter filter;
        filter.name = m_store->value(QStringLiteral("name")).toString();
        filter.query = m_store->value(QStringLiteral("query")).toString();
        filter.hiddenStates = m_store->value(QStringLiteral("hidden_states")).toStringList();
        if (!filter.name.isEmpty())
            filters.append(filter);
    }
    m_store->endArray();
    return filters;
}

void Settings::setSavedFilters(const QList<SavedFilter> &filters)
{
    m_store->remove(QStringLiteral("filters"));
    m_store->beginWriteArray(QStringLiteral("filters"), int(filters.size()));
    for (int i = 0; i < filters.size(); ++i) {
        m_store->setArrayIndex(i);
        m_store->setValue(QStringLiteral("name"), filters[i].name);
        m_store->setValue(QStringLiteral("query"), filters[i].query);
        m_store->setValue(QStringLiteral("hidden_states"), filters[i].hiddenStates);
    }
    m_store->endArray();
    Q_EMIT savedFiltersChanged();
}

QStringList Settings::recentAgents() const
{
    return m_store->value(QLatin1String(kRecentAgents)).toStringList().mid(0, kMostAgents);
}

void Settings::noteAgent(const QString &address)
{
    QStringList addresses = recentAgents();
    addresses.removeAll(address);
    addresses.prepend(address);
    keepAgents(addresses.mid(0, kMostAgents));
}

void Settings::forgetAgent(const QString &address)
{
    QStringList addresses = recentAgents();
    if (addresses.removeAll(address) > 0)
        keepAgents(addresses);
}

void Settings::keepAgents(const QStringList &addresses)
{
    m_store->setValue(QLatin1String(kRecentAgents), addresses);
    Q_EMIT recentAgentsChanged();
}

void Settings::resetLayout()
{
    m_store->remove(QStringLiteral("window"));
    m_store->beginGroup(QStringLiteral("views"));
    const QStringList views = m_store->childGroups();
    m_store->endGroup();
    for (const QString &view : views) {
        m_store->remove(viewKey(view, QLatin1String("columns")));
        m_store->remove(viewKey(view, QLatin1String("sort")));
        m_store->remove(viewKey(view, QLatin1String("splitter")));
    }
    Q_EMIT layoutReset();
}

void Settings::sync()
{
    m_store->sync();
}

} // namespace lockkeeper::app::settings
