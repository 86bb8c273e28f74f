// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/gathered_log.h"

#include <QtEndian>

#include <sqlite3.h>
#include <utility>
#include <vector>

namespace lockkeeper::agent::journal {

namespace {

// https://www.sqlite.org/fileformat2.html#the_write_ahead_log
constexpr int kFrameHead = 24;
constexpr int kCommitAt = 4; ///< in the head: the pages of the database; 0 where the frame commits nothing
constexpr size_t kMostKept = 64 * 1024; ///< the system's files take less than 128 KiB at a time

/** The log as SQLite sees it; the system's own file lies behind it. */
struct Log
{
    sqlite3_file handle; ///< SQLite's part, and the first
    std::vector<char> *kept;
    sqlite3_int64 keptAt;
    bool inFrame; ///< the page of a head that is kept comes next
};

sqlite3_vfs *systemFiles()
{
    static sqlite3_vfs *const files = sqlite3_vfs_find(nullptr);
    return files;
}

sqlite3_file *realOf(Log *log)
{
    return reinterpret_cast<sqlite3_file *>(log + 1);
}

Log *logOf(sqlite3_file *file)
{
    return reinterpret_cast<Log *>(file);
}

int flush(Log *log)
{
    log->inFrame = false;
    if (log->kept->empty())
        return SQLITE_OK;
    sqlite3_file *real = realOf(log);
    const int code = real->pMethods->xWrite(real, log->kept->data(), int(log->kept->size()), log->keptAt);
    log->kept->clear();
    return code;
}

/** A call of the system's, after what is kept. */
template <auto Method, typename... Arguments> int passOn(sqlite3_file *file, Arguments... arguments)
{
    Log *log = logOf(file);
    const int code = flush(log);
    sqlite3_file *real = realOf(log);
    return code == SQLITE_OK ? (real->pMethods->*Method)(real, arguments...) : code;
}

int closeLog(sqlite3_file *file)
{
    Log *log = logOf(file);
    delete log->kept; // of a transaction that was never committed
    sqlite3_file *real = realOf(log);
    return real->pMethods->xClose(real);
}

int writeLog(sqlite3_file *file, const void *data, int size, sqlite3_int64 at)
{
    Log *log = logOf(file);
    std::vector<char> &kept = *log->kept;
    const bool follows = kept.empty() || at == log->keptAt + sqlite3_int64(kept.size());
    if (!follows || kept.size() + size_t(size) > kMostKept) {
        const bool inFrame = follows && log->inFrame;
        if (const int code = flush(log); code != SQLITE_OK)
            return code;
        log->inFrame = inFrame;
    }
    if (kept.empty())
        log->keptAt = at;
    const char *bytes = static_cast<const char *>(data);
    kept.insert(kept.end(), bytes, bytes + size);
    const bool isPage = std::exchange(log->inFrame, false);
    log->inFrame = !isPage && size == kFrameHead && qFromBigEndian<quint32>(bytes + kCommitAt) == 0;
    return isPage || log->inFrame ? SQLITE_OK : flush(log);
}

int sectorSize(sqlite3_file *file)
{
    sqlite3_file *real = realOf(logOf(file));
    return real->pMethods->xSectorSize(real);
}

int characteristics(sqlite3_file *file)
{
    sqlite3_file *real = realOf(logOf(file));
    return real->pMethods->xDeviceCharacteristics(real);
}

const sqlite3_io_methods kMethods{
    1,
    closeLog,
    passOn<&sqlite3_io_methods::xRead, void *, int, sqlite3_int64>,
    writeLog,
    passOn<&sqlite3_io_methods::xTruncate, sqlite3_int64>,
    passOn<&sqlite3_io_methods::xSync, int>,
    passOn<&sqlite3_io_methods::xFileSize, sqlite3_int64 *>,
    passOn<&sqlite3_io_methods::xLock, int>,
    passOn<&sqlite3_io_methods::xUnlock, int>,
    passOn<&sqlite3_io_methods::xCheckReservedLock, int *>,
    passOn<&sqlite3_io_methods::xFileControl, int, void *>,
    sectorSize,
    characteristics,
    // Of later versions, for databases only.
    nullptr,
    nullptr,
    nullptr,
    nullptr,
    nullptr,
    nullptr,
};

int openFile(sqlite3_vfs *, const char *name, sqlite3_file *file, int flags, int *outFlags)
{
    sqlite3_vfs *system = systemFiles();
    if ((flags & SQLITE_OPEN_WAL) == 0)
        return system->xOpen(system, name, file, flags, outFlags);
    Log *log = logOf(file);
    log->handle.pMethods = nullptr; // nothing to close
    const int code = system->xOpen(system, name, realOf(log), flags, outFlags);
    if (code != SQLITE_OK)
        return code;
    log->kept = new std::vector<char>;
    log->keptAt = 0;
    log->inFrame = false;
    log->handle.pMethods = &kMethods;
    return SQLITE_OK;
}

} // namespace

const char *gatheringFiles()
{
    static const char *const name = []() -> const char * {
        if (systemFiles() == nullptr)
            return nullptr;
        static sqlite3_vfs files = *systemFiles();
        files.zName = "lockkeeper-gathering";
        files.szOsFile += int(sizeof(Log));
        files.xOpen = openFile;
        files.pNext = nullptr;
        return sqlite3_vfs_register(&files, 0) == SQLITE_OK ? files.zName : nullptr;
    }();
    return name;
}

} // namespace lockkeeper::agent::journal
