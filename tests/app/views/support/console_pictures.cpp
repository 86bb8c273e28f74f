// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the console as operators see it, for a look at what a change did: console_pictures FOLDER
#include "app/views/locks/locks_view.h"
#include "app/views/window/main_window.h"
#include "tests/app/views/support/demo_feed.h"

#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QPixmap>
#include <QTimer>

#include <cstdio>
#include <functional>

using namespace lockkeeper;

namespace {

struct Picture
{
    QString name;
    QSize size;
    QString theme;
    QString language;
    int locks;
    int selected; ///< row; −1 none
};

QList<Picture> pictures()
{
    const auto s = [](const char *text) { return QString::fromLatin1(text); };
    return {{s("light-1280-200"), {1280, 800}, s("light"), s("en"), 200, 0},
            {s("dark-1280-200"), {1280, 800}, s("dark"), s("en"), 200, 2},
            {s("zh-dark-1280-200"), {1280, 800}, s("dark"), s("zh_CN"), 200, 1},
            {s("zh-light-1920-200"), {1920, 1080}, s("light"), s("zh_CN"), 200, 5},
            {s("light-1920-100k"), {1920, 1080}, s("light"), s("en"), 100'000, 3},
            {s("light-1280-5"), {1280, 800}, s("light"), s("en"), 5, 2},
            {s("dark-1024-5"), {1024, 640}, s("dark"), s("en"), 5, -1},
            {s("light-1280-0"), {1280, 800}, s("light"), s("en"), 0, -1}};
}

/** Draws the next picture once the window has settled; ends the program after the last. */
class Album : public QObject
{
public:
    explicit Album(const QString &folder) : m_folder(folder) { next(); }

private:
    void next()
    {
        if (m_at >= pictures().size()) {
            QCoreApplication::quit();
            return;
        }
        const Picture picture = pictures().at(m_at++);
        m_rig = std::make_unique<tests::ConsoleRig>(m_clock);
        m_rig->settings.setValue(app::settings::Key::Appearance, picture.theme);
        m_rig->settings.setValue(app::settings::Key::Language, picture.language);
        QElapsedTimer timer;
        timer.start();
        app::Console &console = *m_rig->console;
        console.window()->resize(picture.size);
        console.window()->show();
        m_rig->feed.load(*console.replica(), m_rig->feed.locks(picture.locks));
        console.locks()->proxy()->tick();
        if (const app::models::LockRow *row = console.locks()->proxy()->lockAt(picture.selected))
            console.selection()->selectOne(row->state.key);
        std::printf("%-20s %6d locks shown after %lld ms\n", qPrintable(picture.name), picture.locks,
                    static_cast<long long>(timer.elapsed()));
        QTimer::singleShot(1500, this, [this, picture] {
            m_rig->console->window()->grab().save(
                QDir(m_folder).filePath(picture.name + QStringLiteral(".png")));
            next();
        });
    }

    base::SystemClock m_clock;
    QString m_folder;
    std::unique_ptr<tests::ConsoleRig> m_rig;
    qsizetype m_at = 0;
};

} // namespace

int main(int argc, char **argv)
{
    QApplication application(argc, argv);
    if (argc != 2) {
        std::fprintf(stderr, "usage: console_pictures FOLDER\n");
        return 2;
    }
    const Album album(QString::fromLocal8Bit(argv[1]));
    return QApplication::exec();
}
