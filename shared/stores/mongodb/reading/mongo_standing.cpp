// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/mongodb/reading/mongo_standing.h"

namespace lockkeeper::stores::mongodb {

Standing standingOf(const bson_t *hello)
{
    Standing standing;
    const BsonField name = fieldOf(hello, "setName");
    if (!name)
        return standing;
    standing.server = standing.line = textOf(*name);
    const Bson optime = documentOf(documentOf(hello, "lastWrite").get(), "opTime");
    for (const auto &[key, field] :
         {std::pair("term", fieldOf(optime.get(), "t")), std::pair("config", fieldOf(hello, "setVersion"))}) {
        if (const qint64 number = field ? bson_iter_as_int64(&*field) : -1; number >= 0)
            standing.reached.insert(key, quint64(number));
    }
    return standing;
}

} // namespace lockkeeper::stores::mongodb
