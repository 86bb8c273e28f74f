// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/config/toml_file.h"

#include <QFile>

#include <string_view>

namespace lockkeeper::config {

namespace {
constexpr qint64 kLongestFile = 1'048'576;
} // namespace

tl::expected<QByteArray, Problem> readFile(const QString &path)
{
    QFile file(path);
    const auto refuse = [&path](base::ErrorCode code, const QString &cause) {
        return tl::unexpected(Problem{path, 0, {code, cause, {}}});
    };
    if (!file.open(QIODevice::ReadOnly))
        return refuse(base::ErrorCode::NotFound, QStringLiteral("can't be read: %1").arg(file.errorString()));
    const QByteArray text = file.read(kLongestFile + 1);
    if (text.size() > kLongestFile)
        return refuse(base::ErrorCode::TooLarge, QStringLiteral("is longer than 1 MiB"));
    return text;
}

tl::expected<toml::table, Problem> parseToml(const QByteArray &text, const QString &path)
{
    try {
        return toml::parse(std::string_view(text.constData(), size_t(text.size())));
    } catch (const toml::parse_error &error) {
        const std::string_view words = error.description();
        return tl::unexpected(Problem{path,
                                      int(error.source().begin.line),
                                      {base::ErrorCode::Usage,
                                       QStringLiteral("not valid TOML: %1")
                                           .arg(QString::fromUtf8(words.data(), qsizetype(words.size()))),
                                       {}}});
    }
}

} // namespace lockkeeper::config
