// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/error.h"

#include <tl/expected.hpp>

namespace lockkeeper::base {

/** A value, or the Error that explains why there is none. */
template <typename T> using Result = tl::expected<T, Error>;

/** `return failure(ErrorCode::Usage, cause, remedy);` from a function that returns a Result. */
inline tl::unexpected<Error> failure(ErrorCode code, QString cause, QString remedy = {})
{
    return tl::unexpected<Error>(Error{code, std::move(cause), std::move(remedy)});
}

} // namespace lockkeeper::base
