// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/base/sha256.h"

#include <memory>
#include <openssl/evp.h>

namespace lockkeeper::base {

QByteArray sha256(QByteArrayView bytes)
{
    // Look the algorithm up only once: the lookup takes longer than hashing a few dozen bytes.
    static const std::unique_ptr<EVP_MD, decltype(&EVP_MD_free)> algorithm(
        EVP_MD_fetch(nullptr, "SHA256", nullptr), EVP_MD_free);
    QByteArray digest(32, Qt::Uninitialized);
    const int done =
        EVP_Digest(bytes.data(), size_t(bytes.size()), reinterpret_cast<unsigned char *>(digest.data()),
                   nullptr, algorithm.get(), nullptr);
    if (done != 1)
        qFatal("the cryptography library has no SHA-256");
    return digest;
}

} // namespace lockkeeper::base
