// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/error.h"
#include "shared/events/lock_event.h"

#include <QByteArrayList>
#include <QCoreApplication>
#include <QStringList>

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace lockkeeper::app::cli {

/** Translates a text of --help. lupdate collects the texts by this name. */
std::string help(const char *text);

/** "Did you mean 'x'?", or the list of the known words. */
QString didYouMean(const QString &wanted, const QStringList &known);

/**
 * Declares the options of one command, each with the variable that takes its value and a text for --help. An
 * option that isn't given leaves its variable alone. The variables outlive this object. Times are
 * microseconds.
 */
class Arguments
{
    Q_DECLARE_TR_FUNCTIONS(lockkeeper::app::cli)

public:
    static constexpr qint64 kAnyDuration = std::numeric_limits<qint64>::max();
    static const qint64 kLongestTimerUs; ///< the limit of a timer's milliseconds

    /** `behind`: the words after "--", for `run`. */
    Arguments(CLI::App &app, qint64 nowUs, QByteArrayList behind);

    CLI::Option *text(const char *name, QString &to, const std::string &about);
    CLI::Option *text(const char *name, std::optional<QString> &to, const std::string &about);
    CLI::Option *bytes(const char *name, QByteArray &to, const std::string &about);
    CLI::Option *texts(const char *name, QStringList &to, const std::string &about);
    CLI::Option *flag(const char *name, bool &to, const std::string &about);
    /** A whole number from 0. */
    CLI::Option *number(const char *name, std::optional<qint64> &to, const std::string &about);
    CLI::Option *number(const char *name, qint64 &to, const std::string &about);
    CLI::Option *duration(const char *name, std::optional<qint64> &to, const std::string &about,
                          qint64 mostUs = kAnyDuration);
    CLI::Option *duration(const char *name, qint64 &to, const std::string &about,
                          qint64 mostUs = kAnyDuration);
    CLI::Option *time(const char *name, std::optional<qint64> &to, const std::string &about);
    CLI::Option *pastTime(const char *name, std::optional<qint64> &to, const std::string &about);
    /** One of these words; `take` gets its index. */
    CLI::Option *choice(const char *name, const std::vector<std::string> &words,
                        std::function<void(std::size_t)> take, const std::string &about);
    CLI::Option *state(std::optional<domain::Condition> &to, const std::vector<std::string> &words,
                       const std::string &about);

    // Options that several commands share.
    CLI::Option *source(QString &to);
    CLI::Option *lockGlob(QByteArray &to);
    CLI::Option *kinds(QList<events::EventKind> &to);
    CLI::Option *yes(bool &to);
    /** --from and --to. */
    void span(std::optional<qint64> &from, std::optional<qint64> &to);

    /** Calls `declare`, and answers later whether any option that it declared was given. */
    std::function<bool()> group(const std::function<void()> &declare);

    /** Empty, with a fault, if the text isn't a whole number from 0. */
    std::optional<qint64> toNumber(const char *option, const QByteArray &text);
    /** Refuses the command line because of this option's value. The first fault is kept. */
    void blame(const char *option, const QString &cause, const QString &remedy = {});
    QString fault() const { return m_fault; }
    qint64 nowUs() const { return m_nowUs; }
    const QByteArrayList &behind() const { return m_behind; }

private:
    CLI::Option *add(const char *name, std::function<void(const QByteArray &)> take,
                     const std::string &about);
    CLI::Option *note(CLI::Option *option);
    std::optional<qint64> toDuration(const char *option, const QByteArray &text, qint64 mostUs);
    std::optional<qint64> toTime(const char *option, const QByteArray &text);

    CLI::App &m_app;
    qint64 m_nowUs;
    QByteArrayList m_behind;
    QString m_fault;
    std::vector<const CLI::Option *> m_declared;
};

} // namespace lockkeeper::app::cli
