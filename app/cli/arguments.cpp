// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments.h"

#include "app/cli/command.h"
#include "app/cli/times.h"
#include "app/words/error_words.h"
#include "shared/base/clock.h"
#include "shared/base/nearest.h"

#include <CLI/CLI.hpp>
#include <algorithm>

namespace lockkeeper::app::cli {

std::string help(const char *text)
{
    return tr(text).toStdString();
}

QString didYouMean(const QString &wanted, const QStringList &known)
{
    const QString nearest = base::nearestName(wanted, known);
    return nearest.isEmpty() ? tr("Use one of: %1").arg(known.join(QLatin1String(", ")))
                             : tr("Did you mean '%1'?").arg(nearest);
}

const qint64 Arguments::kLongestTimerUs = 24 * 24 * base::kHourUs;

Arguments::Arguments(CLI::App &app, qint64 nowUs, QByteArrayList behind)
    : m_app(app), m_nowUs(nowUs), m_behind(std::move(behind))
{
}

CLI::Option *Arguments::add(const char *name, std::function<void(const QByteArray &)> take,
                            const std::string &about)
{
    return note(m_app.add_option_function<std::string>(
        name, [take = std::move(take)](const std::string &given) { take(QByteArray::fromStdString(given)); },
        about));
}

CLI::Option *Arguments::note(CLI::Option *option)
{
    m_declared.push_back(option);
    return option;
}

std::function<bool()> Arguments::group(const std::function<void()> &declare)
{
    const std::size_t first = m_declared.size();
    declare();
    const std::vector<const CLI::Option *> group(m_declared.begin() + std::ptrdiff_t(first),
                                                 m_declared.end());
    return [group] {
        return std::any_of(group.begin(), group.end(),
                           [](const CLI::Option *option) { return option->count() > 0; });
    };
}

CLI::Option *Arguments::text(const char *name, QString &to, const std::string &about)
{
    return add(
        name, [&to](const QByteArray &given) { to = QString::fromUtf8(given); }, about);
}

CLI::Option *Arguments::text(const char *name, std::optional<QString> &to, const std::string &about)
{
    return add(
        name, [&to](const QByteArray &given) { to = QString::fromUtf8(given); }, about);
}

CLI::Option *Arguments::bytes(const char *name, QByteArray &to, const std::string &about)
{
    return add(
        name, [&to](const QByteArray &given) { to = given; }, about);
}

CLI::Option *Arguments::texts(const char *name, QStringList &to, const std::string &about)
{
    return note(m_app.add_option_function<std::vector<std::string>>(
        name,
        [&to](const std::vector<std::string> &given) {
            for (const std::string &one : given)
                to.append(QString::fromStdString(one));
        },
        about));
}

CLI::Option *Arguments::flag(const char *name, bool &to, const std::string &about)
{
    return note(m_app.add_flag(name, to, about));
}

CLI::Option *Arguments::number(const char *name, std::optional<qint64> &to, const std::string &about)
{
    return add(
        name, [this, name, &to](const QByteArray &given) { to = toNumber(name, given); }, about);
}

CLI::Option *Arguments::number(const char *name, qint64 &to, const std::string &about)
{
    return add(
        name, [this, name, &to](const QByteArray &given) { to = toNumber(name, given).value_or(to); }, about);
}

CLI::Option *Arguments::duration(const char *name, std::optional<qint64> &to, const std::string &about,
                                 qint64 mostUs)
{
    return add(
        name, [this, name, mostUs, &to](const QByteArray &given) { to = toDuration(name, given, mostUs); },
        about);
}

CLI::Option *Arguments::duration(const char *name, qint64 &to, const std::string &about, qint64 mostUs)
{
    return add(
        name,
        [this, name, mostUs, &to](const QByteArray &given) {
            to = toDuration(name, given, mostUs).value_or(to);
        },
        about);
}

CLI::Option *Arguments::time(const char *name, std::optional<qint64> &to, const std::string &about)
{
    return add(
        name, [this, name, &to](const QByteArray &given) { to = toTime(name, given); }, about);
}

CLI::Option *Arguments::pastTime(const char *name, std::optional<qint64> &to, const std::string &about)
{
    return add(
        name,
        [this, name, &to](const QByteArray &given) {
            to = toTime(name, given);
            if (to && *to > m_nowUs)
                blame(name, tr("%1 is in the future").arg(timeText(*to)),
                      tr("Write \"yesterday 22:00\" for a time before today"));
        },
        about);
}

CLI::Option *Arguments::choice(const char *name, const std::vector<std::string> &words,
                               std::function<void(std::size_t)> take, const std::string &about)
{
    return note(m_app.add_option_function<std::string>(
                    name,
                    [words, take = std::move(take)](const std::string &given) {
                        take(std::size_t(std::find(words.begin(), words.end(), given) - words.begin()));
                    },
                    about))
        ->check(CLI::IsMember(words));
}

CLI::Option *Arguments::state(std::optional<domain::Condition> &to, const std::vector<std::string> &words,
                              const std::string &about)
{
    return choice(
        "--state", words,
        [&to, words](std::size_t index) { to = domain::conditionFromName(QByteArrayView(words.at(index))); },
        about);
}

CLI::Option *Arguments::source(QString &to)
{
    return text("--source", to, help("only this source"));
}

CLI::Option *Arguments::lockGlob(QByteArray &to)
{
    return bytes("--lock", to, help("only locks whose names match this glob"));
}

CLI::Option *Arguments::yes(bool &to)
{
    return flag("--yes", to, help("don't ask for confirmation"));
}

void Arguments::span(std::optional<qint64> &from, std::optional<qint64> &to)
{
    time("--from", from, help("since this time: RFC 3339, or -15m"));
    time("--to", to, help("until this time"));
}

CLI::Option *Arguments::kinds(QList<events::EventKind> &to)
{
    const auto take = [this, &to](const std::vector<std::string> &names) {
        QStringList known;
        for (int i = 0; i <= int(events::kLastKind); ++i)
            known.append(QString::fromLatin1(events::kindName(events::EventKind(i))));
        for (const std::string &name : names) {
            if (const auto kind = events::kindFromName(QByteArrayView(name)))
                to.append(*kind);
            else
                blame("--event",
                      tr("there is no event named '%1'")
                          .arg(base::displayText(QByteArray::fromStdString(name))),
                      didYouMean(QString::fromStdString(name), known));
        }
    };
    return note(m_app.add_option_function<std::vector<std::string>>(
                    "--event", take, help("only events of this kind; may be repeated")))
        ->delimiter(',');
}

std::optional<qint64> Arguments::toNumber(const char *option, const QByteArray &text)
{
    bool ok = false;
    const qint64 value = text.toLongLong(&ok);
    if (ok && value >= 0)
        return value;
    blame(option, tr("'%1' isn't a number from 0").arg(base::displayText(text)));
    return std::nullopt;
}

std::optional<qint64> Arguments::toDuration(const char *option, const QByteArray &text, qint64 mostUs)
{
    const auto us = base::parseDuration(QString::fromUtf8(text));
    if (us && *us <= mostUs)
        return *us;
    if (us)
        blame(option, tr("it lasts at most %1").arg(base::formatDuration(mostUs)));
    else
        blame(option, us.error().cause, us.error().remedy);
    return std::nullopt;
}

std::optional<qint64> Arguments::toTime(const char *option, const QByteArray &text)
{
    const auto value = parseTime(QString::fromUtf8(text), m_nowUs);
    if (value)
        return *value;
    blame(option, value.error().cause, value.error().remedy);
    return std::nullopt;
}

void Arguments::blame(const char *option, const QString &cause, const QString &remedy)
{
    if (m_fault.isEmpty())
        m_fault = QStringLiteral("%1: %2").arg(
            QLatin1String(option), words::ErrorWords::line({base::ErrorCode::Usage, cause, remedy}));
}

} // namespace lockkeeper::app::cli
