// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
// lockkeeper-pam: asks PAM about the name and the password on standard input. A separate program without Qt,
// so that PAM's modules can only damage this process.
#include <array>
#include <cstdlib>
#include <cstring>
#include <security/pam_appl.h>
#include <string>
#include <unistd.h>

namespace {

/** Answers each hidden prompt with the password, and leaves every other message unanswered. */
int converse(int count, const pam_message **messages, pam_response **responses, void *data)
{
    auto *answers = static_cast<pam_response *>(std::calloc(size_t(count), sizeof(pam_response)));
    if (!answers)
        return PAM_BUF_ERR;
    for (int i = 0; i < count; ++i) {
        if (messages[i]->msg_style == PAM_PROMPT_ECHO_OFF)
            answers[i].resp = ::strdup(static_cast<const std::string *>(data)->c_str());
    }
    *responses = answers;
    return PAM_SUCCESS;
}

std::string readAll()
{
    std::string all;
    std::array<char, 4096> part{};
    for (ssize_t got = 0; (got = ::read(STDIN_FILENO, part.data(), part.size())) > 0 && all.size() < 8192;)
        all.append(part.data(), size_t(got));
    return all;
}

int start(const std::string &service, const std::string &user, const pam_conv &conversation,
          pam_handle_t **handle)
{
    const size_t slash = service.rfind('/');
    if (slash == std::string::npos)
        return ::pam_start(service.c_str(), user.c_str(), &conversation, handle);
    return ::pam_start_confdir(service.c_str() + slash + 1, user.c_str(), &conversation,
                               service.substr(0, slash).c_str(), handle);
}

} // namespace

int main(int argc, char **argv)
{
    const std::string input = readAll();
    const size_t end = input.find('\0');
    if (argc != 2 || end == std::string::npos || end == 0 || end + 1 == input.size())
        return 2;
    const std::string user = input.substr(0, end);
    std::string password = input.substr(end + 1);
    if (password.find('\0') != std::string::npos)
        return 1; // PAM would see only the part before the NUL
    const pam_conv conversation{&converse, &password};
    pam_handle_t *handle = nullptr;
    int status = start(argv[1], user, conversation, &handle);
    if (status == PAM_SUCCESS)
        status = ::pam_authenticate(handle, PAM_SILENT | PAM_DISALLOW_NULL_AUTHTOK);
    if (status == PAM_SUCCESS)
        status = ::pam_acct_mgmt(handle, PAM_SILENT | PAM_DISALLOW_NULL_AUTHTOK);
    const void *name = nullptr; // a module may have changed the user
    if (status == PAM_SUCCESS && (::pam_get_item(handle, PAM_USER, &name) != PAM_SUCCESS || !name ||
                                  user != static_cast<const char *>(name)))
        status = PAM_USER_UNKNOWN;
    ::pam_end(handle, status);
    return status == PAM_SUCCESS ? 0 : 1;
}
